//! One process of a guest: started, watched, and killed where it has to be.

use crate::cgroup::{self, Cgroup};
use crate::ending::{Ending, Killed};
use crate::environment;
use crate::lines::{Lines, To};
use crate::link::Link;
use crate::protocol::{SEGMENT_VARIABLE, to_guest, to_host};
use crate::sandbox::Sandbox;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::Timespec;
use rustix::io::FdFlags;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use upcall_host::{Error, ErrorKind, HandlerSpec, Isolation};
use upcall_segment::{Message, Patience, Segment, Turn, Waited};

/// How often the memory of a process is looked at that has a limit.
const SAMPLE: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// How long a process may take to end when it is told to.
const LAST_WORDS: Duration = Duration::from_secs(10);

pub(crate) struct Process {
    pub(crate) link: Link,
    fate: Arc<Fate>,
    keeper: Option<JoinHandle<()>>,
}

/// What becomes of a process: known to whoever calls it, and to its keeper.
struct Fate {
    pid: Pid,
    handle: OwnedFd,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    killed: Option<Killed>,
    ending: Option<Ending>,
}

impl Fate {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills it and all that it has started, unless somebody has already.
    fn kill(&self, why: Killed) {
        let mut state = self.state();
        if state.killed.is_none() && state.ending.is_none() {
            state.killed = Some(why);
            // Its group is its own. It may be gone; then there is nobody to kill.
            let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
            let _ = pidfd_send_signal(&self.handle, Signal::KILL);
        }
    }
}

impl Process {
    /// Starts one by `command`, and waits until its handler is loaded and made.
    pub(crate) fn start(command: Command, spec: &HandlerSpec, with: &Isolation) -> Result<Process, Error> {
        let fail = |what: String| {
            let message = format!("start a process for handler {}: {what}", spec.name);
            Error::new(ErrorKind::RuntimeFailed, message)
        };
        let link = Link::new().map_err(|error| fail(format!("make a segment of shared memory: {error}")))?;
        let sandbox = with.sandbox.then(Sandbox::new).transpose().map_err(fail)?;
        let program = command.get_program().to_owned();
        let (started, answer) = mpsc::channel();
        let (name, segment) = (spec.name.clone(), link.segment.clone());
        let child = Starting { command, name, limit: with.memory, sandbox, segment };
        let env = with.env.clone();
        // The child dies with the thread that has started it, which is why that thread stays and watches it.
        let keeper = std::thread::Builder::new()
            .name("upcall-keeper".to_owned())
            .spawn(move || child.keep(&env, &started))
            .map_err(|error| fail(error.to_string()))?;
        let fate = match answer.recv() {
            Ok(Ok(fate)) => fate,
            Ok(Err(error)) => return Err(fail(format!("run {}: {error}", program.display()))),
            Err(_) => return Err(fail("its keeper died; this is a fault of Upcall's".to_owned())),
        };
        let mut process = Process { link, fate, keeper: Some(keeper) };
        process.link.turn.pass(&process.link.segment);
        let end = Instant::now() + with.start_deadline;
        match process.link.turn.wait(&process.link.segment, Patience::Until(end)) {
            Waited::Mine => process.ready(spec),
            Waited::TooLong => {
                process.kill(Killed::Start(with.start_deadline));
                Err(fail(process.ending().to_string()))
            }
            Waited::Never => Err(fail(process.ending().to_string())),
        }
    }

    /// What it says when it has loaded its handler.
    fn ready(self, spec: &HandlerSpec) -> Result<Process, Error> {
        let Message { what, with: [kind, bytes, ..] } = self.link.segment.message();
        match what {
            to_host::READY => Ok(self),
            to_host::REFUSED => {
                let text = String::from_utf8_lossy(&self.link.scratch(bytes)).into_owned();
                Err(Error::new(ErrorKind::of_refusal(kind as u32), text))
            }
            _ => {
                self.kill(Killed::Broken("it says what no guest says"));
                let message = format!("start a process for handler {}: {}", spec.name, self.ending());
                Err(Error::new(ErrorKind::RuntimeFailed, message))
            }
        }
    }

    /// Kills it.
    pub(crate) fn kill(&self, why: Killed) {
        self.fate.kill(why);
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.fate.state().ending.is_some()
    }

    /// How it has ended: waits for it.
    pub(crate) fn ending(&self) -> Ending {
        let ended = self.fate.changed.wait_while(self.fate.state(), |state| state.ending.is_none());
        let state = ended.unwrap_or_else(PoisonError::into_inner);
        state.ending.clone().unwrap_or(Ending { killed: None, status: None })
    }
}

/// Tells the process to end, and waits until it has and all that it printed is passed on.
impl Drop for Process {
    fn drop(&mut self) {
        if !self.has_ended() {
            let Link { segment, turn, .. } = &mut self.link;
            segment.leave(Message { what: to_guest::END, ..Message::default() });
            turn.pass(segment);
            if turn.wait(segment, Patience::Until(Instant::now() + LAST_WORDS)) != Waited::Never {
                self.kill(Killed::Stubborn);
            }
        }
        if let Some(keeper) = self.keeper.take() {
            // It panics only where printing does.
            let _ = keeper.join();
        }
    }
}

/// A process that is about to be started, by its keeper.
struct Starting {
    command: Command,
    name: String,
    limit: Option<u64>,
    sandbox: Option<Sandbox>,
    segment: Arc<Segment>,
}

type Started = Sender<io::Result<Arc<Fate>>>;

impl Starting {
    /// The keeper's thread: starts the process, passes on what it prints, looks at its memory, and says when it has ended.
    fn keep(mut self, env: &[String], started: &Started) {
        let group = self.limit.and_then(|limit| self.group(limit));
        let (mut child, fate, mut lines) = match self.start(env, group.as_ref()) {
            Ok(running) => running,
            Err(error) => return drop(started.send(Err(error))),
        };
        let waits = started.send(Ok(fate.clone()));
        debug_assert!(waits.is_ok(), "whoever starts a process waits for it");
        self.watch(&fate, &mut lines);
        lines.iter_mut().for_each(Lines::end);
        // What it has started does not outlive it. Before anybody else may get its number.
        let _ = rustix::process::kill_process_group(fate.pid, Signal::KILL);
        let status = child.wait().ok();
        let killed = status.is_some_and(|status| status.signal() == Some(Signal::KILL.as_raw()));
        let of_memory = self.limit.filter(|_| killed && group.as_ref().is_some_and(Cgroup::has_killed));
        drop(group);
        let mut state = fate.state();
        state.killed = state.killed.take().or(of_memory.map(Killed::Memory));
        state.ending = Some(Ending { killed: state.killed.clone(), status });
        drop(state);
        fate.changed.notify_all();
        Turn::nobody(&self.segment);
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
        let joins = group.map(|group| group.processes().as_raw_fd());
        command.env(SEGMENT_VARIABLE, file.to_string());
        // SAFETY: between fork and exec it makes system calls only, and allocates nothing.
        unsafe { command.pre_exec(move || inherit(file, parent, joins, sandbox.as_mut())) };
        let mut child = command.spawn()?;
        let pid = Pid::from_child(&child);
        if group.is_some_and(|group| !group.has(pid)) {
            tracing::debug!(handler = self.name, "its process could not join its memory cgroup");
        }
        let handle = pidfd_open(pid, PidfdFlags::empty())?;
        let missing = || io::Error::other("a pipe is missing");
        let out = Lines::new(child.stdout.take().ok_or_else(missing)?.into(), To::Output, &self.name)?;
        let err = Lines::new(child.stderr.take().ok_or_else(missing)?.into(), To::Error, &self.name)?;
        let fate = Fate { pid, handle, state: Mutex::default(), changed: Condvar::new() };
        Ok((child, Arc::new(fate), [out, err]))
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
                && resident(fate.pid).is_some_and(|bytes| bytes > limit)
            {
                fate.kill(Killed::Memory(limit));
            }
        }
    }
}

/// In the child, between fork and exec: of our descriptors it gets its three streams and the segment, it dies with us, and it
/// is in its cgroup and its sandbox.
fn inherit(file: i32, parent: u32, joins: Option<i32>, sandbox: Option<&mut Sandbox>) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // We may have died before, and nobody would be told.
    let ours = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().cast_unsigned());
    if ours != Some(parent) {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    close_others();
    // SAFETY: it is open in the parent, which waits for us, and so in this copy of it.
    let segment = unsafe { BorrowedFd::borrow_raw(file) };
    rustix::io::fcntl_setfd(segment, FdFlags::empty())?;
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
        // Linux before 5.11.
        for file in FIRST..1 << 16 {
            // SAFETY: as above; a number that is not open is an error that does not matter.
            unsafe { libc::fcntl(file.cast_signed(), libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
}

/// Bytes of a process's memory that are there and not on disk.
fn resident(pid: Pid) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
