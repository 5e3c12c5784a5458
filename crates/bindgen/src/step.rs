//! What a run of tools reports as it goes, and how to stop it.

use std::fmt;
use std::io;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// What is now known to be right.
    Passed(String),
    /// The program's output, or the reason why a tool was not found.
    Failed(String),
    /// Why nothing was tried.
    Skipped(String),
}

/// One finished step of a check or a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// `C#`, `Python` and so on.
    pub language: &'static str,
    /// How it went.
    pub outcome: Outcome,
    /// How long it took.
    pub took: Duration,
}

/// One line, and below it the output of a tool that failed.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { language, outcome, took } = self;
        match outcome {
            Outcome::Passed(what) => write!(f, "{language}: {what} ({:.1} s)", took.as_secs_f64()),
            Outcome::Skipped(why) => write!(f, "{language}: SKIPPED: {why}"),
            Outcome::Failed(said) => {
                write!(f, "{language}: FAILED: {}", said.trim_end().replace('\n', "\n    "))
            }
        }
    }
}

/// Stops a check or a build from another thread, including the tools it has started.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    running: Vec<u32>,
}

impl Stop {
    /// Ends what is running, with everything it has started itself. Nothing more is started.
    pub fn stop(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.stopped = true;
        state.running.drain(..).for_each(end);
    }

    /// Whether it was asked to stop.
    pub fn stopped(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).stopped
    }

    /// Runs a tool to its end, without input.
    pub(crate) fn run(&self, command: &mut Command) -> io::Result<Output> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if state.stopped {
                return Err(io::Error::new(io::ErrorKind::Interrupted, "stopped"));
            }
            let child = command.spawn()?;
            state.running.push(child.id());
            child
        };
        let id = child.id();
        let output = child.wait_with_output();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.running.retain(|running| *running != id);
        output
    }
}

/// Ends a process that [`Stop::run`] started, with its group. Elsewhere Ctrl-C reaches all processes of the console.
fn end(id: u32) {
    #[cfg(unix)]
    // SAFETY: a signal to a group made for this process; it touches no memory.
    unsafe {
        libc::kill(-(id as libc::pid_t), libc::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_line_and_what_was_said_is_indented() {
        let step = |outcome| Step { language: "C", outcome, took: Duration::from_millis(1250) }.to_string();
        assert_eq!(step(Outcome::Passed("it compiles".into())), "C: it compiles (1.2 s)");
        assert_eq!(step(Outcome::Skipped("no compiler".into())), "C: SKIPPED: no compiler");
        assert_eq!(step(Outcome::Failed("cc: 1\nwrong\n".into())), "C: FAILED: cc: 1\n    wrong");
    }

    #[cfg(unix)]
    #[test]
    fn stopping_ends_a_tool_with_what_it_has_started() {
        let stop = Stop::default();
        let running = std::thread::spawn({
            let stop = stop.clone();
            move || stop.run(Command::new("sh").args(["-c", "sleep 600 & wait; sleep 600"]))
        });
        while stop.0.lock().unwrap().running.is_empty() {
            std::thread::yield_now();
        }
        stop.stop();
        // The pipe is closed when the last of them has ended.
        assert!(!running.join().unwrap().unwrap().status.success());
        assert!(stop.run(&mut Command::new("true")).is_err());
    }
}
