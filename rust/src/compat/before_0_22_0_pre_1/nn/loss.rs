//! Losses, of which there were fewer.

pub use upstream::nn::loss::*;

use super::super::{cannot_lend, tensor::Tensor};

/// Stands for losses that there were not: they can be written, and not made.
macro_rules! absent {
    ($($name:ident { $($method:ident($($kind:ident),*))* })*) => {$(
        /// There was no such loss.
        pub struct $name(());

        impl $name {
            /// There was no such loss.
            #[expect(clippy::new_without_default, reason = "nobody asks")]
            pub fn new() -> Self {
                cannot_lend(stringify!($name))
            }

            /// There was no such loss.
            pub fn with_margin(self, _: f32) -> Self {
                self
            }

            /// There was no such loss.
            pub fn init(self) -> Self {
                self
            }

            $(
                /// There was no such loss.
                pub fn $method<$($kind),*>(self, $(_: $kind),*) -> Tensor<1> {
                    cannot_lend(stringify!($name))
                }
            )*
        }
    )*};
}

absent! {
    GaussianNLLLossConfig { forward_no_reduction(Mean, Target, Variance) }
    HingeEmbeddingLossConfig { forward(Input, Target, How) }
    MarginRankingLossConfig { forward(First, Second, Target, How) }
    MultiMarginLossConfig { forward(Input, Target, How) }
    SoftMarginLoss { forward(Input, Target, How) forward_no_reduction(Input, Target) }
}
