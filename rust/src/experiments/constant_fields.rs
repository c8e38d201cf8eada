//! May a module hold a constant beside its layers?

use burn::{
    nn::{Linear, LinearConfig},
    prelude::*,
};

use crate::support::{device, observe};

burn::modules! {
    /// A layer with a label.
    #[derive(Module, Debug)]
    struct Labelled {
        fc: Linear,
        label: char,
    }
}

/// Counts the parameters, and looks for the constant after a change of modes.
pub fn run(_variant: &str) {
    let model = Labelled { fc: LinearConfig::new(4, 8).init(&device()), label: 'A' };

    observe("num_params", model.num_params());
    let model = model.valid().train();
    observe("kept", model.label == 'A');
}
