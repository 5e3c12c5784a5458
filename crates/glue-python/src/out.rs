//! `Out`: room for what a function gives through a pointer.

use super::class::{Made, attribute, dealloc, method, slot};
use super::ffi::*;
use super::kind;
use super::object::StructType;
use super::view::{Element, take_address};
use std::ffi::{CStr, c_int, c_void};
use std::mem::{offset_of, replace};
use std::ptr;

/// The Python object `Out`.
#[repr(C)]
struct Out {
    head: PyObject,
    /// What it was given, until it is first passed; null for nothing.
    given: Ref,
    /// A `bytearray`, which views of a struct keep; null until it is first passed.
    memory: Ref,
    place: *mut u8,
    of: Option<&'static Element>,
}

const _: () = {
    const HEADER: usize = size_of::<PyObject>();
    const WORD: usize = size_of::<usize>();
    assert!(size_of::<Out>() == HEADER + 4 * WORD && align_of::<Out>() == WORD);
    assert!(offset_of!(Out, head) == 0);
    assert!(offset_of!(Out, given) == HEADER);
    assert!(offset_of!(Out, memory) == HEADER + WORD);
    assert!(offset_of!(Out, place) == HEADER + 2 * WORD);
    assert!(offset_of!(Out, of) == HEADER + 3 * WORD);
};

static CLASS: Class = Class::new();

/// The place of an `Out`'s value; nothing for any other object.
#[inline(always)]
pub unsafe fn place(object: Obj, of: &'static Element, at: &'static At) -> Outcome<Option<*mut u8>> {
    // SAFETY: the object is alive.
    unsafe {
        if !CLASS.is_of(object) {
            return Ok(None);
        }
        let out = &mut *object.cast::<Out>();
        if !out.of.is_some_and(|known| ptr::eq(known, of)) {
            out.hold(of, at)?;
        }
        Ok(Some(out.place))
    }
}

/// A pointer to one value that native code writes: an `Out`, an object of the struct, an address or `None`.
#[inline]
pub unsafe fn take_out(
    object: Obj,
    of: Option<&'static StructType>,
    element: &'static Element,
    nullable: bool,
    at: &'static At,
) -> Outcome<*mut u8> {
    // SAFETY: the object is alive.
    unsafe {
        match place(object, element, at)? {
            Some(place) => Ok(place),
            None => take_address(object, of, nullable, at),
        }
    }
}

impl Out {
    /// Makes room for such a value, which is what it has been so far.
    #[cold]
    unsafe fn hold(&mut self, of: &'static Element, at: &'static At) -> Outcome<()> {
        // SAFETY: the GIL is held; the room is aligned and as large as the value.
        unsafe {
            let value = Ref(self.value()?);
            let room = of.size + of.align;
            let memory = Ref::new(PyByteArray_FromStringAndSize(ptr::null(), room as isize))?;
            let bytes = PyByteArray_AsString(memory.0).cast::<u8>();
            ptr::write_bytes(bytes, 0, room);
            let place = bytes.add(bytes.align_offset(of.align));
            if value.0 != Py_None() {
                kind::put(&of.kind, place, value.0, at)?;
            }
            (self.place, self.of) = (place, Some(of));
            // What was there goes when all is set: giving it back may run Python.
            let _before = (replace(&mut self.memory, memory), replace(&mut self.given, Ref::NONE));
            Ok(())
        }
    }

    unsafe fn value(&self) -> Outcome<Obj> {
        // SAFETY: the place lies in the memory.
        unsafe {
            match self.of {
                Some(of) => kind::get(&of.kind, self.place, self.memory.0),
                None if self.given.is_none() => Ok(none()),
                None => Ok(Ref::to(self.given.0).give()),
            }
        }
    }
}

/// Makes the class `Out` and adds it to the module.
pub unsafe fn make(module: Obj, package: &'static CStr) -> Outcome<()> {
    let value = attribute(c"value", get_value, Some(set_value), c"What lies there.", ptr::null());
    let attributes = vec![value, PyGetSetDef::default()];
    let docs =
        c"Out(value=None)\n--\n\nRoom for what a function gives through a pointer: pass it there, and read \
                 value.";
    let made = Made {
        name: c"Out",
        package,
        size: size_of::<Out>(),
        flags: 0,
        docs,
        methods: vec![method(c"__class_getitem__", of_type, METH_O | METH_CLASS, c"The class itself.")],
        slots: vec![
            slot(Py_tp_new, construct as *const ()),
            slot(Py_tp_dealloc, dealloc::<Out> as *const ()),
            slot(Py_tp_repr, repr as *const ()),
            slot(Py_nb_index, index as *const ()),
            slot(Py_tp_getset, attributes.leak().as_ptr().cast()),
        ],
    };
    // SAFETY: the functions are those that the slots are for.
    unsafe { made.add(module, &CLASS) }
}

unsafe extern "C" fn construct(class: *mut PyTypeObject, arguments: Obj, keywords: Obj) -> Obj {
    // SAFETY: CPython calls it with a class, a tuple, and a dict or null.
    returned(unsafe {
        let count = PyTuple_Size(arguments);
        if count > 1 || !keywords.is_null() && PyDict_Size(keywords) > 0 {
            Err(raise(PyExc_TypeError, "Out() takes one value at most"))
        } else {
            owned(PyType_GenericAlloc(class, 0)).inspect(|object| {
                if count == 1 {
                    (*object.cast::<Out>()).given = Ref::to(PyTuple_GetItem(arguments, 0));
                }
            })
        }
    })
}

unsafe extern "C" fn of_type(class: Obj, _: Obj) -> Obj {
    // SAFETY: the class.
    unsafe { Ref::to(class).give() }
}

unsafe extern "C" fn get_value(object: Obj, _: *mut c_void) -> Obj {
    // SAFETY: an `Out`.
    returned(unsafe { (*object.cast::<Out>()).value() })
}

unsafe extern "C" fn set_value(object: Obj, value: Obj, _: *mut c_void) -> c_int {
    static VALUE: At = At { name: c"value", owner: c"Out" };
    // SAFETY: an `Out`; a null value is a deletion.
    status(unsafe {
        let out = &mut *object.cast::<Out>();
        match out.of {
            _ if value.is_null() => Err(raise(PyExc_TypeError, "the value of an Out cannot be deleted")),
            Some(of) => kind::put(&of.kind, out.place, value, &VALUE),
            None => {
                drop(replace(&mut out.given, Ref::to(value)));
                Ok(())
            }
        }
    })
}

/// An address or a number that was written there is passed on as such.
unsafe extern "C" fn index(object: Obj) -> Obj {
    // SAFETY: an `Out`.
    returned(unsafe {
        (*object.cast::<Out>()).value().map(Ref).and_then(|value| {
            owned(if value.0 == Py_None() { PyLong_FromLong(0) } else { PyNumber_Index(value.0) })
        })
    })
}

unsafe extern "C" fn repr(object: Obj) -> Obj {
    // SAFETY: an `Out`.
    returned(unsafe {
        let value = (*object.cast::<Out>()).value().map(Ref);
        value.and_then(|value| owned(PyUnicode_FromFormat(c"Out(%R)".as_ptr(), value.0)))
    })
}
