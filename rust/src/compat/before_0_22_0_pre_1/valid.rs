//! `valid` and `train`, between which a module was of another type.
//!
//! What the halves hold in between has their own type, knows its identities and nothing else:
//! reading a parameter panics. burn's own module waits here until `train` asks for it.

use std::{any::Any, cell::RefCell};

use upstream::{
    module::{AutodiffModule, Module, ModuleMapper, ModuleVisitor, Param, ParamId},
    tensor::Tensor,
};

use super::{Backend, cannot_lend};

/// A module without automatic differentiation, under the identities of its parameters.
type Waiting = (Vec<ParamId>, Box<dyn Any>);

thread_local! {
    static WAITING: RefCell<Option<Waiting>> = const { RefCell::new(None) };
}

/// Takes a module off automatic differentiation; returns a stand-in.
pub fn valid<M>(module: &M) -> M
where
    M: AutodiffModule<Backend>,
    M::InnerModule: 'static,
{
    let inner = module.valid();
    let waiting = WAITING.replace(Some((ids(module), Box::new(inner))));
    if waiting.is_some() {
        cannot_lend("two modules without automatic differentiation");
    }
    module.clone().map(&mut StandIn::default())
}

/// Puts the module that a stand-in stands for back on automatic differentiation.
pub fn train<M>(stand_in: M) -> M
where
    M: AutodiffModule<Backend>,
    M::InnerModule: 'static,
{
    match WAITING.take() {
        Some((expected, inner)) if expected == ids(&stand_in) => {
            M::from_inner(*inner.downcast().expect("of the type that valid() put there"))
        }
        _ => cannot_lend("train() other than after valid()"),
    }
}

fn ids<M: Module<Backend>>(module: &M) -> Vec<ParamId> {
    let mut visitor = Identities(Vec::new());
    module.visit(&mut visitor);
    visitor.0
}

struct Identities(Vec<ParamId>);

impl ModuleVisitor<Backend> for Identities {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<Backend, D>>) {
        self.0.push(param.id);
    }
}

/// Makes every parameter panic when it is read.
#[derive(Default)]
struct StandIn {
    /// Is this a running statistic? They are no parameters, and mapping one reads it.
    running: bool,
}

impl ModuleMapper<Backend> for StandIn {
    fn enter_module(&mut self, name: &str, container_type: &str) {
        self.running = container_type == "Struct:BatchNorm" && name.starts_with("running_");
    }

    fn map_float<const D: usize>(
        &mut self,
        param: Param<Tensor<Backend, D>>,
    ) -> Param<Tensor<Backend, D>> {
        if self.running {
            return param;
        }
        let read = |_: &_, _| cannot_lend("a module without automatic differentiation");
        Param::uninitialized(param.id, read, param.lazy_device(), false, param.lazy_shape())
    }
}
