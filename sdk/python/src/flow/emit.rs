//! `upcall.Emit`: writes what a handler emits into the frame's output. Ends with the call.

use super::data::Data;
use super::form;
use super::keys::{bytes_of, is_bytes};
use super::natives::Natives;
use super::read::{list, read, version};
use super::state::{Pool, State};
use crate::arguments;
use crate::failure;
use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref, returned};
use crate::support;
use crate::types::{self, TypeOf};
use std::mem::offset_of;
use std::ptr;
use std::rc::Rc;
use upcall_abi::access;

/// The Python object: called to emit, so it carries its own `vectorcall`.
#[repr(C)]
pub struct Emit {
    head: PyObject,
    vectorcall: ffi::vectorcallfunc,
    /// What it emits into: the instance's, or one that is in no call once its own call has ended.
    state: *const State,
    /// Of the instance that made it. Both are counted.
    made: *const State,
}

/// The type.
pub fn emit_type() -> Outcome<Ref> {
    TypeOf::new::<Emit>(c"upcall.Emit")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION | ffi::HAVE_VECTORCALL)
        .member(c"__vectorcalloffset__", ffi::Py_T_PYSSIZET, offset_of!(Emit, vectorcall))
        .slot(ffi::Py_tp_call, ffi::PyVectorcall_Call as *const ())
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .class_method(form::OF_TYPE, form::of_type, c"For annotations.")
        .method(c"many", many, c"Emits many objects: keys, and their values or one value for all.")
        .method(c"put_if", put_if, c"Emits an object if its key has the version that is named when it arrives.")
        .method(
            c"read",
            read,
            c"A key of a pool that may be read: its newest version, or the one of a version or a time, or None.",
        )
        .method(c"list", list, c"The keys of a pool that may be read, sorted: those that begin with a prefix.")
        .make(None)
}

/// A new emitter for an instance: it emits into the instance's current call.
pub fn new(state: &Rc<State>) -> Outcome<Ref> {
    let emit = types::new(&Natives::get().emit)?;
    let place = emit.as_ptr().cast::<Emit>();
    // SAFETY: a new object of this type, zeroed; every field behind the head is written.
    unsafe {
        (&raw mut (*place).vectorcall).write(put);
        (&raw mut (*place).state).write(Rc::into_raw(state.clone()));
        (&raw mut (*place).made).write(Rc::into_raw(state.clone()));
    }
    Ok(emit)
}

/// Whether it may be used for the next call too: nobody kept it.
#[inline(always)]
pub fn is_ours(emit: &Ref) -> bool {
    // SAFETY: alive, on an attached thread.
    unsafe { ffi::refcount(emit.as_ptr()) == 1 }
}

/// Ends an emitter that somebody has kept: it emits into nothing from now on. Once for each.
pub fn end(emit: &Ref, ended: &Rc<State>) {
    let place = emit.as_ptr().cast::<Emit>();
    // SAFETY: an emitter of `new`. Another thread that is in the middle of a use has the state of before, which `made` counts.
    unsafe {
        let state = (&raw mut (*place).state).replace(Rc::into_raw(ended.clone()));
        Rc::decrement_strong_count(state);
    }
}

unsafe extern "C" fn dealloc(emit: *mut PyObject) {
    // SAFETY: CPython calls it with an Emit that nobody refers to; both are counted.
    unsafe {
        Rc::decrement_strong_count((*emit.cast::<Emit>()).state);
        Rc::decrement_strong_count((*emit.cast::<Emit>()).made);
        types::free(emit);
    }
}

/// # Safety
/// `emit` must be an emitter, alive for `'a`.
#[inline(always)]
pub unsafe fn state<'a>(emit: *mut PyObject) -> &'a State {
    // SAFETY: the caller's promise; an emitter holds its state.
    unsafe { &*(*emit.cast::<Emit>()).state }
}

/// The pool that is named, or the first.
///
/// # Safety
/// `pool` must be null or alive.
#[inline(always)]
unsafe fn destination(state: &State, pool: *mut PyObject) -> Outcome<&Pool> {
    // SAFETY: the caller's promise.
    unsafe {
        if pool.is_null() || pool == ffi::Py_None() {
            let none = || py::raise(Kind::Value, "this handler has no output pool: add one to its `to`");
            return state.default_pool().ok_or_else(none);
        }
        state.pool_by_path(pool, access::EMIT)
    }
}

/// What the handler gave as a key.
///
/// # Safety
/// The object must stay alive while the data is used.
#[inline(always)]
unsafe fn named(pool: &Pool, key: *mut PyObject) -> Outcome<Data> {
    // SAFETY: the caller's promise.
    unsafe { Data::key(key).map_err(|raised| refused(raised, pool, key)) }
}

/// What the handler gave as a value, for this key, or for many where it is null.
///
/// # Safety
/// Both objects must stay alive while the data is used.
#[inline(always)]
unsafe fn converted(state: &State, pool: &Pool, key: *mut PyObject, object: *mut PyObject) -> Outcome<Data> {
    let emits = &state.forms.emits;
    // SAFETY: the caller's promise.
    unsafe {
        if emits.is_empty() {
            return Data::value(object, pool.number).map_err(|raised| refused(raised, pool, key));
        }
        let Some(index) = emits.iter().position(|form| form.takes(object)) else {
            return Err(form::not_emitted(emits, object));
        };
        if !pool.agrees[index] {
            return Err(emits[index].refused_by(pool));
        }
        let data = match emits[index].packed(object)? {
            Some(packed) => Data::packed(packed),
            None => Data::value(object, pool.number),
        };
        data.map_err(|raised| refused(raised, pool, key))
    }
}

/// Has the exception that is set say what is not emitted.
///
/// # Safety
/// `key` must be null or alive.
#[cold]
unsafe fn refused(raised: Raised, pool: &Pool, key: *mut PyObject) -> Raised {
    let Some(error) = failure::raised(raised) else { return Raised };
    // SAFETY: the caller's promise.
    let key = if key.is_null() { py::none() } else { unsafe { Ref::share(key) } };
    match support::call(c"refused", &[&error, &pool.path, &key]) {
        Ok(error) => failure::raise(&error),
        Err(raised) => raised,
    }
}

/// `emit(key, value, pool=None)`
unsafe extern "C" fn put(
    emit: *mut PyObject,
    given: *const *mut PyObject,
    flags: usize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    let count = flags & (usize::MAX >> 1);
    // SAFETY: CPython passes an emitter and arguments that live until this returns.
    let outcome = unsafe {
        let plain = if count == 2 && keywords.is_null() {
            Ok([*given, *given.add(1), ptr::null_mut()])
        } else {
            arguments::parse("emit", ["key", "value", "pool"], 2, given, count, keywords)
        };
        plain.and_then(|[key, value, pool]| {
            let state = state(emit);
            let moment = state.call.moment("emit")?;
            let pool = destination(state, pool)?;
            // Two `bytes` are what most emit, and need no conversion.
            let plain = pool.number.is_none() && state.forms.emits.is_empty();
            if plain && is_bytes(key) && is_bytes(value) {
                return state.call.put(moment, pool.id, bytes_of(key), bytes_of(value));
            }
            let (key, value) = (named(pool, key)?, converted(state, pool, key, value)?);
            state.call.put(moment, pool.id, key.bytes(), value.bytes())
        })
    };
    returned(outcome.map(|()| py::none()))
}

/// `emit.put_if(key, value, previous, pool=None)`
unsafe extern "C" fn put_if(
    emit: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    const NAMES: [&str; 4] = ["key", "value", "previous", "pool"];
    // SAFETY: as `put`.
    let outcome = unsafe {
        arguments::parse("emit.put_if", NAMES, 3, given, count as usize, keywords).and_then(
            |[key, value, previous, pool]| {
                let state = state(emit);
                let moment = state.call.moment("emit.put_if")?;
                let pool = destination(state, pool)?;
                let previous = version(previous)?;
                let (key, value) = (named(pool, key)?, converted(state, pool, key, value)?);
                state.call.put_if(moment, pool.id, key.bytes(), value.bytes(), previous)
            },
        )
    };
    returned(outcome.map(|()| py::none()))
}

/// `emit.many(keys, values, pool=None)`
unsafe extern "C" fn many(
    emit: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `put`.
    let outcome = unsafe {
        arguments::parse("emit.many", ["keys", "values", "pool"], 2, given, count as usize, keywords)
            .and_then(|[keys, values, pool]| put_many(emit.cast(), keys, values, pool))
    };
    returned(outcome.map(|()| py::none()))
}

/// # Safety
/// The objects must be alive.
unsafe fn put_many(
    emit: *mut PyObject,
    keys: *mut PyObject,
    values: *mut PyObject,
    pool: *mut PyObject,
) -> Outcome<()> {
    // SAFETY: the caller's promise. An item is held while it is used: a conversion of another may run code that
    // takes it out of its list.
    unsafe {
        let state = state(emit);
        let moment = state.call.moment("emit.many")?;
        let pool = destination(state, pool)?;
        let keys = sequence(keys)?;
        let len = ffi::PyObject_Size(keys.as_ptr());
        if one(values) || state.forms.emits.iter().any(|form| form.takes(values)) {
            let value = converted(state, pool, ptr::null_mut(), values)?;
            for index in 0..len {
                let key = item(&keys, index)?;
                state.call.put(moment, pool.id, named(pool, key.as_ptr())?.bytes(), value.bytes())?;
            }
            return Ok(());
        }
        let values = sequence(values)?;
        let count = ffi::PyObject_Size(values.as_ptr());
        if count != len {
            return Err(py::raise(Kind::Value, format!("emit.many got {len} keys and {count} values")));
        }
        for index in 0..len {
            let (key, value) = (item(&keys, index)?, item(&values, index)?);
            let (key, value) = (key.as_ptr(), value.as_ptr());
            let (key, value) = (&named(pool, key)?, &converted(state, pool, key, value)?);
            state.call.put(moment, pool.id, key.bytes(), value.bytes())?;
        }
        Ok(())
    }
}

/// Whether `values` is one value for all keys.
///
/// # Safety
/// The object must be alive.
unsafe fn one(values: *mut PyObject) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let of = ffi::Py_TYPE(values);
        let single = [
            &raw mut ffi::PyBytes_Type,
            &raw mut ffi::PyUnicode_Type,
            &raw mut ffi::PyLong_Type,
            &raw mut ffi::PyFloat_Type,
            &raw mut ffi::PyByteArray_Type,
            &raw mut ffi::PyMemoryView_Type,
        ];
        single.contains(&of)
    }
}

/// The object itself when it is a list or a tuple, else a list of what it yields.
///
/// # Safety
/// The object must be alive.
unsafe fn sequence(object: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    unsafe {
        if ffi::PyList_Check(object) != 0 || ffi::PyTuple_Check(object) != 0 {
            return Ok(Ref::share(object));
        }
        Ref::steal(ffi::PySequence_List(object))
    }
}

/// The element at `index`.
///
/// # Safety
/// `list` must be of [`sequence`].
#[inline(always)]
unsafe fn item(list: &Ref, index: isize) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    unsafe {
        let item = if ffi::PyList_Check(list.as_ptr()) != 0 {
            ffi::PyList_GetItem(list.as_ptr(), index)
        } else {
            ffi::PyTuple_GetItem(list.as_ptr(), index)
        };
        if item.is_null() { Err(Raised) } else { Ok(Ref::share(item)) }
    }
}
