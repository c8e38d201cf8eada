//! Learning rates were plain numbers.

pub use upstream::lr_scheduler::*;

/// Rates by group of parameters, of which there was one.
pub mod module_lr_scheduler {
    /// The rate of all parameters.
    pub type ModuleLearningRate = f64;
}
