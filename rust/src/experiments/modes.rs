//! Which way of stopping training stops what?

use burn::{
    module::ParamGroup,
    nn::{BatchNorm, BatchNormConfig, Dropout, DropoutConfig, Linear},
    optim::{GradientsParams, SgdConfig},
    prelude::*,
};

use crate::support::{a1_batch, a1_model, device, observe, rate};

burn::modules! {
    /// The layers that are acted on: 4 → 8, batch normalization, dropout.
    #[derive(Module, Debug)]
    struct Body {
        fc: Linear,
        norm: BatchNorm,
        drop: Dropout,
    }

    /// The body under a head that always trains.
    #[derive(Module, Debug)]
    struct Net {
        body: Body,
        head: Linear,
    }
}

impl Body {
    /// `[batch, 4]` → features `[batch, 8]`.
    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        self.drop.forward(self.norm.forward(self.fc.forward(x)))
    }
}

/// Acts on the body the variant's way, then trains one step.
pub fn run(variant: &str) {
    let (x, y) = a1_batch(&device());

    let a1 = a1_model(&device());
    let mut model = Net {
        body: Body {
            fc: a1.fc1,
            norm: BatchNormConfig::new(8).init(&device()),
            drop: DropoutConfig::new(0.5).init(),
        },
        head: a1.fc2,
    };
    let mut optim = SgdConfig::new().init();

    if variant == "freeze_group" {
        model = model.freeze_group(ParamGroup::from_predicate("body"));
    } else {
        model.body = acted_on(variant, model.body);
    }
    let weight = model.body.fc.weight.val();
    observe("requires_grad", weight.is_require_grad());
    let mean = model.body.norm.running_mean.value_sync();
    observe("running_mean_requires_grad", mean.is_require_grad());

    let before = weight.detach();
    let body = if variant == "no_grad_scope" { model.body.valid() } else { model.body.clone() };
    let features = body.forward(x);
    let dropped = body.drop.forward(Tensor::<2>::ones([64, 64], &device()));
    let zeros: f32 = dropped.equal_elem(0.0).float().mean().into_scalar();
    observe("dropout_active", (0.4..0.6).contains(&zeros));
    let written: bool = body.norm.running_mean.value_sync().any().into_scalar();
    observe("running_stats_written", written);
    let cross_entropy = nn::loss::CrossEntropyLossConfig::new().init(&device());
    let loss = cross_entropy.forward(model.head.forward(features), y);
    let gradients = GradientsParams::from_grads(loss.backward(), &model);
    model = optim.step(rate(0.1), model, gradients);
    let same: bool = model.body.fc.weight.val().equal(before).all().into_scalar();
    observe("moved", !same);
}

fn acted_on(variant: &str, body: Body) -> Body {
    match variant {
        "plain" | "no_grad_scope" => body,
        "no_grad" => body.no_grad(),
        "set_require_grad" => body.set_require_grad(false),
        "freeze" => body.freeze(),
        "unfreeze" => body.freeze().unfreeze(),
        "valid" => body.valid(),
        "valid_train" => body.valid().train(),
        _ => unreachable!("variant {variant}"),
    }
}
