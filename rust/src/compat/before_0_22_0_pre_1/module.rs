//! `Module` and its visitor without their backend parameter.

pub use upstream::module::*;
use upstream::{
    module::{
        Module as Upstream, ModuleMapper as UpstreamMapper, ModuleVisitor as UpstreamVisitor,
    },
    tensor::{Bool, Int},
};

use super::{
    Backend, cannot_lend,
    tensor::{Device, Tensor},
    valid,
};

/// What every module can do.
pub trait Module: Sized {
    /// What is saved of the module.
    type Record;

    /// Goes through all parameters.
    fn visit<V: ModuleVisitor>(&self, visitor: &mut V);

    /// Puts another parameter in the place of each.
    fn map<P: ModuleMapper>(self, mapper: &mut P) -> Self;

    /// The devices of all parameters.
    fn devices(&self) -> Vec<Device>;

    /// The module on another device.
    fn to_device(self, device: &Device) -> Self;

    /// How many numbers the parameters hold.
    fn num_params(&self) -> usize;

    /// Makes no parameter require a gradient.
    fn no_grad(self) -> Self;

    /// The module without automatic differentiation: only good for `train`.
    fn valid(&self) -> Self;

    /// The module with automatic differentiation again, after `valid`.
    fn train(self) -> Self;

    /// What is saved of the module.
    fn into_record(self) -> Self::Record;

    /// The module with what was saved.
    fn load_record(self, record: Self::Record) -> Self;

    /// There was no such thing.
    fn freeze(self) -> Self {
        cannot_lend("Module::freeze")
    }

    /// There was no such thing.
    fn unfreeze(self) -> Self {
        cannot_lend("Module::unfreeze")
    }

    /// There was no such thing.
    fn set_require_grad(self, _required: bool) -> Self {
        cannot_lend("Module::set_require_grad")
    }

    /// There was no such thing.
    fn freeze_group(self, _group: ParamGroup) -> Self {
        cannot_lend("Module::freeze_group")
    }

    /// There was no such thing.
    fn unfreeze_group(self, _group: ParamGroup) -> Self {
        cannot_lend("Module::unfreeze_group")
    }

    /// There was no such thing.
    fn set_require_grad_group(self, _group: ParamGroup, _required: bool) -> Self {
        cannot_lend("Module::set_require_grad_group")
    }
}

impl<M> Module for M
where
    M: AutodiffModule<Backend>,
    M::InnerModule: 'static,
{
    type Record = <M as Upstream<Backend>>::Record;

    fn visit<V: ModuleVisitor>(&self, visitor: &mut V) {
        Upstream::visit(self, &mut Adapter(visitor));
    }

    fn map<P: ModuleMapper>(self, mapper: &mut P) -> Self {
        Upstream::map(self, &mut Adapter(mapper))
    }

    fn devices(&self) -> Vec<Device> {
        Upstream::devices(self)
    }

    fn to_device(self, device: &Device) -> Self {
        Upstream::to_device(self, device)
    }

    fn num_params(&self) -> usize {
        Upstream::num_params(self)
    }

    fn no_grad(self) -> Self {
        Upstream::no_grad(self)
    }

    fn into_record(self) -> Self::Record {
        Upstream::into_record(self)
    }

    fn load_record(self, record: Self::Record) -> Self {
        Upstream::load_record(self, record)
    }

    fn valid(&self) -> Self {
        valid::valid(self)
    }

    fn train(self) -> Self {
        valid::train(self)
    }
}

/// Meets each parameter of a module.
pub trait ModuleVisitor {
    /// A float parameter.
    fn visit_float<const D: usize>(&mut self, _param: &Param<Tensor<D>>) {}

    /// An integer parameter.
    fn visit_int<const D: usize>(&mut self, _param: &Param<Tensor<D, Int>>) {}

    /// A boolean parameter.
    fn visit_bool<const D: usize>(&mut self, _param: &Param<Tensor<D, Bool>>) {}

    /// Goes into a field.
    fn enter_module(&mut self, _name: &str, _container_type: &str) {}

    /// Leaves a field.
    fn exit_module(&mut self, _name: &str, _container_type: &str) {}
}

/// Maps each parameter of a module.
pub trait ModuleMapper {
    /// A float parameter.
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let (id, tensor, mapper) = param.consume();
        Param::from_mapped_value(id, tensor, mapper)
    }
}

/// Passes what burn's visitor or mapper meets on to the halves'.
struct Adapter<'a, V>(&'a mut V);

impl<V: ModuleVisitor> UpstreamVisitor<Backend> for Adapter<'_, V> {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        self.0.visit_float(param);
    }

    fn visit_int<const D: usize>(&mut self, param: &Param<Tensor<D, Int>>) {
        self.0.visit_int(param);
    }

    fn visit_bool<const D: usize>(&mut self, param: &Param<Tensor<D, Bool>>) {
        self.0.visit_bool(param);
    }

    fn enter_module(&mut self, name: &str, container_type: &str) {
        self.0.enter_module(name, container_type);
    }

    fn exit_module(&mut self, name: &str, container_type: &str) {
        self.0.exit_module(name, container_type);
    }
}

impl<P: ModuleMapper> UpstreamMapper<Backend> for Adapter<'_, P> {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        self.0.map_float(param)
    }
}

/// Parameters chosen by their path: there was no such thing, and nothing takes it.
#[derive(Clone)]
pub struct ParamGroup(());

impl ParamGroup {
    /// Every parameter.
    pub fn all() -> Self {
        Self(())
    }

    /// The parameters whose path holds a text.
    pub fn from_predicate(_path: &str) -> Self {
        Self(())
    }
}
