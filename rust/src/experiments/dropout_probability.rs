//! Which dropout probabilities are accepted, and what comes out?

use burn::{nn::DropoutConfig, prelude::*};

use crate::support::{device, observe};

/// Drops out two numbers in training.
pub fn run(variant: &str) {
    let x = Tensor::<1>::from_data([1.0, 2.0], &device());

    let probability = match variant {
        "zero" => 0.0,
        "one" => 1.0,
        "negative" => -1.0,
        _ => unreachable!("variant {variant}"),
    };
    let dropout = DropoutConfig::new(probability).init();

    observe("out", dropout.forward(x));
}
