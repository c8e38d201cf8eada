//! Lists a module's parameters, as torch's `named_parameters()` does.

use burn::{
    module::{ModuleVisitor, Param, ParamId},
    prelude::*,
};

/// One parameter as a visitor meets it.
pub struct Named {
    /// The path of field names, joined by dots.
    pub name: String,
    /// The shape, read without initialising the parameter.
    pub shape: Vec<usize>,
    /// Does its value require a gradient?
    pub requires_grad: bool,
    /// The identity that gradients and optimizer state are kept under.
    pub id: ParamId,
}

/// The float parameters of a module in visiting order: burn's counterpart of `named_parameters()`.
pub fn named_parameters(module: &impl Module) -> Vec<Named> {
    let mut visitor = Visitor::default();
    module.visit(&mut visitor);
    visitor.found
}

/// The names of the float parameters in visiting order, joined by commas.
pub fn names(module: &impl Module) -> String {
    let parameters = named_parameters(module);
    let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
    names.join(", ")
}

#[derive(Default)]
struct Visitor {
    path: Vec<String>,
    found: Vec<Named>,
}

impl ModuleVisitor for Visitor {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        self.found.push(Named {
            name: self.path.join("."),
            shape: param.lazy_shape().as_slice().to_vec(),
            requires_grad: param.val().is_require_grad(),
            id: param.id,
        });
    }
}
