//! One process of a guest, for whoever calls it: started, told to end, killed where it has to be.

use crate::ending::{Ending, Killed};
use crate::keeper::{Fate, Starting};
use crate::lanes::Lanes;
use crate::lending::Lending;
use crate::link::Link;
use crate::protocol::{NUMBER, to_guest, to_host};
use crate::sandbox::Sandbox;
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use upcall_host::{Error, ErrorKind, HandlerSpec, Isolation};
use upcall_segment::{Message, Patience, Waited};

/// How long a process may take to end when it is told to.
const LAST_WORDS: Duration = Duration::from_secs(10);

pub(crate) struct Process {
    pub(crate) link: Link,
    pub(crate) fate: Arc<Fate>,
    /// From OPEN on, of a handler that answers later.
    pub(crate) lanes: Option<Lanes>,
    keeper: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts one by `command`, which maps what is lent, and waits until its handler is loaded and made.
    pub(crate) fn start(
        command: Command,
        spec: &HandlerSpec,
        with: &Isolation,
        lending: Lending,
    ) -> Result<Process, Error> {
        let fail = |what: String| {
            let message = format!("start a process for handler {}: {what}", spec.name);
            Error::new(ErrorKind::RuntimeFailed, message)
        };
        let link = Link::new(lending.clone())
            .map_err(|error| fail(format!("make a segment of shared memory: {error}")))?;
        let sandbox = with.sandbox.then(Sandbox::new).transpose().map_err(fail)?;
        let program = command.get_program().to_owned();
        let (started, answer) = mpsc::channel();
        let (name, segment) = (spec.name.clone(), link.segment().clone());
        let child = Starting { command, name, limit: with.memory, sandbox, segment, lending };
        let env = with.env.clone();
        // The child dies with the thread that has started it, which is why that thread stays and watches it.
        let keeper = std::thread::Builder::new()
            .name("upcall-keeper".to_owned())
            .spawn(move || child.keep(&env, &started))
            .map_err(|error| fail(error.to_string()))?;
        let fate = match answer.recv() {
            Ok(Ok(fate)) => fate,
            Ok(Err(error)) => {
                return Err(fail(format!(
                    "run {}: {error}; see that it is there and may be run",
                    program.display()
                )));
            }
            Err(_) => return Err(fail("its keeper died; this is a fault of Upcall's".to_owned())),
        };
        let mut process = Process { link, fate, lanes: None, keeper: Some(keeper) };
        process.link.turn.pass(process.link.segment());
        let end = Instant::now().checked_add(with.start_deadline);
        let patience = end.map_or(Patience::Endless, Patience::Until);
        match process.link.wait(patience) {
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
        let Message { what, with: [kind, bytes, ..] } = self.link.segment().message();
        match what {
            to_host::READY if kind == NUMBER => Ok(self),
            to_host::READY => {
                let message = format!(
                    "start a process for handler {}: it speaks protocol {kind}, and this program speaks {NUMBER}: use the \
                     same version of both",
                    spec.name
                );
                Err(Error::new(ErrorKind::AbiMismatch, message))
            }
            to_host::REFUSED => {
                let text = String::from_utf8_lossy(&self.link.room.scratch(bytes)).into_owned();
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
        self.fate.has_ended()
    }

    /// How it has ended: waits for it.
    pub(crate) fn ending(&self) -> Ending {
        self.fate.ending()
    }
}

/// Tells the process to end, and waits until it has and all that it printed is passed on.
impl Drop for Process {
    fn drop(&mut self) {
        if !self.has_ended() {
            let link = &mut self.link;
            let until = Instant::now() + LAST_WORDS;
            // It may log on its way.
            let mut waited = Waited::Mine;
            while waited == Waited::Mine {
                link.say(Message { what: to_guest::END, ..Message::default() });
                waited = match Instant::now() < until {
                    true => link.wait(Patience::Until(until)),
                    false => Waited::TooLong,
                };
                if waited == Waited::Mine && link.segment().message().what != to_host::LOG {
                    break;
                }
            }
            if waited != Waited::Never {
                self.kill(Killed::Stubborn);
            }
        }
        if let Some(keeper) = self.keeper.take() {
            // It panics only where printing does.
            let _ = keeper.join();
        }
        // Which ends when the process has.
        self.lanes = None;
    }
}
