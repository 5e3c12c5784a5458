//! What goes on when a process has died, where the MPI has that.

use super::communicator::{Held, made_of, of};
use super::failure::raise;
use super::{action, method, number, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;
use std::sync::Arc;

pub fn methods(of: TypeOf) -> TypeOf {
    of.action(c"revoke", action!(revoke), c"Ends what is under way on this communicator, on all ranks.")
        .action(c"is_revoked", action!(is_revoked), c"Whether it was revoked.")
        .method(c"_shrink", method!(shrink as "shrink"(of), 1), c"The ranks that live.")
        .method(c"agree", method!(agree as "agree"(flags), 1), c"agree(flags)")
        .action(
            c"acknowledge_failures",
            action!(acknowledge_failures),
            c"Takes note of the ranks that are known to have died.",
        )
        .action(c"failed_ranks", action!(failed_ranks), c"The ranks whose failure was acknowledged.")
}

unsafe fn revoke(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: a communicator that lives until this returns, here and below.
    let comm = unsafe { of(this)? };
    unlocked(|| comm.revoke()).map_err(raise)?;
    Ok(py::none())
}

unsafe fn is_revoked(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let comm = unsafe { of(this)? };
    let is = comm.is_revoked().map_err(raise)?;
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyBool_FromLong(is.into())) }
}

unsafe fn shrink(this: *mut PyObject, [kind]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = of(this)?;
        let left = unlocked(|| comm.shrink()).map_err(raise)?;
        made_of(kind, Held::Made(Arc::new(left)))
    }
}

unsafe fn agree(this: *mut PyObject, [flags]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, flags) = unsafe { (of(this)?, number(flags, "flags")?) };
    let agreed = unlocked(|| comm.agree(flags)).map_err(raise)?;
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyLong_FromLong(agreed.into())) }
}

unsafe fn acknowledge_failures(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let comm = unsafe { of(this)? };
    unlocked(|| comm.acknowledge_failures()).map_err(raise)?;
    Ok(py::none())
}

unsafe fn failed_ranks(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let comm = unsafe { of(this)? };
    let ranks = unlocked(|| comm.failed_ranks()).map_err(raise)?;
    py::list(ranks.len(), |index| py::int(ranks[index] as u64))
}
