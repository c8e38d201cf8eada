//! What does a head that trains on a frozen body see of it?

use burn::{
    module::ParamGroup,
    nn::{BatchNorm, BatchNormConfig, Dropout, DropoutConfig, Linear},
    optim::{GradientsParams, SgdConfig},
    prelude::*,
    tensor::activation::relu,
};

use crate::support::{a1_batch, a1_model, device, observe, rate};

burn::modules! {
    /// 4 → 8, batch normalization, dropout, and the head 8 → 3.
    #[derive(Module, Debug)]
    struct Net {
        enc: Linear,
        norm: BatchNorm,
        drop: Dropout,
        head: Linear,
    }
}

impl Net {
    /// `[batch, 4]` → logits `[batch, 3]`.
    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        let features = relu(self.norm.forward(self.enc.forward(x)));
        self.head.forward(self.drop.forward(features))
    }
}

/// Freezes all but the head by path, and trains four SGD steps.
pub fn run(variant: &str) {
    match variant {
        "batch_norm" => observe("losses", training(0.0)),
        "dropout" => observe("repeatable", training(0.5) == training(0.5)),
        _ => unreachable!("variant {variant}"),
    }
}

/// The losses of a training that starts from the same literal weights each time.
fn training(prob: f64) -> Vec<f32> {
    let (x, y) = a1_batch(&device());

    let a1 = a1_model(&device());
    let mut model = Net {
        enc: a1.fc1,
        norm: BatchNormConfig::new(8).init(&device()),
        drop: DropoutConfig::new(prob).init(),
        head: a1.fc2,
    };
    for path in ["enc", "norm", "drop"] {
        model = model.freeze_group(ParamGroup::from_predicate(path));
    }

    let cross_entropy = nn::loss::CrossEntropyLossConfig::new().init(&device());
    let mut optim = SgdConfig::new().init();
    let mut losses: Vec<f32> = Vec::new();
    for _ in 0..4 {
        let loss = cross_entropy.forward(model.forward(x.clone()), y.clone());
        losses.push(loss.clone().into_scalar());
        let gradients = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(rate(0.1), model, gradients);
    }
    losses
}
