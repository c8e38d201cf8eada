//! In which states does batch normalization use the batch, and in which its running statistics?

use burn::{module::ParamGroup, nn::BatchNormConfig, prelude::*};

use crate::support::{device, named_parameters, observe, plain_device};

/// Puts a batch normalization into the variant's state and gives it one batch.
pub fn run(variant: &str) {
    let on = if variant.ends_with("plain_input") { plain_device() } else { device() };
    let x = Tensor::<2>::from_data([[1.0, 2.0], [2.0, 4.0]], &on);

    let norm = match variant {
        "plain_input" | "valid_plain_input" => BatchNormConfig::new(2).init(&plain_device()),
        _ => BatchNormConfig::new(2).init(&device()),
    };
    let norm = match variant {
        "plain" | "plain_input" => norm,
        "no_grad" => norm.no_grad(),
        "valid" | "valid_plain_input" => norm.valid(),
        "freeze" => norm.freeze(),
        "freeze_group" => norm.freeze_group(ParamGroup::all()),
        "unfreeze_group" => {
            norm.freeze_group(ParamGroup::all()).unfreeze_group(ParamGroup::all())
        }
        _ => unreachable!("variant {variant}"),
    };

    for parameter in named_parameters(&norm) {
        observe(&format!("requires_grad.{}", parameter.name), parameter.requires_grad);
    }
    observe("out", norm.forward(x));
    observe("running_mean", norm.running_mean.value_sync());
}
