//! A learning rate in the form that every version's `step` takes.

use burn::lr_scheduler::module_lr_scheduler::ModuleLearningRate;

/// One rate for all parameters; from 0.22.0-pre.2 on, `step` takes the plain number as well.
pub fn rate(value: f64) -> ModuleLearningRate {
    ModuleLearningRate::from(value)
}
