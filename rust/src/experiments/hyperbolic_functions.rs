//! Which values do the hyperbolic functions give?

use burn::prelude::*;

use crate::support::{device, observe};

/// Computes one function on the eighths from −4 to 4, moved into its domain.
pub fn run(variant: &str) {
    let x = Tensor::<1, Int>::arange(-32..33, &device()).inner().float() / 8.0;

    let out = match variant {
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => x.asinh(),
        "acosh" => (x + 5.0).acosh(),
        "atanh" => (x / 5.0).atanh(),
        _ => unreachable!("variant {variant}"),
    };
    observe("out", out);
}
