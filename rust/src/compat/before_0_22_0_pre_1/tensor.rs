//! Tensors and devices without their backend parameter.

use upstream::tensor::backend::{AutodiffBackend, Backend as _};
pub use upstream::tensor::*;

use super::{Backend, cannot_lend};

/// A tensor with automatic differentiation.
pub type Tensor<const D: usize, K = Float> = upstream::tensor::Tensor<Backend, D, K>;

/// What `backward` returns.
pub type Gradients = <Backend as AutodiffBackend>::Gradients;

/// The device of a tensor with automatic differentiation.
pub type Device = upstream::tensor::Device<Backend>;

/// The device of a tensor without automatic differentiation: nothing takes it as it is.
pub struct PlainDevice;

impl PlainDevice {
    /// The device with automatic differentiation.
    pub fn autodiff(self) -> Device {
        Device::default()
    }
}

/// What a device of the halves can do.
pub trait DeviceExtension: Sized {
    /// The CPU, without automatic differentiation.
    fn flex() -> PlainDevice {
        PlainDevice
    }

    /// The device without automatic differentiation.
    fn inner(self) -> Self {
        cannot_lend("a device without automatic differentiation")
    }

    /// The device with automatic differentiation, which it has.
    fn autodiff(self) -> Self {
        cannot_lend("automatic differentiation over automatic differentiation")
    }

    /// Does a tensor record here? Its type said so, and not its device.
    fn is_autodiff(&self) -> bool {
        cannot_lend("Device::is_autodiff")
    }

    /// Seeds what is drawn here.
    fn seed(&self, seed: u64);
}

impl DeviceExtension for Device {
    fn seed(&self, seed: u64) {
        Backend::seed(self, seed);
    }
}

/// Repeats what is said of a tensor for one without automatic differentiation.
#[macro_export]
macro_rules! every_tensor {
    ($of_tensor:item) => {
        $of_tensor
        const _: () = {
            use $crate::tensor::inner::Tensor;
            $of_tensor
        };
    };
}

/// What has no automatic differentiation, such as a gradient.
pub mod inner {
    use super::Float;

    /// A tensor without automatic differentiation.
    pub type Tensor<const D: usize, K = Float> =
        upstream::tensor::Tensor<super::super::InnerBackend, D, K>;
}

/// What a tensor could not yet be asked.
pub trait Tracked {
    /// Is the tensor part of a graph? It could not be told.
    fn is_tracked(&self) -> Option<bool> {
        None
    }
}

impl<const D: usize> Tracked for Tensor<D> {}

/// Activations, of which there were fewer.
pub mod activation {
    pub use upstream::tensor::activation::*;

    use super::super::cannot_lend;

    /// There was no such activation.
    pub fn hardtanh<X>(_: X, _: f64, _: f64) -> X {
        cannot_lend("hardtanh")
    }

    /// There was no such activation.
    pub fn relu6<X>(_: X) -> X {
        cannot_lend("relu6")
    }

    /// There was no such activation.
    pub fn tanhshrink<X>(_: X) -> X {
        cannot_lend("tanhshrink")
    }

    /// There was no such activation.
    pub fn threshold<X>(_: X, _: f64, _: f64) -> X {
        cannot_lend("threshold")
    }
}
