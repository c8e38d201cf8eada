//! Which exception does an operation that is not defined raise, and what does it say?

use burn::{nn::LinearConfig, prelude::*};

use crate::support::{device, literal, observe};

/// Applies an operation to what it is not defined for.
pub fn run(variant: &str) {
    let device = device();

    match variant {
        "mm_shapes" => {
            let [left, right] = [7, 7].map(|step| literal([2, 3], step, &device).inner());
            observe("product", left.matmul(right));
        }
        "linear_shapes" => {
            let layer = LinearConfig::new(4, 3).init(&device);
            observe("product", layer.forward(literal([2, 5], 7, &device)));
        }
        "int_mean" => {
            let numbers = Tensor::<1, Int>::from_data([1, 2], &device).inner();
            observe("mean", numbers.mean().float());
        }
        _ => unreachable!("variant {variant}"),
    }
}
