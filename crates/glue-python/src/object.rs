//! Structs, unions and data-carrying enums as Python objects, which hold their bytes or point to memory held
//! by their owner.

use super::call::is_named;
use super::class::{Made, Placed, attribute, dealloc, method, slot};
use super::ffi::*;
use super::kind::{self, Kind};
use super::limits::{self, Limit};
use std::collections::HashMap;
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

/// A type of objects.
pub struct StructType {
    /// Its name.
    pub name: &'static CStr,
    /// Its docs.
    pub docs: &'static CStr,
    /// How many bytes a value has.
    pub size: usize,
    /// Where they may begin.
    pub align: usize,
    /// As the buffer protocol spells it.
    pub format: &'static CStr,
    /// Its fields.
    pub fields: &'static [Field],
    /// What a value must be, besides bytes.
    pub limits: &'static [Limit],
    /// Its class.
    pub class: Class,
}

/// A field.
pub struct Field {
    /// Its name and its owner's.
    pub at: At,
    /// Its docs.
    pub docs: &'static CStr,
    /// From the beginning of the value.
    pub offset: usize,
    /// What is there.
    pub kind: Kind,
}

/// The Python object. Its own bytes follow, aligned.
pub type Object = Placed<StructType>;

/// The alignment of `PyObject_Malloc`.
const NATURAL: usize = 2 * size_of::<usize>();
const HEAD: usize = size_of::<Object>().next_multiple_of(NATURAL);

/// A new object whose bytes are zeros.
#[inline]
pub unsafe fn new(of: &'static StructType) -> Outcome<Obj> {
    // SAFETY: the class is one of `make`, whose size has room for the bytes and their alignment.
    unsafe {
        let object = Object::new(&of.class, of)?;
        let inside = object.cast::<u8>().add(HEAD);
        (*object).data = inside.add(inside.align_offset(of.align));
        Ok(object.cast())
    }
}

/// An object over memory at `place`.
pub unsafe fn view(of: &'static StructType, place: *mut u8, owner: Obj) -> Outcome<Obj> {
    // SAFETY: as above; the owner is alive, or null.
    unsafe { Object::view(&of.class, of, place, owner) }
}

/// The bytes of an object of this type.
#[inline(always)]
pub unsafe fn bytes(object: Obj, of: &'static StructType, at: &'static At) -> Outcome<*mut u8> {
    // SAFETY: objects of the class are `Object`s.
    unsafe {
        if of.class.is_of(object) {
            Ok((*object.cast::<Object>()).data)
        } else {
            Err(at.wrong_type(of.name, object))
        }
    }
}

/// A value out of an object of a type without limits.
#[inline(always)]
pub unsafe fn take<T: Copy>(object: Obj, of: &'static StructType, at: &'static At) -> Outcome<T> {
    debug_assert!(of.limits.is_empty() && size_of::<T>() == of.size);
    // SAFETY: `T` is the type's mirror.
    unsafe { Ok(bytes(object, of, at)?.cast::<T>().read_unaligned()) }
}

/// The same of a type with limits. A function of its own, because looking at run time costs the others 0.5 ns.
pub unsafe fn take_limited<T: Copy>(object: Obj, of: &'static StructType, at: &'static At) -> Outcome<T> {
    debug_assert_eq!(size_of::<T>(), of.size);
    // SAFETY: as above.
    unsafe {
        let value = bytes(object, of, at)?.cast::<T>().read_unaligned();
        limits::check((&raw const value).cast(), of.limits, at)?;
        Ok(value)
    }
}

/// A value as a new object.
#[inline(always)]
pub unsafe fn give<T: Copy>(value: T, of: &'static StructType) -> Outcome<Obj> {
    debug_assert_eq!(size_of::<T>(), of.size);
    // SAFETY: as above.
    unsafe {
        let object = new(of)?;
        (*object.cast::<Object>()).data.cast::<T>().write_unaligned(value);
        Ok(object)
    }
}

static TYPES: OnceLock<HashMap<usize, &'static StructType>> = OnceLock::new();

/// The type that a class was made from.
unsafe fn type_of(class: Obj) -> Outcome<&'static StructType> {
    let found = TYPES.get().and_then(|types| types.get(&(class as usize)).copied());
    // SAFETY: the GIL is held.
    found.ok_or_else(|| unsafe { raise(PyExc_TypeError, "not a type of this module") })
}

/// Makes the classes and adds them to the module.
pub unsafe fn make(module: Obj, package: &'static CStr, types: &[&'static StructType]) -> Outcome<()> {
    let mut map = HashMap::new();
    for of in types {
        // SAFETY: the GIL is held, and all are alive.
        unsafe {
            let class = class(of, package)?;
            of.class.set(class);
            map.insert(class as usize, *of);
            done(PyModule_AddObjectRef(module, of.name.as_ptr(), class))?;
        }
    }
    let _ = TYPES.set(map);
    Ok(())
}

unsafe fn class(of: &'static StructType, package: &'static CStr) -> Outcome<Obj> {
    let of_field = |field: &'static Field| {
        attribute(field.at.name, get_field, Some(set_field), field.docs, ptr::from_ref(field).cast())
    };
    let mut attributes: Vec<PyGetSetDef> = of.fields.iter().map(of_field).collect();
    attributes.push(attribute(c"_address_", get_address, None, c"Where the bytes are.", ptr::null()));
    attributes.push(PyGetSetDef::default());
    let made = Made {
        name: of.name,
        package,
        size: HEAD + of.size + of.align.saturating_sub(NATURAL),
        flags: 0,
        docs: of.docs,
        methods: vec![
            method(c"__copy__", copy, METH_NOARGS, c"A copy that holds its own bytes."),
            method(
                c"_at_",
                at,
                METH_O | METH_CLASS,
                c"A view of the value at an address, which must stay valid.",
            ),
            method(
                c"_in_",
                inside,
                METH_O | METH_CLASS,
                c"The value in a buffer of its size: a view, or a copy where it cannot be written.",
            ),
        ],
        slots: vec![
            slot(Py_tp_new, construct as *const ()),
            slot(Py_tp_dealloc, dealloc::<Object> as *const ()),
            slot(Py_tp_repr, repr as *const ()),
            slot(Py_tp_richcompare, compare as *const ()),
            slot(Py_bf_getbuffer, get_buffer as *const ()),
            slot(Py_tp_getset, attributes.leak().as_ptr().cast()),
        ],
    };
    // SAFETY: the functions are those that the slots are for; each value is new.
    unsafe {
        let class = made.class()?;
        let offsets = Ref::new(PyDict_New())?;
        for field in of.fields {
            let offset = Ref::new(PyLong_FromSize_t(field.offset))?;
            done(PyDict_SetItemString(offsets.0, field.at.name.as_ptr(), offset.0))?;
        }
        let (size, align) = (Ref::new(PyLong_FromSize_t(of.size))?, Ref::new(PyLong_FromSize_t(of.align))?);
        for (name, value) in [(c"_offsets_", offsets), (c"_size_", size), (c"_align_", align)] {
            done(PyObject_SetAttrString(class, name.as_ptr(), value.0))?;
        }
        Ok(class)
    }
}

unsafe extern "C" fn construct(class: *mut PyTypeObject, arguments: Obj, keywords: Obj) -> Obj {
    // SAFETY: CPython calls it with a class, a tuple, and a dict or null.
    returned(unsafe {
        type_of(class.cast()).and_then(|of| {
            if PyTuple_Size(arguments) != 0 {
                let message = format!("{} takes its fields by name only", of.name.to_string_lossy());
                return Err(raise(PyExc_TypeError, &message));
            }
            let object = Ref(new(of)?);
            fill(object.0, of, keywords)?;
            Ok(object.give())
        })
    })
}

unsafe fn fill(object: Obj, of: &'static StructType, keywords: Obj) -> Outcome<()> {
    // SAFETY: an object of this type; keywords are null or a dict with names as keys.
    unsafe {
        let (mut position, mut key, mut value) = (0, ptr::null_mut(), ptr::null_mut());
        while !keywords.is_null() && PyDict_Next(keywords, &mut position, &mut key, &mut value) != 0 {
            let named = |field: &&Field| is_named(key, &field.at);
            let Some(field) = of.fields.iter().find(named) else {
                PyErr_Format(PyExc_TypeError, c"%s has no field %S".as_ptr(), of.name.as_ptr(), key);
                return Err(Raised);
            };
            kind::put(&field.kind, (*object.cast::<Object>()).data.add(field.offset), value, &field.at)?;
        }
        Ok(())
    }
}

/// The owner that keeps an object's bytes alive: views of views hold the outermost one.
unsafe fn holder(object: Obj) -> Obj {
    // SAFETY: an `Object`.
    unsafe {
        let owner = (*object.cast::<Object>()).owner.0;
        if owner.is_null() { object } else { owner }
    }
}

unsafe extern "C" fn get_field(object: Obj, field: *mut c_void) -> Obj {
    // SAFETY: the closure is a field of the object's type.
    returned(unsafe {
        let field = &*field.cast::<Field>();
        kind::get(&field.kind, (*object.cast::<Object>()).data.add(field.offset), holder(object))
    })
}

unsafe extern "C" fn set_field(object: Obj, value: Obj, field: *mut c_void) -> c_int {
    // SAFETY: as above; the value is null for `del`.
    status(unsafe {
        let field = &*field.cast::<Field>();
        if value.is_null() {
            Err(raise(PyExc_TypeError, "a field cannot be deleted"))
        } else {
            kind::put(&field.kind, (*object.cast::<Object>()).data.add(field.offset), value, &field.at)
        }
    })
}

unsafe extern "C" fn get_address(object: Obj, _: *mut c_void) -> Obj {
    // SAFETY: an `Object`.
    unsafe { PyLong_FromSize_t((*object.cast::<Object>()).data as usize) }
}

unsafe extern "C" fn copy(object: Obj, _: Obj) -> Obj {
    // SAFETY: an `Object`, and a new one of the same type.
    returned(unsafe {
        let of = (*object.cast::<Object>()).of;
        new(of).inspect(|new| {
            (*new.cast::<Object>()).data.copy_from((*object.cast::<Object>()).data, of.size);
        })
    })
}

unsafe extern "C" fn at(class: Obj, address: Obj) -> Obj {
    static ADDRESS: At = At { name: c"address", owner: c"_at_" };
    // SAFETY: the user vouches for the address.
    returned(unsafe {
        type_of(class).and_then(|of| {
            let address: usize = super::number::take_int(address, &ADDRESS)?;
            if address == 0 {
                return Err(ADDRESS.invalid("is null"));
            }
            view(of, address as *mut u8, ptr::null_mut())
        })
    })
}

unsafe extern "C" fn inside(class: Obj, bytes: Obj) -> Obj {
    static BYTES: At = At { name: c"bytes", owner: c"_in_" };
    // SAFETY: the memoryview keeps the memory where it is, and the object keeps the memoryview.
    returned(unsafe {
        type_of(class).and_then(|of| {
            let bytes = Ref::new(PyMemoryView_FromObject(bytes))?;
            in_buffer(of, bytes.0, &BYTES)
        })
    })
}

unsafe fn in_buffer(of: &'static StructType, bytes: Obj, at: &'static At) -> Outcome<Obj> {
    let mut buffer = Py_buffer::new();
    // SAFETY: a memoryview, which has one buffer as long as it lives.
    unsafe {
        done(PyObject_GetBuffer(bytes, &mut buffer, PyBUF_C_CONTIGUOUS))?;
        let (place, size, readonly) = (buffer.buf.cast::<u8>(), buffer.len as usize, buffer.readonly != 0);
        PyBuffer_Release(&mut buffer);
        if size != of.size {
            return Err(at.invalid(&format!("must be {}, not {size}", of.size)));
        }
        if !readonly {
            return view(of, place, bytes);
        }
        new(of).inspect(|new| (*new.cast::<Object>()).data.copy_from(place, size))
    }
}

unsafe extern "C" fn repr(object: Obj) -> Obj {
    // SAFETY: an `Object`.
    returned(unsafe { shown(object, (*object.cast::<Object>()).of) })
}

unsafe fn shown(object: Obj, of: &'static StructType) -> Outcome<Obj> {
    // SAFETY: an object of this type.
    unsafe {
        let mut text = Ref::new(PyUnicode_FromFormat(c"%s(".as_ptr(), of.name.as_ptr()))?;
        for (index, field) in of.fields.iter().enumerate() {
            let value = match Ref::new(get_field(object, ptr::from_ref(field).cast_mut().cast())) {
                Err(Raised) if matches!(field.kind, Kind::Variant(..)) => {
                    // Another variant than the value's.
                    PyErr_Clear();
                    continue;
                }
                value => value?,
            };
            let (comma, name) = (if index > 0 { c", " } else { c"" }, field.at.name.as_ptr());
            let format = c"%U%s%s=%R".as_ptr();
            text = Ref::new(PyUnicode_FromFormat(format, text.0, comma.as_ptr(), name, value.0))?;
        }
        owned(PyUnicode_FromFormat(c"%U)".as_ptr(), text.0))
    }
}

unsafe extern "C" fn compare(a: Obj, b: Obj, how: c_int) -> Obj {
    // SAFETY: `a` is an `Object`; `b` is one when it is of the same class.
    unsafe {
        if Py_TYPE(a) != Py_TYPE(b) || how != Py_EQ && how != Py_NE {
            return Ref::to(Py_NotImplemented()).give();
        }
        let mut equal = true;
        for field in (*a.cast::<Object>()).of.fields {
            let closure = ptr::from_ref(field).cast_mut().cast();
            let (left, right) = (Ref(get_field(a, closure)), Ref(get_field(b, closure)));
            let same = match (left.is_none(), right.is_none()) {
                (false, false) => PyObject_RichCompareBool(left.0, right.0, Py_EQ),
                (left, right) => (left == right).into(),
            };
            // Reading a variant that the value is not raises.
            PyErr_Clear();
            if same != 1 {
                equal = false;
                break;
            }
        }
        PyBool_FromLong((equal == (how == Py_EQ)).into())
    }
}

unsafe extern "C" fn get_buffer(object: Obj, to: *mut Py_buffer, flags: c_int) -> c_int {
    // SAFETY: an `Object`, and a buffer to fill.
    unsafe {
        let (data, of) = ((*object.cast::<Object>()).data, (*object.cast::<Object>()).of);
        if PyBuffer_FillInfo(to, object, data.cast(), of.size as isize, 0, flags) != 0 {
            return -1;
        }
        if flags & PyBUF_FORMAT == PyBUF_FORMAT {
            (*to).itemsize = of.size as isize;
            (*to).format = of.format.as_ptr().cast_mut();
            (*to).ndim = 0;
            (*to).shape = ptr::null_mut();
            (*to).strides = ptr::null_mut();
        }
        0
    }
}
