//! What a handler learns when it is opened: the arguments of `upcall.Context`.

use crate::ffi;
use crate::py::{self, Outcome, Raised, Ref};
use crate::state::{Pool, State};
use crate::support;
use upcall_abi::{OpenFrame, base};

/// The context of an OPEN frame, whose names and settings are valid.
pub fn of(frame: &OpenFrame, state: &State) -> Outcome<Ref> {
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
    let pool = |pool: &Pool| {
        let value_type = py::text(pool.value_type.as_bytes())?;
        py::tuple(&[&pool.path, &value_type, &py::int(u64::from(pool.access))?])
    };
    let pools = py::list(state.pools().len(), |index| pool(&state.pools()[index]))?;
    let senders = py::list(state.senders().len(), |index| Ok(state.senders()[index].clone()))?;
    let (worker, workers) = (py::int(u64::from(frame.worker))?, py::int(u64::from(frame.workers))?);
    support::call(c"context", &[&name, &given, &pools, &senders, &worker, &workers])
}
