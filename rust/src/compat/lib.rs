//! burn as the halves see it: in the newest version's spelling, whichever version is built.
//!
//! `build.rs` sets one cfg per version from which on something exists, such as
//! `burn_0_22_0_pre_4`; they are cumulative, and this folder is the only place that asks for them.

extern crate self as burn; // the paths that derives write start with `burn`

#[cfg(not(burn_0_22_0_pre_1))]
pub use before_0_22_0_pre_1::*;
#[cfg(burn_0_22_0_pre_1)]
pub use upstream::*;

#[cfg(not(burn_0_22_0))]
mod before_0_22_0;
#[cfg(not(burn_0_22_0_pre_1))]
mod before_0_22_0_pre_1;
#[cfg(all(burn_0_22_0_pre_1, not(burn_0_22_0_pre_4)))]
mod before_0_22_0_pre_4;

/// Defines modules: once a file, around the structs that derive `Module`.
#[cfg(burn_0_22_0_pre_1)]
#[macro_export]
macro_rules! modules {
    ($($module:item)*) => {
        $($module)*
    };
}

/// Repeats what is said of a tensor for each type of tensor, of which there is one.
#[cfg(burn_0_22_0_pre_1)]
#[macro_export]
macro_rules! every_tensor {
    ($of_tensor:item) => {
        $of_tensor
    };
}

/// What a program imports by `use burn::prelude::*`.
pub mod prelude {
    pub use upstream::prelude::*;

    #[cfg(not(burn_0_22_0))]
    pub use crate::before_0_22_0::DataAccess;
    #[cfg(not(burn_0_22_0_pre_1))]
    pub use crate::before_0_22_0_pre_1::{
        module::Module,
        nn,
        tensor::{Device, DeviceExtension, Tensor, Tracked},
    };
    #[cfg(all(burn_0_22_0_pre_1, not(burn_0_22_0_pre_4)))]
    pub use crate::before_0_22_0_pre_4::{Freeze, Tracked};
    #[cfg(all(burn_0_22_0_pre_1, not(burn_0_22_0_pre_4)))]
    pub use upstream::module::AutodiffModule;
}
