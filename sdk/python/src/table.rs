//! What the host calls: the table `UPCALL_GUEST`.

use crate::attach::{Attached, attach, detach};
use crate::body::Failed;
use crate::driver::{self, Instance};
use crate::failure::{self, Failure};
use crate::ffi;
use crate::forked::{self, Process};
use crate::py::{self, Outcome, PyObject, Raised, Ref};
use crate::start;
use crate::support;
use std::ffi::c_void;
use upcall_abi::caught::caught;
use upcall_abi::{ABI, Entry, GuestTable, HandlerName, Refusal, Start, Status, refusal};

/// The table.
// SAFETY: the name is Upcall's own, and this library is loaded by a path of its own.
#[unsafe(no_mangle)]
pub static UPCALL_GUEST: GuestTable = GuestTable {
    abi: ABI,
    reserved: 0,
    size: size_of::<GuestTable>() as u32,
    start: Some(start),
    attach: Some(attach),
    detach: Some(detach),
    load,
    create,
    unload,
};

/// Why something was refused: a kind of [`refusal`] and a text.
type Refused = (u32, String);

unsafe extern "C" fn start(given: *const Start, refusal: *mut Refusal) -> Status {
    let body = || {
        // SAFETY: the host passes text that is valid until this returns.
        let lines = unsafe { (*given).lines.get(0) };
        let outcome = start::start(&String::from_utf8_lossy(lines));
        outcome.map_err(|message| (refusal::RUNTIME_FAILED, message))
    };
    // SAFETY: the host passes a refusal to fill.
    unsafe { answer(refusal::RUNTIME_FAILED, body, refusal) }
}

unsafe extern "C" fn load(
    handler: *const HandlerName,
    module: *mut *mut c_void,
    refusal: *mut Refusal,
) -> Status {
    let _attached = Attached::now();
    let body = || {
        // SAFETY: the host passes a name that is valid until this returns.
        let (file, class) = unsafe { ((*handler).file.get(0), (*handler).class.get(0)) };
        let found = find(file, class)
            .unwrap_or_else(|raised| Err((refusal::FILE_INVALID, told(&failure::take(raised)))))?;
        // SAFETY: the host passes a place for the module.
        unsafe { module.write(Box::into_raw(Box::new(found)).cast()) };
        Ok(())
    };
    // SAFETY: the host passes a refusal to fill.
    unsafe { answer(refusal::FILE_INVALID, body, refusal) }
}

/// Asks `_support.load`, which answers with 0 and a class, or with a kind and a message.
fn find(file: &[u8], class: &[u8]) -> Outcome<Result<Ref, Refused>> {
    let answer = support::call(c"load", &[&py::text(file)?, &py::text(class)?])?;
    let (kind, found) = (py::item(&answer, 0)?, py::item(&answer, 1)?);
    // SAFETY: it is alive; CPython checks that it is a number.
    match unsafe { ffi::PyLong_AsLong(kind.as_ptr()) } {
        0 => Ok(Ok(found)),
        -1 => Err(Raised),
        kind => Ok(Err((kind as u32, found.text()?.to_owned()))),
    }
}

unsafe extern "C" fn create(module: *mut c_void, entry: *mut Entry, refusal: *mut Refusal) -> Status {
    let _attached = Attached::now();
    let body = || {
        // SAFETY: the host passes a module of `load`.
        let class = unsafe { &*module.cast::<Ref>() };
        let process = Process::this();
        let made = class.call(&[]).and_then(Instance::new).map_err(failure::take);
        if process.is_over() {
            forked::end(made.map(drop).map_err(Failed::whole));
        }
        let instance = made.map_err(|failed| (refusal::CONSTRUCTOR_FAILED, told(&failed)))?;
        let state = Box::into_raw(Box::new(instance)).cast();
        // SAFETY: the host passes a place for an entry.
        unsafe { entry.write(Entry { call: driver::call, state, release: Some(driver::release) }) };
        Ok(())
    };
    // SAFETY: the host passes a refusal to fill.
    unsafe { answer(refusal::CONSTRUCTOR_FAILED, body, refusal) }
}

unsafe extern "C" fn unload(module: *mut c_void) {
    let _attached = Attached::now();
    // SAFETY: the host passes a module of `load`, for the last time.
    drop(unsafe { Box::from_raw(module.cast::<Ref>()) });
}

/// `table()`: the table's address, for a program that has loaded the engine.
pub unsafe extern "C" fn table(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: on an attached thread, as CPython calls it.
    unsafe { ffi::PyLong_FromVoidPtr((&raw const UPCALL_GUEST).cast_mut().cast()) }
}

/// `handler(make)`: a module whose instances `make` makes, for the table's `create`. It belongs to whoever calls `unload`.
pub unsafe extern "C" fn handler(_: *mut PyObject, make: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython passes an object that lives until this returns; a share of it is kept.
    unsafe {
        let module = Box::into_raw(Box::new(Ref::share(make)));
        ffi::PyLong_FromVoidPtr(module.cast())
    }
}

/// An exception, as the text of a refusal.
fn told(failure: &Failure) -> String {
    format!("{}: {}\n{}", failure.type_name, failure.message, failure.stack)
}

/// Runs `body` and answers for it; a panic is refused as `kind`.
///
/// # Safety
/// `refusal` must be valid and its room writable.
unsafe fn answer(kind: u32, body: impl FnOnce() -> Result<(), Refused>, refusal: *mut Refusal) -> Status {
    let panicked =
        |panic| Err((kind, format!("the Python driver panicked: this is a bug of Upcall: {panic}")));
    match caught(body).unwrap_or_else(panicked) {
        Ok(()) => Status::OK,
        // SAFETY: the caller's promise.
        Err((kind, message)) => unsafe { (*refusal).write(kind, &message) },
    }
}
