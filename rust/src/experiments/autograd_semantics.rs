//! Which rules of automatic differentiation are not the same everywhere?

use burn::prelude::*;

use crate::support::{device, observe};

/// Asks for the gradient that the variant says.
pub fn run(variant: &str) {
    let x = Tensor::<1>::from_data([1.0, 2.0], &device()).require_grad();

    match variant {
        "non_scalar" => {
            let gradients = (x.clone() * 3.0).backward();
            observe("gradient", x.grad(&gradients));
        }
        "two_backwards" => {
            (x.clone() * 3.0).sum().backward();
            let gradients = (x.clone() * 5.0).sum().backward();
            observe("gradient", x.grad(&gradients));
        }
        "non_leaf" => {
            let inner = (x * 3.0).require_grad();
            let gradients = (inner.clone() * inner.clone()).sum().backward();
            observe("gradient", inner.grad(&gradients));
        }
        "detached" => {
            let inner = (x.clone() * 3.0).detach().require_grad();
            let gradients = (inner.clone() * inner.clone()).sum().backward();
            observe("gradient", inner.grad(&gradients));
            observe("reached_x", x.grad(&gradients).is_some());
        }
        _ => unreachable!("variant {variant}"),
    }
}
