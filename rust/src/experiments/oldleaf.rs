//! When a weight becomes its old self times one half, which of the two gets the gradient?

use burn::optim::GradientsParams;

use crate::support::{a1_batch, a1_model, device, observe};

/// Maps fc1.weight to half of it, whatever torch's variant is, and keeps the product's history.
pub fn run(_variant: &str) {
    let (x, y) = a1_batch(&device());

    let mut model = a1_model(&device());
    let old = model.fc1.weight.val();
    model.fc1.weight = model.fc1.weight.map(|w| w * 0.5);
    let new = model.fc1.weight.val();
    let gradients = model.loss(x, y).backward();

    let gradient = old.grad(&gradients);
    observe("old.has_gradient", gradient.is_some());
    if let Some(gradient) = gradient {
        observe("old.gradient", gradient);
    }
    observe("new.has_gradient", new.grad(&gradients).is_some());
    let gradients = GradientsParams::from_grads(gradients, &model);
    observe("gradients_len", gradients.len());
}
