//! Which calls on a module initialise parameters that it has not made yet?

use burn::{module::ModuleMapper, nn::LinearConfig, prelude::*};

use crate::support::{device, observe};

/// A mapper that maps nothing.
struct Nothing;

impl ModuleMapper for Nothing {}

/// Makes the variant's call on a layer that nobody has used yet.
pub fn run(variant: &str) {
    let mut layer = LinearConfig::new(4, 8).init(&device());
    observe("initialized.at_first", layer.weight.is_initialized());

    match variant {
        "mapper" => layer = layer.map(&mut Nothing),
        "devices" => observe("devices", layer.devices().len()),
        "no_grad" => layer = layer.no_grad(),
        "freeze" => layer = layer.freeze(),
        "modes" => layer = layer.no_grad().valid().train(),
        _ => unreachable!("variant {variant}"),
    }

    observe("initialized.called", layer.weight.is_initialized());
    observe("requires_grad", layer.weight.val().is_require_grad());
}
