//! What does a loss give for a few plain numbers?

use burn::{
    nn::loss::{
        HingeEmbeddingLossConfig, HuberLossConfig, MarginRankingLossConfig, MultiMarginLossConfig,
        PoissonNllLossConfig, Reduction, SmoothL1LossConfig, SoftMarginLoss,
    },
    prelude::*,
};

use crate::support::{device, observe};

/// Computes the mean of one loss, and its gradient by the input.
pub fn run(variant: &str) {
    let input = Tensor::<2>::from_data([[0.3, -1.2, 2.5], [1.1, 0.4, -0.6]], &device());
    let input = input.require_grad();
    let target = Tensor::<2>::from_data([[1.0, -1.0, 0.5], [-1.0, 2.0, 0.0]], &device());
    let count = Tensor::<2>::from_data([[1.0, 0.0, 3.0], [2.0, 5.0, 1.0]], &device());
    let sign = Tensor::<2>::from_data([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]], &device());
    let class = Tensor::<1, Int>::from_data([2, 0], &device());

    let (x, mean) = (input.clone(), Reduction::Mean);
    let loss = match variant {
        "huber" => HuberLossConfig::new(1.0).init().forward(x, target, mean),
        "smooth_l1" => {
            let loss = SmoothL1LossConfig::new().with_beta(0.5).init();
            loss.forward_with_reduction(x, target, mean)
        }
        "poisson" => PoissonNllLossConfig::new().init().forward(x, count, mean),
        "margin_ranking" => {
            let loss = MarginRankingLossConfig::new().with_margin(0.5).init();
            loss.forward(x, target, sign, mean)
        }
        "hinge_embedding" => HingeEmbeddingLossConfig::new().init().forward(x, sign, mean),
        "soft_margin" => SoftMarginLoss::new().forward(x, sign, mean),
        "multi_margin" => MultiMarginLossConfig::new().init().forward(x, class, mean),
        _ => unreachable!("variant {variant}"),
    };

    let value: f32 = loss.clone().into_scalar();
    observe("loss", value);
    let gradients = loss.backward();
    observe("gradient", input.grad(&gradients).expect("the input is a leaf"));
}
