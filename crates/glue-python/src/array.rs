//! Arrays in structs, as sequences over their owner's bytes.

use super::class::{Made, Placed, dealloc, slot};
use super::ffi::*;
use super::kind::{self, Kind};
use std::ffi::{CStr, c_int};

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

type Array = Placed<ArrayType>;

static CLASS: Class = Class::new();
static ELEMENT: At = At { name: c"an element", owner: c"an array" };

/// Makes the class `NativeArray` and adds it to the module.
pub unsafe fn make(module: Obj, package: &'static CStr) -> Outcome<()> {
    let made = Made {
        name: c"NativeArray",
        package,
        size: size_of::<Array>(),
        flags: Py_TPFLAGS_DISALLOW_INSTANTIATION,
        docs: c"An array in a struct: a view of the struct's bytes.",
        methods: Vec::new(),
        slots: vec![
            slot(Py_tp_dealloc, dealloc::<Array> as *const ()),
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
    // SAFETY: the class is one of arrays; the owner is alive, or null.
    unsafe { Array::view(&CLASS, of, place, owner) }
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
            let element = Ref::new(PySequence_GetItem(value, index as isize))?;
            kind::put(&of.of, place.add(index * of.stride), element.0, at)?;
        }
        Ok(())
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
            kind::get(&array.of.of, place, array.owner.0)
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
    returned(unsafe { Ref::new(PySequence_List(array)).and_then(|list| owned(PyObject_Repr(list.0))) })
}

unsafe extern "C" fn compare(a: Obj, b: Obj, how: c_int) -> Obj {
    // SAFETY: `a` is an `Array`.
    unsafe {
        let class: Obj = Py_TYPE(b).cast();
        let comparable = class == CLASS.get() || PyList_Check(b) != 0 || PyTuple_Check(b) != 0;
        if !comparable || how != Py_EQ && how != Py_NE {
            return Ref::to(Py_NotImplemented()).give();
        }
        let lists = Ref::new(PySequence_List(a)).and_then(|a| Ok((a, Ref::new(PySequence_List(b))?)));
        returned(lists.and_then(|(a, b)| owned(PyObject_RichCompare(a.0, b.0, how))))
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
