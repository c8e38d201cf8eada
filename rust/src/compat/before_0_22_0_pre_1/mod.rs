//! 0.22.0-pre.1 took the backend out of every type; before, `Tensor<B, D>` and `Module<B>` had it.
//!
//! The backend is fixed here, so that the halves need not name it: automatic differentiation over
//! the cell's backend. What lives without automatic differentiation is of another type there
//! (`Tensor<B::InnerBackend, D>`); no one spelling has both, and what asks for it panics.

pub use upstream::*;

pub mod lr_scheduler;
pub mod module;
mod modules;
pub mod nn;
pub mod optim;
pub mod tensor;
mod valid;

pub use modules::OnBackend;
pub use tensor::Tensor;
pub use upstream;

/// The cell's backend without automatic differentiation.
pub type InnerBackend = upstream::backend::Flex;

/// The backend of every tensor and module of the halves.
pub type Backend = upstream::backend::Autodiff<InnerBackend>;

/// Ends a case that asks for what cannot be lent; its contract calls it unsupported.
pub(crate) fn cannot_lend(what: &str) -> ! {
    panic!("src/compat cannot lend {what} to burn before 0.22.0-pre.1: not a behaviour of burn")
}
