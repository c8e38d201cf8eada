//! A1: the model and the batch that the experiments share, literal in both languages.

use burn::{
    module::Param,
    nn::{Linear, loss::CrossEntropyLossConfig},
    prelude::*,
};

burn::modules! {
    /// The MLP 4 → 8 → 3 with a ReLU between its two layers.
    #[derive(Module, Debug)]
    pub struct Mlp {
        /// 4 → 8
        pub fc1: Linear,
        /// 8 → 3
        pub fc2: Linear,
    }
}

impl Mlp {
    /// `[batch, 4]` → logits `[batch, 3]`.
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        self.fc2.forward(burn::tensor::activation::relu(self.fc1.forward(x)))
    }

    /// The cross-entropy of the logits, shape `[1]`.
    pub fn loss(&self, x: Tensor<2>, y: Tensor<1, Int>) -> Tensor<1> {
        CrossEntropyLossConfig::new().init(&x.device()).forward(self.forward(x), y)
    }
}

/// The MLP with the weights A1; all arithmetic in f32, in burn's own layout `[in, out]`.
pub fn a1_model(device: &Device) -> Mlp {
    let fc1 = Linear {
        weight: param2([4, 8], |i| 0.1 * (remainder(7 * i, 13) - 6.0) / 3.0, device),
        bias: Some(param1(8, |o| 0.01 * o as f32, device)),
    };
    let fc2 = Linear {
        weight: param2([8, 3], |i| 0.1 * (remainder(5 * i, 11) - 5.0) / 2.0, device),
        bias: Some(param1(3, |o| 0.02 * o as f32, device)),
    };
    Mlp { fc1, fc2 }
}

/// The batch A1: x `[6, 4]` and the classes y `[6]`.
pub fn a1_batch(device: &Device) -> (Tensor<2>, Tensor<1, Int>) {
    let x: Vec<f32> = (0..24).map(|i| (remainder(3 * i, 7) - 3.0) / 3.0).collect();
    let x = Tensor::<1>::from_data(x.as_slice(), device).reshape([6, 4]);
    (x, Tensor::from_data([0, 1, 2, 0, 1, 2], device))
}

/// Literal numbers from −1 to 1 in steps of 1/6; another `step` orders them otherwise.
pub fn literal<const D: usize>(shape: [usize; D], step: usize, device: &Device) -> Tensor<D> {
    let number = |i: usize| (remainder(step * i, 13) - 6.0) / 6.0;
    let values: Vec<f32> = (0..shape.iter().product()).map(number).collect();
    Tensor::<1>::from_data(values.as_slice(), device).reshape(shape)
}

fn remainder(a: usize, b: usize) -> f32 {
    (a % b) as f32
}

fn param1(n: usize, formula: fn(usize) -> f32, device: &Device) -> Param<Tensor<1>> {
    let values: Vec<f32> = (0..n).map(formula).collect();
    Param::from_tensor(Tensor::from_data(values.as_slice(), device))
}

fn param2(shape: [usize; 2], formula: fn(usize) -> f32, device: &Device) -> Param<Tensor<2>> {
    let values: Vec<f32> = (0..shape[0] * shape[1]).map(formula).collect();
    Param::from_tensor(Tensor::<1>::from_data(values.as_slice(), device).reshape(shape))
}
