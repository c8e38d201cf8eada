//! Which elements does the gradient of a selection reach?

use burn::{prelude::*, tensor::IndexingUpdateOp};

use crate::support::{device, observe};

/// Selects from a tensor the variant's way, and goes back from a weighted sum of the selected.
pub fn run(variant: &str) {
    let x = Tensor::<2>::from_data([[3.0, 1.0, 2.0]], &device()).require_grad();
    let index = |values| Tensor::<2, Int>::from_data([values], &device());

    let selected = match variant {
        "topk" => x.clone().topk(2, 1),
        "max_dim" => x.clone().max_dim(1),
        "gather" => x.clone().gather(1, index([2, 2, 0])),
        "select" => x.clone().select(1, Tensor::from_data([1, 1, 2], &device())),
        "scatter" => {
            let zeros = Tensor::<2>::zeros([1, 3], &device());
            zeros.scatter(1, index([1, 1, 2]), x.clone(), IndexingUpdateOp::Add)
        }
        "broadcast" => x.clone() * Tensor::<2>::from_data([[1.0], [10.0]], &device()),
        _ => unreachable!("variant {variant}"),
    };
    let [_, columns] = selected.dims();
    let weights = Tensor::<2>::from_data([[1.0, 2.0, 4.0]], &device()).slice([0..1, 0..columns]);
    let gradients = (selected.clone() * weights).sum().backward();

    observe("out", selected);
    observe("gradient", x.grad(&gradients).unwrap());
}
