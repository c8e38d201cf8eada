//! Which losses does an optimizer give when every setting is stated?

use burn::{
    module::ParamId,
    optim::{
        AdaGradConfig, AdamConfig, AdamWConfig, AdanConfig, GradientsParams, ModuleOptimizer,
        MuonConfig, RmsPropConfig, SgdConfig, momentum::MomentumConfig,
    },
};

use crate::support::{Mlp, a1_batch, a1_model, device, observe, rate};

/// Trains A1 by four steps.
pub fn run(variant: &str) {
    let (x, y) = a1_batch(&device());

    let mut model = a1_model(&device());
    let trained = match variant {
        "muon" => vec![model.fc1.weight.id, model.fc2.weight.id],
        _ => ids(&model),
    };
    let mut optim = optimizer(variant);

    let mut losses: Vec<f32> = Vec::new();
    for _ in 0..4 {
        let loss = model.loss(x.clone(), y.clone());
        losses.push(loss.clone().into_scalar());
        let gradients = GradientsParams::from_params(&mut loss.backward(), &model, &trained);
        model = optim.step(rate(0.01), model, gradients);
    }
    observe("losses", losses);
}

fn optimizer(variant: &str) -> ModuleOptimizer {
    let momentum = |nesterov| MomentumConfig { momentum: 0.9, dampening: 0.0, nesterov };
    match variant {
        "sgd" => SgdConfig::new().init(),
        "momentum" => SgdConfig::new().with_momentum(Some(momentum(false))).init(),
        "nesterov" => SgdConfig::new().with_momentum(Some(momentum(true))).init(),
        "adam" => AdamConfig::new().with_epsilon(1e-8).init(),
        "adamw" => AdamWConfig::new().with_epsilon(1e-8).with_weight_decay(0.01).init(),
        "adamw_decay" => AdamWConfig::new().with_epsilon(1e-8).with_weight_decay(0.5).init(),
        "rmsprop" => RmsPropConfig::new().with_momentum(0.0).with_epsilon(1e-8).init(),
        "adagrad" => AdaGradConfig::new().with_epsilon(1e-10).init(),
        "adan" => AdanConfig::new().init(),
        "muon" => MuonConfig::new().init(),
        _ => unreachable!("variant {variant}"),
    }
}

fn ids(model: &Mlp) -> Vec<ParamId> {
    crate::support::named_parameters(model).iter().map(|parameter| parameter.id).collect()
}
