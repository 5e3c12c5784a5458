//! Classes that are made together with the module.

use super::ffi::*;
use std::ffi::{CStr, c_int, c_ulong, c_void};

/// What a class is made of.
pub struct Made {
    /// With the module before it.
    pub name: &'static CStr,
    /// The bytes of an object.
    pub size: usize,
    /// Besides those of every class.
    pub flags: c_ulong,
    /// Its docs.
    pub docs: &'static CStr,
    /// Its methods, if it has some.
    pub methods: Vec<PyMethodDef>,
    /// What [`slot`] makes.
    pub slots: Vec<PyType_Slot>,
}

impl Made {
    /// Makes the class and adds it to the module, under the last part of its name.
    pub unsafe fn add(self, module: Obj, class: &Class) -> Outcome<()> {
        let short = self.name.to_bytes_with_nul().rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        // SAFETY: the name ends with its zero; the module takes its own reference.
        unsafe {
            class.set(self.class()?);
            if PyModule_AddObjectRef(module, short.as_ptr().cast(), class.get()) == 0 {
                Ok(())
            } else {
                Err(Raised)
            }
        }
    }

    /// Makes the class.
    pub unsafe fn class(mut self) -> Outcome<Obj> {
        if !self.methods.is_empty() {
            self.methods.push(PyMethodDef::zeroed());
            self.slots.push(slot(Py_tp_methods, self.methods.leak().as_ptr().cast()));
        }
        self.slots.extend([slot(Py_tp_doc, self.docs.as_ptr().cast()), PyType_Slot::default()]);
        let mut spec = PyType_Spec {
            name: self.name.as_ptr(),
            basicsize: self.size as c_int,
            itemsize: 0,
            flags: (Py_TPFLAGS_DEFAULT | self.flags) as u32,
            slots: self.slots.as_mut_ptr(),
        };
        // SAFETY: the spec is whole; what its slots point to is never freed.
        owned(unsafe { PyType_FromSpec(&mut spec) })
    }
}

/// A part of a class: a function of C's, or data.
pub fn slot(slot: c_int, part: *const ()) -> PyType_Slot {
    PyType_Slot { slot, pfunc: part as *mut c_void }
}

/// A method, or a function of the module.
pub fn method(name: &'static CStr, function: PyCFunction, flags: c_int, docs: &'static CStr) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunction: function },
        ml_flags: flags,
        ml_doc: docs.as_ptr(),
    }
}
