//! The MPI of this process: its table of functions, and what may be called when and by whom.

use crate::datatype::free_made;
use crate::direct::Direct;
use crate::ending::{Hold, Unended};
use crate::error::{Error, ErrorKind, kind_of};
use crate::installation::Installation;
use crate::launcher::Launcher;
use crate::left;
use crate::locate;
use crate::operation::close_here;
use crate::request;
use crate::shim::{ABI, Constant, Feature, Handle, Table, UNSUPPORTED};
use crate::variables;
use std::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use turn::{Turn, here, is_combining};
use upcall_host::program::keeps_handlers;

pub(crate) use turn::Combines;

mod turn;

/// Which threads may call MPI.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Threads {
    /// The process has one.
    Single,
    /// The one that has started it.
    Funneled,
    /// One at a time.
    Serialized,
    /// All, as they like.
    Multiple,
}

impl Threads {
    const ALL: [Threads; 4] = [Threads::Single, Threads::Funneled, Threads::Serialized, Threads::Multiple];
}

const BEFORE: u8 = 0;
const RUNNING: u8 = 1;
const AFTER: u8 = 2;
/// Running, and there is something [left](crate::left) for the next call. A state of its own, so that all other calls look once.
const LEFT: u8 = 3;

/// Calls of other threads than the one that has started it: it is finalized when there are none.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Where it is in its life.
static STATE: AtomicU8 = AtomicU8::new(BEFORE);

/// How long finalizing waits for calls of other threads without a word.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether it has been finalized, and uses no memory any more.
static OVER: AtomicBool = AtomicBool::new(false);

/// It is loaded once, and never unloaded.
static LIBRARY: OnceLock<Library> = OnceLock::new();

/// A Java or a .NET virtual machine takes these for its own: a null pointer is an exception. UCX, under MPICH, puts functions of
/// its own in their place when it is loaded, which end the process.
const FAULTS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// What a communicator calls.
pub struct Library {
    table: &'static Table,
    pub(crate) direct: Direct,
    constants: [Handle; Constant::COUNT],
    pub(crate) threads: Threads,
    /// The thread that has started it.
    owner: usize,
    /// Whether a thread is in a call, where there may be one at a time.
    busy: AtomicBool,
}

impl Library {
    /// Loads and starts it.
    pub(crate) fn start(wanted: Threads) -> Result<&'static Library, Error> {
        let again = |what: &str| Error::new(ErrorKind::Lifecycle, format!("start MPI: {what}"));
        match STATE.compare_exchange(BEFORE, RUNNING, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) => {}
            Err(RUNNING | LEFT) => return Err(again("it was started already; share that environment")),
            Err(_) => {
                return Err(again("it has been finalized, and MPI cannot be started twice in a process"));
            }
        }
        let is_replaced = |before, _| before != libc::SIG_DFL && before != libc::SIG_IGN;
        match keeps_handlers(&FAULTS, is_replaced, || Library::load(wanted)) {
            Ok(library) => Ok(LIBRARY.get_or_init(|| library)),
            Err(error) => {
                STATE.store(BEFORE, Ordering::SeqCst);
                Err(error)
            }
        }
    }

    fn load(wanted: Threads) -> Result<Library, Error> {
        let (installation, chosen) = Installation::of_this_process()?;
        let launcher = Launcher::of_this_process();
        let shim = locate::shim(installation.compiler(), launcher.leaves_yielding())?;
        let failed = |why: String| {
            Error::new(ErrorKind::Load, format!("load {}: {why}; remove it and try again", shim.display()))
        };
        variables::keep_functions_of_memory();
        // Open MPI's own modules look for its symbols among the process's.
        let flags = libloading::os::unix::RTLD_NOW | libloading::os::unix::RTLD_GLOBAL;
        // SAFETY: the shim was compiled here, from our source, and runs nothing when it is loaded but what MPI's libraries do.
        let library = unsafe { libloading::os::unix::Library::open(Some(&shim), flags) };
        let library = library.map_err(|error| failed(error.to_string()))?;
        // SAFETY: the header's type of it.
        let get = unsafe { library.get::<unsafe extern "C" fn() -> *const Table>(b"upcall_mpi\0") };
        // SAFETY: as above; what it returns lives as long as the library, which is never closed.
        let table = unsafe { &*get.map_err(|error| failed(error.to_string()))?() };
        std::mem::forget(library);
        if table.abi != ABI || (table.size as usize) < size_of::<Table>() {
            return Err(failed(format!("its table is of version {}, and {ABI} is wanted", table.abi)));
        }
        // SAFETY: a text that ends with 0, of the library's.
        let name = unsafe { CStr::from_ptr(table.library) }.to_string_lossy();
        // Who has chosen it knows better: it may speak what the other's launcher does.
        if !chosen && !launcher.may_start(&name) {
            let message = format!(
                "start MPI: this process was started by {launcher}, and the MPI that was found is `{}`, in which each process \
                 would be alone; put the mpicc of the launcher's MPI on PATH, or name it in UPCALL_MPI",
                name.lines().next().unwrap_or_default().trim()
            );
            return Err(Error::new(ErrorKind::Load, message));
        }
        let (mut is, mut was) = (0, 0);
        // SAFETY: what the header says, here and below; these may be called at any time.
        let code = unsafe { (table.initialized)(&mut is, &mut was) };
        if code == 0 && (is != 0 || was != 0) {
            let what = "another library of this process has started it; let Upcall start it";
            return Err(Error::new(ErrorKind::Lifecycle, format!("start MPI: {what}")));
        }
        let mut provided = 0;
        // SAFETY: as above.
        let code = unsafe { (table.init)(wanted as c_int, &mut provided) };
        if code != 0 {
            return Err(Error::new(ErrorKind::Load, format!("start MPI: {}", words(table, code))));
        }
        let mut constants = [0; Constant::COUNT];
        for (which, constant) in (0u32..).zip(&mut constants) {
            // SAFETY: as above.
            let code = unsafe { (table.constant)(which, constant) };
            if code != 0 {
                return Err(failed(format!("it does not know its constant {which}")));
            }
        }
        let threads = Threads::ALL[usize::try_from(provided).unwrap_or(0).min(3)];
        let direct = Direct::of(table);
        if threads != Threads::Serialized {
            Turn::Home.set();
        }
        Ok(Library { table, direct, constants, threads, owner: here(), busy: AtomicBool::new(false) })
    }

    #[inline]
    pub(crate) fn constant(&self, which: Constant) -> Handle {
        self.constants[which as usize]
    }

    /// The same of an integer.
    #[inline]
    pub(crate) fn number(&self, which: Constant) -> c_int {
        self.constants[which as usize] as c_int
    }

    /// What the library calls itself, in one line.
    pub(crate) fn name(&self) -> String {
        // SAFETY: a text that ends with 0, of the library's.
        let text = unsafe { CStr::from_ptr(self.table.library) }.to_string_lossy();
        // MPICH has a tab in it.
        let words = text.lines().next().unwrap_or_default().split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    }

    /// The standard that it has: 3.1.
    pub(crate) fn standard(&self) -> (u32, u32) {
        (self.table.version, self.table.subversion)
    }

    /// Whether the MPI has something that not every one has: `call` by its name in C.
    ///
    /// # Errors
    /// It has not.
    pub(crate) fn needs(
        &self,
        feature: Feature,
        call: &str,
        instead: &str,
        what: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        // SAFETY: it may be asked at any time.
        if unsafe { (self.table.has)(feature as u32) } != 0 {
            return Ok(());
        }
        let (major, minor) = self.standard();
        let message =
            format!("{}: {}, of MPI {major}.{minor}, has no {call}; {instead}", what(), self.name());
        Err(Error::new(ErrorKind::Unsupported, message))
    }

    /// Calls it. `what` says what was attempted, where it fails.
    ///
    /// # Errors
    /// MPI is not running, the thread may not call it, or MPI says so.
    #[inline]
    pub(crate) fn call(
        &self,
        call: impl FnOnce(&Table) -> c_int,
        what: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        // The thread that has started it is the one that finalizes it: nobody else has to know of its call.
        let told = Turn::get() != Turn::Home || STATE.load(Ordering::SeqCst) != RUNNING;
        if told && let Err(refused) = self.enter() {
            return Err(refused_error(refused, what));
        }
        // In one place, so that it is compiled into its caller: what it takes stays in registers.
        let code = call(self.table);
        if told {
            self.leave();
        }
        if code == 0 { Ok(()) } else { Err(self.failed_at(code, what)) }
    }

    /// The error of a code. Nothing of it is in the way of a call that goes well.
    #[cold]
    #[inline(never)]
    fn failed_at(&self, code: c_int, what: impl FnOnce() -> String) -> Error {
        self.failed(code, &what())
    }

    /// As [`call`](Library::call), to end what MPI does with memory that is [lent](Hold): were it refused, the memory would be let
    /// go while MPI reads or fills it. MPI is not finalized meanwhile, so that a refusal passes, but of a thread that may never
    /// call, or not before its operation has ended.
    pub(crate) fn end(
        &self,
        mut call: impl FnMut(&Table) -> c_int,
        what: impl Fn() -> String,
    ) -> Result<(), Error> {
        loop {
            let mut called = false;
            let outcome = self.call(
                |table| {
                    called = true;
                    call(table)
                },
                &what,
            );
            let never = is_combining() || (here() != self.owner && self.threads < Threads::Serialized);
            if called || never {
                return outcome;
            }
            std::thread::yield_now();
        }
    }

    /// Tells other threads of a call; or why this one may not make it.
    #[cold]
    #[inline(never)]
    fn enter(&self) -> Result<(), (ErrorKind, &'static str)> {
        let away = here() != self.owner;
        if away {
            CALLS.fetch_add(1, Ordering::SeqCst);
        }
        let Some(refused) = self.refused(away) else { return Ok(()) };
        if away {
            CALLS.fetch_sub(1, Ordering::SeqCst);
        }
        Err(refused)
    }

    /// Tells them that it has ended.
    #[cold]
    #[inline(never)]
    fn leave(&self) {
        if self.threads == Threads::Serialized {
            self.busy.store(false, Ordering::Release);
        }
        if here() != self.owner {
            CALLS.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// The error of a code.
    #[cold]
    pub(crate) fn failed(&self, code: c_int, what: &str) -> Error {
        if code == UNSUPPORTED {
            let message = format!("{what}: {} does not have it", self.name());
            return Error::new(ErrorKind::Unsupported, message);
        }
        // SAFETY: any number may be asked.
        let class = unsafe { (self.table.error_class)(code) };
        Error::new(kind_of(class), format!("{what}: {}", words(self.table, code)))
    }

    /// Why this thread may not call it now. Where threads may call it one at a time, this one has its turn if it may.
    fn refused(&self, away: bool) -> Option<(ErrorKind, &'static str)> {
        if is_combining() {
            let why =
                "an operation must not call MPI, which is in a reduction until the operation has returned";
            return Some((ErrorKind::Usage, why));
        }
        // In one order with what `finish` does: it sees the call, or the call sees it.
        if STATE.load(Ordering::SeqCst) != RUNNING && !self.still_runs(away) {
            return Some((ErrorKind::Lifecycle, "MPI has been finalized"));
        }
        match self.threads {
            Threads::Multiple => None,
            Threads::Serialized => {
                let busy = self.busy.swap(true, Ordering::Acquire);
                busy.then_some((
                    ErrorKind::Usage,
                    "another thread is in a call, and this MPI takes one at a time; start it for `multiple` threads",
                ))
            }
            Threads::Single | Threads::Funneled => away.then_some((
                ErrorKind::Usage,
                "only the thread that has started MPI may call it; start it for `multiple` threads",
            )),
        }
    }

    /// Whether it runs, in a state other than [`RUNNING`]. Frees what was left, if this thread may.
    #[cold]
    fn still_runs(&self, away: bool) -> bool {
        if !away || self.threads >= Threads::Serialized {
            free_left();
        }
        STATE.load(Ordering::SeqCst) != AFTER
    }

    /// Frees something of MPI's: now, or at the next call of a thread that may.
    pub(crate) fn free(free: impl FnMut() -> Result<(), Error> + Send + 'static) {
        if left::free_or_leave(free) {
            // Where MPI has been finalized meanwhile, it stays.
            let _ = STATE.compare_exchange(RUNNING, LEFT, Ordering::SeqCst, Ordering::SeqCst);
        }
    }

    /// The machine's name.
    pub(crate) fn processor(&self) -> Result<String, Error> {
        let (mut name, mut length) = ([0u8; 512], 0);
        self.call(
            // SAFETY: there is as much room as is said, more than any MPI's longest name.
            |table| unsafe {
                (table.processor_name)(name.as_mut_ptr().cast::<c_char>(), name.len() as c_int, &mut length)
            },
            || "ask for the processor's name".to_owned(),
        )?;
        let name = &name[..usize::try_from(length).unwrap_or(0).min(name.len())];
        Ok(String::from_utf8_lossy(name).into_owned())
    }

    /// Seconds since some moment; 0 when it has been finalized.
    pub(crate) fn time(&self) -> f64 {
        // SAFETY: it may be called by any thread, and is by none where MPICH would end the process.
        if Library::life().1 { 0.0 } else { unsafe { (self.table.wtime)() } }
    }

    /// Seconds between two ticks of its clock; 0 when it has been finalized.
    pub(crate) fn tick(&self) -> f64 {
        // SAFETY: as above.
        if Library::life().1 { 0.0 } else { unsafe { (self.table.wtick)() } }
    }

    /// Whether this thread has started it.
    pub(crate) fn is_owner(&self) -> bool {
        here() == self.owner
    }

    /// Whether it runs, and whether it has ended.
    pub(crate) fn life() -> (bool, bool) {
        let state = STATE.load(Ordering::SeqCst);
        (matches!(state, RUNNING | LEFT), state == AFTER)
    }

    /// Whether MPI has ended, and no other rank reaches memory of this one.
    pub(crate) fn is_over() -> bool {
        OVER.load(Ordering::SeqCst)
    }

    /// Ends it, on the thread that has started it, when no other is in a call.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        let wrong = |kind, why: &str| Err(Error::new(kind, format!("finalize MPI: {why}")));
        if here() != self.owner {
            return wrong(ErrorKind::Usage, "only the thread that has started it may");
        }
        if is_combining() {
            return wrong(ErrorKind::Usage, "an operation does, within a reduction, which is not over");
        }
        // Before the calls of other threads are refused, and once more when there are none.
        if Library::life().0 {
            nothing_is_lent()?;
        }
        free_left();
        close_here();
        request::settle(self);
        let before = STATE.swap(AFTER, Ordering::SeqCst);
        if before == AFTER {
            return wrong(ErrorKind::Lifecycle, "it was finalized before");
        }
        let began = Instant::now();
        let mut told = false;
        while CALLS.load(Ordering::SeqCst) > 0 {
            if began.elapsed() < PATIENCE {
                std::thread::yield_now();
                continue;
            }
            if !told {
                tracing::warn!("finalize MPI: calls of other threads have not returned; it waits for them");
                told = true;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        if let Err(error) = nothing_is_lent() {
            STATE.store(before, Ordering::SeqCst);
            return Err(error);
        }
        Unended::end_all(self.table);
        free_made(self.table);
        // SAFETY: nobody is in a call, and none follows.
        let code = unsafe { (self.table.finalize)() };
        OVER.store(true, Ordering::SeqCst);
        match code {
            0 => Ok(()),
            code => Err(self.failed(code, "finalize MPI")),
        }
    }

    /// Ends all processes of a communicator, whichever thread asks and whatever others do.
    pub(crate) fn abort(&self, comm: Handle, code: c_int) {
        if matches!(STATE.load(Ordering::SeqCst), RUNNING | LEFT) {
            // What a rank printed last is mostly why: MPICH's launcher dropped it in 1 of 40 jobs that ended at once.
            std::thread::sleep(Duration::from_millis(100));
            // SAFETY: a communicator of this MPI's; it does not return but where it fails.
            let _ = unsafe { (self.table.abort)(comm, code) };
        }
    }
}

/// Whether MPI has no memory that somebody uses, and uses none that is lent to it.
fn nothing_is_lent() -> Result<(), Error> {
    let held = Hold::count();
    if held == 0 {
        return Ok(());
    }
    let message = format!(
        "finalize MPI: {held} epochs or guards of windows are open, whose memory it would take away; end them first"
    );
    Err(Error::new(ErrorKind::Synchronization, message))
}

/// Frees what was left.
fn free_left() {
    // The state first: what is left from now on sets it again.
    let _ = STATE.compare_exchange(LEFT, RUNNING, Ordering::SeqCst, Ordering::SeqCst);
    if left::free_left() {
        let _ = STATE.compare_exchange(RUNNING, LEFT, Ordering::SeqCst, Ordering::SeqCst);
    }
}

/// The error of a call that was not made.
#[cold]
#[inline(never)]
fn refused_error((kind, why): (ErrorKind, &'static str), what: impl FnOnce() -> String) -> Error {
    Error::new(kind, format!("{}: {why}", what()))
}

/// MPI's own words for a code.
fn words(table: &Table, code: c_int) -> String {
    let mut text = [0u8; 512];
    let mut length = 0;
    // SAFETY: there is as much room as is said.
    let told = unsafe {
        (table.error_string)(code, text.as_mut_ptr().cast::<c_char>(), text.len() as c_int, &mut length)
    };
    if told != 0 {
        return format!("error {code}");
    }
    let text = &text[..usize::try_from(length).unwrap_or(0).min(text.len())];
    String::from_utf8_lossy(text).trim().replace('\n', "; ")
}
