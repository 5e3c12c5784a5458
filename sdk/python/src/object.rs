//! `upcall.Object`: one object that reaches a handler, a view that ends with the call.
//!
//! Reading an attribute that is computed costs a call; reading a field costs a load, but the field has to be
//! filled before anybody asks. So there are four types: `Object` computes its key and its value, its
//! subclasses have one or both as fields. The driver begins with the first and moves to the subclass that
//! fits what the handler was seen to read.

use crate::ffi;
use crate::form;
use crate::keys::is_bytes;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use crate::state::{State, clear};
use crate::types::{self, TypeOf};
use std::ffi::c_void;
use std::mem::offset_of;
use upcall_abi::Item;

/// The Python object.
#[repr(C)]
pub struct Object {
    head: PyObject,
    key: *mut PyObject,
    value: *mut PyObject,
    /// Null once its call has ended; then `state` is not touched either.
    item: *const Item,
    state: *mut State,
}

/// The key is a field.
const KEY: usize = 1;
/// The value is a field.
const VALUE: usize = 2;

/// What a handler reads of its objects, and which of the four types suits it.
#[derive(Default)]
pub struct Reads {
    keys: u32,
    values: u32,
}

impl Reads {
    /// Reads of an attribute before it becomes a field.
    const OFTEN: u32 = 8;

    /// The value is a field from the first object on: it is of a type, and fails before the handler runs.
    pub fn typed(&mut self) {
        self.values = Self::OFTEN;
    }

    /// The type to use: bits [`KEY`] and [`VALUE`].
    #[inline(always)]
    pub fn kind(&self) -> usize {
        usize::from(self.keys >= Self::OFTEN) * KEY + usize::from(self.values >= Self::OFTEN) * VALUE
    }
}

/// The four types, by kind.
pub fn object_types() -> Outcome<[Ref; 4]> {
    let base = TypeOf::new::<Object>(c"upcall.Object")
        .flag(ffi::Py_TPFLAGS_BASETYPE | ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .slot(ffi::Py_tp_repr, repr as *const ())
        .attribute(c"key", key, c"The key: UTF-8 bytes.")
        .attribute(
            c"value",
            value,
            c"The value: bytes, or a memoryview from 4 KiB on, which ends with the call.",
        )
        .attribute(c"number", number, c"The value as int or float, in a pool that declares a number type.")
        .attribute(
            c"version",
            version,
            c"Strictly increasing per key, unique per pool; 0 for the sample of a flow file's ``warm``.",
        )
        .attribute(c"time", time, c"Nanoseconds since the Unix epoch, never backward within a pool.")
        .attribute(c"pool", pool, c"The path of the pool it was put into.")
        .attribute(c"sender", sender, c"Who put it: a handler's name, or who puts from outside.")
        .class_method(form::OF_TYPE, form::of_type, c"For annotations.")
        .make(None)?;
    let derived = |kind: usize| {
        let mut made = TypeOf::new::<Object>(c"upcall.Object")
            .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
            .slot(ffi::Py_tp_dealloc, dealloc as *const ());
        if kind & KEY != 0 {
            made = made.member(c"key", ffi::Py_T_OBJECT_EX, offset_of!(Object, key));
        }
        if kind & VALUE != 0 {
            made = made.member(c"value", ffi::Py_T_OBJECT_EX, offset_of!(Object, value));
        }
        made.make(Some(&base))
    };
    let (keys, values, both) = (derived(KEY)?, derived(VALUE)?, derived(KEY | VALUE)?);
    Ok([base, keys, values, both])
}

/// Points an object at an item and fills its fields.
///
/// # Safety
/// - `object` must be an object of type `kind` with empty fields.
/// - `item` must be of the current frame of `state`; [`end`] must be called before the frame ends.
#[inline(always)]
pub unsafe fn begin(object: *mut Object, kind: usize, item: *const Item, state: *mut State) -> Outcome<()> {
    // SAFETY: the caller's promise.
    unsafe {
        (*object).item = item;
        (*object).state = state;
        if kind & KEY != 0 {
            (*object).key = (*state).key(item)?.into_ptr();
        }
        if kind & VALUE != 0 {
            (*object).value = (*state).value(item)?.into_ptr();
        }
    }
    Ok(())
}

/// Ends an object's call. Returns whether it may be used again: nobody kept it.
///
/// # Safety
/// `object` must be alive and the caller own one reference to it.
#[inline(always)]
pub unsafe fn end(object: *mut Object) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        (*object).item = std::ptr::null();
        if ffi::refcount(object.cast()) != 1 {
            // A copy is the handler's to keep, a view is not.
            let value = (*object).value;
            if !value.is_null() && !is_bytes(value) {
                clear(&raw mut (*object).value);
            }
            return false;
        }
        clear(&raw mut (*object).key);
        clear(&raw mut (*object).value);
        true
    }
}

/// # Safety
/// `object` must be an [`Object`].
unsafe fn live(object: *mut PyObject) -> Outcome<(*const Item, *mut State)> {
    // SAFETY: the caller's promise; while `item` is not null its frame and state are there.
    unsafe {
        let object = object.cast::<Object>();
        if (*object).item.is_null() {
            return Err(ended());
        }
        Ok(((*object).item, (*object).state))
    }
}

#[cold]
fn ended() -> Raised {
    py::raise(
        Kind::Runtime,
        "the object has ended with its call: keep bytes(obj.key), bytes(obj.value) instead",
    )
}

/// Hands a new reference to C, or null for what was raised.
pub(crate) fn returned(outcome: Outcome<Ref>) -> *mut PyObject {
    outcome.map_or(std::ptr::null_mut(), Ref::into_ptr)
}

unsafe extern "C" fn key(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: CPython calls it with an Object; its live parts are what `begin` promises.
    unsafe {
        let place = object.cast::<Object>();
        if (*place).key.is_null() {
            let Ok((item, state)) = live(object) else { return std::ptr::null_mut() };
            (*state).reads.keys = (*state).reads.keys.saturating_add(1);
            let Ok(key) = (*state).key(item) else { return std::ptr::null_mut() };
            (*place).key = key.into_ptr();
        }
        ffi::incref((*place).key);
        (*place).key
    }
}

unsafe extern "C" fn value(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    unsafe {
        let place = object.cast::<Object>();
        if (*place).value.is_null() {
            let Ok((item, state)) = live(object) else { return std::ptr::null_mut() };
            (*state).reads.values = (*state).reads.values.saturating_add(1);
            let Ok(value) = (*state).value(item) else { return std::ptr::null_mut() };
            (*place).value = value.into_ptr();
        }
        ffi::incref((*place).value);
        (*place).value
    }
}

unsafe extern "C" fn number(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { live(object) }.and_then(|(item, state)| unsafe {
        let pool = (*state).pool_by_id((*item).pool);
        match pool.and_then(|pool| pool.number) {
            Some(number) => number.read((*state).bytes((*item).value)),
            None => {
                let path = (*state).path((*item).pool)?;
                let message = format!("pool {} declares no number type: read obj.value", path.text()?);
                Err(py::raise(Kind::Type, message))
            }
        }
    }))
}

unsafe extern "C" fn version(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { live(object) }.and_then(|(item, _)| py::int(unsafe { (*item).version })))
}

unsafe extern "C" fn time(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { live(object) }.and_then(|(item, _)| py::int(unsafe { (*item).time })))
}

unsafe extern "C" fn pool(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { live(object) }.and_then(|(item, state)| unsafe { (*state).path((*item).pool) }))
}

unsafe extern "C" fn sender(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { live(object) }.and_then(|(item, state)| unsafe { (*state).sender((*item).sender) }))
}

unsafe extern "C" fn repr(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `key`.
    unsafe {
        let place = object.cast::<Object>();
        if (*place).item.is_null() {
            return returned(py::text(b"<upcall.Object, ended>"));
        }
        let (item, state) = (&*(*place).item, &*(*place).state);
        let key = String::from_utf8_lossy(state.bytes(item.key));
        let text = format!("<upcall.Object {key} v{} ({} bytes)>", item.version, item.value.len);
        returned(py::text(text.as_bytes()))
    }
}

unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: CPython calls it with an Object that nobody refers to.
    unsafe {
        clear(&raw mut (*object.cast::<Object>()).key);
        clear(&raw mut (*object.cast::<Object>()).value);
        types::free(object);
    }
}
