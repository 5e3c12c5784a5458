//! A type of elements, as checked messages compare it and as MPI is told its fields.

use super::failure::raise;
use super::integer::count;
use super::types;
use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject, Ref, returned};
use crate::types::{self as make, TypeOf};
use upcall_mpi::{ElementType, FieldAt};

/// What is known of one.
pub struct Known {
    pub name: String,
    pub of: ElementType,
    fields: Vec<Field>,
}

struct Field {
    type_name: String,
    offset: usize,
    size: usize,
}

impl Known {
    /// What a datatype is made of: its fields, or itself.
    pub fn table(&self) -> Vec<FieldAt<'_>> {
        if self.fields.is_empty() {
            return vec![FieldAt { type_name: &self.name, offset: 0, size: self.of.size() }];
        }
        let fields = self.fields.iter();
        fields
            .map(|field| FieldAt { type_name: &field.type_name, offset: field.offset, size: field.size })
            .collect()
    }
}

#[repr(C)]
struct Object {
    head: PyObject,
    known: *mut Known,
}

/// `MpiElementType(name, size, fields)`, of which each field is `(name, type, offset, size)`.
pub fn element_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiElementType")
        .slot(ffi::Py_tp_new, new as *const ())
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .make(None)
}

unsafe extern "C" fn new(
    of: *mut ffi::PyTypeObject,
    given: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a type of ours and a tuple.
    returned(unsafe {
        let given = Ref::share(given);
        described(&given).and_then(|known| {
            let made = make::new(&Ref::share(of.cast()))?;
            (*made.as_ptr().cast::<Object>()).known = Box::into_raw(Box::new(known));
            Ok(made)
        })
    })
}

fn described(given: &Ref) -> Outcome<Known> {
    let (name, fields) = (py::item(given, 0)?, py::item(given, 2)?);
    let name = name.text()?.to_owned();
    let mut known =
        Known { of: ElementType::named(&name, size(given, 1)?).map_err(raise)?, name, fields: Vec::new() };
    for index in 0..py::len(&fields)? {
        let field = py::item(&fields, index)?;
        let (name, type_name) = (py::item(&field, 0)?, py::item(&field, 1)?);
        let (type_name, offset, size) = (type_name.text()?.to_owned(), size(&field, 2)?, size(&field, 3)?);
        known.of = known.of.field(name.text()?, &type_name, offset, size).map_err(raise)?;
        known.fields.push(Field { type_name, offset, size });
    }
    Ok(known)
}

fn size(given: &Ref, index: usize) -> Outcome<usize> {
    let number = py::item(given, index)?;
    // SAFETY: alive.
    unsafe { count(number.as_ptr(), "size") }
}

/// What an object knows.
///
/// # Safety
/// It must stay alive while the result is used.
pub unsafe fn known<'a>(object: *mut PyObject) -> Outcome<&'a Known> {
    // SAFETY: the caller's promise; it is one where its type says so, and never changes.
    unsafe {
        if ffi::PyObject_TypeCheck(object, types().element.as_ptr().cast()) != 0
            && let Some(known) = (*object.cast::<Object>()).known.as_ref()
        {
            return Ok(known);
        }
    }
    Err(py::raise(Kind::Type, "give an mpi.ElementType"))
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with one that nobody refers to.
    unsafe {
        let known = (*this.cast::<Object>()).known;
        if !known.is_null() {
            drop(Box::from_raw(known));
        }
        make::free(this);
    }
}
