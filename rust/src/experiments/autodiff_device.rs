//! Which devices go together, and which of them records?

use burn::{nn::LinearConfig, prelude::*};

use crate::support::{a1_batch, a1_model, device, observe, plain_device};

/// Brings a device with automatic differentiation and one without together.
pub fn run(variant: &str) {
    match variant {
        "mixed" => {
            let x = Tensor::<1>::from_data([1.0, 2.0], &device()).require_grad();
            let out = x.clone() + Tensor::ones([2], &plain_device());
            observe("out", out.clone());
            observe("gradient", x.grad(&out.sum().backward()));
        }
        "plain_input" => {
            let (x, _) = a1_batch(&plain_device());
            let logits = a1_model(&device()).forward(x);
            observe("autodiff", logits.device().is_autodiff());
            observe("logits", logits);
        }
        "valid_plain_input" => {
            let (x, _) = a1_batch(&plain_device());
            let logits = a1_model(&device()).valid().forward(x);
            observe("autodiff", logits.device().is_autodiff());
            observe("logits", logits);
        }
        "integer" => {
            let index = Tensor::<1>::from_data([3.0, 5.0], &device()).argmax(0);
            observe("autodiff", index.device().is_autodiff());
            observe("index", index.float());
        }
        "to_plain" => {
            let layer = LinearConfig::new(2, 2).init(&device()).to_device(&plain_device());
            observe("autodiff", layer.weight.val().device().is_autodiff());
            observe("requires_grad", layer.weight.val().is_require_grad());
        }
        "twice" => observe("autodiff", device().autodiff().is_autodiff()),
        "debug" => {
            observe("debug.plain", format!("{:?}", plain_device()));
            observe("debug.autodiff", format!("{:?}", device()));
        }
        _ => unreachable!("variant {variant}"),
    }
}
