//! `upcall.Object`: one object that reaches a handler, a view that ends with the call.
//!
//! Reading an attribute that is computed costs a call; reading a field costs a load, but the field has to be
//! filled before anybody asks. So there are four types: `Object` computes its key and its value, its
//! subclasses have one or both as fields. The driver begins with the first and moves to the subclass that
//! fits what the handler was seen to read.

use super::call::Place;
use super::form;
use super::keys::is_bytes;
use super::natives::Natives;
use super::state::{State, clear};
use crate::failure;
use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject, Ref, returned};
use crate::types::{self, TypeOf};
use std::cell::Cell;
use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;
use std::rc::Rc;

/// The Python object.
#[repr(C)]
pub struct Object {
    head: PyObject,
    key: *mut PyObject,
    value: *mut PyObject,
    /// Which item it shows, in which call; empty before the first.
    place: Option<Place>,
    /// Of the instance that made it, which is counted.
    state: *const State,
}

/// The key is a field.
const KEY: usize = 1;
/// The value is a field.
pub const VALUE: usize = 2;

/// What a handler reads of its objects, and which of the four types suits it.
#[derive(Default)]
pub struct Reads {
    keys: Cell<u32>,
    values: Cell<u32>,
}

impl Reads {
    /// Reads of an attribute before it becomes a field.
    const OFTEN: u32 = 8;

    /// The value is a field from the first object on: it is of a type, and fails before the handler runs.
    pub fn typed(&self) {
        self.values.set(Self::OFTEN);
    }

    /// The type to use: bits [`KEY`] and [`VALUE`].
    #[inline(always)]
    pub fn kind(&self) -> usize {
        usize::from(self.keys.get() >= Self::OFTEN) * KEY
            + usize::from(self.values.get() >= Self::OFTEN) * VALUE
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
        .attribute(
            c"cancelled",
            cancelled,
            c"Why it is no longer waited for: TimedOut, Cancelled or Closed; None while it is.",
        )
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

/// A new object of one of the four types, for an instance.
pub fn new(kind: usize, state: &Rc<State>) -> Outcome<Ref> {
    let object = types::new(&Natives::get().objects[kind])?;
    let place = object.as_ptr().cast::<Object>();
    // SAFETY: a new object of this type, zeroed.
    unsafe {
        (&raw mut (*place).place).write(None);
        (&raw mut (*place).state).write(Rc::into_raw(state.clone()));
    }
    Ok(object)
}

/// Points an object at an item and fills its fields.
///
/// # Safety
/// `object` must be an object of type `kind` with empty fields, of [`new`], that nobody else uses.
#[inline(always)]
pub unsafe fn begin(object: *mut Object, kind: usize, place: Place) -> Outcome<()> {
    // SAFETY: the caller's promise; an object holds its state.
    unsafe {
        (*object).place = Some(place);
        let state = &*(*object).state;
        if kind & KEY != 0 {
            (*object).key = state.key(place)?.into_ptr();
        }
        if kind & VALUE != 0 {
            (*object).value = state.value(place)?.into_ptr();
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
        if ffi::refcount(object.cast()) != 1 {
            // A copy is the handler's to keep, a view is not.
            let value = (*object).value;
            if !value.is_null() && !is_bytes(value) {
                clear(&raw mut (*object).value);
            }
            return false;
        }
        empty(object);
        // The end of a value may have run code that took hold of the object.
        ffi::refcount(object.cast()) == 1
    }
}

/// Drops what an object shows.
///
/// # Safety
/// `object` must be alive.
#[inline(always)]
pub unsafe fn empty(object: *mut Object) {
    // SAFETY: the caller's promise.
    unsafe {
        clear(&raw mut (*object).key);
        clear(&raw mut (*object).value);
    }
}

/// The state and the item of an object; raises where there is none.
///
/// # Safety
/// `object` must be an [`Object`], alive for `'a`.
unsafe fn shown<'a>(object: *mut PyObject) -> Outcome<(&'a State, Place)> {
    // SAFETY: the caller's promise; an object holds its state.
    unsafe {
        let object = object.cast::<Object>();
        match (*object).place {
            Some(place) => Ok((&*(*object).state, place)),
            None => Err(py::raise(Kind::Runtime, "the object shows nothing yet")),
        }
    }
}

/// Keeps what was computed in a field, unless another thread did so meanwhile or the call has ended.
///
/// # Safety
/// `field` must be one of an object of `state` that is alive.
unsafe fn keep(field: *mut *mut PyObject, computed: Ref, state: &State, place: Place) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        if (*field).is_null() && state.call.is(place.moment()) {
            *field = computed.clone().into_ptr();
        }
    }
    computed.into_ptr()
}

/// Whether a field that is filled is still shown: as long as the handler likes, but for an item that is answered later, which
/// must not be taken for open when it is over.
#[inline(always)]
fn may_be_read(state: &State, place: Place) -> bool {
    !state.call.is_later() || state.call.is(place.moment())
}

unsafe extern "C" fn key(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: CPython calls it with an Object, alive until this returns.
    unsafe {
        let field = &raw mut (*object.cast::<Object>()).key;
        let Ok((state, place)) = shown(object) else { return ptr::null_mut() };
        if !(*field).is_null() && may_be_read(state, place) {
            ffi::incref(*field);
            return *field;
        }
        state.reads.keys.set(state.reads.keys.get().saturating_add(1));
        let Ok(key) = state.key(place) else { return ptr::null_mut() };
        keep(field, key, state, place)
    }
}

unsafe extern "C" fn value(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    unsafe {
        let field = &raw mut (*object.cast::<Object>()).value;
        let Ok((state, place)) = shown(object) else { return ptr::null_mut() };
        if !(*field).is_null() && may_be_read(state, place) {
            ffi::incref(*field);
            return *field;
        }
        state.reads.values.set(state.reads.values.get().saturating_add(1));
        let Ok(value) = state.value(place) else { return ptr::null_mut() };
        keep(field, value, state, place)
    }
}

unsafe extern "C" fn number(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { shown(object) }.and_then(|(state, place)| {
        let (item, (word, len)) = (state.call.item(place)?, state.call.word(place)?);
        match state.pool_by_id(item.pool).and_then(|pool| pool.number) {
            Some(number) => number.read(word, len),
            None => {
                let path = state.path(item.pool)?;
                let message = format!("pool {} declares no number type: read obj.value", path.text()?);
                Err(py::raise(Kind::Type, message))
            }
        }
    }))
}

unsafe extern "C" fn version(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { shown(object) }.and_then(|(state, place)| py::int(state.call.item(place)?.version)))
}

unsafe extern "C" fn time(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { shown(object) }.and_then(|(state, place)| py::int(state.call.item(place)?.time)))
}

unsafe extern "C" fn pool(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { shown(object) }.and_then(|(state, place)| state.path(state.call.item(place)?.pool)))
}

unsafe extern "C" fn sender(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { shown(object) }.and_then(|(state, place)| state.sender(state.call.item(place)?.sender)))
}

unsafe extern "C" fn cancelled(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe { shown(object) }.and_then(|(state, _)| match state.call.why_over() {
        Some(over) => over.exception(),
        None => Ok(py::none()),
    }))
}

unsafe extern "C" fn repr(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `key`.
    returned(unsafe {
        match shown(object) {
            Ok((state, place)) if state.call.is(place.moment()) => (|| {
                let (item, key) = (state.call.item(place)?, state.call.key_text(place)?);
                let (key, version, len) = (key.text()?, item.version, item.value.len);
                let text = format!("<upcall.Object {key} v{version} ({len} bytes)>");
                py::text(text.as_bytes())
            })(),
            ended => {
                let _ = ended.map_err(failure::forget);
                py::text(b"<upcall.Object, ended>")
            }
        }
    })
}

unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: CPython calls it with an Object that nobody refers to; `new` counted its state.
    unsafe {
        empty(object.cast());
        let state = (*object.cast::<Object>()).state;
        if !state.is_null() {
            Rc::decrement_strong_count(state);
        }
        types::free(object);
    }
}
