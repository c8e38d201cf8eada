//! Where do a maximum, a minimum and a sort put a NaN?

use burn::prelude::*;

use crate::support::{device, observe};

/// Asks the variant's question of values of which one is NaN.
pub fn run(variant: &str) {
    let x = Tensor::<1>::from_data([1.0, f32::NAN, 2.0], &device()).inner();
    let unsorted = [2.0, f32::NAN, 1.0, f32::NEG_INFINITY, f32::INFINITY];
    let unsorted = Tensor::<1>::from_data(unsorted, &device()).inner();

    match variant {
        "max" => {
            let value: f32 = x.max().into_scalar();
            observe("value", value);
        }
        "min" => {
            let value: f32 = x.min().into_scalar();
            observe("value", value);
        }
        "max_dim" => observe("out", x.max_dim(0)),
        "min_dim" => observe("out", x.min_dim(0)),
        "argmax" => observe("index", index(&x.argmax(0).into_data())),
        "argmin" => observe("index", index(&x.argmin(0).into_data())),
        "cummax" => observe("out", x.cummax(0)),
        "sort" => observe("out", unsorted.sort(0)),
        "topk" => observe("out", unsorted.topk(2, 0)),
        _ => unreachable!("variant {variant}"),
    }
}

fn index(data: &TensorData) -> usize {
    data.iter::<i64>().next().expect("one index") as usize
}
