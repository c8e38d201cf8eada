//! Finds the halves in `src/experiments/` and the burn version that the lock really holds.
//!
//! The folder is the list: no registry is kept by hand. Two variables come from the burn engine:
//! `EMBERWATCH_RUST` (this folder, where the manifest lies elsewhere) and `EMBERWATCH_LEAVE_OUT`
//! (halves that do not compile against this cell, so that the others still run).

use std::{env, fmt::Write as _, fs, path::PathBuf};

/// The versions from which on something exists that `src/compat/` lends to older ones.
const SINCE: [&str; 7] = [
    "0.22.0-pre.1",
    "0.22.0-pre.2",
    "0.22.0-pre.3",
    "0.22.0-pre.4",
    "0.22.0",
    "0.22.1",
    "0.23.0-pre.1",
];

fn main() {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let rust = env::var("EMBERWATCH_RUST").map_or_else(|_| manifest.clone(), PathBuf::from);
    let left_out = env::var("EMBERWATCH_LEAVE_OUT").unwrap_or_default();
    let experiments = rust.join("src").join("experiments");

    let mut names: Vec<String> = fs::read_dir(&experiments)
        .expect("src/experiments is a folder")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "rs"))
        .map(|path| path.file_stem().expect("a stem").to_string_lossy().into_owned())
        .filter(|name| !left_out.split(',').any(|left| left == name))
        .collect();
    names.sort();

    let mut code = String::new();
    let mut arms = String::new();
    for name in &names {
        let path = experiments.join(format!("{name}.rs"));
        writeln!(code, "#[path = {path:?}]\nmod {name};").expect("a String takes it");
        writeln!(arms, "        {name:?} => {name}::run(variant),").expect("a String takes it");
    }
    write!(
        code,
        "/// Runs one half; false when no half has that name.\n\
         pub fn run(experiment: &str, variant: &str) -> bool {{\n    match experiment {{\n{arms}        \
         _ => return false,\n    }}\n    true\n}}\n"
    )
    .expect("a String takes it");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("experiments.rs"), code).expect("OUT_DIR is writable");

    let lock = manifest.join("Cargo.lock");
    let text = fs::read_to_string(&lock).unwrap_or_default();
    let version = locked_version(&text).expect("the lock holds burn-core");
    println!("cargo::rustc-env=BURN_VERSION={version}");
    for since in SINCE {
        let name = format!("burn_{}", since.replace(['.', '-'], "_"));
        println!("cargo::rustc-check-cfg=cfg({name})");
        if release(since) <= release(version) {
            println!("cargo::rustc-cfg={name}");
        }
    }
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-changed={}", experiments.display());
    println!("cargo::rerun-if-env-changed=EMBERWATCH_RUST");
    println!("cargo::rerun-if-env-changed=EMBERWATCH_LEAVE_OUT");
}

/// The version of burn-core in a Cargo.lock, the crate that behaviour comes from.
fn locked_version(lock: &str) -> Option<&str> {
    let (_, after) = lock.split_once("name = \"burn-core\"\nversion = \"")?;
    after.split_once('"').map(|(version, _)| version)
}

/// A version as numbers that compare: `0.22.0-pre.4` comes before `0.22.0`.
fn release(version: &str) -> Vec<u64> {
    let (numbers, pre) = version.split_once("-pre.").unwrap_or((version, ""));
    let numbers = numbers.split('.').map(|number| number.parse().expect("a number"));
    numbers.chain([pre.parse().unwrap_or(u64::MAX)]).collect()
}
