//! How a process has ended.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// Why we have killed it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Killed {
    /// A call took longer than this.
    Deadline(Duration),
    /// It did not hear within this that it is to cancel.
    Deaf(Duration),
    /// It was not ready within this.
    Start(Duration),
    /// It took more memory than this, in bytes.
    Memory(u64),
    /// It did something that no guest does.
    Broken(&'static str),
    /// It did not end when it was told to.
    Stubborn,
}

/// How a process has ended.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    pub(crate) killed: Option<Killed>,
    pub(crate) status: Option<ExitStatus>,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.killed {
            Some(Killed::Deadline(after)) => {
                write!(f, "killed, as a call took longer than its deadline of {after:?}")
            }
            Some(Killed::Deaf(after)) => {
                write!(f, "killed, as it did not hear within {after:?} that it was to cancel a call")
            }
            Some(Killed::Start(after)) => write!(f, "killed, as it was not ready within {after:?}"),
            Some(Killed::Memory(limit)) => {
                write!(f, "killed, as it took more than its memory of {} MiB", limit.div_ceil(1 << 20))
            }
            Some(Killed::Broken(what)) => write!(f, "killed: {what}"),
            Some(Killed::Stubborn) => f.write_str("killed, as it did not end when it was told to"),
            None => match self.status {
                Some(status) => match (status.code(), status.signal()) {
                    (Some(code), _) => write!(f, "it ended itself with exit code {code}"),
                    (None, Some(signal)) => write!(f, "killed by {}", name(signal)),
                    (None, None) => write!(f, "{status}"),
                },
                None => f.write_str("nobody knows how it ended"),
            },
        }
    }
}

/// A signal, as one knows it.
fn name(signal: i32) -> String {
    use rustix::process::Signal;
    const NAMES: [(Signal, &str); 9] = [
        (Signal::SEGV, "SIGSEGV: it used memory that it does not have, or its stack overflowed"),
        (Signal::ABORT, "SIGABRT: its runtime gave up"),
        (Signal::KILL, "SIGKILL, from outside"),
        (Signal::BUS, "SIGBUS: it used memory that it does not have"),
        (Signal::ILL, "SIGILL"),
        (Signal::FPE, "SIGFPE"),
        (Signal::TERM, "SIGTERM, from outside"),
        (Signal::SYS, "SIGSYS: its sandbox forbids what it did"),
        (Signal::TRAP, "SIGTRAP"),
    ];
    let known = NAMES.iter().find(|(known, _)| known.as_raw() == signal);
    known.map_or_else(|| format!("signal {signal}"), |(_, name)| (*name).to_owned())
}
