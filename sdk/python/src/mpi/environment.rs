//! MPI, from when it is started until it is finalized.

use super::between::Between;
use super::communicator::{self, Held};
use super::failure::{raise, raise_as};
use super::port;
use super::{STARTED, action, is_forked, method, number, own_process, unlocked};
use crate::ffi;
use crate::forked::Process;
use crate::py::{self, Kind, Outcome, PyObject, Ref, returned};
use crate::types::{self as make, TypeOf};
use std::sync::{Arc, OnceLock};
use upcall_mpi::{Environment, Error, Optional, Source, Threads};

/// It stays for good: communicators are used for as long as Python knows them.
struct Shared {
    mpi: Environment,
    /// Those who have started this process: kept for good, as only all ranks of both groups together could free it.
    parent: Option<Arc<Between>>,
}

// SAFETY: an environment is bound to its thread because that one finalizes MPI, which `Environment::close` sees to; all else may
// be called by any thread.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

static ENVIRONMENT: OnceLock<Shared> = OnceLock::new();

const LEVELS: [Threads; 4] = [Threads::Single, Threads::Funneled, Threads::Serialized, Threads::Multiple];

#[repr(C)]
struct Object {
    head: PyObject,
}

fn shared() -> Outcome<&'static Shared> {
    own_process()?;
    ENVIRONMENT.get().ok_or_else(|| py::raise(Kind::Runtime, "MPI has not been started"))
}

/// MPI, which has been started.
pub fn environment() -> Outcome<&'static Environment> {
    Ok(&shared()?.mpi)
}

/// What `upcall.mpi.Environment` is derived from.
pub fn environment_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiEnvironment")
        .flag(ffi::Py_TPFLAGS_BASETYPE)
        .slot(ffi::Py_tp_new, new as *const ())
        .slot(ffi::Py_tp_dealloc, super::communicator::free as *const ())
        .action(c"_finish", action!(finish), c"Finalizes MPI.")
        .method(c"_world", method!(world as "world"(of), 1), c"All processes of the job.")
        .method(c"_own", method!(own as "own"(of), 1), c"This process alone.")
        .method(
            c"attach_buffer",
            method!(super::buffered::attach as "attach_buffer"(size), 1),
            c"attach_buffer(size)",
        )
        .method(c"_parent", method!(parent as "parent"(of), 1), c"Those who have started this process.")
        .action(c"_open_port", action!(open_port), c"Opens a port.")
        .method(c"look_up", method!(look_up as "look_up"(service), 1), c"look_up(service)")
        .action(c"_threads", action!(threads), c"The thread level that there is.")
        .action(c"_library", action!(library), c"What the MPI calls itself.")
        .action(c"_standard", action!(standard), c"The standard that it has.")
        .class_action(c"_is_running", action!(is_running), c"Whether MPI runs in this process.")
        .class_action(c"_is_finalized", action!(is_finalized), c"Whether MPI has ended in this process.")
        .action(c"_is_forked", action!(forked), c"Whether this process is a child of the one with MPI.")
        .action(c"processor", action!(processor), c"The name of the machine that this process runs on.")
        .action(c"time", action!(time), c"Seconds since some moment in the past, by the clock of MPI's.")
        .action(c"is_main_thread", action!(is_main_thread), c"Whether this thread has started MPI.")
        .action(c"_threads_wanted", action!(threads_wanted), c"The thread level that was asked for.")
        .action(c"time_resolution", action!(time_resolution), c"Seconds between two ticks of the clock.")
        .action(c"time_is_global", action!(time_is_global), c"Whether all ranks' clocks show the same time.")
        .action(c"universe_size", action!(universe_size), c"How many processes the launcher has room for.")
        .action(c"program_number", action!(program_number), c"Which of the programs started at once this is.")
        .action(c"io_rank", action!(io_rank), c"Which rank may read and write files.")
        .action(c"host_rank", action!(host_rank), c"The rank of the host process.")
        .method(c"_has", method!(has as "has"(part), 1), c"Whether the MPI has a part of the standard.")
        .make(None)
}

/// Of the thread level that is wanted: starts MPI.
unsafe extern "C" fn new(
    of: *mut ffi::PyTypeObject,
    given: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a type of ours and a tuple.
    returned(unsafe {
        let given = Ref::share(given);
        py::item(&given, 0).and_then(|level| number(level.as_ptr(), "threads")).and_then(|level| {
            own_process()?;
            main_interpreter()?;
            let wanted = LEVELS[usize::try_from(level).unwrap_or(0).min(3)];
            let started = unlocked(|| {
                let mut mpi = Environment::start(wanted)?;
                let parent = mpi.take_parent().map(|parent| Arc::new(Between::new(parent)));
                Ok(Shared { mpi, parent })
            });
            let shared = started.map_err(raise)?;
            STARTED.get_or_init(Process::this);
            ENVIRONMENT.get_or_init(|| shared);
            make::new(&Ref::share(of.cast()))
        })
    })
}

/// Raises in an interpreter that may end before the process does, and would finalize MPI for all of it.
fn main_interpreter() -> Outcome<()> {
    // SAFETY: this thread is attached, and so has an interpreter.
    if unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) } == 0 {
        return Ok(());
    }
    let why = "start MPI: this is a subinterpreter, which may end before the program does; start it in the main one";
    Err(raise_as("lifecycle", why))
}

unsafe fn finish(_: *mut PyObject) -> Outcome<Ref> {
    let environment = environment()?;
    unlocked(|| environment.close()).map_err(raise)?;
    Ok(py::none())
}

unsafe fn world(_: *mut PyObject, [of]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: an argument that lives until this returns.
    unsafe { communicator::given(&Ref::share(of), environment()?.world()) }
}

unsafe fn own(_: *mut PyObject, [of]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { communicator::given(&Ref::share(of), environment()?.own()) }
}

unsafe fn parent(_: *mut PyObject, [of]: [*mut PyObject; 1]) -> Outcome<Ref> {
    let parent = shared()?.parent.as_ref().filter(|parent| !parent.is_gone());
    let Some(parent) = parent else { return Ok(py::none()) };
    // SAFETY: as above.
    communicator::object(&unsafe { Ref::share(of) }, Held::Between(Arc::clone(parent)))
}

unsafe fn open_port(_: *mut PyObject) -> Outcome<Ref> {
    let environment = environment()?;
    port::object(unlocked(|| environment.open_port()).map_err(raise)?)
}

unsafe fn look_up(_: *mut PyObject, [service]: [*mut PyObject; 1]) -> Outcome<Ref> {
    let environment = environment()?;
    // SAFETY: as above.
    let service = unsafe { py::utf8(service)? };
    py::text(unlocked(|| environment.look_up(service)).map_err(raise)?.as_bytes())
}

fn level(of: Threads) -> Outcome<Ref> {
    py::int(LEVELS.iter().position(|level| *level == of).unwrap_or(0) as u64)
}

unsafe fn threads(_: *mut PyObject) -> Outcome<Ref> {
    level(environment()?.threads())
}

unsafe fn threads_wanted(_: *mut PyObject) -> Outcome<Ref> {
    level(environment()?.threads_wanted())
}

fn truth(is: bool) -> Outcome<Ref> {
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyBool_FromLong(is.into())) }
}

unsafe fn is_main_thread(_: *mut PyObject) -> Outcome<Ref> {
    truth(environment()?.is_main_thread())
}

unsafe fn time_resolution(_: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyFloat_FromDouble(environment()?.time_resolution())) }
}

unsafe fn time_is_global(_: *mut PyObject) -> Outcome<Ref> {
    truth(environment()?.time_is_global().map_err(raise)?)
}

/// A number, or `None`.
fn perhaps(number: Result<Option<usize>, Error>) -> Outcome<Ref> {
    number.map_err(raise)?.map_or(Ok(py::none()), |number| py::int(number as u64))
}

unsafe fn universe_size(_: *mut PyObject) -> Outcome<Ref> {
    perhaps(environment()?.universe_size())
}

unsafe fn program_number(_: *mut PyObject) -> Outcome<Ref> {
    perhaps(environment()?.program_number())
}

unsafe fn io_rank(_: *mut PyObject) -> Outcome<Ref> {
    match environment()?.io_rank().map_err(raise)? {
        // SAFETY: no argument to get wrong.
        Some(Source::Any) => unsafe { Ref::steal(ffi::PyLong_FromLong(super::ANY.into())) },
        Some(Source::Rank(rank)) => py::int(rank as u64),
        None => Ok(py::none()),
    }
}

unsafe fn host_rank(_: *mut PyObject) -> Outcome<Ref> {
    perhaps(environment()?.host_rank())
}

unsafe fn has(_: *mut PyObject, [part]: [*mut PyObject; 1]) -> Outcome<Ref> {
    let environment = environment()?;
    // SAFETY: an argument that lives until this returns.
    let part = unsafe { number(part, "part")? };
    let part = usize::try_from(part).ok().and_then(|part| Optional::ALL.get(part));
    truth(part.is_some_and(|part| environment.has(*part)))
}

unsafe fn library(_: *mut PyObject) -> Outcome<Ref> {
    py::text(environment()?.library().as_bytes())
}

unsafe fn standard(_: *mut PyObject) -> Outcome<Ref> {
    let (major, minor) = environment()?.standard();
    py::tuple(&[&py::int(major.into())?, &py::int(minor.into())?])
}

unsafe fn is_running(_: *mut PyObject) -> Outcome<Ref> {
    truth(Environment::is_initialized() && !is_forked())
}

unsafe fn is_finalized(_: *mut PyObject) -> Outcome<Ref> {
    truth(Environment::is_finalized())
}

unsafe fn forked(_: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyBool_FromLong(is_forked().into())) }
}

unsafe fn processor(_: *mut PyObject) -> Outcome<Ref> {
    py::text(environment()?.processor().map_err(raise)?.as_bytes())
}

unsafe fn time(_: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyFloat_FromDouble(environment()?.time())) }
}
