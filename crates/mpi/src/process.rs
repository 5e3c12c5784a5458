//! Processes that are started while the program runs, and programs that find each other.

mod port;
mod program;

pub use port::{Port, Published};
pub use program::Program;

use crate::communicator::Communicator;
use crate::environment::Environment;
use crate::error::{Error, ErrorKind};
use crate::intercommunicator::Intercommunicator;
use crate::library::Library;
use crate::shim::Constant;
use program::Rows;
use std::ffi::{CString, c_int};
use std::ptr;

/// A text as MPI takes it.
fn text(text: &str, what: impl FnOnce() -> String) -> Result<CString, Error> {
    CString::new(text).map_err(|_| {
        Error::new(ErrorKind::Usage, format!("{}: `{}` has a byte that is 0", what(), text.escape_debug()))
    })
}

/// What MPI says of such a call, by its words: its codes tell less.
fn told(error: Error, kind: ErrorKind) -> Error {
    match error.kind() {
        ErrorKind::Mpi => {
            let message = error.to_string();
            let kind = if message.contains("not supported") { ErrorKind::Unsupported } else { kind };
            Error::new(kind, message)
        }
        _ => error,
    }
}

impl Communicator {
    /// Starts processes of a program: they see this communicator's ranks as their [parent](Environment::parent). `program` counts
    /// at the root. Collective; it returns when they have started MPI.
    ///
    /// Where no hosts are named, the program, its folder and room for it are looked for before MPI is asked: Open MPI 4.1.4
    /// ends the job over a program that is not there, and its launcher never ends when there was no room. On other hosts that
    /// remains so. The program has to start MPI: a process that does not is waited for, or ends the job.
    ///
    /// # Errors
    /// There is no such rank; on all ranks, the processes could not be started ([`ErrorKind::Spawn`]), and the job goes on. The
    /// MPICH of Debian 12 (4.0.2) cannot start any, and 5.0.2 waits for ever where the root is not rank 0.
    pub fn spawn(&self, program: &Program, root: usize) -> Result<Intercommunicator, Error> {
        self.spawn_multiple(std::slice::from_ref(program), root)
    }

    /// As [`spawn`](Communicator::spawn), of several programs, whose processes are one group in the order of the programs. All
    /// ranks give as many programs.
    ///
    /// # Errors
    /// As there.
    pub fn spawn_multiple(&self, programs: &[Program], root: usize) -> Result<Intercommunicator, Error> {
        let what = || {
            let names: Vec<String> = programs.iter().map(Program::to_string).collect();
            format!("start {}", names.join(" and "))
        };
        let peer = self.peer(root, what)?;
        let rows = if self.rank() == root {
            self.room().and_then(|room| Rows::new(programs, room, what)).map(Some)
        } else {
            Ok(None)
        };
        // The others wait for this word: nothing, or what is wrong with it.
        let wrong = rows.as_ref().err().map(ToString::to_string).unwrap_or_default();
        let wrong = self.broadcast_object(Some(&wrong), root)?;
        let rows = rows?;
        if !wrong.is_empty() {
            return Err(Error::new(ErrorKind::Spawn, format!("{wrong} (as rank {root} says)")));
        }
        // Who is not the root gives nothing.
        let rows = rows.unwrap_or_default();
        let mut codes = vec![0; rows.processes];
        let raw = rows.raw();
        let (mut made, nothing) = (0, [Rows::nothing()]);
        let (commands, codes_at) = if self.rank() == root {
            (raw.as_slice(), codes.as_mut_ptr())
        } else {
            (nothing.as_slice(), ptr::null_mut())
        };
        let started = self.library.call(
            // SAFETY: a communicator of this MPI's, texts and lists that end as they should, and room for as many codes.
            |table| unsafe {
                let (count, commands) = (commands.len() as c_int, commands.as_ptr());
                (table.comm_spawn)(count, commands, peer, self.handle, &mut made, codes_at)
            },
            what,
        );
        started.and_then(|()| Intercommunicator::new(self.library, made)).map_err(|error| {
            let failed = codes.iter().filter(|code| **code != 0).count();
            let counted = if failed > 0 { format!("; {failed} have not started") } else { String::new() };
            let error = told(error, ErrorKind::Spawn);
            Error::new(error.kind(), format!("{error}{counted}"))
        })
    }
}

impl Communicator {
    /// For how many processes more the launcher has room: Open MPI's, where it was not told to put more on a core than one.
    fn room(&self) -> Result<Option<usize>, Error> {
        let is = |name: &str, wanted: fn(&str) -> bool| std::env::var(name).is_ok_and(|value| wanted(&value));
        let shares = is("OMPI_MCA_rmaps_base_oversubscribe", |value| !matches!(value, "0" | "false" | "no"))
            || is("OMPI_MCA_rmaps_base_mapping_policy", |policy| {
                let policy = policy.to_ascii_uppercase();
                policy.contains("OVERSUBSCRIBE") && !policy.contains("NOOVERSUBSCRIBE")
            });
        let launched = is("OMPI_COMM_WORLD_SIZE", |_| true);
        if shares || !launched || !self.library.name().starts_with("Open MPI v4.") {
            return Ok(None);
        }
        let (mut slots, mut found, mut world) = (0, 0, 0);
        self.library.call(
            // SAFETY: what they write is here.
            |table| unsafe {
                match (table.comm_predefined)(1, &mut slots, &mut found) {
                    0 => (table.comm_size)(self.library.constant(Constant::CommWorld), &mut world),
                    code => code,
                }
            },
            || "ask for the size of the universe".to_owned(),
        )?;
        Ok((found != 0).then(|| usize::try_from(slots - world).unwrap_or(0)))
    }
}

/// Those who have started this process, if any.
pub(crate) fn parent(library: &'static Library) -> Result<Option<Intercommunicator>, Error> {
    let mut made = 0;
    library.call(
        // SAFETY: what it writes is here.
        |table| unsafe { (table.comm_parent)(&mut made) },
        || "ask for the parent of this process".to_owned(),
    )?;
    if made == library.constant(Constant::CommNull) {
        return Ok(None);
    }
    Intercommunicator::new(library, made).map(Some)
}

impl Environment {
    /// The processes that have started this one and those of its world, by [`spawn`](Communicator::spawn): ranks of the other
    /// group are theirs. `None` where the launcher has.
    #[must_use]
    pub fn parent(&self) -> Option<&Intercommunicator> {
        self.parent.as_ref()
    }

    /// The same to keep, for [`disconnect`](Intercommunicator::disconnect): while they are connected, parents and children wait
    /// for each other where they finalize MPI.
    pub fn take_parent(&mut self) -> Option<Intercommunicator> {
        self.parent.take()
    }
}
