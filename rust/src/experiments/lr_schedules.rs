//! Which learning rates does a schedule go through?

use burn::lr_scheduler::{
    LrSchedulerConfig, cosine::CosineAnnealingLrSchedulerConfig,
    exponential::ExponentialLrSchedulerConfig, linear::LinearLrSchedulerConfig,
    sequential::SequentialLrSchedulerConfig, step::StepLrSchedulerConfig,
};

use crate::support::observe;

/// Takes the rates of ten steps.
pub fn run(variant: &str) {
    let cosine = CosineAnnealingLrSchedulerConfig::new(0.5, 4).with_min_lr(0.1);
    let linear = LinearLrSchedulerConfig::new(0.5, 0.1, 4);

    let scheduler = match variant {
        "cosine" => cosine.init(),
        "linear" => linear.init(),
        "exponential" => ExponentialLrSchedulerConfig::new(0.5, 0.9).init(),
        "step" => StepLrSchedulerConfig::new(0.5, 2).with_gamma(0.1).init(),
        "sequential" => {
            let (first, second) =
                (LrSchedulerConfig::Linear(linear), LrSchedulerConfig::Cosine(cosine));
            SequentialLrSchedulerConfig::new(vec![first, second], vec![3]).init()
        }
        _ => unreachable!("variant {variant}"),
    };

    let mut scheduler = scheduler.expect("the settings are in range");
    let rates: Vec<f32> = (0..10).map(|_| scheduler.step().base() as f32).collect();
    observe("rates", rates);
}
