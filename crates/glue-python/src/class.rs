//! Classes that are made together with the module.

use super::ffi::*;
use std::ffi::{CStr, c_int, c_ulong, c_void};
use std::mem::offset_of;

/// What a class is made of.
pub struct Made {
    /// Its name.
    pub name: &'static CStr,
    /// The package's.
    pub package: &'static CStr,
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
    /// Makes the class and adds it to the module.
    pub unsafe fn add(self, module: Obj, class: &Class) -> Outcome<()> {
        let name = self.name.as_ptr();
        // SAFETY: the module takes its own reference.
        unsafe {
            class.set(self.class()?);
            done(PyModule_AddObjectRef(module, name, class.get()))
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
            name: within(self.package, self.name).as_ptr(),
            basicsize: self.size as c_int,
            itemsize: 0,
            flags: (Py_TPFLAGS_DEFAULT | self.flags) as u32,
            slots: self.slots.as_mut_ptr(),
        };
        // SAFETY: the spec is whole; what its slots point to is never freed.
        owned(unsafe { PyType_FromSpec(&mut spec) })
    }
}

/// An object over memory: a struct, an array.
#[repr(C)]
pub struct Placed<T: 'static> {
    head: PyObject,
    /// Where the memory is.
    pub data: *mut u8,
    /// The owner of the memory; none if that is the object itself, or nobody here.
    pub owner: Ref,
    /// What lies there.
    pub of: &'static T,
}

const _: () = {
    const HEADER: usize = size_of::<PyObject>();
    const WORD: usize = size_of::<usize>();
    type Object = Placed<()>;
    assert!(size_of::<Object>() == HEADER + 3 * WORD && align_of::<Object>() == WORD);
    assert!(offset_of!(Object, head) == 0);
    assert!(offset_of!(Object, data) == HEADER);
    assert!(offset_of!(Object, owner) == HEADER + WORD);
    assert!(offset_of!(Object, of) == HEADER + 2 * WORD);
};

impl<T> Placed<T> {
    /// A new object of a class of such objects, over no memory yet.
    #[inline(always)]
    pub unsafe fn new(class: &Class, of: &'static T) -> Outcome<*mut Placed<T>> {
        // SAFETY: all of a new object but its head is zeros, of which only `of` is no value.
        unsafe {
            let object = owned(PyType_GenericAlloc(class.get().cast(), 0))?.cast::<Placed<T>>();
            (&raw mut (*object).of).write(of);
            Ok(object)
        }
    }

    /// One over memory that `owner` keeps; null if nobody here does.
    pub unsafe fn view(class: &Class, of: &'static T, data: *mut u8, owner: Obj) -> Outcome<Obj> {
        // SAFETY: as above; the owner is alive.
        unsafe {
            let object = Self::new(class, of)?;
            (*object).data = data;
            (*object).owner = Ref::to(owner);
            Ok(object.cast())
        }
    }
}

/// Frees an object, with what it holds: the last reference is gone.
pub unsafe extern "C" fn dealloc<T>(object: Obj) {
    // SAFETY: a `T`; a heap type is owned by its objects.
    unsafe {
        let class = Py_TYPE(object);
        object.cast::<T>().drop_in_place();
        PyObject_Free(object.cast());
        decref(class.cast());
    }
}

/// The full name of something in the package, which is never freed.
pub fn within(package: &CStr, name: &CStr) -> &'static CStr {
    let name = [package.to_bytes(), b".", name.to_bytes_with_nul()].concat().leak();
    CStr::from_bytes_until_nul(name).unwrap_or_default()
}

/// A part of a class: a function of C's, or data.
pub fn slot(slot: c_int, part: *const ()) -> PyType_Slot {
    PyType_Slot { slot, pfunc: part as *mut c_void }
}

/// An attribute that is read, and written if it has a `set`, by functions that are given the closure.
pub fn attribute(
    name: &'static CStr,
    get: getter,
    set: Option<setter>,
    docs: &'static CStr,
    closure: *const c_void,
) -> PyGetSetDef {
    let (name, doc, closure) = (name.as_ptr(), docs.as_ptr(), closure.cast_mut());
    PyGetSetDef { name, get: Some(get), set, doc, closure }
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
