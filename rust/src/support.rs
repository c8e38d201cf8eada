//! What every burn half shares: `observe`, the device, and the literal model and batch A1.

use std::{
    env,
    fs::{File, OpenOptions},
    io::{self, Write},
    panic,
    sync::{Mutex, OnceLock},
};

use burn::{
    module::{ModuleVisitor, Param, ParamId},
    nn::{Linear, loss::CrossEntropyLossConfig},
    prelude::*,
    tensor::DType,
};
use serde_json::{Value, json};

// --- events ---------------------------------------------------------------------------------

/// Writes one event as one line, at once, so that a crash loses nothing that was seen before it.
fn emit(event: &Value) {
    static FILE: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let path = env::var_os("EMBERWATCH_EVENTS")?;
        let file = OpenOptions::new().append(true).create(true).open(path);
        Some(Mutex::new(file.expect("EMBERWATCH_EVENTS names a writable file")))
    });
    let line = format!("{event}\n");
    match file {
        Some(file) => file.lock().expect("one writer").write_all(line.as_bytes()),
        None => io::stdout().write_all(line.as_bytes()),
    }
    .expect("an event can be written");
}

/// Says what is really running; the first event.
pub fn ran() {
    emit(&json!({"ran": {
        "burn": env!("BURN_VERSION"),
        "backend": backend(),
        "debug_assertions": cfg!(debug_assertions),
    }}));
}

/// Says that the half came to its end; the last event.
pub fn done() {
    emit(&json!({"done": true}));
}

static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps the text of the newest panic, and lets the default hook print it as well.
pub fn remember_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let text = info.payload_as_str().unwrap_or("a payload that is no text");
        if let Ok(mut newest) = PANIC.lock() {
            *newest = text.to_owned();
        }
        print(info);
    }));
}

/// Says that the half ended in a panic; the last event.
pub fn raised() {
    let text = PANIC.lock().map(|newest| newest.clone()).unwrap_or_default();
    emit(&json!({"raised": {"type": "panic", "text": text}}));
}

/// States one observation under its name.
pub fn observe(name: &str, value: impl Observable) {
    let mut event = value.event();
    event["name"] = json!(name);
    emit(&event);
}

/// A value that can be observed: flag, count, text, tensor or ids.
pub trait Observable {
    /// The event that states the value, without its name.
    fn event(self) -> Value;
}

impl Observable for bool {
    fn event(self) -> Value {
        json!({"flag": self})
    }
}

impl Observable for usize {
    fn event(self) -> Value {
        json!({"count": self})
    }
}

impl Observable for &str {
    fn event(self) -> Value {
        json!({"text": self})
    }
}

impl Observable for String {
    fn event(self) -> Value {
        json!({"text": self})
    }
}

impl Observable for f32 {
    fn event(self) -> Value {
        tensor("float32", &[], &[number(self.into())])
    }
}

/// Numbers seen one after the other, such as the losses of a training: a 1-D tensor.
impl Observable for Vec<f32> {
    fn event(self) -> Value {
        let values: Vec<Value> = self.iter().map(|&value| number(value.into())).collect();
        tensor("float32", &[values.len()], &values)
    }
}

impl<const D: usize> Observable for Tensor<D> {
    fn event(self) -> Value {
        let shape = self.dims();
        let data = self.into_data();
        let dtype = match data.dtype() {
            DType::F64 => "float64",
            DType::F32 => "float32",
            DType::F16 => "float16",
            DType::BF16 => "bfloat16",
            other => unreachable!("no float is of dtype {other:?}"),
        };
        tensor(dtype, &shape, &data.iter::<f64>().map(number).collect::<Vec<_>>())
    }
}

impl<const D: usize> Observable for Tensor<D, Int> {
    fn event(self) -> Value {
        let shape = self.dims();
        let data = self.into_data();
        let dtype = match data.dtype() {
            DType::I64 => "int64",
            DType::I32 => "int32",
            other => unreachable!("no integer is of dtype {other:?}"),
        };
        tensor(dtype, &shape, &data.iter::<i64>().map(|element| json!(element)).collect::<Vec<_>>())
    }
}

/// Random identifiers, stated in order; the harness keeps only which of them are equal.
pub struct Ids(pub Vec<ParamId>);

impl Observable for Ids {
    fn event(self) -> Value {
        json!({"ids": self.0.iter().map(ToString::to_string).collect::<Vec<_>>()})
    }
}

fn tensor(dtype: &str, shape: &[usize], values: &[Value]) -> Value {
    json!({"tensor": {"dtype": dtype, "shape": shape, "values": values}})
}

/// A float as a JSON number; NaN and the infinities, which JSON lacks, as tagged strings.
fn number(value: f64) -> Value {
    if value.is_nan() {
        json!("NaN")
    } else if value.is_infinite() {
        json!(if value > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        json!(value)
    }
}

// --- the device -----------------------------------------------------------------------------

/// The cell's backend, as the record names it.
fn backend() -> &'static str {
    if cfg!(feature = "ndarray") { "ndarray" } else { "flex" }
}

/// The cell's device without automatic differentiation.
pub fn plain_device() -> Device {
    #[cfg(feature = "ndarray")]
    #[expect(
        deprecated,
        reason = "0.22.1 deprecates the backend; the cell asks about it on purpose"
    )]
    return Device::ndarray();
    #[cfg(not(feature = "ndarray"))]
    Device::flex()
}

/// The cell's device, with automatic differentiation.
pub fn device() -> Device {
    plain_device().autodiff()
}

// --- A1: the model and the batch that the experiments share, literal in both languages -------

/// The MLP 4 → 8 → 3 with a ReLU between its two layers.
#[derive(Module, Debug)]
pub struct Mlp {
    /// 4 → 8
    pub fc1: Linear,
    /// 8 → 3
    pub fc2: Linear,
}

impl Mlp {
    /// `[batch, 4]` → logits `[batch, 3]`.
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        self.fc2.forward(burn::tensor::activation::relu(self.fc1.forward(x)))
    }

    /// The cross-entropy of the logits, shape `[1]`.
    pub fn loss(&self, x: Tensor<2>, y: Tensor<1, Int>) -> Tensor<1> {
        CrossEntropyLossConfig::new().init(&x.device()).forward(self.forward(x), y)
    }
}

/// The MLP with the weights A1; all arithmetic in f32, in burn's own layout `[in, out]`.
pub fn a1_model(device: &Device) -> Mlp {
    let fc1 = Linear {
        weight: param2([4, 8], |i| 0.1 * (remainder(7 * i, 13) - 6.0) / 3.0, device),
        bias: Some(param1(8, |o| 0.01 * o as f32, device)),
    };
    let fc2 = Linear {
        weight: param2([8, 3], |i| 0.1 * (remainder(5 * i, 11) - 5.0) / 2.0, device),
        bias: Some(param1(3, |o| 0.02 * o as f32, device)),
    };
    Mlp { fc1, fc2 }
}

/// The batch A1: x `[6, 4]` and the classes y `[6]`.
pub fn a1_batch(device: &Device) -> (Tensor<2>, Tensor<1, Int>) {
    let x: Vec<f32> = (0..24).map(|i| (remainder(3 * i, 7) - 3.0) / 3.0).collect();
    let x = Tensor::<1>::from_data(x.as_slice(), device).reshape([6, 4]);
    (x, Tensor::from_data([0, 1, 2, 0, 1, 2], device))
}

fn remainder(a: usize, b: usize) -> f32 {
    (a % b) as f32
}

fn param1(n: usize, formula: fn(usize) -> f32, device: &Device) -> Param<Tensor<1>> {
    let values: Vec<f32> = (0..n).map(formula).collect();
    Param::from_tensor(Tensor::from_data(values.as_slice(), device))
}

fn param2(shape: [usize; 2], formula: fn(usize) -> f32, device: &Device) -> Param<Tensor<2>> {
    let values: Vec<f32> = (0..shape[0] * shape[1]).map(formula).collect();
    Param::from_tensor(Tensor::<1>::from_data(values.as_slice(), device).reshape(shape))
}

// --- what the experiments ask of a module ----------------------------------------------------

/// One parameter as a visitor meets it.
pub struct Named {
    /// The path of field names, joined by dots.
    pub name: String,
    /// The shape, read without initialising the parameter.
    pub shape: Vec<usize>,
    /// Does its value require a gradient?
    pub requires_grad: bool,
    /// The identity that gradients and optimizer state are kept under.
    pub id: ParamId,
}

/// The float parameters of a module in visiting order: burn's counterpart of `named_parameters()`.
pub fn named_parameters(module: &impl Module) -> Vec<Named> {
    let mut visitor = Visitor::default();
    module.visit(&mut visitor);
    visitor.found
}

/// The names of the float parameters in visiting order, joined by commas.
pub fn names(module: &impl Module) -> String {
    let parameters = named_parameters(module);
    let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
    names.join(", ")
}

#[derive(Default)]
struct Visitor {
    path: Vec<String>,
    found: Vec<Named>,
}

impl ModuleVisitor for Visitor {
    fn enter_module(&mut self, name: &str, _container_type: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container_type: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        self.found.push(Named {
            name: self.path.join("."),
            shape: param.lazy_shape().as_slice().to_vec(),
            requires_grad: param.val().is_require_grad(),
            id: param.id,
        });
    }
}
