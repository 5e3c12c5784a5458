//! Making a Python type from its parts.

use crate::ffi::{self, PyGetSetDef, PyMemberDef, PyMethodDef, PyMethodDefPointer, PyType_Slot, PyType_Spec};
use crate::py::{Outcome, PyObject, Ref};
use std::ffi::{CStr, c_int, c_uint, c_ulong, c_void};
use std::ptr;

/// A type in the making. What it is made of lives as long as the process, as the type does.
pub struct TypeOf {
    name: &'static CStr,
    size: usize,
    flags: c_ulong,
    slots: Vec<PyType_Slot>,
    members: Vec<PyMemberDef>,
    attributes: Vec<PyGetSetDef>,
    methods: Vec<PyMethodDef>,
}

/// Reads an attribute: null when it raised.
pub type Getter = unsafe extern "C" fn(*mut PyObject, *mut c_void) -> *mut PyObject;
/// Writes an attribute, or deletes it where the value is null: -1 when it raised.
pub type Setter = unsafe extern "C" fn(*mut PyObject, *mut PyObject, *mut c_void) -> c_int;
/// A method with positional and keyword arguments.
pub type Method =
    unsafe extern "C" fn(*mut PyObject, *const *mut PyObject, isize, *mut PyObject) -> *mut PyObject;
/// A method without arguments, or with one.
pub type Action = unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> *mut PyObject;

impl TypeOf {
    /// A type whose objects are `T`s, which starts with a `PyObject` and is all zeros when new.
    pub fn new<T>(name: &'static CStr) -> TypeOf {
        TypeOf {
            name,
            size: size_of::<T>(),
            flags: ffi::Py_TPFLAGS_DEFAULT,
            slots: Vec::new(),
            members: Vec::new(),
            attributes: Vec::new(),
            methods: Vec::new(),
        }
    }

    /// Adds a flag.
    pub fn flag(mut self, flag: c_ulong) -> TypeOf {
        self.flags |= flag;
        self
    }

    /// Fills a slot with a function of the slot's type.
    pub fn slot(mut self, slot: c_int, function: *const ()) -> TypeOf {
        self.slots.push(PyType_Slot { slot, pfunc: function as *mut c_void });
        self
    }

    /// A field of the object that is read without a call: `Py_T_OBJECT_EX`, which CPython's interpreter
    /// specialises to a load.
    pub fn member(mut self, name: &'static CStr, type_code: c_int, offset: usize) -> TypeOf {
        self.members.push(PyMemberDef {
            name: name.as_ptr(),
            type_code,
            offset: offset as isize,
            flags: ffi::Py_READONLY,
            doc: ptr::null(),
        });
        self
    }

    /// An attribute that is computed.
    pub fn attribute(mut self, name: &'static CStr, get: Getter, doc: &'static CStr) -> TypeOf {
        self.attributes.push(PyGetSetDef {
            name: name.as_ptr(),
            get: Some(get),
            set: None,
            doc: doc.as_ptr(),
            closure: ptr::null_mut(),
        });
        self
    }

    /// An attribute that is computed, and may be written.
    pub fn property(mut self, name: &'static CStr, get: Getter, set: Setter, doc: &'static CStr) -> TypeOf {
        self = self.attribute(name, get, doc);
        if let Some(attribute) = self.attributes.last_mut() {
            attribute.set = Some(set);
        }
        self
    }

    /// A method with arguments.
    pub fn method(mut self, name: &'static CStr, method: Method, doc: &'static CStr) -> TypeOf {
        self.methods.push(PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunctionFastWithKeywords: method },
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ml_doc: doc.as_ptr(),
        });
        self
    }

    /// A method without arguments.
    pub fn action(mut self, name: &'static CStr, action: Action, doc: &'static CStr) -> TypeOf {
        self.methods.push(PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunction: action },
            ml_flags: ffi::METH_NOARGS,
            ml_doc: doc.as_ptr(),
        });
        self
    }

    /// A method with one argument.
    pub fn one(mut self, name: &'static CStr, action: Action, doc: &'static CStr) -> TypeOf {
        self.methods.push(PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunction: action },
            ml_flags: ffi::METH_O,
            ml_doc: doc.as_ptr(),
        });
        self
    }

    /// A method of the class itself with one argument.
    pub fn class_method(mut self, name: &'static CStr, action: Action, doc: &'static CStr) -> TypeOf {
        self.methods.push(PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunction: action },
            ml_flags: ffi::METH_O | ffi::METH_CLASS,
            ml_doc: doc.as_ptr(),
        });
        self
    }

    /// A method of the class itself without arguments.
    pub fn class_action(mut self, name: &'static CStr, action: Action, doc: &'static CStr) -> TypeOf {
        self.methods.push(PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunction: action },
            ml_flags: ffi::METH_NOARGS | ffi::METH_CLASS,
            ml_doc: doc.as_ptr(),
        });
        self
    }

    /// The type, derived from `base` where there is one.
    pub fn make(mut self, base: Option<&Ref>) -> Outcome<Ref> {
        if !self.members.is_empty() {
            self.members.push(PyMemberDef::default());
            let members = self.members.leak().as_ptr();
            self.slots.push(PyType_Slot { slot: ffi::Py_tp_members, pfunc: members as *mut c_void });
        }
        if !self.attributes.is_empty() {
            self.attributes.push(PyGetSetDef::default());
            let attributes = self.attributes.leak().as_ptr();
            self.slots.push(PyType_Slot { slot: ffi::Py_tp_getset, pfunc: attributes as *mut c_void });
        }
        if !self.methods.is_empty() {
            self.methods.push(PyMethodDef::zeroed());
            let methods = self.methods.leak().as_ptr();
            self.slots.push(PyType_Slot { slot: ffi::Py_tp_methods, pfunc: methods as *mut c_void });
        }
        self.slots.push(PyType_Slot::default());
        let mut spec = PyType_Spec {
            name: self.name.as_ptr(),
            basicsize: self.size as c_int,
            itemsize: 0,
            flags: self.flags as c_uint,
            slots: self.slots.leak().as_mut_ptr(),
        };
        let base = base.map_or(ptr::null_mut(), Ref::as_ptr);
        // SAFETY: the spec is whole, and what it points to is never freed.
        unsafe { Ref::steal(ffi::PyType_FromSpecWithBases(&mut spec, base)) }
    }
}

/// A new object of a type made here, all zeros behind its head.
pub fn new(of: &Ref) -> Outcome<Ref> {
    // SAFETY: a type made by `TypeOf`.
    unsafe { Ref::steal(ffi::PyType_GenericAlloc(of.as_ptr().cast(), 0)) }
}

/// Frees an object of a heap type whose references have been dropped.
///
/// # Safety
/// Only from the type's `tp_dealloc`.
pub unsafe fn free(object: *mut PyObject) {
    // SAFETY: the caller's promise: nobody refers to it, and a heap type is owned by its objects.
    unsafe {
        let of = ffi::Py_TYPE(object);
        ffi::PyObject_Free(object.cast());
        ffi::decref(of.cast());
    }
}
