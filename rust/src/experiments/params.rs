//! Which parameters does a module list, under which names?

use burn::{
    module::{Flag, ModuleVisitor, Param},
    nn::{BatchNormConfig, DropoutConfig, Linear, LinearConfig},
    prelude::*,
};

use crate::support::{Ids, a1_model, device, named_parameters, observe};

/// A layer of one parameter in each place that a container has.
#[derive(Module, Debug)]
struct Containers {
    list: Vec<Linear>,
    some: Option<Linear>,
    none: Option<Linear>,
    pair: (Linear, Linear),
    array: [Linear; 2],
}

/// Lists the parameters of the variant's module.
pub fn run(variant: &str) {
    match variant {
        "mlp" => mlp(),
        "containers" => containers(),
        "lazy" => lazy(),
        "flags" => flags(),
        _ => unreachable!("variant {variant}"),
    }
}

/// Lists name, shape, training state and identity of each parameter of A1.
fn mlp() {
    let model = a1_model(&device());
    observe("names", names(&model));
    let parameters = named_parameters(&model);
    let mut visited = 0;
    for parameter in &parameters {
        let name = &parameter.name;
        observe(&format!("shape.{name}"), format!("{:?}", parameter.shape));
        observe(&format!("requires_grad.{name}"), parameter.requires_grad);
        visited += parameter.shape.iter().product::<usize>();
    }
    observe("visited", visited);
    observe("num_params", model.num_params());
    observe("ids", Ids(parameters.iter().map(|p| p.id).collect()));
}

/// Lists the path of each layer in its container.
fn containers() {
    let model = Containers {
        list: vec![unit(), unit()],
        some: Some(unit()),
        none: None,
        pair: (unit(), unit()),
        array: [unit(), unit()],
    };
    observe("names", names(&model));
    observe("num_params", model.num_params());
}

/// Counts the parameters of a layer that has not made them yet.
fn lazy() {
    let layer = LinearConfig::new(4, 8).init(&device());
    observe("initialized.at_first", layer.weight.is_initialized());
    observe("num_params", layer.num_params());
    observe("initialized.counted", layer.weight.is_initialized());
    observe("names", names(&layer));
    observe("initialized.named", layer.weight.is_initialized());
}

/// Looks for the training flags: they reach `visit_flag` alone.
fn flags() {
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

fn unit() -> Linear {
    LinearConfig::new(1, 1).with_bias(false).init(&device())
}

fn names(module: &impl Module) -> String {
    let parameters = named_parameters(module);
    let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
    names.join(", ")
}
