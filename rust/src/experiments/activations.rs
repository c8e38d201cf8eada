//! Which values and gradients does an activation give?

use burn::{
    prelude::*,
    tensor::activation::{
        celu, elu, gelu, gelu_approximate, hard_shrink, hard_sigmoid, hard_swish, hardtanh,
        leaky_relu, log_sigmoid, mish, relu, relu6, selu, sigmoid, silu, soft_shrink, softplus,
        softsign, tanh, tanhshrink, threshold,
    },
};

use crate::support::{device, observe};

/// Applies the activation to numbers on both sides of its bends, none of them on one.
pub fn run(variant: &str) {
    let numbers = [-7.0, -3.25, -1.75, -0.8, -0.3, -0.05, 0.05, 0.3, 0.8, 1.75, 3.25, 7.0_f32];

    let x = Tensor::<1>::from_data(numbers, &device()).require_grad();
    let out = activated(variant, x.clone());
    let gradients = out.clone().sum().backward();
    observe("out.float32", out);
    observe("gradient.float32", x.grad(&gradients));
}

fn activated(variant: &str, x: Tensor<1>) -> Tensor<1> {
    match variant {
        "celu" => celu(x, 0.5),
        "elu" => elu(x, 0.5),
        "gelu" => gelu(x),
        "gelu_tanh" => gelu_approximate(x),
        "hard_shrink" => hard_shrink(x, 0.5),
        "hard_sigmoid" => hard_sigmoid(x, 1.0 / 6.0, 0.5),
        "hard_swish" => hard_swish(x),
        "hard_tanh" => hardtanh(x, -1.0, 1.0),
        "leaky_relu" => leaky_relu(x, 0.1),
        "log_sigmoid" => log_sigmoid(x),
        "mish" => mish(x),
        "relu" => relu(x),
        "relu6" => relu6(x),
        "selu" => selu(x),
        "sigmoid" => sigmoid(x),
        "silu" => silu(x),
        "soft_shrink" => soft_shrink(x, 0.5),
        "softplus" => softplus(x, 1.0),
        "softsign" => softsign(x),
        "tanh" => tanh(x),
        "tanh_shrink" => tanhshrink(x),
        "threshold" => threshold(x, 0.5, -1.0),
        _ => unreachable!("variant {variant}"),
    }
}
