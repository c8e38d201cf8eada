//! Does a parameter made of a tensor that records nothing train?

use burn::{
    module::Param,
    nn::Linear,
    optim::{GradientsParams, SgdConfig},
    prelude::*,
};

use crate::support::{device, observe, plain_device, rate};

/// Makes a layer on the plain device, and takes one SGD step after train().
pub fn run(variant: &str) {
    let x = Tensor::<2>::from_data([[1.0, 2.0]], &device());

    let weight = Param::from_tensor(Tensor::<2>::ones([2, 2], &plain_device()));
    let mut layer = Linear { weight, bias: None };
    if variant == "train" {
        layer = layer.train();
    }

    let weight = layer.weight.val();
    observe("requires_grad", weight.is_require_grad());
    observe("autodiff", weight.device().is_autodiff());
    if variant == "train" {
        let gradients = layer.forward(x).sum().backward();
        let gradients = GradientsParams::from_grads(gradients, &layer);
        observe("gradients_len", gradients.len());
        layer = SgdConfig::new().init().step(rate(0.5), layer, gradients);
        let weight = layer.weight.val();
        let same: bool = weight.clone().equal_elem(1.0).all().into_scalar();
        observe("moved", !same);
        observe("weight", weight);
    }
}
