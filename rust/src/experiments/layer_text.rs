//! What does a layer print of itself?

use burn::nn::{Linear, LinearConfig, SoftplusConfig};

use crate::support::{device, observe};

/// Prints one layer.
pub fn run(variant: &str) {
    let text = match variant {
        "linear" => {
            let linear: Linear = LinearConfig::new(4, 8).init(&device());
            linear.to_string()
        }
        "softplus" => SoftplusConfig::new().init().to_string(),
        _ => unreachable!("variant {variant}"),
    };
    observe("text", text);
}
