//! Which parameters does a module list, under which names?

use burn::{
    nn::{Linear, LinearConfig},
    prelude::*,
};

use crate::support::{Ids, a1_model, device, named_parameters, names, observe};

burn::modules! {
    /// A layer of one parameter in each place that a container has.
    #[derive(Module, Debug)]
    struct Containers {
        list: Vec<Linear>,
        some: Option<Linear>,
        none: Option<Linear>,
        pair: (Linear, Linear),
        array: [Linear; 2],
    }
}

/// Lists the parameters of the variant's module.
pub fn run(variant: &str) {
    match variant {
        "mlp" => mlp(),
        "containers" => containers(),
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

fn unit() -> Linear {
    LinearConfig::new(1, 1).with_bias(false).init(&device())
}
