//! In which order do the largest elements come, and equal ones?

use burn::{prelude::*, tensor::DType};

use crate::support::{device, observe};

/// Orders the elements the variant's way.
pub fn run(variant: &str) {
    let of = |values: &[f32]| Tensor::<1>::from_data(values, &device()).inner();

    match variant {
        "topk_of_all" => observe("values", of(&[1.0, 3.0, 2.0]).topk(3, 0)),
        "topk_of_equal" => {
            let (values, indices) = of(&[1.0, 2.0, 2.0, 2.0]).topk_with_indices(2, 0);
            observe("values", values);
            observe("indices", indices.cast(DType::I64));
        }
        "argsort_of_zeros" => {
            observe("indices", of(&[0.0, -0.0, 0.0]).argsort(0).cast(DType::I64));
        }
        "max_of_zeros" => observe("values", of(&[-0.0, 0.0]).max()),
        _ => unreachable!("variant {variant}"),
    }
}
