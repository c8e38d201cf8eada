//! Does the clone of a layer that holds no numbers yet draw the same ones?

use burn::{nn::LinearConfig, prelude::*};

use crate::support::{device, observe};

/// Clones a layer before its weights are drawn, and compares the two.
pub fn run(_variant: &str) {
    let layer = LinearConfig::new(4, 8).init(&device());
    let clone = layer.clone();

    observe("same_weight", same(layer.weight.val(), clone.weight.val()));
    observe("same_bias", same(layer.bias.unwrap().val(), clone.bias.unwrap().val()));
}

fn same<const D: usize>(a: Tensor<D>, b: Tensor<D>) -> bool {
    a.equal(b).all().into_scalar()
}
