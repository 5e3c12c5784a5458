//! Arrays in structs, as sequences over their owner's bytes.

use super::class::{Made, slot};
use super::ffi::*;
use super::kind::{self, Kind};
use std::ffi::{CStr, c_int};
use std::mem::offset_of;
use std::ptr;

/// A type of arrays.
pub struct ArrayType {
    /// What an element is.
    pub of: Kind,
    /// Bytes from one element to the next.
    pub stride: usize,
    /// How many elements there are.
    pub len: usize,
    /// Of the innermost elements, with their size, and the dimensions with their strides.
    pub format: &'static CStr,
    /// The size of an innermost element.
    pub item: isize,
    /// The dimensions.
    pub shape: &'static [isize],
    /// Bytes from one to the next in each.
    pub strides: &'static [isize],
}

#[repr(C)]
struct Array {
    head: PyObject,
    data: *mut u8,
    owner: Obj,
    of: &'static ArrayType,
}

const _: () = {
    const HEADER: usize = size_of::<PyObject>();
    const WORD: usize = size_of::<usize>();
    assert!(size_of::<Array>() == HEADER + 3 * WORD && align_of::<Array>() == WORD);
    assert!(offset_of!(Array, head) == 0);
    assert!(offset_of!(Array, data) == HEADER);
    assert!(offset_of!(Array, owner) == HEADER + WORD);
    assert!(offset_of!(Array, of) == HEADER + 2 * WORD);
};

static CLASS: Class = Class::new();
static ELEMENT: At = At { name: c"an element", owner: c"an array" };

/// Makes the class `NativeArray` and adds it to the module.
pub unsafe fn make(module: Obj, name: &'static CStr) -> Outcome<()> {
    let made = Made {
        name,
        size: size_of::<Array>(),
        flags: Py_TPFLAGS_DISALLOW_INSTANTIATION,
        docs: c"An array in a struct: a view of the struct's bytes.",
        methods: Vec::new(),
        slots: vec![
            slot(Py_tp_dealloc, dealloc as *const ()),
            slot(Py_tp_repr, repr as *const ()),
            slot(Py_tp_richcompare, compare as *const ()),
            slot(Py_sq_length, length as *const ()),
            slot(Py_sq_item, get as *const ()),
            slot(Py_sq_ass_item, set as *const ()),
            slot(Py_bf_getbuffer, get_buffer as *const ()),
        ],
    };
    // SAFETY: the functions are those that the slots are for.
    unsafe { made.add(module, &CLASS) }
}

/// An array over memory at `place`, which `owner` keeps.
pub unsafe fn view(of: &'static ArrayType, place: *mut u8, owner: Obj) -> Outcome<Obj> {
    // SAFETY: a new object of the class, filled at once.
    unsafe {
        let array = owned(PyType_GenericAlloc(CLASS.get().cast(), 0))?.cast::<Array>();
        (*array).data = place;
        if !owner.is_null() {
            incref(owner);
        }
        (*array).owner = owner;
        (&raw mut (*array).of).write(of);
        Ok(array.cast())
    }
}

/// Writes all elements from a sequence of the same length.
pub unsafe fn put(of: &'static ArrayType, place: *mut u8, value: Obj, at: &'static At) -> Outcome<()> {
    // SAFETY: `of.len` elements may be written at `place`.
    unsafe {
        let len = PySequence_Size(value);
        if len < 0 {
            return Err(at.wrong_type(c"a sequence", value));
        }
        if len as usize != of.len {
            return Err(at.invalid(&format!("has {} elements, not {len}", of.len)));
        }
        for index in 0..of.len {
            let element = owned(PySequence_GetItem(value, index as isize))?;
            let put = kind::put(&of.of, place.add(index * of.stride), element, at);
            decref(element);
            put?;
        }
        Ok(())
    }
}

unsafe extern "C" fn dealloc(array: Obj) {
    // SAFETY: the last reference is gone.
    unsafe {
        let class = Py_TYPE(array);
        decref((*array.cast::<Array>()).owner);
        PyObject_Free(array.cast());
        decref(class.cast());
    }
}

unsafe extern "C" fn length(array: Obj) -> isize {
    // SAFETY: an `Array`.
    unsafe { (*array.cast::<Array>()).of.len as isize }
}

/// The place of an element.
unsafe fn element(array: Obj, index: isize) -> Outcome<*mut u8> {
    // SAFETY: an `Array`; the index is looked at.
    unsafe {
        let array = &*array.cast::<Array>();
        if (index as usize) < array.of.len {
            return Ok(array.data.add(index as usize * array.of.stride));
        }
        Err(raise(PyExc_IndexError, &format!("the array has {} elements, none at {index}", array.of.len)))
    }
}

unsafe extern "C" fn get(array: Obj, index: isize) -> Obj {
    // SAFETY: as above.
    returned(unsafe {
        element(array, index).and_then(|place| {
            let array = &*array.cast::<Array>();
            kind::get(&array.of.of, place, array.owner)
        })
    })
}

unsafe extern "C" fn set(array: Obj, index: isize, value: Obj) -> c_int {
    // SAFETY: as above; the value is null for `del`.
    status(unsafe {
        element(array, index).and_then(|place| {
            if value.is_null() {
                return Err(raise(PyExc_TypeError, "an element cannot be deleted"));
            }
            kind::put(&(*array.cast::<Array>()).of.of, place, value, &ELEMENT)
        })
    })
}

unsafe extern "C" fn repr(array: Obj) -> Obj {
    // SAFETY: an `Array` is a sequence.
    unsafe {
        let list = PySequence_List(array);
        if list.is_null() {
            return list;
        }
        let text = PyObject_Repr(list);
        decref(list);
        text
    }
}

unsafe extern "C" fn compare(a: Obj, b: Obj, how: c_int) -> Obj {
    // SAFETY: `a` is an `Array`.
    unsafe {
        let class: Obj = Py_TYPE(b).cast();
        let comparable = class == CLASS.get() || PyList_Check(b) != 0 || PyTuple_Check(b) != 0;
        if !comparable || how != Py_EQ && how != Py_NE {
            let answer = Py_NotImplemented();
            incref(answer);
            return answer;
        }
        let (left, right) = (PySequence_List(a), PySequence_List(b));
        let answer = if left.is_null() || right.is_null() {
            ptr::null_mut()
        } else {
            PyObject_RichCompare(left, right, how)
        };
        decref(left);
        decref(right);
        answer
    }
}

unsafe extern "C" fn get_buffer(array: Obj, to: *mut Py_buffer, flags: c_int) -> c_int {
    // SAFETY: an `Array`, and a buffer to fill; shape and strides live as long as the process.
    unsafe {
        let Array { data, of, .. } = &*array.cast::<Array>();
        if PyBuffer_FillInfo(to, array, data.cast(), (of.len * of.stride) as isize, 0, flags) != 0 {
            return -1;
        }
        if flags & PyBUF_FORMAT == PyBUF_FORMAT {
            (*to).itemsize = of.item;
            (*to).format = of.format.as_ptr().cast_mut();
        }
        if flags & PyBUF_ND == PyBUF_ND {
            (*to).itemsize = of.item;
            (*to).ndim = of.shape.len() as c_int;
            (*to).shape = of.shape.as_ptr().cast_mut();
            (*to).strides = of.strides.as_ptr().cast_mut();
        }
        0
    }
}
