//! Which settings does an optimizer have where none is stated?

use burn::{
    module::Param,
    nn::Linear,
    optim::{
        AdamConfig, AdamWConfig, GradientsParams, RmsPropConfig, SgdConfig,
        momentum::MomentumConfig,
    },
    prelude::*,
};

use crate::support::{device, observe, rate};

/// Takes a few steps with the settings that the optimizer has by itself.
pub fn run(variant: &str) {
    let x = Tensor::<2>::from_data([[1.0, -2.0, 0.5]], &device());
    let target = Tensor::<2>::from_data([[0.7, -1.1]], &device());

    let weight = Tensor::from_data([[0.5, 0.8], [-0.3, -0.6], [0.2, 0.1]], &device());
    let bias = Tensor::from_data([0.1, -0.2], &device());
    let mut model =
        Linear { weight: Param::from_tensor(weight), bias: Some(Param::from_tensor(bias)) };
    let mut optim = match variant {
        "sgd_momentum" => SgdConfig::new().with_momentum(Some(MomentumConfig::new())).init(),
        "adam" | "adam_tiny_gradient" => AdamConfig::new().init(),
        "adamw" => AdamWConfig::new().init(),
        "rmsprop" => RmsPropConfig::new().init(),
        _ => unreachable!("variant {variant}"),
    };
    let (steps, scale, learning_rate) = match variant {
        "adam_tiny_gradient" => (3, 1e-6, 0.05),
        "rmsprop" => (5, 1.0, 0.01),
        _ => (5, 1.0, 0.05),
    };

    for _ in 0..steps {
        let loss = (model.forward(x.clone()) - target.clone()).square().sum() * scale;
        let gradients = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(rate(learning_rate), model, gradients);
    }

    observe("weight", model.weight.val());
    observe("bias", model.bias.unwrap().val());
}
