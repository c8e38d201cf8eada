//! Where do a maximum, a minimum and a sort put a NaN?

use burn::prelude::*;

use crate::support::{observe, plain_device};

/// Asks the variant's question of values of which one is NaN.
pub fn run(variant: &str) {
    let x = Tensor::<1>::from_data([1.0, f32::NAN, 2.0], &plain_device());
    let unsorted = [2.0, f32::NAN, 1.0, f32::NEG_INFINITY, f32::INFINITY];
    let unsorted = Tensor::<1>::from_data(unsorted, &plain_device());

    match variant {
        "max" => observe("value", x.max().into_scalar::<f32>()),
        "min" => observe("value", x.min().into_scalar::<f32>()),
        "max_dim" => observe("out", x.max_dim(0)),
        "min_dim" => observe("out", x.min_dim(0)),
        "argmax" => observe("index", x.argmax(0).into_scalar::<i64>() as usize),
        "argmin" => observe("index", x.argmin(0).into_scalar::<i64>() as usize),
        "cummax" => observe("out", x.cummax(0)),
        "sort" => observe("out", unsorted.sort(0)),
        "topk" => observe("out", unsorted.topk(2, 0)),
        _ => unreachable!("variant {variant}"),
    }
}
