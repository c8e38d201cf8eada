//! What does scaled dot product attention do with a mask, with causality, and with both?

use burn::{
    prelude::*,
    tensor::{module::attention, ops::AttentionModuleOptions},
};

use crate::support::{device, literal, observe};

/// Attends from three queries to three keys in two heads, restricted the variant's way.
pub fn run(variant: &str) {
    let device = device();
    let [query, key, value] = [7, 5, 3].map(|step| literal([1, 2, 3, 4], step, &device).inner());
    let hidden = [[false, true, false], [false, false, true], [true, false, false]];
    let hidden = Tensor::<2, Bool>::from_data(hidden, &device).inner();
    let bias = literal([3, 3], 7, &device).inner();

    let masked = matches!(variant, "boolean_mask" | "mask_and_causal");
    let mask = masked.then(|| hidden.unsqueeze::<4>().expand([1, 2, 3, 3]));
    let biased = variant == "float_mask";
    let bias = biased.then(|| bias.unsqueeze::<4>().expand([1, 2, 3, 3]));
    let options = AttentionModuleOptions {
        is_causal: matches!(variant, "causal" | "mask_and_causal"),
        ..Default::default()
    };
    observe("out", attention(query, key, value, mask, bias, options));
}
