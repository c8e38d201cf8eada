//! What is a gradient at a point where its formula divides by zero?

use burn::prelude::*;

use crate::support::{device, observe};

/// Computes the variant's operation at such a point and observes the gradient of one argument.
pub fn run(variant: &str) {
    let of = |values: &[f32]| Tensor::<1>::from_data(values, &device()).require_grad();
    let base = of(&[0.0, -2.0, 2.0, 0.0]);
    let exponent = of(&[2.0, 2.0, 3.0, 0.0]);

    let (x, out) = match variant {
        "atan2" => {
            let y = of(&[0.0, 1.0]);
            (y.clone(), y.atan2(of(&[0.0, 2.0])))
        }
        "atan2_left_out" => {
            let x = of(&[1.0, 0.0, 2.0, 3.0]);
            let angles = of(&[2.0, 0.0, 0.0, 0.0]).atan2(x.clone());
            let kept = Tensor::<1, Int>::from_data([0, 2, 3], &device());
            (x, angles.select(0, kept) / 3.0)
        }
        "pow_base" => (base.clone(), base.powf(exponent)),
        "pow_exponent" => (exponent.clone(), base.powf(exponent)),
        _ => unreachable!("variant {variant}"),
    };
    let gradients = out.sum().backward();

    observe("gradient", x.grad(&gradients).unwrap());
}
