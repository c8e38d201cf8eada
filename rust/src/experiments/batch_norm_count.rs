//! Do the running statistics of batch normalization count as parameters?

use burn::{nn::BatchNormConfig, prelude::*};

use crate::support::{device, named_parameters, observe};

/// Lists what BatchNorm(8) holds, as a visitor meets it.
pub fn run(_variant: &str) {
    let norm = BatchNormConfig::new(8).init(&device());

    let parameters = named_parameters(&norm);
    let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
    observe("names", names.join(", "));
    observe("num_params", norm.num_params());
    let trainable = parameters.iter().filter(|p| p.requires_grad);
    let trainable: usize = trainable.map(|p| p.shape[0]).sum();
    observe("num_trainable", trainable);
    for parameter in &parameters {
        let name = format!("requires_grad.{}", parameter.name);
        observe(&name, parameter.requires_grad);
    }
    observe("running_mean", norm.running_mean.value_sync());
    observe("running_var", norm.running_var.value_sync());
}
