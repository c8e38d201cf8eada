//! 0.22.0 made the fields of `TensorData` methods.

use upstream::tensor::{DType, TensorData};

/// The accessors that were fields.
pub trait DataAccess {
    /// The dtype of the elements.
    fn dtype(&self) -> DType;
}

impl DataAccess for TensorData {
    fn dtype(&self) -> DType {
        self.dtype
    }
}
