//! A process that is watched: what it says, how long it takes, how much memory it has, and its end where that is too much.

use anyhow::{Context, Result};
use std::fmt;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::group::Group;

/// How often its memory is looked at.
const EVERY: Duration = Duration::from_millis(5);

/// What a process has said, and what it took.
#[derive(Debug)]
pub struct Watched {
    /// Its output.
    pub said: String,
    /// From its start to its end.
    pub seconds: f64,
    /// The most memory of its own that it was seen to have (RssAnon), in MiB.
    pub peak_mib: f64,
    /// The most memory that it had, what it has mapped included (VmHWM), in MiB.
    pub resident_mib: f64,
}

/// How much a process may take before it is ended.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Memory of its own (RssAnon), in MiB.
    pub mib: f64,
    /// From its start.
    pub seconds: f64,
}

impl Limits {
    /// None at all.
    pub const NONE: Limits = Limits { mib: f64::INFINITY, seconds: f64::INFINITY };
}

/// Why a process did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It took more than it may, or was refused some.
    Memory,
    /// It took longer than it may.
    Time,
    /// It failed.
    Failure,
}

impl fmt::Display for Why {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Why::Memory => "memory",
            Why::Time => "time",
            Why::Failure => "a failure",
        })
    }
}

/// A process that did not come to its end.
#[derive(Debug)]
pub struct Over {
    /// Why.
    pub why: Why,
    /// How long it ran.
    pub seconds: f64,
    /// The most memory of its own that it was seen to have, in MiB.
    pub peak_mib: f64,
    /// How it ended, and what it complained of.
    pub complaint: String,
}

impl fmt::Display for Over {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Over { why, seconds, peak_mib, complaint } = self;
        write!(to, "{why}, with {peak_mib:.0} MiB after {seconds:.0} s: {complaint}")
    }
}

impl std::error::Error for Over {}

/// Runs a command, in a group if there is one.
///
/// # Errors
/// It cannot be started, or fails; a process that took more than the group may have is killed.
pub fn watch(command: &mut Command, group: Option<&Group>) -> Result<Watched> {
    match group {
        Some(group) => guard(&mut group.inside(command), Limits::NONE),
        None => guard(command, Limits::NONE),
    }
    .with_context(|| format!("running {command:?}"))
}

/// Runs a command, and ends it when it takes more than it may.
///
/// # Errors
/// It cannot be started or looked at. One that fails or was ended is an error too, and that is an [`Over`].
pub fn guard(command: &mut Command, limits: Limits) -> Result<Watched> {
    let words = format!("{command:?}");
    // Files, and no pipes: nobody reads these as long as the process runs, and some say more than a pipe holds.
    let (mut said, mut complaint) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let child = command
        .stdin(Stdio::null())
        .stdout(said.try_clone()?)
        .stderr(complaint.try_clone()?)
        .spawn()
        .with_context(|| format!("running {words}"))?;
    let seen = Seen::of(child, limits).with_context(|| format!("waiting for {words}"))?;
    let Seen { ended, why, seconds, own, resident } = seen;
    let mib = |kib: u64| kib as f64 / 1024.0;
    let (peak_mib, resident_mib) = (mib(own), mib(resident));
    if why.is_some() || !ended.success() {
        let complaint = text(&mut complaint).with_context(|| format!("reading what {words} complains of"))?;
        let why = why.unwrap_or_else(|| reason(ended, &complaint));
        let complaint = format!("{ended}\n{}", complaint.trim_end()).trim_end().to_owned();
        return Err(Over { why, seconds, peak_mib, complaint }.into());
    }
    let said = text(&mut said).with_context(|| format!("reading what {words} says"))?;
    Ok(Watched { said, seconds, peak_mib, resident_mib })
}

/// What was seen of a process.
struct Seen {
    ended: ExitStatus,
    /// Why it was ended, if it was.
    why: Option<Why>,
    seconds: f64,
    /// The most of RssAnon, in KiB.
    own: u64,
    /// The last of VmHWM, in KiB.
    resident: u64,
}

impl Seen {
    /// Looks at a process until it ends, or ends it.
    fn of(mut child: Child, limits: Limits) -> std::io::Result<Seen> {
        let status = PathBuf::from(format!("/proc/{}/status", child.id()));
        let (began, mut own, mut resident, mut why) = (Instant::now(), 0, 0, None);
        loop {
            if let Some(ended) = child.try_wait()? {
                return Ok(Seen { ended, why, seconds: began.elapsed().as_secs_f64(), own, resident });
            }
            let status = fs::read_to_string(&status).unwrap_or_default();
            own = own.max(kib(&status, "RssAnon:").unwrap_or(0));
            resident = resident.max(kib(&status, "VmHWM:").unwrap_or(0));
            if own as f64 / 1024.0 > limits.mib {
                why = Some(Why::Memory);
            } else if began.elapsed().as_secs_f64() > limits.seconds {
                why = Some(Why::Time);
            }
            if why.is_some() {
                child.kill()?;
            }
            thread::sleep(EVERY);
        }
    }
}

/// A line of `/proc/…/status` that is a size.
fn kib(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn text(file: &mut File) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Why a process has failed: for want of memory if the kernel has killed it, or if it says that it was refused some, as programs in Rust,
/// C++ and Python and igraph do.
fn reason(ended: ExitStatus, complaint: &str) -> Why {
    let known = ["memory allocation of", "bad_alloc", "MemoryError", "annot allocate memory", "ut of memory"];
    let refused = known.iter().any(|words| complaint.contains(words));
    if refused || ended.signal() == Some(libc::SIGKILL) { Why::Memory } else { Why::Failure }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]);
        shell
    }

    fn over(script: &str, limits: Limits) -> Over {
        guard(&mut shell(script), limits).unwrap_err().downcast().unwrap()
    }

    #[test]
    fn a_process_is_watched_and_its_failure_told() {
        let Watched { said, seconds, peak_mib, resident_mib } =
            watch(&mut shell("sleep 0.1; echo so"), None).unwrap();
        assert!(said == "so\n" && seconds >= 0.1, "{said} {seconds}");
        assert!(peak_mib > 0.0 && resident_mib >= peak_mib, "{peak_mib} {resident_mib}");
        let error = watch(&mut shell("echo no memory >&2; exit 3"), None).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains("exit status: 3\nno memory"), "{error}");
        assert_eq!(kib("VmRSS:\t 9 kB\nRssAnon:\t     132 kB\n", "RssAnon:"), Some(132));
    }

    #[test]
    fn a_process_may_say_more_than_a_pipe_holds() {
        let said = watch(&mut shell("head -c 200000 /dev/zero"), None).unwrap().said;
        assert_eq!(said.len(), 200_000);
    }

    #[test]
    fn a_process_that_takes_too_long_is_ended() {
        let limits = Limits { seconds: 0.05, ..Limits::NONE };
        let over = over("exec sleep 60", limits);
        assert!(over.why == Why::Time && over.seconds < 30.0, "{over:?}");
    }

    #[test]
    fn a_process_that_takes_too_much_is_ended() {
        // A variable of 100 MB.
        let limits = Limits { mib: 20.0, ..Limits::NONE };
        let over = over("a=$(head -c 100000000 /dev/zero | tr '\\0' a); sleep 60", limits);
        assert!(over.why == Why::Memory && over.peak_mib > 20.0, "{over:?}");
    }

    #[test]
    fn want_of_memory_is_told_from_other_failures() {
        let why = |script: &str| over(script, Limits::NONE).why;
        assert_eq!(why("echo 'memory allocation of 9 bytes failed' >&2; exit 1"), Why::Memory);
        assert_eq!(why("kill -KILL $$"), Why::Memory);
        assert_eq!(why("echo 'assertion failed' >&2; exit 1"), Why::Failure);
    }
}
