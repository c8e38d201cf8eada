//! Which epsilon does a normalisation add, and where?

use burn::{
    nn::{LayerNormConfig, RmsNormConfig},
    prelude::*,
};

use crate::support::{device, observe};

/// Normalises three small numbers, or four about a large mean.
pub fn run(variant: &str) {
    let small = Tensor::<2>::from_data([[1e-3, 2e-3, 3e-3]], &device());
    let large = Tensor::<2>::from_data([[10000.0, 10001.0, 10002.0, 10003.0]], &device());

    let out = match variant {
        "rms_default" => RmsNormConfig::new(3).init(&device()).forward(small),
        "rms_stated" => RmsNormConfig::new(3).with_epsilon(1e-6).init(&device()).forward(small),
        "layer_default" => LayerNormConfig::new(3).init(&device()).forward(small),
        "layer_large_mean" => LayerNormConfig::new(4).init(&device()).forward(large),
        _ => unreachable!("variant {variant}"),
    };

    observe("out", out);
}
