//! What happens when a second backward meets what the first one has used?

use burn::{
    optim::{GradientsParams, SgdConfig},
    prelude::*,
};

use crate::support::{a1_batch, a1_model, device, observe, rate};

/// Goes backward more than once, through graphs that share what the variant says.
pub fn run(variant: &str) {
    match variant {
        "same_loss" => same_loss(),
        "hidden_kept" => hidden_kept(),
        "hidden_state" => hidden_state(),
        "shared_leaf" => shared_leaf(),
        _ => unreachable!("variant {variant}"),
    }
}

/// One loss, twice.
fn same_loss() {
    let x = leaf([1.0, 2.0]);
    let loss = (x.clone() * x.clone()).sum();

    observe_gradient("first", &x, &loss);
    observe_gradient("second", &x, &loss);
}

/// Two losses of one intermediate result, which stays in use.
fn hidden_kept() {
    let w = leaf([2.0, 3.0]);
    let hidden = w.clone() * 2.0;
    let first = hidden.clone().sum();
    let second = (hidden.clone() * hidden.clone()).sum();

    observe_gradient("first", &w, &first);
    observe_gradient("second", &w, &second);
    drop(hidden);
}

/// A state that is carried from step to step of a training and never detached.
fn hidden_state() {
    let (x, y) = a1_batch(&device());
    let mut model = a1_model(&device());
    let mut optim = SgdConfig::new().init();
    let mut state = Tensor::<2>::zeros([6, 3], &device());
    let mut losses: Vec<f32> = Vec::new();
    let cross_entropy = nn::loss::CrossEntropyLossConfig::new().init(&device());
    for _ in 0..3 {
        state = model.forward(x.clone()) + state * 0.5;
        let loss = cross_entropy.forward(state.clone(), y.clone());
        losses.push(loss.clone().into_scalar());
        observe("losses", losses.clone());
        let gradients = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(rate(0.1), model, gradients);
    }
}

/// Two losses that share a leaf alone, whose last handle went into the second one.
fn shared_leaf() {
    let w = leaf([2.0, 3.0]);
    let u = leaf([1.0, 1.0]);
    let first = (w.clone() * 2.0).sum();
    let second = (w * u.clone()).sum();

    first.backward();
    observe_gradient("second", &u, &second);
}

fn leaf(values: [f32; 2]) -> Tensor<1> {
    Tensor::from_data(values, &device()).require_grad()
}

fn observe_gradient(name: &str, x: &Tensor<1>, loss: &Tensor<1>) {
    let gradient = x.grad(&loss.backward());
    observe(&format!("{name}.has_gradient"), gradient.is_some());
    observe(&format!("{name}.gradient"), gradient);
}
