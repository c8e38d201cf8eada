//! Does cross entropy leave padded rows out of its mean?

use burn::{
    nn::loss::CrossEntropyLossConfig,
    optim::{GradientsParams, SgdConfig},
    prelude::*,
};

use crate::support::{a1_batch, a1_model, device, observe, rate};

/// Computes the loss of two rows of which one or both are padding, or trains with padding.
pub fn run(variant: &str) {
    if variant == "training" {
        return train();
    }
    let logits = [[2.0, -1.0, 0.5], [0.1, 1.5, -0.7]];
    let logits = Tensor::<2>::from_data(logits, &device()).require_grad();
    let targets = match variant {
        "all_padded" => Tensor::<1, Int>::from_data([0, 0], &device()),
        _ => Tensor::from_data([0, 2], &device()),
    };

    let config = CrossEntropyLossConfig::new().with_pad_tokens(Some(vec![0]));
    let weights = Some(vec![0.5, 1.0, 2.0]);
    let config = match variant {
        "padded" | "all_padded" => config,
        "smoothed" => config.with_smoothing(Some(0.1)),
        "weighted" => config.with_weights(weights),
        "smoothed_weighted" => config.with_smoothing(Some(0.1)).with_weights(weights),
        _ => unreachable!("variant {variant}"),
    };

    let loss = config.init(&device()).forward(logits.clone(), targets);
    let value: f32 = loss.clone().into_scalar();
    observe("loss", value);
    let gradients = loss.backward();
    observe("gradient", logits.grad(&gradients).expect("the logits are a leaf"));
}

/// Trains A1 by four SGD steps, class 2 being padding.
fn train() {
    let (x, y) = a1_batch(&device());
    let mut model = a1_model(&device());
    let criterion = CrossEntropyLossConfig::new().with_pad_tokens(Some(vec![2])).init(&device());
    let mut optim = SgdConfig::new().init();
    let mut losses: Vec<f32> = Vec::new();
    for _ in 0..4 {
        let loss = criterion.forward(model.forward(x.clone()), y.clone());
        losses.push(loss.clone().into_scalar());
        let gradients = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(rate(0.1), model, gradients);
    }
    observe("losses", losses);
}
