//! Does softplus stay finite where its exponential overflows?

use burn::{prelude::*, tensor::activation::softplus};

use crate::support::{device, observe};

/// Applies softplus to large numbers, and differentiates it.
pub fn run(variant: &str) {
    let (x, beta) = match variant {
        "beta_one" => ([100.0, 0.0, 25.0], 1.0),
        "beta_five" => ([20.0, 100.0, -1.0], 5.0),
        _ => unreachable!("variant {variant}"),
    };
    let x = Tensor::<1>::from_data(x, &device()).require_grad();

    let out = softplus(x.clone(), beta);

    observe("out", out.clone());
    let gradients = out.sum().backward();
    observe("gradient", x.grad(&gradients).expect("x is a leaf"));
}
