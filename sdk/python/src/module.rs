//! The extension module `upcall._upcall`: the types, the log, the harness.

use crate::ffi::{self, PyMethodDef, PyMethodDefPointer, PyModuleDef};
use crate::flow;
use crate::forked;
use crate::harness;
use crate::imports;
use crate::log;
use crate::mpi;
use crate::py::{self, Outcome, PyObject, Raised, Ref, returned};
use crate::table;
use crate::types;
use crate::vertex;
use crate::view;
use std::ffi::CStr;
use std::ptr;
use upcall_glue_python::supported::supported;

/// What Python calls when it imports the library.
///
/// # Safety
/// On an attached thread.
#[unsafe(export_name = "PyInit__upcall")]
pub unsafe extern "C" fn init() -> *mut PyObject {
    returned(fits().and_then(|()| make()))
}

/// Raises `ImportError` when the interpreter is none that this library fits.
pub fn fits() -> Outcome<()> {
    // SAFETY: text that lives as long as the process.
    let version = unsafe { CStr::from_ptr(ffi::Py_GetVersion()) };
    supported(&version.to_string_lossy())
        .map_err(|why| py::raise(py::Kind::Import, format!("import upcall: {why}")))?;
    if ffi::counts_in_the_head()? {
        return Ok(());
    }
    let message = "import upcall: this Python was built with a different object header: use a standard build";
    Err(py::raise(py::Kind::Import, message))
}

/// The module, filled.
pub fn make() -> Outcome<Ref> {
    view::prepare()?;
    forked::prepare();
    vertex::Natives::make()?;
    let natives = flow::Natives::make()?;
    let mut methods = vec![
        PyMethodDef {
            ml_name: c"log".as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunctionFast: write_log },
            ml_flags: ffi::METH_FASTCALL,
            ml_doc: c"Logs a text at one of the boundary's levels into the engine's log.".as_ptr(),
        },
        PyMethodDef {
            ml_name: c"route_imports".as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunction: imports::route },
            ml_flags: ffi::METH_O,
            ml_doc: c"Takes what imports for code of a folder with handlers.".as_ptr(),
        },
        PyMethodDef {
            ml_name: c"table".as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunction: table::table },
            ml_flags: ffi::METH_NOARGS,
            ml_doc: c"The address of the table that engines load handlers by.".as_ptr(),
        },
        PyMethodDef {
            ml_name: c"handler".as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunction: table::handler },
            ml_flags: ffi::METH_O,
            ml_doc: c"A handler that a function makes, as the table takes it.".as_ptr(),
        },
        import(c"__import__", imports::import, c"Imports as the folder does whose code this is."),
        import(c"import_elsewhere", imports::import_elsewhere, c"Imports as Python does."),
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
    for (name, object) in &mpi::contents()? {
        add(&module, name, object)?;
    }
    add(&module, c"__version__", &py::text(env!("CARGO_PKG_VERSION").as_bytes())?)?;
    Ok(module)
}

fn import(name: &'static CStr, function: types::Method, doc: &'static CStr) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunctionFastWithKeywords: function },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }
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
        py::utf8(*given.add(1)).and_then(|text| {
            let level = ffi::PyLong_AsLong(*given);
            if level == -1 && !ffi::PyErr_Occurred().is_null() {
                return Err(Raised);
            }
            log::write(level as u32, text);
            Ok(py::none())
        })
    })
}
