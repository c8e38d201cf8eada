//! After a weight is scaled by hand, does the parameter still train?

use burn::{
    module::Param,
    optim::{GradientsParams, SgdConfig},
    prelude::*,
};

use crate::support::{a1_batch, a1_model, device, observe, plain_device, rate};

/// Halves fc1.weight the variant's way, then trains five SGD steps.
pub fn run(variant: &str) {
    let (x, y) = a1_batch(&device());

    let mut model = match variant {
        "plain" => a1_model(&plain_device()),
        _ => a1_model(&device()),
    };
    model.fc1.weight = scaled(variant, model.fc1.weight);
    if variant.ends_with("_train") || variant == "plain" {
        model = model.train();
    }
    let weight = model.fc1.weight.val();
    observe("is_tracked", weight.is_tracked());
    observe("requires_grad", weight.is_require_grad());

    let before = weight.detach();
    let mut optim = SgdConfig::new().init();
    let mut losses: Vec<f32> = Vec::new();
    for step in 0..5 {
        let loss = model.loss(x.clone(), y.clone());
        losses.push(loss.clone().into_scalar());
        observe("losses", losses.clone());
        let gradients = GradientsParams::from_grads(loss.backward(), &model);
        if step == 0 {
            observe("gradients_len", gradients.len());
        }
        model = optim.step(rate(0.1), model, gradients);
    }

    let moved: f32 = (model.fc1.weight.val() - before).abs().max().into_scalar();
    observe("moved", moved > 0.0);
    observe("max_abs_change", moved);
    observe("fc1.weight", model.fc1.weight.val());
    observe("fc1.bias", model.fc1.bias.unwrap().val());
    observe("fc2.weight", model.fc2.weight.val());
    observe("fc2.bias", model.fc2.bias.unwrap().val());
}

fn scaled(variant: &str, weight: Param<Tensor<2>>) -> Param<Tensor<2>> {
    match variant {
        "map" | "map_train" | "plain" => weight.map(|w| w * 0.5),
        "detach" | "detach_train" => weight.map(|w| (w * 0.5).detach()),
        "fix" => weight.map(|w| (w * 0.5).detach().require_grad()),
        "clone" => {
            let _ = weight.clone().map(|w| w * 0.5);
            weight
        }
        _ => unreachable!("variant {variant}"),
    }
}
