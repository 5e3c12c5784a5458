//! The keeper of a process: starts it, watches it, passes on what it prints, and says when it has ended.

use crate::cgroup::{self, Cgroup};
use crate::ending::{Ending, Killed};
use crate::environment::{self, Environment};
use crate::lending::Lending;
use crate::lines::{Lines, To};
use crate::protocol::{LENT_VARIABLE, SEGMENT_VARIABLE};
use crate::sandbox::Sandbox;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::Timespec;
use rustix::io::FdFlags;
use rustix::process::{Pid, PidfdFlags, Resource, Signal, pidfd_open, pidfd_send_signal};
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use upcall_segment::{Segment, Side, Turn};

/// How often the memory of a process is looked at that has a limit.
const SAMPLE: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// What becomes of a process: known to whoever calls it, and to its keeper.
pub(crate) struct Fate {
    pid: Pid,
    handle: OwnedFd,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
pub(crate) struct State {
    killed: Option<Killed>,
    pub(crate) ending: Option<Ending>,
}

impl Fate {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.state().ending.is_some()
    }

    /// How it has ended: waits for it.
    pub(crate) fn ending(&self) -> Ending {
        let ended = self.changed.wait_while(self.state(), |state| state.ending.is_none());
        let state = ended.unwrap_or_else(PoisonError::into_inner);
        state.ending.clone().unwrap_or(Ending { killed: None, status: None })
    }

    /// Kills it and all that it has started, unless somebody has already.
    pub(crate) fn kill(&self, why: Killed) {
        let mut state = self.state();
        if state.killed.is_none() && state.ending.is_none() {
            state.killed = Some(why);
            // Its group is its own. It may be gone; then there is nobody to kill.
            let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
            let _ = pidfd_send_signal(&self.handle, Signal::KILL);
        }
    }
}

/// A process that is about to be started, by its keeper.
pub(crate) struct Starting {
    pub(crate) command: Command,
    pub(crate) name: String,
    pub(crate) limit: Option<u64>,
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) segment: Arc<Segment>,
    pub(crate) lending: Lending,
}

pub(crate) type Started = Sender<io::Result<Arc<Fate>>>;

impl Starting {
    /// The keeper's thread: starts the process, passes on what it prints, looks at its memory, and says when it has ended.
    pub(crate) fn keep(mut self, env: &[String], started: &Started) {
        let group = self.limit.and_then(|limit| self.group(limit));
        let (mut child, fate, mut lines) = match self.start(env, group.as_ref()) {
            Ok(running) => running,
            Err(error) => return drop(started.send(Err(error))),
        };
        let waits = started.send(Ok(fate.clone()));
        debug_assert!(waits.is_ok(), "whoever starts a process waits for it");
        let ends = Ends { fate: &fate, segment: &self.segment };
        self.watch(&fate, &mut lines);
        // What it has started does not outlive it. Before anybody else may get its number.
        let _ = rustix::process::kill_process_group(fate.pid, Signal::KILL);
        // Nobody kills it from now on who may mean another process of that number.
        let mut state = fate.state();
        let status = child.wait().ok();
        let killed = status.is_some_and(|status| status.signal() == Some(Signal::KILL.as_raw()));
        let of_memory = self.limit.filter(|_| killed && group.as_ref().is_some_and(Cgroup::has_killed));
        drop(group);
        state.killed = state.killed.take().or(of_memory.map(Killed::Memory));
        state.ending = Some(Ending { killed: state.killed.clone(), status });
        drop(state);
        drop(ends);
        lines.iter_mut().for_each(Lines::end);
    }

    /// Bytes of the segment that take memory, whoever has written them.
    fn shared(&self) -> u64 {
        self.segment.resident().unwrap_or(0)
    }

    /// A memory cgroup for it. Where there can be none, its memory is looked at from time to time, and nothing else.
    fn group(&self, limit: u64) -> Option<Cgroup> {
        let made = Cgroup::make(limit);
        made.inspect_err(|why| {
            tracing::debug!(handler = self.name, "its process gets no memory cgroup: {why}")
        })
        .ok()
    }

    fn start(
        &mut self,
        env: &[String],
        group: Option<&Cgroup>,
    ) -> io::Result<(Child, Arc<Fate>, [Lines; 2])> {
        let command = &mut self.command;
        let mut sandbox = self.sandbox.take();
        let given: Vec<_> =
            command.get_envs().map(|(name, value)| (name.to_owned(), value.map(OsStr::to_owned))).collect();
        command.env_clear().envs(environment::kept(env));
        command.envs(given.into_iter().filter_map(|(name, value)| Some((name, value?))));
        command.envs(sandbox.iter().flat_map(|_| environment::SANDBOXED));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let (file, parent) = (self.segment.file().as_raw_fd(), std::process::id());
        let files: Vec<RawFd> = [vec![file], self.lending.files()].concat();
        let joins = group.map(|group| group.processes().as_raw_fd());
        command.env(SEGMENT_VARIABLE, file.to_string());
        command.env(LENT_VARIABLE, self.lending.told());
        let environment = Environment::of(command)?;
        let inherit = move || {
            environment.enter();
            inherit(&files, parent, joins, sandbox.as_mut())
        };
        // SAFETY: between fork and exec it makes system calls only, and allocates nothing.
        unsafe { command.pre_exec(inherit) };
        let mut child = command.spawn()?;
        let watched = self.watched(&mut child, group);
        if watched.is_err() {
            // It has not had its turn yet.
            let _ = child.kill().and_then(|()| child.wait());
        }
        watched.map(|(fate, lines)| (child, fate, lines))
    }

    /// What it takes to watch a process that has just been started.
    fn watched(&self, child: &mut Child, group: Option<&Cgroup>) -> io::Result<(Arc<Fate>, [Lines; 2])> {
        let pid = Pid::from_child(child);
        if group.is_some_and(|group| !group.has(pid)) {
            tracing::debug!(handler = self.name, "its process could not join its memory cgroup");
        }
        let handle = pidfd_open(pid, PidfdFlags::empty()).map_err(|error| {
            io::Error::other(format!("watch it (pidfd_open, which Linux has had since 5.3): {error}"))
        })?;
        if self.limit.is_some() && resident(pid).is_none() {
            return Err(io::Error::other("look at its memory: /proc is not there; leave `memory` out"));
        }
        let missing = || io::Error::other("a pipe is missing");
        let out = Lines::new(child.stdout.take().ok_or_else(missing)?.into(), To::Output, &self.name)?;
        let err = Lines::new(child.stderr.take().ok_or_else(missing)?.into(), To::Error, &self.name)?;
        let fate = Fate { pid, handle, state: Mutex::default(), changed: Condvar::new() };
        Ok((Arc::new(fate), [out, err]))
    }

    /// Returns when the process has ended.
    fn watch(&self, fate: &Fate, lines: &mut [Lines; 2]) {
        loop {
            let mut polled = vec![PollFd::new(&fate.handle, PollFlags::IN)];
            polled.extend(lines.iter().filter_map(Lines::from).map(|from| PollFd::new(from, PollFlags::IN)));
            let _ = poll(&mut polled, self.limit.map(|_| &SAMPLE));
            let ended = !polled[0].revents().is_empty();
            drop(polled);
            lines.iter_mut().for_each(Lines::pass_on);
            if ended {
                return;
            }
            if let Some(limit) = self.limit
                && resident(fate.pid).is_some_and(|bytes| bytes + self.shared() > limit)
            {
                fate.kill(Killed::Memory(limit));
            }
        }
    }
}

/// Says that the process has ended, however its keeper ends.
struct Ends<'k> {
    fate: &'k Fate,
    segment: &'k Segment,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        let mut state = self.fate.state();
        let killed = state.killed.clone();
        state.ending.get_or_insert(Ending { killed, status: None });
        drop(state);
        self.fate.changed.notify_all();
        Turn::nobody(self.segment);
        self.segment.stir(Side::Host);
    }
}

/// In the child, between fork and exec: of our descriptors it gets its three streams and these files, it dies with us, and it
/// is in its cgroup and its sandbox.
fn inherit(
    files: &[RawFd],
    parent: u32,
    joins: Option<i32>,
    sandbox: Option<&mut Sandbox>,
) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // We may have died before, and nobody would be told.
    let ours = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().cast_unsigned());
    if ours != Some(parent) {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    close_others();
    for file in files {
        // SAFETY: it is open in the parent, which waits for us, and so in this copy of it.
        let file = unsafe { BorrowedFd::borrow_raw(*file) };
        rustix::io::fcntl_setfd(file, FdFlags::empty())?;
    }
    if let Some(processes) = joins {
        // Where it cannot, the parent sees it, and watches it as if there was none.
        // SAFETY: as above.
        let _ = cgroup::join(unsafe { BorrowedFd::borrow_raw(processes) });
    }
    sandbox.map_or(Ok(()), Sandbox::enter)
}

/// All descriptors but the three streams are closed by exec.
fn close_others() {
    const FIRST: u32 = 3;
    // SAFETY: a system call that takes numbers only. None is closed before exec, which may still have to say that it failed.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, FIRST, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if closed != 0 {
        // Linux before 5.11, or a filter that does not know the call.
        let most = rustix::process::getrlimit(Resource::Nofile).current.unwrap_or(1 << 20);
        for file in FIRST..u32::try_from(most).unwrap_or(u32::MAX) {
            // SAFETY: as above; a number that is not open is an error that does not matter.
            unsafe { libc::fcntl(file.cast_signed(), libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
}

/// Bytes of a process's memory that are there, but for what it shares: its segment, and files.
fn resident(pid: Pid) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    let mut pages = text.split(' ').skip(1).map_while(|pages| pages.parse::<u64>().ok());
    let (all, shared) = (pages.next()?, pages.next()?);
    Some(all.saturating_sub(shared) * rustix::param::page_size() as u64)
}
