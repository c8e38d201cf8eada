//! What does a loss give at the edge of its domain?

use burn::{
    nn::loss::{
        GaussianNLLLossConfig, KLDivLossConfig, Reduction, SmoothL1LossConfig, SoftMarginLoss,
    },
    prelude::*,
};

use crate::support::{device, observe};

/// Computes one loss, and its gradient by the input that stands at the edge.
pub fn run(variant: &str) {
    let vector = |values: &[f32]| Tensor::<1>::from_data(values, &device());
    let (input, loss) = match variant {
        "kl_target_above_one" => {
            let input = vector(&[-1.0, 0.0]).require_grad();
            let loss = KLDivLossConfig::new().init();
            (input.clone(), loss.forward_no_reduction(input, vector(&[2.0, 3.0])))
        }
        "gaussian_small_variance" => {
            let variance = vector(&[1e-9, 0.5]).require_grad();
            let (mean, target) = (vector(&[1.0, 1.0]), vector(&[1.001, 2.0]));
            let loss = GaussianNLLLossConfig::new().init();
            (variance.clone(), loss.forward_no_reduction(mean, target, variance))
        }
        "soft_margin_large_score" => {
            let input = vector(&[100.0, -100.0, 1.0]).require_grad();
            let target = vector(&[-1.0, -1.0, 1.0]);
            (input.clone(), SoftMarginLoss::new().forward_no_reduction(input, target))
        }
        "smooth_l1_beta_zero" => {
            let input = vector(&[7.5, -2.0]).require_grad();
            let loss = SmoothL1LossConfig::new().with_beta(0.0).init();
            (input.clone(), loss.forward(input, vector(&[1.0, -2.5])))
        }
        "kl_default_reduction" => return kl_reductions(),
        _ => unreachable!("variant {variant}"),
    };

    observe("loss", loss.clone());
    let gradients = loss.sum().backward();
    observe("gradient", input.grad(&gradients).expect("the input is a leaf"));
}

/// Reduces one KL divergence in each way.
fn kl_reductions() {
    let input = Tensor::<2>::from_data([[-1.0, -0.5], [-2.0, -0.2]], &device());
    let target = Tensor::<2>::from_data([[0.4, 0.6], [0.1, 0.9]], &device());
    let loss = KLDivLossConfig::new().init();
    for (name, reduction) in [
        ("reduced.default", Reduction::Auto),
        ("reduced.mean", Reduction::Mean),
        ("reduced.batch_mean", Reduction::BatchMean),
    ] {
        let reduced: f32 = loss.forward(input.clone(), target.clone(), reduction).into_scalar();
        observe(name, reduced);
    }
}
