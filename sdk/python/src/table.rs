//! What the host calls: the table `UPCALL_PYTHON`.

use crate::attach::{Attached, attach, detach};
use crate::driver::{self, Instance};
use crate::failure;
use crate::ffi;
use crate::py::{Outcome, Raised, Ref};
use crate::start;
use crate::support;
use std::ffi::c_void;
use upcall_abi::{ABI, DriverTable, Entry, Refusal, Status, refusal};

/// The table.
// SAFETY: the name is Upcall's own, and there is one library of this kind in a process.
#[unsafe(no_mangle)]
pub static UPCALL_PYTHON: DriverTable = DriverTable {
    abi: ABI,
    reserved: 0,
    size: size_of::<DriverTable>() as u32,
    start,
    attach,
    detach,
    load,
    create,
    unload,
};

/// Why something was refused: a kind of [`refusal`] and a text.
pub(crate) type Refused = (u32, String);

unsafe extern "C" fn start(lines: *const u8, len: u64, refusal: *mut Refusal) -> Status {
    // SAFETY: the host passes text, and a refusal to fill.
    unsafe {
        let lines = std::slice::from_raw_parts(lines, len as usize);
        let outcome = start::start(&String::from_utf8_lossy(lines));
        answer(outcome.map_err(|message| (refusal::RUNTIME_FAILED, message)), refusal)
    }
}

unsafe extern "C" fn load(
    file: *const u8,
    file_len: u64,
    class: *const u8,
    class_len: u64,
    module: *mut *mut c_void,
    refusal: *mut Refusal,
) -> Status {
    let _attached = Attached::now();
    // SAFETY: the host passes two texts, a place for the module, and a refusal to fill.
    unsafe {
        let file = std::slice::from_raw_parts(file, file_len as usize);
        let class = std::slice::from_raw_parts(class, class_len as usize);
        let loaded = find(file, class).unwrap_or_else(|raised| {
            let failure = failure::take(raised);
            Err((
                refusal::FILE_INVALID,
                format!("{}: {}\n{}", failure.type_name, failure.message, failure.stack),
            ))
        });
        let loaded = loaded.map(|class| module.write(Box::into_raw(Box::new(class)).cast()));
        answer(loaded, refusal)
    }
}

/// Asks `_support.load`, which answers with 0 and a class, or with a kind and a message.
fn find(file: &[u8], class: &[u8]) -> Outcome<Result<Ref, Refused>> {
    let answer = support::call(c"load", &[&crate::py::text(file)?, &crate::py::text(class)?])?;
    // SAFETY: a tuple of two, whose items are borrowed from it.
    unsafe {
        let (kind, found) =
            (ffi::PyTuple_GetItem(answer.as_ptr(), 0), ffi::PyTuple_GetItem(answer.as_ptr(), 1));
        if kind.is_null() || found.is_null() {
            return Err(Raised);
        }
        let (kind, found) = (ffi::PyLong_AsLong(kind) as u32, Ref::share(found));
        if kind == 0 { Ok(Ok(found)) } else { Ok(Err((kind, found.text()?.to_owned()))) }
    }
}

unsafe extern "C" fn create(module: *mut c_void, entry: *mut Entry, refusal: *mut Refusal) -> Status {
    let _attached = Attached::now();
    // SAFETY: the host passes a module of `load`, a place for an entry, and a refusal to fill.
    unsafe {
        let class = &*module.cast::<Ref>();
        let made = class.call(&[]).and_then(Instance::new).map_err(|raised| {
            let failure = failure::take(raised);
            let text = format!("{}: {}\n{}", failure.type_name, failure.message, failure.stack);
            (refusal::CONSTRUCTOR_FAILED, text)
        });
        let made = made.map(|instance| {
            let state = Box::into_raw(Box::new(instance)).cast();
            entry.write(Entry { call: driver::call, state, release: Some(driver::release) });
        });
        answer(made, refusal)
    }
}

unsafe extern "C" fn unload(module: *mut c_void) {
    let _attached = Attached::now();
    // SAFETY: the host passes a module of `load`, for the last time.
    drop(unsafe { Box::from_raw(module.cast::<Ref>()) });
}

/// # Safety
/// `refusal` must be valid and its room writable.
unsafe fn answer(outcome: Result<(), Refused>, refusal: *mut Refusal) -> Status {
    let Err((kind, message)) = outcome else { return Status::OK };
    // SAFETY: the caller's promise.
    unsafe {
        let len = message.floor_char_boundary((*refusal).room as usize);
        (*refusal).text.copy_from_nonoverlapping(message.as_ptr(), len);
        (*refusal).len = len as u64;
        (*refusal).kind = kind;
    }
    Status::FAILED
}
