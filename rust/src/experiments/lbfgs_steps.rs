//! Which losses does L-BFGS evaluate in one step?

use burn::optim::{GradientsParams, LBFGSConfig};

use crate::support::{Mlp, a1_batch, a1_model, device, observe};

/// Trains A1 by one step of at most five iterations, without a line search.
pub fn run(_variant: &str) {
    let (x, y) = a1_batch(&device());

    let model = a1_model(&device());
    let mut optim = LBFGSConfig::new().with_max_iter(5).init();

    let mut losses = Vec::new();
    let closure = |model: Mlp| {
        let loss = model.loss(x.clone(), y.clone());
        let value: f32 = loss.clone().into_scalar();
        losses.push(value);
        (f64::from(value), GradientsParams::from_grads(loss.backward(), &model))
    };
    let (model, returned) = optim.step(0.5, model, closure);

    observe("evaluations", losses.len());
    observe("losses", losses[..5].to_vec());
    observe("returned", returned as f32);
    observe("fc2.bias", model.fc2.bias.unwrap().val());
}
