//! What does clipping a gradient by its norm leave of it?

use burn::{
    grad_clipping::GradientClippingConfig,
    module::Param,
    nn::Linear,
    optim::{GradientsParams, SgdConfig},
    prelude::*,
    tensor::FloatDType,
};

use crate::support::{device, observe, rate};

/// Clips one gradient to the norm 1, or trains one step with clipping.
pub fn run(variant: &str) {
    if variant == "two_parameters" {
        return step();
    }
    let gradient = |values: &[f32]| Tensor::<1>::from_data(values, &device()).inner();
    let gradient = match variant {
        "float32" => gradient(&[3.0, 4.0]),
        "float16" => gradient(&[200.0, 200.0, 200.0, 200.0]).cast(FloatDType::F16),
        "float16_single" => gradient(&[300.0]).cast(FloatDType::F16),
        "nan" => gradient(&[f32::NAN, 1.0]),
        "infinity" => gradient(&[f32::INFINITY, 1.0]),
        "overflow" => gradient(&[3e20, 4e20]),
        _ => unreachable!("variant {variant}"),
    };

    let clipped = GradientClippingConfig::Norm(1.0).init().clip_gradient(gradient);

    observe(if variant.starts_with("float16") { "clipped.float16" } else { "clipped" }, clipped);
}

/// Takes one step, the gradients clipped to the norm 0.5.
fn step() {
    let x = Tensor::<2>::from_data([[1.0, -2.0, 0.5]], &device());
    let target = Tensor::from_data([[0.7, -1.1]], &device());

    let weight = Tensor::from_data([[0.5, 0.8], [-0.3, -0.6], [0.2, 0.1]], &device());
    let bias = Tensor::from_data([0.1, -0.2], &device());
    let mut model =
        Linear { weight: Param::from_tensor(weight), bias: Some(Param::from_tensor(bias)) };
    let clipping = GradientClippingConfig::Norm(0.5);
    let mut optim = SgdConfig::new().with_gradient_clipping(Some(clipping)).init();

    let loss = (model.forward(x) - target).square().sum();
    let gradients = GradientsParams::from_grads(loss.backward(), &model);
    model = optim.step(rate(0.1), model, gradients);

    observe("weight", model.weight.val());
    observe("bias", model.bias.unwrap().val());
}
