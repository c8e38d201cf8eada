//! Is a layer's training flag one of its parameters?

use burn::{
    module::{Flag, ModuleVisitor, Param},
    nn::{BatchNormConfig, DropoutConfig},
    prelude::*,
};

use crate::support::{device, names, observe};

/// Looks for the training flags: they reach `visit_flag` alone.
pub fn run(_variant: &str) {
    let norm = BatchNormConfig::new(8).init(&device());
    let drop = DropoutConfig::new(0.5).init();
    let model = (norm.clone(), drop.clone());

    observe("names", names(&model));
    let mut visitor = FlagCount(0);
    model.visit(&mut visitor);
    observe("flags", visitor.0);
    observe("training.norm", norm.training.is_enabled());
    observe("training.drop", drop.training.is_enabled());
}

struct FlagCount(usize);

impl ModuleVisitor for FlagCount {
    fn visit_flag(&mut self, _flag: &Param<Flag>) {
        self.0 += 1;
    }
}
