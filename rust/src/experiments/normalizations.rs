//! Which values do normalizations, softmax and the variance give?

use burn::{
    nn::{GroupNormConfig, LayerNormConfig, RmsNormConfig},
    prelude::*,
    tensor::activation::{log_softmax, softmax},
};

use crate::support::{device, literal, observe};

/// Applies the function to three rows, and asks for the gradient of a weighted sum.
pub fn run(variant: &str) {
    let x = literal([3, 8], 7, &device()).require_grad();
    let out = applied(variant, x.clone());
    let weights = literal(out.dims(), 5, &device());
    let gradients = (out.clone() * weights).sum().backward();
    observe("out.float32", out);
    observe("gradient.float32", x.grad(&gradients));
}

fn applied(variant: &str, x: Tensor<2>) -> Tensor<2> {
    let device = x.device();
    match variant {
        "layer_norm" => LayerNormConfig::new(8).init(&device).forward(x),
        "rms_norm" => RmsNormConfig::new(8).with_epsilon(1e-5).init(&device).forward(x),
        "group_norm" => GroupNormConfig::new(2, 8).init(&device).forward(x),
        "softmax" => softmax(x, 1),
        "log_softmax" => log_softmax(x, 1),
        "var" => x.var(1),
        "std" => x.var_bias(1).sqrt(),
        "cumsum" => x.cumsum(1),
        _ => unreachable!("variant {variant}"),
    }
}
