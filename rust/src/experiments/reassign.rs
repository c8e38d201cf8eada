//! When a parameter is given another value, is it still the same parameter?

use burn::{module::Param, prelude::*};

use crate::support::{Ids, a1_model, device, observe};

/// Halves fc1.weight the variant's way.
pub fn run(variant: &str) {
    let mut model = a1_model(&device());
    let before = model.fc1.weight.id;
    let weight = model.fc1.weight;
    model.fc1.weight = match variant {
        "in_place" => weight.map(|w| (w * 0.5).detach().require_grad()),
        "new_parameter" => Param::from_tensor((weight.val() * 0.5).detach()),
        "non_leaf" => Param::from_tensor(weight.val() * 0.5),
        _ => unreachable!("variant {variant}"),
    };

    let weight: Tensor<2> = model.fc1.weight.val();
    observe("identity", Ids(vec![before, model.fc1.weight.id]));
    observe("is_tracked", weight.is_tracked());
    observe("requires_grad", weight.is_require_grad());
    observe("fc1.weight", weight);
}
