//! Are the corners aligned when an image is resized?

use burn::{
    nn::interpolate::{Interpolate2dConfig, InterpolateMode},
    prelude::*,
};

use crate::support::{device, observe};

/// Resizes an image of 4 × 4 to 6 × 6.
pub fn run(variant: &str) {
    let image: Vec<f32> = (0..16).map(|i| (7 * i % 17 - 8) as f32).collect();
    let image = Tensor::<1>::from_data(image.as_slice(), &device()).inner().reshape([1, 1, 4, 4]);

    let linear = Interpolate2dConfig::new()
        .with_output_size(Some([6, 6]))
        .with_mode(InterpolateMode::Linear);
    let config = match variant {
        "linear_default" => linear,
        "linear_aligned" => linear.with_align_corners(true),
        "linear_not_aligned" => linear.with_align_corners(false),
        "cubic_aligned" => linear.with_mode(InterpolateMode::Cubic).with_align_corners(true),
        _ => unreachable!("variant {variant}"),
    };

    observe("out", config.init().forward(image).reshape([6, 6]));
}
