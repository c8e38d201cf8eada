//! Has a copy of batch normalization running statistics of its own?

use burn::{nn::BatchNormConfig, prelude::*};

use crate::support::{device, observe};

/// Gives one batch to a copy, and looks at the original.
pub fn run(_variant: &str) {
    let x = Tensor::<2>::from_data([[1.0, 2.0], [2.0, 4.0]], &device());

    let norm = BatchNormConfig::new(2).init(&device());
    let copy = norm.clone();
    copy.forward(x);

    observe("running_mean.copy", copy.running_mean.value_sync());
    observe("running_mean.original", norm.running_mean.value_sync());
}
