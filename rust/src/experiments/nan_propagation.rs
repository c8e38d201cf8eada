//! Which operations let a NaN through?

use burn::{nn::pool::MaxPool2dConfig, prelude::*, tensor::activation};

use crate::support::{device, observe};

const NAN: f32 = f32::NAN;

/// Computes the variant's operation, or its gradient, where one element is NaN.
pub fn run(variant: &str) {
    let recorded = Tensor::<1>::from_data([NAN, -2.0, 0.0, 5.0], &device());
    let x = recorded.clone().inner();

    let out = match variant {
        "relu" => activation::relu(x),
        "clamp" => x.clamp(0.0, 1.0),
        "clamp_min" => x.clamp_min(0.0),
        "clamp_max" => x.clamp_max(1.0),
        "sign" => x.sign(),
        "relu_gradient" => {
            let x = recorded.require_grad();
            let gradients = activation::relu(x.clone()).sum().backward();
            return observe("out", x.grad(&gradients));
        }
        "sign_gradient" => {
            let x = Tensor::<1>::from_data([-0.5], &device()).require_grad();
            let gradients = x.clone().log().abs().sum().backward();
            return observe("out", x.grad(&gradients));
        }
        "max_pool" => {
            let image = Tensor::<4>::from_data([[[[1.0, NAN], [5.0, 6.0]]]], &device()).inner();
            MaxPool2dConfig::new([2, 2]).init().forward(image).reshape([1])
        }
        "median" => Tensor::<1>::from_data([4.0, NAN, 3.0], &device()).inner().median(0),
        "median_even" => Tensor::<1>::from_data([1.0, NAN, 3.0, 4.0], &device()).inner().median(0),
        _ => unreachable!("variant {variant}"),
    };

    observe("out", out);
}
