//! States what a half observes, one event a line; docs/protocol.md describes the events.

use std::{
    env,
    fs::{File, OpenOptions},
    io::{self, Write},
    panic,
    sync::{Mutex, OnceLock},
};

use burn::{module::ParamId, prelude::*, tensor::DType};
use serde_json::{Value, json};

use super::device::backend;

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
        "isa": isa(),
    }}));
}

/// Returns the instruction sets by which burn's matrix product chooses its kernel as it runs.
#[cfg(target_arch = "x86_64")]
fn isa() -> String {
    let sets = [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
    ];
    let have: Vec<&str> = sets.iter().filter(|set| set.1).map(|set| set.0).collect();
    have.join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn isa() -> String {
    env::consts::ARCH.to_owned()
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
    if !event.is_null() {
        event["name"] = json!(name);
        emit(&event);
    }
}

/// A value that can be observed: flag, count, text, tensor or ids.
pub trait Observable {
    /// The event that states the value, without its name.
    fn event(self) -> Value;
}

/// Nothing is stated of what this version cannot tell.
impl<T: Observable> Observable for Option<T> {
    fn event(self) -> Value {
        self.map_or(Value::Null, Observable::event)
    }
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

/// Numbers that the framework itself keeps in double precision, such as learning rates.
impl Observable for Vec<f64> {
    fn event(self) -> Value {
        let values: Vec<Value> = self.iter().copied().map(number).collect();
        tensor("float64", &[values.len()], &values)
    }
}

burn::every_tensor! {
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
}

burn::every_tensor! {
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
