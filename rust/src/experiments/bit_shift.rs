//! What does a shift give at the edge of an integer's width?

use burn::{prelude::*, tensor::DType};

use crate::support::{device, observe};

/// Shifts integers of the variant's width.
pub fn run(variant: &str) {
    let device = device();

    match variant {
        "i32_left_by_33" => {
            let x = Tensor::<1, Int>::from_data([1, -8], (&device, DType::I32)).inner();
            observe("i32", x.bitwise_left_shift_scalar(33));
        }
        "i64_left_by_64" => {
            let x = Tensor::<1, Int>::from_data([1i64, -8], (&device, DType::I64)).inner();
            observe("i64", x.bitwise_left_shift_scalar(64));
        }
        "u8_left_by_8" => {
            let x = Tensor::<1, Int>::from_data([255u8, 1], (&device, DType::U8)).inner();
            observe("i32", x.bitwise_left_shift_scalar(8).cast(DType::I32));
        }
        "i32_right_by_1" => {
            let x = Tensor::<1, Int>::from_data([7, -8], (&device, DType::I32)).inner();
            observe("i32", x.bitwise_right_shift_scalar(1));
        }
        "u64_right_by_1" => {
            let x = Tensor::<1, Int>::from_data([u64::MAX], (&device, DType::U64)).inner();
            let shifted = x.bitwise_right_shift_scalar(1).into_data();
            observe("shifted", shifted.iter::<u64>().next().expect("one").to_string());
        }
        _ => unreachable!("variant {variant}"),
    }
}
