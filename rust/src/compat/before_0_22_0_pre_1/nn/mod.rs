//! Layers without their backend parameter.

pub mod loss;

pub use upstream::nn::*;
use upstream::tensor::backend;

use super::{Backend, OnBackend};

/// Names each layer on the halves' backend, and says what it is on another one.
macro_rules! layers {
    ($($name:ident),*) => {$(
        #[doc = concat!("burn's `", stringify!($name), "`.")]
        pub type $name = upstream::nn::$name<Backend>;

        impl<A: backend::Backend, B: backend::Backend> OnBackend<B> for upstream::nn::$name<A> {
            type Type = upstream::nn::$name<B>;
        }
    )*};
}

layers!(BatchNorm, Embedding, GroupNorm, LayerNorm, Linear, RmsNorm);

impl<B: backend::Backend> OnBackend<B> for Dropout {
    type Type = Self;
}
