//! What does softmax give where every score is masked, or very large?

use burn::{
    prelude::*,
    tensor::activation::{log_softmax, quiet_softmax, softmax},
};

use crate::support::{device, observe};

/// Applies one softmax along the last axis.
pub fn run(variant: &str) {
    let infinite = f64::NEG_INFINITY;
    let masked = Tensor::<2>::from_data([[infinite, infinite], [0.0, 1.0]], &device()).inner();
    let large = [[10000.0, 10001.0, 10002.0], [-781.0, -1043.0, 890.0]];
    let large = Tensor::<2>::from_data(large, &device()).inner();

    let out = match variant {
        "masked_softmax" => softmax(masked, 1),
        "masked_quiet_softmax" => quiet_softmax(masked, 1),
        "large_log_softmax" => log_softmax(large, 1),
        _ => unreachable!("variant {variant}"),
    };

    observe("out", out);
}
