//! Does Adam's momentum survive when a parameter is rebuilt between two steps?

use burn::{
    module::Param,
    optim::{AdamConfig, GradientsParams},
};

use crate::support::{Ids, Mlp, a1_batch, a1_model, device, observe, rate};

/// Takes three Adam steps, halves fc1.weight the variant's way, and takes a fourth.
pub fn run(variant: &str) {
    let mut model = a1_model(&device());
    let mut optim = AdamConfig::new().with_epsilon(1e-8).init();
    let mut step = |model: Mlp| {
        let (x, y) = a1_batch(&device());
        let gradients = model.loss(x, y).backward();
        let gradient = model.fc1.weight.val().grad(&gradients);
        let gradients = GradientsParams::from_grads(gradients, &model);
        (optim.step(rate(0.01), model, gradients), gradient)
    };
    for _ in 0..3 {
        model = step(model).0;
    }

    let before = model.fc1.weight.id;
    let weight = model.fc1.weight;
    model.fc1.weight = match variant {
        "same" => weight.map(|w| (w * 0.5).detach().require_grad()),
        _ => Param::from_tensor((weight.val() * 0.5).detach()),
    };

    observe("identity", Ids(vec![before, model.fc1.weight.id]));
    let start = model.fc1.weight.val().detach();
    let (model, gradient) = step(model);
    observe("gradient", gradient);
    let weight = model.fc1.weight.val().detach();
    let update = weight.clone() - start;
    // A record holds two tensors for each parameter, Adam's moments.
    observe("states", optim.to_record().len() / 2);
    let moved: bool = update.clone().not_equal_elem(0).any().into_scalar();
    observe("moved", moved);
    observe("update", update.clone());
    let most: f32 = update.clone().abs().max().into_scalar();
    observe("update_max_abs", most);
    let least: f32 = update.abs().min().into_scalar();
    observe("update_min_abs", least);
    observe("fc1.weight", weight);
}
