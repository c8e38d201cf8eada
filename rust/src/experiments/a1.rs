//! Do both halves start from the same numbers?

use crate::support::{a1_batch, a1_model, device, observe};

/// Echoes the model and the batch A1, bit by bit.
pub fn run(_variant: &str) {
    let (x, y) = a1_batch(&device());

    let model = a1_model(&device());

    let bias = model.fc1.bias.unwrap().val();
    observe("fc1.weight", model.fc1.weight.val());
    observe("fc1.bias", bias.clone());
    observe("fc2.weight", model.fc2.weight.val());
    observe("fc2.bias", model.fc2.bias.unwrap().val());
    let off: Vec<String> = (0..8)
        .zip(bias.into_data().iter::<f32>())
        .filter(|&(i, value)| value != (0.01 * f64::from(i)) as f32)
        .map(|(i, _)| i.to_string())
        .collect();
    let off = match off.as_slice() {
        [] => "none".to_owned(),
        some => some.join(", "),
    };
    observe("fc1.bias.not_nearest", off);
    observe("x", x);
    observe("y", y.float());
}
