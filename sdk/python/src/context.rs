//! What a handler learns when it is opened: the arguments of `upcall.Context`.

use crate::ffi;
use crate::py::{self, Outcome, Raised, Ref};
use crate::support;
use upcall_abi::{OpenFrame, base};

/// The context of an OPEN frame, whose names and settings are valid; `added` are the fields that only handlers of
/// its kind have.
pub fn of(frame: &OpenFrame, added: &[&Ref]) -> Outcome<Ref> {
    let base = frame.head.base[base::BATCH];
    // SAFETY: the engine's names and settings are valid during OPEN.
    let (name, settings) = unsafe { (py::text(frame.name.get(base))?, frame.settings.get(base)) };
    // SAFETY: a new dict.
    let given = unsafe { Ref::steal(ffi::PyDict_New())? };
    for setting in settings {
        // SAFETY: as above; SetItem takes its own references.
        unsafe {
            let (name, value) = (py::text(setting.name.get(base))?, py::text(setting.value.get(base))?);
            if ffi::PyDict_SetItem(given.as_ptr(), name.as_ptr(), value.as_ptr()) != 0 {
                return Err(Raised);
            }
        }
    }
    let (worker, workers) = (py::int(u64::from(frame.worker))?, py::int(u64::from(frame.workers))?);
    let mut arguments = vec![&name, &given, &worker, &workers];
    arguments.extend(added);
    support::call(c"context", &arguments)
}
