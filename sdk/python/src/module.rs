//! The extension module `upcall._upcall`: the types, the log, the harness.

use crate::ffi::{self, PyMethodDef, PyMethodDefPointer, PyModuleDef};
use crate::harness;
use crate::log;
use crate::object::returned;
use crate::py::{self, Outcome, PyObject, Raised, Ref};
use crate::support::Natives;
use std::ffi::CStr;
use std::ptr;

/// What Python calls when it imports the library.
///
/// # Safety
/// On an attached thread.
#[unsafe(export_name = "PyInit__upcall")]
pub unsafe extern "C" fn init() -> *mut PyObject {
    returned(make())
}

/// The module, filled.
pub fn make() -> Outcome<Ref> {
    let natives = Natives::make()?;
    let mut methods = vec![
        PyMethodDef {
            ml_name: c"log".as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunctionFast: write_log },
            ml_flags: ffi::METH_FASTCALL,
            ml_doc: c"Logs a text at one of the boundary's levels into the engine's log.".as_ptr(),
        },
        PyMethodDef::zeroed(),
    ];
    let definition = Box::leak(Box::new(PyModuleDef {
        m_base: ffi::PyModuleDef_HEAD_INIT,
        m_name: c"upcall._upcall".as_ptr(),
        m_doc: c"The native part of upcall.".as_ptr(),
        m_size: -1,
        m_methods: methods.as_mut_ptr(),
        m_slots: ptr::null_mut(),
        m_traverse: None,
        m_clear: None,
        m_free: None,
    }));
    methods.leak();
    // SAFETY: the definition is whole and never freed.
    let module = unsafe { Ref::steal(ffi::PyModule_Create2(definition, ffi::PYTHON_ABI_VERSION))? };
    add(&module, c"Object", &natives.objects[0])?;
    add(&module, c"Batch", &natives.batch)?;
    add(&module, c"Emit", &natives.emit)?;
    add(&module, c"Harness", &harness::harness_type()?)?;
    add(&module, c"__version__", &py::text(env!("CARGO_PKG_VERSION").as_bytes())?)?;
    Ok(module)
}

fn add(module: &Ref, name: &CStr, object: &Ref) -> Outcome<()> {
    // SAFETY: both are alive; AddObjectRef takes its own reference.
    match unsafe { ffi::PyModule_AddObjectRef(module.as_ptr(), name.as_ptr(), object.as_ptr()) } {
        0 => Ok(()),
        _ => Err(Raised),
    }
}

/// `log(level, text)`
unsafe extern "C" fn write_log(_: *mut PyObject, given: *mut *mut PyObject, count: isize) -> *mut PyObject {
    if count != 2 {
        py::raise(py::Kind::Type, "log takes a level and a text");
        return ptr::null_mut();
    }
    // SAFETY: CPython passes two objects that live until this returns.
    returned(unsafe {
        py::utf8(*given.add(1)).map(|text| {
            log::write(ffi::PyLong_AsLong(*given) as u32, text);
            py::none()
        })
    })
}
