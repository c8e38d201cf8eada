//! What does a wrong shape raise?

use burn::{nn::loss::CrossEntropyLossConfig, prelude::*};

use crate::support::{a1_model, device, observe};

/// Hands over one tensor of a wrong shape.
pub fn run(variant: &str) {
    match variant {
        "linear_width" => {
            let x = Tensor::<2>::ones([2, 5], &device());
            observe("out", a1_model(&device()).forward(x));
        }
        "cross_entropy_rows" => {
            let logits = Tensor::<2>::ones([3, 2], &device());
            let targets = Tensor::<1, Int>::from_data([0, 1], &device());
            let criterion = CrossEntropyLossConfig::new().init(&device());
            let loss: f32 = criterion.forward(logits, targets).into_scalar();
            observe("loss", loss);
        }
        _ => unreachable!("variant {variant}"),
    }
}
