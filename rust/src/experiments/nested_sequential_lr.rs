//! Does a sequential schedule keep its rates inside another one?

use burn::lr_scheduler::{LrSchedulerConfig, sequential::SequentialLrSchedulerConfig};

use crate::support::observe;

/// Follows two constant rates for four steps, by one sequential schedule or one inside another.
pub fn run(variant: &str) {
    let (first, second) = (LrSchedulerConfig::Constant(0.05), LrSchedulerConfig::Constant(0.02));
    let mut config = SequentialLrSchedulerConfig::new(vec![first, second], vec![2]);
    if variant == "nested" {
        let inner = LrSchedulerConfig::Sequential(config);
        config = SequentialLrSchedulerConfig::new(vec![inner], vec![]);
    }

    let mut scheduler = config.init().expect("one milestone less than schedules");
    let rates: Vec<f64> = (0..4).map(|_| scheduler.step().base()).collect();
    observe("rates", rates);
}
