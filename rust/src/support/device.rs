//! The device that the cell's backend computes on.

use burn::prelude::*;

/// The cell's backend, as the record names it.
pub fn backend() -> &'static str {
    if cfg!(feature = "ndarray") { "ndarray" } else { "flex" }
}

/// The cell's device, with automatic differentiation.
pub fn device() -> Device {
    #[cfg(feature = "ndarray")]
    #[expect(
        deprecated,
        reason = "0.22.1 deprecates the backend; the cell asks about it on purpose"
    )]
    return Device::ndarray().autodiff();
    #[cfg(not(feature = "ndarray"))]
    Device::flex().autodiff()
}

/// The cell's device without automatic differentiation.
pub fn plain_device() -> Device {
    device().inner()
}
