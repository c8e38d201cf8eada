//! What every burn half shares.

mod a1;
mod device;
mod events;
mod rate;
mod visitor;

pub use a1::{Mlp, a1_batch, a1_model, literal};
pub use device::{device, plain_device};
pub use events::{Ids, done, observe, raised, ran, remember_panics};
pub use rate::rate;
pub use visitor::{named_parameters, names};
