//! Does the display of a module say that it is not training?

use std::fmt::Display;

use burn::{
    nn::{BatchNorm, BatchNormConfig, Dropout, DropoutConfig, Linear, LinearConfig},
    prelude::*,
};

use crate::support::{device, observe};

burn::modules! {
    /// A layer of each kind.
    #[derive(Module, Debug)]
    struct Net {
        fc: Linear,
        norm: BatchNorm,
        drop: Dropout,
    }
}

/// Displays the variant's module as it is made, and after valid().
pub fn run(variant: &str) {
    let norm = BatchNormConfig::new(2).init(&device());
    let drop = DropoutConfig::new(0.1).init();
    match variant {
        "dropout" => observe_display(&drop, &drop.valid()),
        "batch_norm" => observe_display(&norm, &norm.valid()),
        "model" => {
            let fc = LinearConfig::new(2, 2).init(&device());
            let model = Net { fc, norm, drop };
            observe_display(&model, &model.valid());
        }
        _ => unreachable!("variant {variant}"),
    }
}

fn observe_display(made: &impl Display, valid: &impl Display) {
    observe("display.made", made.to_string());
    observe("display.valid", valid.to_string());
    observe("told_apart", made.to_string() != valid.to_string());
}
