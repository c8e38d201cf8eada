//! Runs one half: `emberwatch-halves <experiment> <variant>`.
//!
//! Events go to the file that `EMBERWATCH_EVENTS` names, to stdout when it is unset.

use std::{env, panic, process::ExitCode};

mod support;

/// The halves, as `build.rs` found them.
mod experiments {
    include!(concat!(env!("OUT_DIR"), "/experiments.rs"));
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [experiment, variant] = arguments.as_slice() else {
        eprintln!("usage: emberwatch-halves <experiment> <variant>");
        return ExitCode::from(2);
    };
    support::ran();
    support::remember_panics();
    match panic::catch_unwind(|| experiments::run(experiment, variant)) {
        Ok(true) => {
            support::done();
            ExitCode::SUCCESS
        }
        Ok(false) => {
            eprintln!("no half is called {experiment:?}");
            ExitCode::from(2)
        }
        Err(_) => {
            support::raised();
            ExitCode::from(101)
        }
    }
}
