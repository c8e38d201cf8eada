//! What does raising to an integer power give?

use burn::{prelude::*, tensor::DType};

use crate::support::{device, observe};

/// Raises floats or integers to the variant's power.
pub fn run(variant: &str) {
    let of = |values: &[f32]| Tensor::<1>::from_data(values, &device()).inner();
    let ints =
        |values: &[i64]| Tensor::<1, Int>::from_data(values, (&device(), DType::I64)).inner();

    match variant {
        "cube" => observe("out", of(&[1.1, -2.3, 1e10]).powi_scalar(3)),
        "inverse_cube" => observe("out", of(&[1.1, 3.0]).powi_scalar(-3)),
        "zeroth" => observe("out", of(&[0.0, 2.0]).powi_scalar(0)),
        "integers_inverse" => observe("ints", ints(&[2, 1, -1]).powi_scalar(-1)),
        "integers_overflow" => observe("ints", ints(&[10]).powi_scalar(19)),
        _ => unreachable!("variant {variant}"),
    }
}
