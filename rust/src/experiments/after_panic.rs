//! After a mistake was caught, does the process still compute as before?

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use burn::{
    module::{Param, ParamId},
    prelude::*,
    tensor::Distribution,
};

use crate::support::{device, observe};

/// Makes the variant's mistake, then does the same thing rightly.
pub fn run(variant: &str) {
    match variant {
        "random" => {
            let wrong = Distribution::Uniform(1.0, 0.0);
            observe("raised", raises(|| Tensor::<1>::random([2], wrong, &device())));
            let drawn = Tensor::<1>::random([2], Distribution::Default, &device());
            observe("drawn", drawn.dims()[0]);
        }
        "lazy_init" => {
            let init = |_: &Device, _: bool| -> Tensor<1> { panic!("the initialiser fails") };
            let param = Param::uninitialized(ParamId::new(), init, device(), true, [2].into());
            observe("raised", raises(|| param.val()));
            observe("drawn", param.val().dims()[0]);
        }
        "untracked" => {
            observe("raised", raises(|| Tensor::<1>::ones([2], &device()).sum().backward()));
            observe_gradient(&leaf());
        }
        "consumed" => {
            let x = leaf();
            observe("raised", consumed(&x));
            observe_gradient(&x);
        }
        "consumed_often" => {
            let x = leaf();
            observe("raised", (0..200).all(|_| consumed(&x)));
            observe_gradient(&x);
        }
        "other_thread" => {
            observe("raised", consumed(&leaf()));
            thread::spawn(|| observe_gradient(&leaf())).join().expect("it computes");
        }
        _ => unreachable!("variant {variant}"),
    }
}

fn leaf() -> Tensor<1> {
    Tensor::from_data([1.0, 2.0], &device()).require_grad()
}

/// Goes backward twice from one loss; did the second one panic?
fn consumed(x: &Tensor<1>) -> bool {
    let loss = (x.clone() * 3.0).sum();
    loss.backward();
    raises(|| loss.backward())
}

fn observe_gradient(x: &Tensor<1>) {
    let gradients = (x.clone() * x.clone()).sum().backward();
    observe("gradient", x.grad(&gradients));
}

fn raises<T>(mistake: impl FnOnce() -> T) -> bool {
    catch_unwind(AssertUnwindSafe(mistake)).is_err()
}
