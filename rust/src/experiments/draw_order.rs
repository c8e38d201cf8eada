//! Does no_grad() on one layer change what a seed gives the whole model?

use burn::{
    nn::LinearConfig,
    optim::{GradientsParams, SgdConfig},
    prelude::*,
};

use crate::support::{Mlp, a1_batch, device, named_parameters, observe, rate};

/// Trains a seeded model, once untouched and once treated the variant's way.
pub fn run(variant: &str) {
    let losses = training(variant);
    observe("losses", losses.clone());
    observe("first_loss_as_untouched", losses[0] == training("untouched")[0]);
}

/// The losses of three SGD steps.
fn training(variant: &str) -> Vec<f32> {
    let (x, y) = a1_batch(&device());

    device().seed(77);
    let mut model = Mlp {
        fc1: LinearConfig::new(4, 8).init(&device()),
        fc2: LinearConfig::new(8, 3).init(&device()),
    };
    if variant == "no_grad_read" {
        named_parameters(&model); // which reads every value
    }
    if variant != "untouched" {
        model.fc2 = model.fc2.no_grad();
    }

    let mut optim = SgdConfig::new().init();
    let mut losses: Vec<f32> = Vec::new();
    for _ in 0..3 {
        let loss = model.loss(x.clone(), y.clone());
        losses.push(loss.clone().into_scalar());
        let gradients = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(rate(0.1), model, gradients);
    }
    losses
}
