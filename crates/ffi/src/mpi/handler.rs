//! Handlers in any guest as operations.

use super::failure::{MpiFailure, UPCALL_MPI_OPERATION};
use super::operation::{UpcallMpiOperation, What};
use crate::flow::threads_of;
use std::ffi::c_void;
use std::sync::Arc;
use upcall_apart::{Processes, Program};
use upcall_host::embedded::Embedded;
use upcall_host::guests::{self, KnownGuest, Options};
use upcall_host::{GUESTS, HandlerSpec, Host, Isolation, nearest};
use upcall_mpi::{Combiner, Handler};

/// A handler of kind COMBINE, of whichever guest, which is to be an operation: named as in a flow's file.
pub struct UpcallCombineHandler {
    spec: HandlerSpec,
    settings: Vec<(String, String)>,
    program: Option<Embedded>,
}

#[upcall::export]
impl UpcallCombineHandler {
    /// One by its guest (`native`, `csharp`, `java`, `python`, `node`, `wasm`), the file that has it, and its class, as a flow's
    /// file says them. The file is relative to the current folder.
    pub fn new(guest: &str, file: &str, class: &str) -> Result<Self, MpiFailure> {
        let Some(known) = KnownGuest::named(guest) else {
            let names = GUESTS.iter().map(|guest| guest.name);
            let meant = nearest(guest, names.clone()).map_or(String::new(), |name| format!(" (`{name}`?)"));
            let names: Vec<&str> = names.collect();
            return Err(MpiFailure::usage(format!(
                "make an operation of handler {class}: there is no guest {guest}{meant}; the guests are {}",
                names.join(", ")
            )));
        };
        let file = known.file.named(file.into());
        let spec = HandlerSpec::new(class, guest, file, class);
        Ok(UpcallCombineHandler { spec, settings: Vec::new(), program: None })
    }

    /// Gives it a setting, which it reads when it is opened.
    pub fn setting(&mut self, name: &str, value: &str) {
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    /// Has it run in a process of its own, as all handlers in JavaScript do.
    pub fn isolate(&mut self) {
        self.spec.isolation = Some(Isolation::default());
    }

    /// Says which guest the program itself is, as in `csharp`: its runtime runs the handler where that is of this guest. `table`
    /// is its SDK's `GuestTable`, which stays for ever; `threads` is one of `UPCALL_THREADS_ANY`, `UPCALL_THREADS_OWN` and
    /// `UPCALL_THREADS_ONE`.
    pub fn program(&mut self, guest: &str, table: *const c_void, threads: u32) -> Result<(), MpiFailure> {
        let what = format!("make an operation of handler {}", self.spec.name);
        let threads = threads_of(threads)
            .ok_or_else(|| MpiFailure::usage(format!("{what}: {threads} says nothing of threads")))?;
        if table.is_null() {
            return Err(MpiFailure::usage(format!("{what}: the table of guest {guest} is null")));
        }
        // SAFETY: the caller's duty, as of every address: it is the table of an SDK that runs in this process.
        let program = unsafe { Embedded::new(guest, table.cast(), threads) };
        self.program = Some(program.map_err(|error| MpiFailure::usage(format!("{what}: {error}")))?);
        Ok(())
    }

    /// Loads it as an operation on elements of a type: its name, as the handler has it, and its size. It is called once per chunk,
    /// on the threads that call the reduction, by an instance of each thread's own; of a guest that has one worker (Python), on
    /// the thread that this is called on, and nowhere else.
    pub fn operation(&self, element: &str, size: usize) -> Result<UpcallMpiOperation, MpiFailure> {
        let operation = self.found()?.operation_of(element, size)?;
        Ok(UpcallMpiOperation { what: What::Made(Arc::new(operation)), size })
    }

    /// Loads it to be called by the program, without MPI: where that is reached by another library than this one.
    pub fn combiner(&self, element: &str, size: usize) -> Result<UpcallCombiner, MpiFailure> {
        Ok(UpcallCombiner(self.found()?.combiner_of(element, size)?))
    }
}

impl UpcallCombineHandler {
    /// The handler with its host, whose runtime is started where it does not run yet.
    fn found(&self) -> Result<Handler, MpiFailure> {
        let what = || format!("make an operation of handler {}", self.spec.name);
        let failed = |error: &dyn std::fmt::Display| {
            MpiFailure::new(UPCALL_MPI_OPERATION, format!("{}: {error}", what()))
        };
        let (mut spec, guest) = (self.spec.clone(), self.spec.guest.as_str());
        let options = &Options { keeps_signals: true, ..Options::default() };
        if KnownGuest::named(guest).is_some_and(|known| known.apart) && spec.isolation.is_none() {
            spec.isolation = Some(Isolation::default());
        }
        let host: Arc<dyn Host> = match (&spec.isolation, self.program) {
            (Some(_), _) => {
                let program = Program::upcall().map_err(|error| failed(&error))?;
                Arc::new(Processes::of(program, &[guest], options).map_err(|error| failed(&error))?)
            }
            (None, Some(program)) if program.guest() == guest => Arc::new(program),
            (None, _) => {
                let started = guests::start(&[guest], options).map_err(|error| failed(&error))?;
                started.into_iter().next().ok_or_else(|| failed(&"its guest has no host"))?
            }
        };
        let handler = Handler::new(host, spec);
        Ok(self.settings.iter().fold(handler, |handler, (name, value)| handler.setting(name, value)))
    }
}

/// A handler that was loaded and combines arrays for the program.
pub struct UpcallCombiner(Combiner);

#[upcall::export]
impl UpcallCombiner {
    /// Whether it may be called with its arrays in any order.
    pub fn commutes(&self) -> bool {
        self.0.commutes()
    }

    /// Combines the first array into the second, of as many whole elements, which are aligned as such elements are.
    pub fn combine(&self, from: &[u8], into: &mut [u8]) -> Result<(), MpiFailure> {
        Ok(self.0.combine(from, into)?)
    }
}
