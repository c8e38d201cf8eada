//! How much attention does a masked key get?

use burn::{
    nn::{
        Initializer,
        attention::{MhaInput, MultiHeadAttentionConfig},
    },
    prelude::*,
    tensor::{module::attention, ops::AttentionModuleOptions},
};

use crate::support::{device, observe};

/// Masks a key or a whole row of keys, and looks at what comes out.
pub fn run(variant: &str) {
    if variant == "function_all_masked" {
        return function();
    }
    let x = [[[0.01, 0.02, 0.03, 0.04], [0.0, 0.01, 0.0, 0.01]]];
    let x = Tensor::<3>::from_data(x, &device()).require_grad();
    let mask = match variant {
        "all_masked" => [[true, true]],
        _ => [[false, true]],
    };
    let mask = Tensor::<2, Bool>::from_data(mask, &device());

    let config =
        MultiHeadAttentionConfig::new(4, 1).with_dropout(0.0).with_initializer(Initializer::Ones);
    let config = match variant {
        "one_masked" | "all_masked" => config,
        "one_masked_min_float" => config.with_min_float(-1.0),
        _ => unreachable!("variant {variant}"),
    };
    let attended = config.init(&device()).forward(MhaInput::self_attn(x.clone()).mask_pad(mask));

    observe("weights", attended.weights.squeeze_dim::<3>(1));
    observe("out", attended.context.clone());
    let gradients = attended.context.sum().backward();
    let gradient = x.grad(&gradients).expect("x is a leaf");
    let finite: bool = gradient.is_finite().all().into_scalar();
    observe("gradient_is_finite", finite);
}

/// Attends without a layer, the first query's keys all masked.
fn function() {
    let x = [[[[0.5, -1.0, 0.2, 0.0], [0.3, 0.1, -0.4, 1.0], [-0.6, 0.9, 0.7, -0.2]]]];
    let x = Tensor::<4>::from_data(x, &device());
    let query = x.clone().require_grad();
    let mask = [[[[true, true, true], [false, true, true], [false, false, true]]]];
    let mask = Tensor::<4, Bool>::from_data(mask, &device());

    let options = AttentionModuleOptions::default();
    let out = attention(query.clone(), x.clone(), x, Some(mask), None, options);

    observe("out", out.clone().squeeze_dim::<3>(1));
    let gradients = out.sum().backward();
    let gradient = query.grad(&gradients).expect("the query is a leaf");
    let finite: bool = gradient.is_finite().all().into_scalar();
    observe("gradient_is_finite", finite);
}
