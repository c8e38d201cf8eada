//! What is the gradient of a product in which a factor is zero?

use burn::prelude::*;

use crate::support::{device, observe};

/// Multiplies the factors the variant's way and goes back from the product.
pub fn run(variant: &str) {
    let factors = match variant {
        "two_zeros" => [2.0, 0.0, 0.0, 4.0],
        _ => [2.0, 0.0, 3.0, 4.0],
    };
    let x = Tensor::<1>::from_data(factors, &device()).require_grad();

    let product = match variant {
        "prod" | "two_zeros" => x.clone().prod(),
        "prod_dim" => x.clone().prod_dim(0),
        "cumprod" => x.clone().cumprod(0).sum(),
        _ => unreachable!("variant {variant}"),
    };
    let gradients = product.backward();

    observe("gradient", x.grad(&gradients).unwrap());
}
