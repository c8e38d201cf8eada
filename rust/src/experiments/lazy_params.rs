//! Does counting a layer's parameters initialise them?

use burn::{nn::LinearConfig, prelude::*};

use crate::support::{device, names, observe};

/// Counts the parameters of a layer that has not made them yet.
pub fn run(_variant: &str) {
    let layer = LinearConfig::new(4, 8).init(&device());

    observe("initialized.at_first", layer.weight.is_initialized());
    observe("num_params", layer.num_params());
    observe("initialized.counted", layer.weight.is_initialized());
    observe("names", names(&layer));
    observe("initialized.named", layer.weight.is_initialized());
}
