//! After one weight was changed, which parameters still require a gradient?

use burn::{module::Param, optim::GradientsParams};

use crate::support::{Ids, a1_batch, a1_model, device, named_parameters, observe};

/// Halves fc1.weight the variant's way, then lets a visitor go through all parameters.
pub fn run(variant: &str) {
    let (x, y) = a1_batch(&device());

    let mut model = a1_model(&device());
    let before = named_parameters(&model);
    let weight = model.fc1.weight;
    model.fc1.weight = match variant {
        "detach" => weight.map(|w| (w * 0.5).detach()),
        "from_tensor" => Param::from_tensor((weight.val() * 0.5).detach()),
        "from_tensor_non_leaf" => Param::from_tensor(weight.val() * 0.5),
        _ => unreachable!("variant {variant}"),
    };

    let after = named_parameters(&model);
    let names: Vec<&str> = after.iter().map(|p| p.name.as_str()).collect();
    observe("names", names.join(", "));
    for parameter in &after {
        observe(&format!("requires_grad.{}", parameter.name), parameter.requires_grad);
    }
    observe("identity", Ids(before.iter().chain(&after).map(|p| p.id).collect()));
    let gradients = GradientsParams::from_grads(model.loss(x, y).backward(), &model);
    observe("gradients_len", gradients.len());
}
