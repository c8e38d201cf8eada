//! In which states does dropout drop?

use burn::{
    module::ParamGroup,
    nn::{Dropout, DropoutConfig},
    prelude::*,
};

use crate::support::{device, observe};

/// Puts a dropout into the variant's state and gives it ones of each kind.
pub fn run(variant: &str) {
    let recorded = Tensor::<2>::ones([64, 64], &device());
    let plain = recorded.clone().inner();

    let drop = DropoutConfig::new(0.5).init();
    let drop = match variant {
        "plain" => drop,
        "no_grad" => drop.no_grad(),
        "valid" => drop.valid(),
        "freeze" => drop.freeze(),
        "freeze_group" => drop.freeze_group(ParamGroup::all()),
        "unfreeze_group" => drop.freeze_group(ParamGroup::all()).unfreeze_group(ParamGroup::all()),
        _ => unreachable!("variant {variant}"),
    };

    observe("active", active(&drop, recorded.clone()));
    observe("active_requires_grad", active(&drop, recorded.require_grad()));
    let share: f32 = drop.forward(plain).equal_elem(0.0).float().mean().into_scalar();
    observe("active_unrecorded", about_half(share));
}

/// Is about half of the ones zeroed?
fn active(drop: &Dropout, ones: Tensor<2>) -> bool {
    about_half(drop.forward(ones).equal_elem(0.0).float().mean().into_scalar())
}

fn about_half(share: f32) -> bool {
    (0.4..0.6).contains(&share)
}
