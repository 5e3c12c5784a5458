//! From a fresh process to the first result.

use super::probes::{Files, Probe};
use super::{Driven, Guest, Objects};
use std::fmt;
use std::process::Command;
use std::str::FromStr;
use std::time::Instant;
use upcall_host::guests::Options;
use upcall_host::{Error, ErrorKind};

/// What a guest takes until it is warm, in a fresh process.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Start {
    /// From before the runtime is looked for to the first result, in milliseconds.
    pub first_result_ms: f64,
    /// The first call with an object, which is part of that, in microseconds.
    pub first_call_us: f64,
    /// The second call, in microseconds.
    pub second_call_us: f64,
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.first_result_ms, self.first_call_us, self.second_call_us)
    }
}

impl FromStr for Start {
    type Err = ();

    fn from_str(text: &str) -> Result<Start, ()> {
        let numbers: Vec<f64> = text.split_whitespace().map_while(|number| number.parse().ok()).collect();
        let [first_result_ms, first_call_us, second_call_us] = numbers[..] else { return Err(()) };
        Ok(Start { first_result_ms, first_call_us, second_call_us })
    }
}

/// Starts a guest in this process, which must be fresh, and calls a handler that reads and emits twice.
///
/// # Errors
/// The guest does not start, or its handler does not run.
pub fn start(guest: Guest, options: &Options) -> Result<Start, Error> {
    let began = Instant::now();
    let mut files = Files::write()?;
    let host = guest.start(options, &mut files)?;
    let module = Probe::Emitting.load(guest, &*host, &files)?;
    let objects = Objects::alike(1, 64);
    let mut outcome = Err(Error::new(ErrorKind::RuntimeFailed, "start a guest: its worker did not run"));
    host.worker(&mut || {
        outcome = module.instantiate().and_then(Driven::open).and_then(|mut driven| {
            let mut micros = [0.0; 2];
            let mut total = 0.0;
            for (call, micros) in micros.iter_mut().enumerate() {
                let start = Instant::now();
                driven.checked(&objects)?;
                *micros = start.elapsed().as_secs_f64() * 1e6;
                if call == 0 {
                    total = began.elapsed().as_secs_f64() * 1e3;
                }
            }
            Ok(Start { first_result_ms: total, first_call_us: micros[0], second_call_us: micros[1] })
        });
    });
    outcome
}

/// Runs `command`, which does [`start`] and prints what it returns, `runs` times.
///
/// # Errors
/// It does not run, fails, or prints something else.
pub fn starts(mut command: Command, runs: usize) -> Result<Vec<Start>, Error> {
    let (shown, mut found) = (format!("{command:?}"), Vec::new());
    for _ in 0..runs {
        let failed = |what: String| {
            Error::new(ErrorKind::RuntimeFailed, format!("start a guest with {shown}: {what}"))
        };
        let output = command.output();
        let output = output.map_err(|error| failed(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let complaint = || failed(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
        found.push(said.lines().last().and_then(|line| line.parse().ok()).ok_or_else(complaint)?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_fresh_process_prints_is_read_back() {
        let start = Start { first_result_ms: 41.5, first_call_us: 300.25, second_call_us: 0.5 };
        assert_eq!(start.to_string().parse(), Ok(start));
        assert_eq!("1 2".parse::<Start>(), Err(()));
        let mut command = Command::new("echo");
        command.arg(start.to_string());
        assert_eq!(starts(command, 2).unwrap(), [start, start]);
    }

    #[test]
    fn a_process_that_dies_is_an_error_with_its_complaint() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo no runtime >&2; exit 3"]);
        let error = starts(command, 1).unwrap_err().to_string();
        assert!(error.contains("exit status: 3") && error.contains("no runtime"), "{error}");
    }
}
