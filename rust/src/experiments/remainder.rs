//! What remains of a division that does not come out even?

use burn::{prelude::*, tensor::DType};

use crate::support::{device, observe};

const INFINITY: f32 = f32::INFINITY;

/// Takes the variant's remainder: fmod has the sign of the dividend, remainder of the divisor.
pub fn run(variant: &str) {
    let of = |values: &[f32]| Tensor::<1>::from_data(values, &device()).inner();
    let ints =
        |values: &[i32]| Tensor::<1, Int>::from_data(values, (&device(), DType::I32)).inner();

    match variant {
        "fmod" => observe("out", of(&[5.3, -5.3, 1.0]).fmod(of(&[2.0, 2.0, INFINITY]))),
        "fmod_small_divisor" => observe("out", of(&[5.3, -5.3, 1e20]).fmod_scalar(0.1)),
        "fmod_large_quotient" => observe("out", of(&[1e10, -5.0]).fmod(of(&[3.0, 3.0]))),
        "fmod_by_infinity" => observe("out", of(&[1.0, INFINITY]).fmod_scalar(INFINITY)),
        "tiny_dividend" => observe("out", of(&[-1e-9]).remainder_scalar(1.0)),
        "large" => observe("out", of(&[3e38]).remainder_scalar(3.2e38)),
        "infinite_divisor" => {
            observe("out", of(&[-1e-20, -1.0, 5.0]).remainder(of(&[1.0, INFINITY, -3.0])));
        }
        "integers" => observe("ints", ints(&[10, 20, -30]).remainder(ints(&[7, -7, 7]))),
        "integers_broadcast" => observe("ints", ints(&[10, 20, 30]).remainder(ints(&[7]))),
        "integers_by_zero" => observe("ints", ints(&[10, 20]).remainder(ints(&[7, 0]))),
        _ => unreachable!("variant {variant}"),
    }
}
