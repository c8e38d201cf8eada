//! burn as the halves see it: in the newest version's spelling, whichever version is built.
//!
//! `build.rs` sets one cfg per version from which on something exists, such as
//! `burn_0_22_0_pre_4`; they are cumulative, and this folder is the only place that asks for them.

extern crate self as burn; // the paths that derives write start with `burn`

pub use upstream::*;

#[cfg(not(burn_0_22_0))]
mod before_0_22_0;
#[cfg(not(burn_0_22_0_pre_4))]
mod before_0_22_0_pre_4;

/// What a program imports by `use burn::prelude::*`.
pub mod prelude {
    pub use upstream::prelude::*;

    #[cfg(not(burn_0_22_0))]
    pub use crate::before_0_22_0::DataAccess;
    #[cfg(not(burn_0_22_0_pre_4))]
    pub use crate::before_0_22_0_pre_4::{Freeze, Tracked};
    #[cfg(not(burn_0_22_0_pre_4))]
    pub use upstream::module::AutodiffModule;
}
