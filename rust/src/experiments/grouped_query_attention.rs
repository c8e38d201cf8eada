//! Do several query heads share one key and value head?

use burn::{
    prelude::*,
    tensor::{module::attention, ops::AttentionModuleOptions},
};

use crate::support::{device, observe};

/// Attends with four query heads to two key and value heads.
pub fn run(variant: &str) {
    let query = filled([1, 4, 1, 4], |i| (remainder(3 * i, 7) - 3.0) / 3.0, &device());
    let key = filled([1, 2, 2, 4], |i| (remainder(5 * i, 11) - 5.0) / 5.0, &device());
    let value = filled([1, 2, 2, 4], |i| (remainder(7 * i, 13) - 6.0) / 6.0, &device());

    let options = AttentionModuleOptions::default();
    match variant {
        "plain" => {
            let (query, key, value) = (query.inner(), key.inner(), value.inner());
            observe("out", attention(query, key, value, None, None, options));
        }
        "autodiff" => observe("out", attention(query, key, value, None, None, options)),
        _ => unreachable!("variant {variant}"),
    }
}

fn filled(shape: [usize; 4], formula: fn(usize) -> f32, device: &Device) -> Tensor<4> {
    let values: Vec<f32> = (0..shape.iter().product()).map(formula).collect();
    Tensor::<1>::from_data(values.as_slice(), device).reshape(shape)
}

fn remainder(a: usize, b: usize) -> f32 {
    (a % b) as f32
}
