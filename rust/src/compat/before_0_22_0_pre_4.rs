//! 0.22.0-pre.4 gave every layer a training flag, and `Module` the methods that set it.

use upstream::{
    module::{Module, ParamGroup},
    tensor::Tensor,
};

/// Freezing, which had to name a group of parameters, and knew no training flag.
pub trait Freeze: Module {
    /// Freezes every parameter.
    fn freeze(self) -> Self {
        self.freeze_group(ParamGroup::all())
    }

    /// Makes every parameter trainable.
    fn unfreeze(self) -> Self {
        self.unfreeze_group(ParamGroup::all())
    }

    /// Sets whether every parameter requires a gradient.
    fn set_require_grad(self, required: bool) -> Self {
        self.set_require_grad_group(ParamGroup::all(), required)
    }

    /// Sets whether the parameters of a group require a gradient.
    fn set_require_grad_group(self, group: ParamGroup, required: bool) -> Self {
        if required { self.unfreeze_group(group) } else { self.freeze_group(group) }
    }
}

impl<M: Module> Freeze for M {}

/// What a tensor could not yet be asked.
pub trait Tracked {
    /// Is the tensor part of a graph? It could not be told.
    fn is_tracked(&self) -> Option<bool> {
        None
    }
}

impl<const D: usize> Tracked for Tensor<D> {}
