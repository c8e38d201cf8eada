//! In which states does batch normalization use the batch, and in which its running statistics?

use burn::{module::ParamGroup, nn::BatchNormConfig, prelude::*};

use crate::support::{device, named_parameters, observe, plain_device};

/// Puts a batch normalization into the variant's state and gives it one batch.
pub fn run(variant: &str) {
    let on = |plain| if plain { plain_device() } else { device() };
    let x = [[1.0, 2.0], [2.0, 4.0]];
    let x = Tensor::<2>::from_data(x, &on(variant.contains("unrecorded")));

    let norm = BatchNormConfig::new(2).init(&on(variant.starts_with("unrecorded")));
    let norm = match variant {
        "plain" | "unrecorded" => norm,
        "no_grad" => norm.no_grad(),
        "valid" | "valid_unrecorded" | "unrecorded_valid" => norm.valid(),
        "freeze" => norm.freeze(),
        "freeze_group" => norm.freeze_group(ParamGroup::all()),
        "unfreeze_group" => norm.freeze_group(ParamGroup::all()).unfreeze_group(ParamGroup::all()),
        _ => unreachable!("variant {variant}"),
    };

    for parameter in named_parameters(&norm) {
        observe(&format!("requires_grad.{}", parameter.name), parameter.requires_grad);
    }
    observe("out", norm.forward(x));
    observe("running_mean", norm.running_mean.value_sync());
}
