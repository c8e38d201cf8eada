//! What does no_grad() do to a tensor?

use burn::prelude::*;

use crate::support::{device, observe};

/// Calls it as any program would that imports the prelude, where `Module` has a method of that name.
pub fn run(variant: &str) {
    let x = Tensor::<1>::from_data([1.0, 2.0], &device()).require_grad();

    let y = x.clone().no_grad();

    observe("autodiff", y.device().is_autodiff());
    observe("requires_grad", y.is_require_grad());
    if variant == "backward" {
        let gradients = (y * 3.0).sum().backward();
        observe("gradient", x.grad(&gradients));
    }
}
