//! Do padded zeros take part in the arithmetic?

use burn::{
    nn::{
        Initializer, PaddingConfig1d, PaddingConfig2d, conv::Conv1dConfig, pool::AvgPool2dConfig,
    },
    prelude::*,
};

use crate::support::{device, observe};

/// Pads on the way into a convolution or an average.
pub fn run(variant: &str) {
    match variant {
        "infinite_weight" => {
            let x = Tensor::<3>::from_data([[[1.0, 2.0]]], &device());
            let convolution = Conv1dConfig::new(1, 1, 3)
                .with_padding(PaddingConfig1d::Explicit(1, 1))
                .with_bias(false)
                .with_initializer(Initializer::Constant { value: f64::INFINITY })
                .init(&device());
            observe("convolved", convolution.forward(x));
        }
        "one_sided_average" => {
            let x: Vec<f32> = (1..=25u8).map(f32::from).collect();
            let x = Tensor::<1>::from_data(x.as_slice(), &device()).reshape([1, 1, 5, 5]);
            let pool = AvgPool2dConfig::new([2, 2])
                .with_strides([2, 2])
                .with_padding(PaddingConfig2d::Explicit(0, 0, 1, 1))
                .with_count_include_pad(false)
                .init();
            observe("averaged", pool.forward(x));
        }
        _ => unreachable!("variant {variant}"),
    }
}
