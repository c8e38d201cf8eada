//! What does cross entropy make of the targets, weights and probabilities at the edge?

use burn::{nn::loss::CrossEntropyLossConfig, prelude::*};

use crate::support::{device, observe};

/// Computes one loss at the variant's edge.
pub fn run(variant: &str) {
    let config = CrossEntropyLossConfig::new();
    let logits = [[2.0, -1.0, 0.5], [0.1, 1.5, -0.7]];
    let loss = match variant {
        "zero_probability" => {
            let probabilities = Tensor::<2>::from_data([[1.0, 0.0], [0.0, 1.0]], &device());
            let targets = Tensor::<1, Int>::from_data([0, 0], &device());
            config.with_logits(false).init(&device()).forward(probabilities, targets)
        }
        "zero_probability_smoothed" => {
            let probabilities = Tensor::<2>::from_data([[1.0, 0.0], [0.5, 0.5]], &device());
            let targets = Tensor::<1, Int>::from_data([0, 1], &device());
            let config = config.with_logits(false).with_smoothing(Some(0.1));
            config.init(&device()).forward(probabilities, targets)
        }
        "zero_weight" => {
            let logits = Tensor::<2>::from_data(logits, &device());
            let targets = Tensor::<1, Int>::from_data([1, 2], &device());
            let config = config.with_weights(Some(vec![0.0, 1.0, 3.0]));
            config.init(&device()).forward(logits, targets)
        }
        "ignored_target" => {
            let logits = Tensor::<2>::from_data(logits, &device());
            let targets = Tensor::<1, Int>::from_data([-100, 0], &device());
            config.init(&device()).forward(logits, targets)
        }
        _ => unreachable!("variant {variant}"),
    };
    let loss: f32 = loss.into_scalar();
    observe("loss", loss);
}
