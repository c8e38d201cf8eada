//! Which ways of mapping a parameter leave it a leaf that requires a gradient?

use burn::{optim::GradientsParams, prelude::*};

use crate::support::{Ids, a1_batch, a1_model, device, observe};

/// Halves fc1.weight with Param::map the variant's way, then one forward and backward.
pub fn run(variant: &str) {
    let (x, y) = a1_batch(&device());

    let mut model = a1_model(&device());
    let before = model.fc1.weight.id;
    model.fc1.weight = match variant {
        "map" => model.fc1.weight.map(|w| w * 0.5),
        "detach" => model.fc1.weight.map(|w| (w * 0.5).detach()),
        "fix" => model.fc1.weight.map(|w| (w * 0.5).detach().require_grad()),
        _ => unreachable!("variant {variant}"),
    };

    let weight: Tensor<2> = model.fc1.weight.val();
    observe("identity", Ids(vec![before, model.fc1.weight.id]));
    observe("is_tracked", weight.is_tracked());
    observe("requires_grad", weight.is_require_grad());
    observe("fc1.weight", weight);
    let gradients = GradientsParams::from_grads(model.loss(x, y).backward(), &model);
    observe("gradients_len", gradients.len());
}
