//! Does an optimizer step move the running statistics of batch normalization?

use burn::{
    nn::BatchNormConfig,
    optim::{GradientsParams, SgdConfig},
    prelude::*,
};

use crate::support::{device, named_parameters, observe, rate};

/// Steps once, with gradients from a loss or registered by hand.
pub fn run(variant: &str) {
    let x = Tensor::<2>::from_data([[1.0, 2.0], [2.0, 4.0]], &device());
    let scale = Tensor::<2>::from_data([[1.0, 2.0], [2.0, 5.0]], &device());

    let mut norm = BatchNormConfig::new(2).init(&device());
    let mut optim = SgdConfig::new().init();

    let mut gradients = GradientsParams::new();
    if variant != "by_hand" {
        let output = norm.forward(x);
        if variant == "step" {
            let loss = (output * scale).sum();
            gradients = GradientsParams::from_grads(loss.backward(), &norm);
        }
    }
    if variant != "step" {
        for target in named_parameters(&norm) {
            gradients.register(target.id, Tensor::<1>::ones([2], &device()).inner());
        }
    }
    observe("gradients_len", gradients.len());
    observe("running_mean.value", norm.running_mean.value());
    let mut before = None;
    if variant != "by_hand_unread" {
        before = Some(norm.running_mean.value_sync());
        observe("running_mean.before", norm.running_mean.value_sync());
    }
    norm = optim.step(rate(0.5), norm, gradients);

    let mean = norm.running_mean.value_sync();
    if let Some(before) = before {
        let same: bool = mean.clone().equal(before).all().into_scalar();
        observe("running_mean_moved", !same);
    }
    observe("running_mean", mean);
    observe("running_var", norm.running_var.value_sync());
    observe("gamma", norm.gamma.val());
    observe("beta", norm.beta.val());
}
