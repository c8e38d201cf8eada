//! Does a frozen layer get no gradient, stay as it was, and stay frozen?

use burn::{
    module::{Param, ParamGroup},
    optim::{GradientsParams, SgdConfig},
    prelude::*,
    tensor::Gradients,
};

use crate::support::{a1_batch, a1_model, device, named_parameters, observe, rate};

/// Freezes fc1 the variant's way, takes one SGD step, then changes modes and back.
pub fn run(variant: &str) {
    let (x, y) = a1_batch(&device());

    let mut model = a1_model(&device());
    let early = (variant == "after_forward").then(|| model.loss(x.clone(), y.clone()));
    let group = ParamGroup::from_predicate("fc1");
    match variant {
        "field" | "after_forward" => model.fc1 = model.fc1.no_grad(),
        "layer" => model.fc1 = model.fc1.freeze(),
        "group" => model = model.set_require_grad_group(group, false),
        "unfrozen" => model = model.freeze_group(group.clone()).unfreeze_group(group),
        _ => unreachable!("variant {variant}"),
    }
    for parameter in named_parameters(&model) {
        observe(&format!("requires_grad.{}", parameter.name), parameter.requires_grad);
    }

    let mut optim = SgdConfig::new().init();
    let gradients = early.unwrap_or_else(|| model.loss(x, y)).backward();
    observe_gradient("fc1.weight", &model.fc1.weight, &gradients);
    observe_gradient("fc1.bias", model.fc1.bias.as_ref().unwrap(), &gradients);
    observe_gradient("fc2.weight", &model.fc2.weight, &gradients);
    observe_gradient("fc2.bias", model.fc2.bias.as_ref().unwrap(), &gradients);
    let gradients = GradientsParams::from_grads(gradients, &model);
    observe("gradients_len", gradients.len());

    let before = model.fc1.weight.val();
    model = optim.step(rate(0.1), model, gradients);
    let same: bool = before.equal(model.fc1.weight.val()).all().into_scalar();
    observe("fc1_unchanged", same);

    let model = model.valid().train();
    for parameter in named_parameters(&model) {
        observe(&format!("requires_grad_again.{}", parameter.name), parameter.requires_grad);
    }
    observe("params_after.fc1.weight", model.fc1.weight.val());
    observe("params_after.fc1.bias", model.fc1.bias.unwrap().val());
    observe("params_after.fc2.weight", model.fc2.weight.val());
    observe("params_after.fc2.bias", model.fc2.bias.unwrap().val());
}

fn observe_gradient<const D: usize>(name: &str, param: &Param<Tensor<D>>, gradients: &Gradients) {
    let gradient = param.val().grad(gradients);
    observe(&format!("has_gradient.{name}"), gradient.is_some());
    if let Some(gradient) = gradient {
        observe(&format!("gradient.{name}"), gradient);
    }
}
