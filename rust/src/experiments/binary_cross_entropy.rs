//! Does binary cross entropy refuse a target that is no class?

use burn::{nn::loss::BinaryCrossEntropyLossConfig, prelude::*};

use crate::support::{device, observe};

/// Computes the loss of two probabilities.
pub fn run(variant: &str) {
    let probabilities = Tensor::<1>::from_data([0.5, 0.5], &device());
    let targets = match variant {
        "in_range" => Tensor::<1, Int>::from_data([0, 1], &device()),
        "out_of_range" => Tensor::from_data([0, 2], &device()),
        _ => unreachable!("variant {variant}"),
    };

    let loss = BinaryCrossEntropyLossConfig::new().init(&device()).forward(probabilities, targets);
    let loss: f32 = loss.into_scalar();
    observe("loss", loss);
}
