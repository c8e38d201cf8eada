//! What happens when a gradient is asked for where nothing was recorded?

use burn::prelude::*;

use crate::support::{device, observe, plain_device};

/// Asks the variant's tensor for a gradient.
pub fn run(variant: &str) {
    match variant {
        "require_grad_plain" => {
            let x = Tensor::<1>::ones([2], &device()).inner().require_grad();
            observe("requires_grad", x.is_require_grad());
        }
        "backward_plain" => {
            let x = Tensor::<1>::ones([2], &plain_device());
            observe_gradient(x.clone(), x.sum());
        }
        "backward_untracked" => {
            let x = Tensor::<1>::ones([2], &device());
            observe_gradient(x.clone(), x.sum());
        }
        "power_zero" => {
            let x = Tensor::<1>::from_data([0.0, 2.0], &device()).require_grad();
            observe_gradient(x.clone(), x.powi_scalar(0).sum());
        }
        _ => unreachable!("variant {variant}"),
    }
}

fn observe_gradient(x: Tensor<1>, loss: Tensor<1>) {
    let gradient = x.grad(&loss.backward());
    observe("has_gradient", gradient.is_some());
    observe("gradient", gradient);
}
