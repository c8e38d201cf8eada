//! Does a Linear work alike when its weight is stored by columns?

use burn::{
    nn::{Initializer, Linear, LinearConfig, LinearLayout},
    prelude::*,
};

use crate::support::{device, observe, plain_device};

/// Makes a layer whose weight is stored by columns, and uses it.
pub fn run(variant: &str) {
    match variant {
        "plain" => forward(&plain_device()),
        "autodiff" => {
            let linear = by_columns(&device());
            observe("requires_grad", linear.weight.val().is_require_grad());
            forward(&device());
        }
        "initial_range" => {
            let config = LinearConfig::new(100, 4).with_layout(LinearLayout::Col);
            let linear: Linear = config.init(&plain_device());
            let largest: f32 = linear.weight.val().abs().max().into_scalar();
            observe("within_fan_in", largest <= 0.1);
        }
        "record_into_rows" => {
            let record = by_columns(&plain_device()).into_record();
            let rows = LinearConfig::new(2, 3).with_bias(false).init(&plain_device());
            observe("weight", rows.load_record(record).weight.val());
        }
        _ => unreachable!("variant {variant}"),
    }
}

fn by_columns(device: &Device) -> Linear {
    LinearConfig::new(2, 3)
        .with_bias(false)
        .with_initializer(Initializer::Ones)
        .with_layout(LinearLayout::Col)
        .init(device)
}

fn forward(device: &Device) {
    let linear = by_columns(device);
    let x = Tensor::<2>::from_data([[1.0, 2.0]], device);
    observe("weight", linear.weight.val());
    observe("out", linear.forward(x));
}
