//! `emit.read` and `emit.list`: what a handler sees of pools that it reads.

use super::data::Data;
use super::emit::state;
use super::state::State;
use crate::arguments;
use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref, returned};
use crate::support;
use std::ptr;
use upcall_abi::{Item, PoolServices, Query, Rel, Status, access, as_of, missing};

/// `emit.read(pool, key, *, version=None, time=None)`
pub unsafe extern "C" fn read(
    emit: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    const NAMES: [&str; 4] = ["pool", "key", "version", "time"];
    let outcome = || {
        if count > 2 {
            let message = format!("emit.read takes pool and key, got {count}: write version=… or time=…");
            return Err(py::raise(Kind::Type, message));
        }
        // SAFETY: CPython passes an emitter and arguments that live until this returns.
        unsafe {
            let [pool, key, version, time] =
                arguments::parse("emit.read", NAMES, 2, given, count as usize, keywords)?;
            find(state(emit), pool, key, when(version, time)?)
        }
    };
    returned(outcome())
}

/// `emit.list(pool, prefix=b"")`
pub unsafe extern "C" fn list(
    emit: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `read`.
    returned(unsafe {
        arguments::parse("emit.list", ["pool", "prefix"], 1, given, count as usize, keywords)
            .and_then(|[pool, prefix]| keys(state(emit), pool, prefix))
    })
}

/// One of [`as_of`], and the number that it speaks of.
///
/// # Safety
/// The objects must be alive or null.
unsafe fn when(version: *mut PyObject, time: *mut PyObject) -> Outcome<(u32, u64)> {
    // SAFETY: the caller's promise.
    unsafe {
        let given = |object: *mut PyObject| !object.is_null() && object != ffi::Py_None();
        match (given(version), given(time)) {
            (false, false) => Ok((as_of::NOW, 0)),
            (true, false) => Ok((as_of::VERSION, self::version(version)?)),
            (false, true) => Ok((as_of::TIME, self::version(time)?)),
            (true, true) => {
                Err(py::raise(Kind::Type, "emit.read takes a version or a time, not both: leave one out"))
            }
        }
    }
}

/// A version, or a time.
///
/// # Safety
/// The object must be alive.
pub unsafe fn version(object: *mut PyObject) -> Outcome<u64> {
    // SAFETY: the caller's promise.
    unsafe {
        match ffi::PyLong_AsUnsignedLongLong(object) {
            u64::MAX if !ffi::PyErr_Occurred().is_null() => Err(Raised),
            number => Ok(number),
        }
    }
}

/// Asks the flow, and says whether it answered. Between this and the last look at what it found nothing may run Python
/// code, during which the call could end.
///
/// # Safety
/// `pool` must be alive.
unsafe fn ask(
    state: &State,
    function: &str,
    pool: *mut PyObject,
    key: impl FnOnce() -> Outcome<Option<Data>>,
    (as_of, at): (u32, u64),
    send: impl FnOnce(&PoolServices, &Query) -> Status,
) -> Outcome<Status> {
    let moment = state.call.moment(function)?;
    // SAFETY: the caller's promise.
    let pool = unsafe { state.pool_by_path(pool, access::READ)? };
    let key = key()?;
    state.call.still(moment, function)?;
    if !state.call.is_here() {
        let message =
            format!("{function} was used on another thread: read on the one that the handler is called on");
        return Err(py::raise(Kind::Runtime, message));
    }
    let bytes = key.as_ref().map_or(&[][..], Data::bytes);
    let query = Query { key: bytes.as_ptr(), key_len: bytes.len() as u64, pool: pool.id, as_of, at };
    // SAFETY: the engine's until CLOSE has returned, and null from then on.
    Ok(unsafe { state.services.get().as_ref() }.map_or(Status::FAILED, |services| send(services, &query)))
}

/// # Safety
/// The objects must be alive.
unsafe fn find(state: &State, pool: *mut PyObject, key: *mut PyObject, when: (u32, u64)) -> Outcome<Ref> {
    let mut found = Item::ABSENT;
    // SAFETY: the caller's promise; the services are called on their thread, with places that live until they return.
    // What is found is the engine's until the frame ends, and copied at once.
    let value = unsafe {
        let data = || Data::key(key).map(Some);
        let send =
            |services: &PoolServices, query: &Query| (services.read)(services.context, query, &mut found);
        if ask(state, "emit.read", pool, data, when, send)? != Status::OK {
            return Err(refused(state, key, &found));
        }
        if found.version == 0 {
            return Ok(py::none());
        }
        py::bytes(found.value.get(state.call.base()))?
    };
    support::get(c"Found")?.call(&[&value, &py::int(found.version)?, &py::int(found.time)?])
}

/// # Safety
/// `pool` must be alive, and `prefix` or null.
unsafe fn keys(state: &State, pool: *mut PyObject, prefix: *mut PyObject) -> Outcome<Ref> {
    let mut keys = Rel::EMPTY;
    // SAFETY: as `find`. A `bytes` is made without running Python code; making a list may collect garbage.
    let keys: Vec<Ref> = unsafe {
        let data = || if prefix.is_null() { Ok(None) } else { Data::key(prefix).map(Some) };
        let send =
            |services: &PoolServices, query: &Query| (services.list)(services.context, query, &mut keys);
        if ask(state, "emit.list", pool, data, (as_of::NOW, 0), send)? != Status::OK {
            return Err(match keys.offset {
                missing::NO_ROOM => no_room("list keys", "them"),
                _ => refused(state, ptr::null_mut(), &Item::ABSENT),
            });
        }
        let base = state.call.base();
        keys.get(base).iter().map(|key: &Rel<u8>| py::bytes(key.get(base))).collect::<Outcome<_>>()?
    };
    py::list(keys.len(), |index| Ok(keys[index].clone()))
}

/// The memory that the handler sees is full.
#[cold]
fn no_room(what: &str, of: &str) -> Raised {
    let why =
        format!("the handler's memory has no room for {of}; raise its `memory`, or read less in one call");
    py::raise(Kind::Runtime, format!("{what}: {why}"))
}

/// # Safety
/// `key` must be alive, or null where nothing of `found` speaks of it.
#[cold]
unsafe fn refused(state: &State, key: *mut PyObject, found: &Item) -> Raised {
    let why = match found.tag {
        missing::NO_ROOM => {
            // SAFETY: the caller's promise.
            let Ok(key) = (unsafe { Data::key(key) }) else { return Raised };
            return no_room(&format!("read {}", String::from_utf8_lossy(key.bytes())), "it");
        }
        missing::COMPACTED => Some((Kind::Value, "that is no longer kept; raise `keep` of the pool")),
        missing::UNKNOWN_AS_OF => {
            Some((Kind::Runtime, "this engine does not know how; run it with one as new as the handler"))
        }
        _ => None,
    };
    if let Some((kind, why)) = why {
        // SAFETY: the caller's promise.
        let key = unsafe { Data::key(key) };
        let Ok(key) = key else { return Raised };
        let key = String::from_utf8_lossy(key.bytes());
        return py::raise(kind, format!("read {key} as it was: {why}"));
    }
    let known = state.known(access::READ);
    let message =
        format!("read a pool that this handler does not declare; it has {known}: add the pool to its `read`");
    py::raise(Kind::Value, message)
}
