//! Message passing over the machine's MPI, as `upcall.mpi` has it: elements are bytes here, and what they are is the affair of the
//! part that is written in Python.
//!
//! Nothing of MPI is loaded before an `Environment` is made. The interpreter's lock is let go of while MPI waits.

mod begun;
mod between;
mod buffer;
mod buffered;
mod checked;
mod collective;
mod combine;
mod communicator;
mod element;
mod environment;
mod epoch;
mod exact;
mod failure;
mod fault;
mod file;
mod group;
mod integer;
mod kept;
mod memory;
mod message;
mod operator;
mod partitioned;
mod parts;
mod persistent;
mod point;
mod port;
mod process;
mod reduce;
mod request;
mod status;
mod topology;
mod typed;
mod values;
mod view;
mod waits;
mod window;

use crate::ffi;
use crate::forked::Process;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use std::ffi::CStr;
use std::sync::OnceLock;

/// A function in C that calls `$function` with an object of the type and arguments of these names; the first `$required` of them
/// are there, and the others null where they are left out.
macro_rules! method {
    ($function:path as $name:literal($($argument:ident),*), $required:literal) => {{
        unsafe extern "C" fn method(
            this: *mut crate::py::PyObject,
            given: *const *mut crate::py::PyObject,
            count: isize,
            keywords: *mut crate::py::PyObject,
        ) -> *mut crate::py::PyObject {
            let names = [$(stringify!($argument)),*];
            // SAFETY: CPython passes an object of the type, and arguments, that live until this returns.
            crate::py::returned(unsafe {
                crate::arguments::parse($name, names, $required, given, count as usize, keywords)
                    .and_then(|arguments| $function(this, arguments))
            })
        }
        method
    }};
}

/// A function in C that calls `$function` with an object of the type.
macro_rules! action {
    ($function:path) => {{
        unsafe extern "C" fn action(
            this: *mut crate::py::PyObject,
            _: *mut crate::py::PyObject,
        ) -> *mut crate::py::PyObject {
            // SAFETY: CPython passes an object of the type that lives until this returns.
            crate::py::returned(unsafe { $function(this) })
        }
        action
    }};
}

use {action, method};

/// Any rank, or any tag.
const ANY: i32 = -1;

/// The types that are made for others here, once per process.
struct Types {
    status: Ref,
    request: Ref,
    message: Ref,
    operator: Ref,
    communicator: Ref,
    group: Ref,
    file: Ref,
    window: Ref,
    epoch: Ref,
    exposure: Ref,
    memory: Ref,
    persistent: Ref,
    partitions: Ref,
    send_buffer: Ref,
    port: Ref,
    published: Ref,
    sum: Ref,
    element: Ref,
    checked: Ref,
    datatype: Ref,
}

// SAFETY: types are immutable here, and references to them are counted by attached threads only.
unsafe impl Send for Types {}
// SAFETY: as above.
unsafe impl Sync for Types {}

static TYPES: OnceLock<Types> = OnceLock::new();

fn types() -> &'static Types {
    TYPES.get().expect("the types are made when the module is")
}

/// What the module has of it, by its name there.
pub fn contents() -> Outcome<[(&'static CStr, Ref); 23]> {
    if TYPES.get().is_none() {
        let made = Types {
            status: status::status_type()?,
            request: request::request_type()?,
            message: message::message_type()?,
            operator: operator::operator_type()?,
            communicator: communicator::communicator_type()?,
            group: group::group_type()?,
            file: file::file_type()?,
            window: window::window_type()?,
            epoch: epoch::epoch_type()?,
            exposure: epoch::exposure_type()?,
            memory: memory::memory_type()?,
            persistent: persistent::persistent_type()?,
            partitions: partitioned::partitions_type()?,
            send_buffer: buffered::send_buffer_type()?,
            port: port::port_type()?,
            published: port::published_type()?,
            sum: exact::sum_type()?,
            element: element::element_type()?,
            checked: checked::checked_type()?,
            datatype: typed::datatype_type()?,
        };
        TYPES.get_or_init(|| made);
    }
    let types = types();
    Ok([
        (c"MpiEnvironment", environment::environment_type()?),
        (c"MpiCommunicator", types.communicator.clone()),
        (c"MpiStatus", types.status.clone()),
        (c"MpiRequest", types.request.clone()),
        (c"MpiMessage", types.message.clone()),
        (c"MpiOperator", types.operator.clone()),
        (c"MpiWindow", types.window.clone()),
        (c"MpiEpoch", types.epoch.clone()),
        (c"MpiExposure", types.exposure.clone()),
        (c"MpiMemory", types.memory.clone()),
        (c"MpiBuf", memory::buf_type()?),
        (c"MpiGroup", types.group.clone()),
        (c"MpiFile", types.file.clone()),
        (c"MpiPersistent", types.persistent.clone()),
        (c"MpiPartitions", types.partitions.clone()),
        (c"MpiSendBuffer", types.send_buffer.clone()),
        (c"MpiPort", types.port.clone()),
        (c"MpiPublished", types.published.clone()),
        (c"MpiKey", values::key_type()?),
        (c"MpiExactSum", types.sum.clone()),
        (c"MpiElementType", types.element.clone()),
        (c"MpiChecked", types.checked.clone()),
        (c"MpiDatatype", types.datatype.clone()),
    ])
}

/// The process that has started MPI.
static STARTED: OnceLock<Process> = OnceLock::new();

/// Whether this process was forked from one that has started MPI, which has none then.
#[inline]
fn is_forked() -> bool {
    STARTED.get().is_some_and(|process| process.is_over())
}

/// Raises where this process has no MPI of its own.
#[inline]
fn own_process() -> Outcome<()> {
    if is_forked() {
        let why = "use MPI: this process was forked from a rank, and is none; use it in the rank, or start the process anew";
        return Err(failure::raise_as("lifecycle", why));
    }
    Ok(())
}

/// Calls MPI without the interpreter's lock.
#[inline]
fn unlocked<T>(call: impl FnOnce() -> T) -> T {
    struct Locked(*mut ffi::PyThreadState);
    impl Drop for Locked {
        fn drop(&mut self) {
            // SAFETY: what this thread had before.
            unsafe { ffi::PyEval_RestoreThread(self.0) };
        }
    }
    // SAFETY: this thread is attached.
    let _locked = Locked(unsafe { ffi::PyEval_SaveThread() });
    call()
}

/// An `int` as MPI has them.
///
/// # Safety
/// The object must be alive.
#[inline]
unsafe fn number(object: *mut PyObject, name: &str) -> Outcome<i32> {
    // SAFETY: the caller's promise.
    let number = unsafe { ffi::PyLong_AsLong(object) };
    // SAFETY: this thread is attached.
    if number == -1 && !unsafe { ffi::PyErr_Occurred() }.is_null() {
        // SAFETY: the caller's promise.
        return Err(unsafe { integer::refused(object, name) });
    }
    i32::try_from(number)
        .map_err(|_| py::raise(Kind::Overflow, format!("{name}: {number} is more than MPI counts, 32 bits")))
}

/// The same of an argument that may be left out.
///
/// # Safety
/// The object must be null or alive.
#[inline]
unsafe fn number_or(object: *mut PyObject, other: i32, name: &str) -> Outcome<i32> {
    // SAFETY: the caller's promise.
    if object.is_null() { Ok(other) } else { unsafe { number(object, name) } }
}

/// A rank, as Rust counts them.
///
/// # Safety
/// As [`number_or`].
#[inline]
unsafe fn rank_or(object: *mut PyObject, other: i32, name: &str) -> Outcome<usize> {
    // SAFETY: the caller's promise.
    let rank = unsafe { number_or(object, other, name)? };
    usize::try_from(rank).map_err(|_| {
        failure::raise_as("rank", format!("{name}: there is no rank {rank}; they count from 0 on"))
    })
}

/// Whether an argument was given that is not `None`.
///
/// # Safety
/// As [`number_or`].
unsafe fn given(object: *mut PyObject) -> Option<*mut PyObject> {
    // SAFETY: `None` is always alive.
    (!object.is_null() && object != unsafe { ffi::Py_None() }).then_some(object)
}

/// Whether an argument is true.
///
/// # Safety
/// The object must be alive.
unsafe fn truth(object: *mut PyObject) -> Outcome<bool> {
    // SAFETY: the caller's promise.
    match unsafe { ffi::PyObject_IsTrue(object) } {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Raised),
    }
}
