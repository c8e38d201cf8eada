//! What happens to an index, a bound or a value that is out of range?

use burn::{
    prelude::*,
    tensor::{DType, IntDType},
};

use crate::support::{device, observe};

/// Goes out of range the variant's way.
pub fn run(variant: &str) {
    let device = device();
    let x = Tensor::<1>::from_data([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &device).inner();

    match variant {
        "select" => {
            let beyond = Tensor::<1, Int>::from_data([5], &device).inner();
            observe("out", x.slice(0..2).select(0, beyond));
        }
        "slice_end" => observe("out", x.slice(4..100)),
        "slice_backwards" => observe("out", x.slice(s![0..5;-1])),
        "slice_backwards_by_two" => observe("out", x.slice(s![1..6;-2])),
        "clamp_inverted" => {
            let x = Tensor::<1>::from_data([0.0, 5.0, 10.0], &device).inner();
            observe("out", x.clamp(7.0, 3.0));
        }
        "one_hot" => {
            let classes = Tensor::<1, Int>::from_data([-1, 1], &device).inner();
            observe("ints", classes.one_hot::<2>(3).cast(DType::I64));
        }
        "cast" => {
            let values = [2.7, -2.7, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e20];
            let values = Tensor::<1>::from_data(values, &device).inner();
            observe("ints", values.cast(IntDType::I32).cast(DType::I64));
        }
        "nan_as_index" => {
            let index = Tensor::<1>::from_data([f32::NAN], &device).inner().int();
            observe("out", (x + 10.0).select(0, index));
        }
        _ => unreachable!("variant {variant}"),
    }
}
