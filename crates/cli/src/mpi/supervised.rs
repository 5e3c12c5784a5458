//! A launcher that is waited for: it is stopped by what stops this command, and by the clock.

use crate::{output, signals};
use anyhow::Context;
use std::fs;
use std::mem;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::ptr;
use std::time::{Duration, Instant};

/// What a shell's `timeout` answers.
const TOO_LONG: u8 = 124;

/// How long a launcher may take to end its ranks before it is killed.
const GRACE: Duration = Duration::from_secs(5);

/// Runs it to its end. Returns its exit code, or that of what has stopped it.
pub(crate) fn run(mut command: Command, timeout: Option<Duration>) -> anyhow::Result<u8> {
    let begun = Instant::now();
    let signals = Signals::taken();
    // SAFETY: it touches no memory. Ranks whose launcher has gone are this process's then.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
    let (before, this) = (signals.before, std::process::id());
    // SAFETY: what runs between fork and exec are calls that a signal's handler may make.
    unsafe {
        command.pre_exec(move || {
            // Whoever kills this command does not leave ranks behind.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            if libc::getppid().unsigned_abs() != this {
                return Err(std::io::Error::from_raw_os_error(libc::ESRCH));
            }
            libc::sigprocmask(libc::SIG_SETMASK, &before, ptr::null_mut());
            Ok(())
        });
    }
    let shown = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().with_context(|| format!("start {shown}"))?;
    let mut stopped = None;
    // One that lies beyond the clock's end is none.
    let mut deadline = timeout.and_then(|timeout| begun.checked_add(timeout));
    loop {
        if let Some(status) = child.try_wait().with_context(|| format!("wait for {shown}"))? {
            if stopped.is_some() {
                end(this);
            }
            return Ok(stopped.unwrap_or_else(|| code(status)));
        }
        let now = Instant::now();
        let left = deadline.map_or(GRACE, |deadline| deadline.saturating_duration_since(now));
        match signals.wait(left) {
            Some((libc::SIGCHLD, _)) => continue,
            Some((signal, from_terminal)) if stopped.is_none() => {
                stopped = Some(signals::exit_code(signal));
                deadline = Some(now + GRACE);
                // A terminal has told the launcher too, whom a second Ctrl-C would hurry.
                if !from_terminal {
                    kill(&child, if signal == libc::SIGINT { signal } else { libc::SIGTERM });
                }
            }
            // A terminal that goes away sends SIGHUP beside another.
            Some((libc::SIGHUP, _)) => {}
            Some(_) => end(this),
            None if deadline.is_none_or(|deadline| Instant::now() < deadline) => {}
            None if stopped.is_none() => {
                let seconds = timeout.unwrap_or_default().as_secs_f64();
                output::error(format!("error: the job took longer than {seconds} s and was ended"));
                stopped = Some(TOO_LONG);
                deadline = Some(now + GRACE);
                kill(&child, libc::SIGTERM);
            }
            None => {
                deadline = Some(now + GRACE);
                end(this);
            }
        }
    }
}

/// The code of a launcher that has ended by itself; of one that a signal has ended as shells have it.
fn code(status: ExitStatus) -> u8 {
    let signal = || 128 + status.signal().unwrap_or(1);
    u8::try_from(status.code().unwrap_or_else(signal)).unwrap_or(crate::exit::FAILED)
}

fn kill(child: &Child, signal: i32) {
    // SAFETY: it is a child that was not waited for, so that its number is its own.
    unsafe { libc::kill(child.id().cast_signed(), signal) };
}

/// Kills what a process has started, and what that has: a rank that is in no call of MPI's does not see that its launcher is
/// gone, and a launcher that is hurried leaves it behind.
fn end(of: u32) {
    for process in below(of) {
        // SAFETY: it was there a moment ago; the call touches no memory.
        unsafe { libc::kill(process.cast_signed(), libc::SIGKILL) };
    }
}

/// The processes that a process has started, and those have, as the kernel lists them.
fn below(process: u32) -> Vec<u32> {
    let listed = fs::read_dir("/proc").into_iter().flatten().filter_map(|entry| {
        let number = entry.ok()?.file_name().to_str()?.parse::<u32>().ok()?;
        let about = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        // Behind the name, which may have anything in it: state and parent.
        let parent = about.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse::<u32>().ok()?;
        Some((number, parent))
    });
    let listed: Vec<(u32, u32)> = listed.collect();
    let mut found = vec![process];
    let mut at = 0;
    while let Some(&above) = found.get(at) {
        found.extend(listed.iter().filter(|(_, parent)| *parent == above).map(|(number, _)| *number));
        at += 1;
    }
    found.split_off(1)
}

/// Signals that are waited for, and kept from what they do otherwise.
struct Signals {
    set: libc::sigset_t,
    before: libc::sigset_t,
}

impl Signals {
    fn taken() -> Signals {
        // SAFETY: the sets are made before they are used; all zeroes are one too.
        unsafe {
            let (mut set, mut before) = (mem::zeroed(), mem::zeroed());
            libc::sigemptyset(&mut set);
            let stopping = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
            for signal in
                stopping.into_iter().filter(|signal| signals::heeded(*signal)).chain([libc::SIGCHLD])
            {
                libc::sigaddset(&mut set, signal);
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, &set, &mut before);
            Signals { set, before }
        }
    }

    /// The next one, and whether a terminal has sent it; none within that time.
    fn wait(&self, at_most: Duration) -> Option<(i32, bool)> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        time.tv_sec = at_most.as_secs().try_into().unwrap_or(libc::time_t::MAX);
        time.tv_nsec = at_most.subsec_nanos().into();
        // SAFETY: a set and places of its own.
        unsafe {
            let mut told = mem::zeroed::<libc::siginfo_t>();
            let signal = libc::sigtimedwait(&self.set, &mut told, &time);
            (signal > 0).then_some((signal, told.si_code == libc::SI_KERNEL))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;

    #[test]
    fn what_a_process_has_started_is_found() {
        let mut shell = Command::new("sh");
        // The inner one is not replaced by what it runs last.
        shell.args(["-c", "sh -c 'sleep 60; true' & wait"]).stdout(Stdio::null());
        let mut shell = shell.spawn().unwrap();
        let mut found = Vec::new();
        while found.len() < 2 {
            found = below(shell.id());
        }
        assert!(below(std::process::id()).contains(&shell.id()));
        end(shell.id());
        shell.wait().unwrap();
        let runs = |process: &u32| {
            let about = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            about.contains("(sleep)") && !about.contains(") Z ")
        };
        while found.iter().any(runs) {
            std::thread::yield_now();
        }
    }
}
