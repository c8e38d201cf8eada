//! Does a seed draw the same numbers as in other versions?

use burn::{
    module::Param,
    nn::{DropoutConfig, Initializer, LinearConfig, gru::GruConfig},
    prelude::*,
    tensor::Distribution,
};

use crate::support::{device, observe};

/// Draws by seed; parameters are drawn when they are first used, in whatever order that is.
pub fn run(variant: &str) {
    device().seed(2);
    match variant {
        "normal" => {
            observe("drawn", Tensor::<1>::random([4], Distribution::Default, &device()));
        }
        "dropout" => {
            let dropout = DropoutConfig::new(0.5).init();
            observe("drawn", dropout.forward(Tensor::<1>::ones([16], &device())));
        }
        "linear" => {
            let linear = LinearConfig::new(3, 2).init(&device());
            observe("drawn", linear.forward(Tensor::<2>::ones([1, 3], &device())));
        }
        "gru" => {
            let gru = GruConfig::new(2, 2, true).init(&device());
            observe("drawn", gru.forward(Tensor::ones([1, 2, 2], &device()), None));
        }
        "orthogonal" => {
            let orthogonal = Initializer::Orthogonal { gain: 1.0 };
            let drawn: Param<Tensor<2>> = orthogonal.init([3, 3], &device());
            let matrix = drawn.val();
            observe("orthogonal", matrix.clone());
            observe("product", matrix.clone().matmul(matrix.transpose()));
        }
        _ => unreachable!("variant {variant}"),
    }
}
