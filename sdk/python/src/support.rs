//! What is made once per process: the types, and the way to the part that is written in Python.

use crate::ffi;
use crate::py::{self, Outcome, Ref};
use crate::{batch, emit, object, view};
use std::ffi::CStr;
use std::sync::OnceLock;

/// The types, once they are made.
pub struct Natives {
    /// `upcall.Object`, by kind.
    pub objects: [Ref; 4],
    /// `upcall.Batch`.
    pub batch: Ref,
    /// `upcall.Emit`.
    pub emit: Ref,
    /// What views are views of.
    pub exporter: Ref,
}

// SAFETY: types are immutable here, and references to them are counted by attached threads only.
unsafe impl Send for Natives {}
// SAFETY: as above.
unsafe impl Sync for Natives {}

static NATIVES: OnceLock<Natives> = OnceLock::new();

impl Natives {
    /// Makes the types, when they are not there yet.
    pub fn make() -> Outcome<&'static Natives> {
        if let Some(made) = NATIVES.get() {
            return Ok(made);
        }
        let made = Natives {
            objects: object::object_types()?,
            batch: batch::batch_type()?,
            emit: emit::emit_type()?,
            exporter: view::exporter_type()?,
        };
        Ok(NATIVES.get_or_init(|| made))
    }

    /// The types.
    #[inline]
    pub fn get() -> &'static Natives {
        NATIVES.get().expect("the types are made before any instance is")
    }
}

/// Calls a function of `upcall/_support.py`.
pub fn call(name: &CStr, arguments: &[&Ref]) -> Outcome<Ref> {
    module()?.get(name)?.call(arguments)
}

/// `upcall.Found`.
pub fn found() -> Outcome<Ref> {
    module()?.get(c"Found")
}

/// `upcall._support`, which was imported when the package was.
fn module() -> Outcome<Ref> {
    let name = py::text(b"upcall._support")?;
    // SAFETY: a `str`; looks it up, and runs no hook of imports.
    unsafe { Ref::steal(ffi::PyImport_GetModule(name.as_ptr())) }.or_else(|_| py::import(c"upcall._support"))
}
