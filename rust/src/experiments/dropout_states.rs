//! In which states does dropout drop?

use burn::{
    module::ParamGroup,
    nn::{Dropout, DropoutConfig},
    prelude::*,
};

use crate::support::{device, observe, plain_device};

/// Puts a dropout into the variant's state and gives it ones of each kind.
pub fn run(variant: &str) {
    let recorded = Tensor::<2>::ones([64, 64], &device());
    let plain = Tensor::<2>::ones([64, 64], &plain_device());

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
    observe("active_unrecorded", active(&drop, plain));
}

/// Is about half of the ones zeroed?
fn active(drop: &Dropout, ones: Tensor<2>) -> bool {
    let zeros = drop.forward(ones).equal_elem(0.0).float().mean();
    (0.4..0.6).contains(&zeros.into_scalar::<f32>())
}
