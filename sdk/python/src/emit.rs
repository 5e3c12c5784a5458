//! `upcall.Emit`: writes what a handler emits into the frame's output. Ends with the call.

use crate::arguments;
use crate::data::Data;
use crate::ffi;
use crate::form::{self, Form};
use crate::log;
use crate::object::returned;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use crate::state::{Pool, State};
use crate::support;
use crate::types::{self, TypeOf};
use std::mem::offset_of;
use std::ptr;
use upcall_abi::{FlowFrame, Item, Record, Status, Writer, access};

/// The Python object: called to emit, so it carries its own `vectorcall`.
#[repr(C)]
pub struct Emit {
    head: PyObject,
    vectorcall: ffi::vectorcallfunc,
    /// `None` outside of a call; then `state` is not touched either.
    pub writer: Option<Writer>,
    /// Index of the item that is being handled.
    pub item: u32,
    default: Option<usize>,
    state: *mut State,
}

/// The type.
pub fn emit_type() -> Outcome<Ref> {
    TypeOf::new::<Emit>(c"upcall.Emit")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION | HAVE_VECTORCALL)
        .member(c"__vectorcalloffset__", ffi::Py_T_PYSSIZET, offset_of!(Emit, vectorcall))
        .slot(ffi::Py_tp_call, ffi::PyVectorcall_Call as *const ())
        .slot(ffi::Py_tp_dealloc, types::free as *const ())
        .class_method(form::OF_TYPE, form::of_type, c"For annotations.")
        .method(c"many", many, c"Emits many objects: keys, and their values or one value for all.")
        .method(c"read", read, c"The newest version of a key in a pool that may be read, or None.")
        .make(None)
}

/// `Py_TPFLAGS_HAVE_VECTORCALL`, which the limited API names from 3.12 on.
const HAVE_VECTORCALL: std::ffi::c_ulong = 1 << 11;

/// A new emitter for an instance. It may emit between [`begin`] and [`end`].
pub fn new(of: &Ref, state: *mut State) -> Outcome<Ref> {
    let emit = types::new(of)?;
    let place = emit.as_ptr().cast::<Emit>();
    // SAFETY: a new object of this type, zeroed; every field behind the head is written.
    unsafe {
        (&raw mut (*place).vectorcall).write(put);
        (&raw mut (*place).writer).write(None);
        (&raw mut (*place).item).write(Record::NO_ITEM);
        (&raw mut (*place).default).write(None);
        (&raw mut (*place).state).write(state);
    }
    Ok(emit)
}

/// Lets the emitter write into a frame.
///
/// # Safety
/// - `emit` must be of [`new`] and its state alive.
/// - `frame` must be a valid flow frame whose output is used by this emitter alone until [`end`].
pub unsafe fn begin(emit: &Ref, frame: *mut FlowFrame) -> *mut Emit {
    let place = emit.as_ptr().cast::<Emit>();
    // SAFETY: the caller's promise.
    unsafe {
        (*place).writer = Some(Writer::new(frame.cast(), &raw mut (*frame).out));
        (*place).item = Record::NO_ITEM;
        (*place).default = (*(*place).state).default_pool();
    }
    place
}

/// Ends the emitter's call.
///
/// # Safety
/// `emit` must be of [`begin`].
pub unsafe fn end(emit: *mut Emit) {
    // SAFETY: the caller's promise.
    unsafe { (*emit).writer = None };
}

/// # Safety
/// `emit` must be an emitter, `pool` null or alive. The state lives while the emitter has a writer.
#[inline(always)]
unsafe fn destination<'a>(emit: *mut Emit, pool: *mut PyObject) -> Outcome<Place<'a>> {
    // SAFETY: the caller's promise.
    unsafe {
        let emit = &mut *emit;
        let Some(writer) = &mut emit.writer else {
            return Err(py::raise(
                Kind::Runtime,
                "emit was used after its call had ended: emit while you are called",
            ));
        };
        let state = &*emit.state;
        let index = if pool.is_null() || pool == ffi::Py_None() {
            match emit.default {
                Some(index) => index,
                None => return Err(py::raise(Kind::Value, "it may emit to no pool: add one to its `to`")),
            }
        } else {
            state.pool_by_path(pool, access::EMIT)?
        };
        Ok(Place { writer, item: emit.item, pool: &state.pools[index], emits: &state.forms.emits })
    }
}

/// Where an emission goes.
struct Place<'a> {
    /// A pointer, as getting at a buffer may run Python that emits in between.
    writer: *mut Writer,
    item: u32,
    pool: &'a Pool,
    emits: &'a [Form],
}

impl Place<'_> {
    /// What the handler gave as a value.
    ///
    /// # Safety
    /// The object must stay alive while the data is used.
    #[inline(always)]
    unsafe fn value(&self, object: *mut PyObject) -> Outcome<Data> {
        // SAFETY: the caller's promise.
        unsafe {
            if self.emits.is_empty() {
                return Data::value(object, self.pool.number);
            }
            let Some(form) = self.emits.iter().find(|form| form.takes(object)) else {
                return Err(form::not_emitted(self.emits, object));
            };
            form.check(self.pool)?;
            match form.packed(object)? {
                Some(packed) => Data::packed(packed),
                None => Data::value(object, self.pool.number),
            }
        }
    }

    #[inline(always)]
    fn write(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        // SAFETY: the writer lives as long as the call, and this thread is attached: nobody else uses it.
        let written = unsafe { (*self.writer).put(self.pool.id, self.item, key, value) };
        written.ok_or_else(|| no_memory(value.len()))
    }
}

#[cold]
fn no_memory(len: usize) -> Raised {
    py::raise(
        Kind::Memory,
        format!("no memory to emit a value of {len} bytes: the flow has reached its limit"),
    )
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
            let place = destination(emit.cast(), pool)?;
            let (key, value) = (Data::key(key)?, place.value(value)?);
            place.write(key.bytes(), value.bytes())
        })
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
/// As [`destination`], and the objects must be alive.
unsafe fn put_many(
    emit: *mut Emit,
    keys: *mut PyObject,
    values: *mut PyObject,
    pool: *mut PyObject,
) -> Outcome<()> {
    // SAFETY: the caller's promise. The lists hold their items; nobody else runs meanwhile but the code of
    // a buffer or a number, and what that drops from the list it must not use itself.
    unsafe {
        let place = destination(emit, pool)?;
        let keys = sequence(keys)?;
        let len = ffi::PyObject_Size(keys.as_ptr());
        if one(values) || place.emits.iter().any(|form| form.takes(values)) {
            let value = place.value(values)?;
            for index in 0..len {
                place.write(Data::key(item(&keys, index)?)?.bytes(), value.bytes())?;
            }
            return Ok(());
        }
        let values = sequence(values)?;
        let count = ffi::PyObject_Size(values.as_ptr());
        if count != len {
            return Err(py::raise(Kind::Value, format!("emit.many got {len} keys and {count} values")));
        }
        for index in 0..len {
            let key = Data::key(item(&keys, index)?)?;
            let value = place.value(item(&values, index)?)?;
            place.write(key.bytes(), value.bytes())?;
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

/// The element at `index`, borrowed.
///
/// # Safety
/// `list` must be of [`sequence`].
#[inline(always)]
unsafe fn item(list: &Ref, index: isize) -> Outcome<*mut PyObject> {
    // SAFETY: the caller's promise.
    let item = unsafe {
        if ffi::PyList_Check(list.as_ptr()) != 0 {
            ffi::PyList_GetItem(list.as_ptr(), index)
        } else {
            ffi::PyTuple_GetItem(list.as_ptr(), index)
        }
    };
    if item.is_null() { Err(Raised) } else { Ok(item) }
}

/// `emit.read(pool, key)`
unsafe extern "C" fn read(
    emit: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `put`.
    let outcome = unsafe {
        arguments::parse("emit.read", ["pool", "key"], 2, given, count as usize, keywords)
            .and_then(|[pool, key]| find(&*emit.cast(), pool, key))
    };
    returned(outcome)
}

/// # Safety
/// The objects must be alive. The state lives while the emitter has a writer.
unsafe fn find(emit: &Emit, pool: *mut PyObject, key: *mut PyObject) -> Outcome<Ref> {
    if emit.writer.is_none() {
        return Err(py::raise(Kind::Runtime, "emit.read was used after its call had ended"));
    }
    // SAFETY: the caller's promise; services are valid from OPEN to CLOSE; what is found ends with the
    // frame and is an address, and it is copied here.
    unsafe {
        let state = &*emit.state;
        let pool = &state.pools[state.pool_by_path(pool, access::READ)?];
        let key = Data::key(key)?;
        let mut found = Item::ABSENT;
        let bytes = key.bytes();
        let Some(services) = log::services().as_ref() else {
            let message =
                "emit.read was used on another thread: read on the one that the handler is called on";
            return Err(py::raise(Kind::Runtime, message));
        };
        let (start, len) = (bytes.as_ptr(), bytes.len() as u64);
        let status = (services.read)(services.context, pool.id, start, len, &mut found);
        if status != Status::OK {
            let message =
                format!("pool {} may not be read by this handler: add it to its `read`", pool.path.text()?);
            return Err(py::raise(Kind::Value, message));
        }
        if found.version == 0 {
            return Ok(py::none());
        }
        let value = py::bytes(found.value.get(0))?;
        support::found()?.call(&[&value, &py::int(found.version)?, &py::int(found.time)?])
    }
}
