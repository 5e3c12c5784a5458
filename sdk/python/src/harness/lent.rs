//! What the harness lends to its handler: the log, and pools to read.

use crate::failure;
use crate::ffi;
use crate::flow::keys::bytes_of;
use crate::py::{self, Outcome, Raised, Ref};
use std::ffi::c_void;
use std::ptr;
use upcall_abi::{Item, PoolServices, Query, Rel, Services, Status, as_of, missing};

/// The services of a handler, and what they reach.
pub struct Lent {
    services: Services,
    pool_services: PoolServices,
    /// A dict of (pool id, key) to a tuple: the values of versions 1, 2, …; `None` for one that is no longer kept. The
    /// time of a version is its number.
    stored: Ref,
    /// A list of (level, text).
    logged: Ref,
    /// Holds what was read until the frame ends.
    read: Vec<Ref>,
    /// As `read`, the lists of keys.
    listed: Vec<Vec<Rel<u8>>>,
}

impl Lent {
    /// Over these two.
    pub fn new(stored: Ref, logged: Ref) -> Lent {
        let context = ptr::null_mut();
        let services = Services { size: size_of::<Services>() as u32, reserved: 0, context, log };
        let size = size_of::<PoolServices>() as u32;
        let pool_services = PoolServices { size, reserved: 0, context, read, list };
        Lent { services, pool_services, stored, logged, read: Vec::new(), listed: Vec::new() }
    }

    /// Makes the services reach this place, where it stays.
    pub fn lend(&mut self) {
        let context = ptr::from_mut(self).cast();
        (self.services.context, self.pool_services.context) = (context, context);
    }

    /// What is lent to every handler.
    pub fn services(&self) -> *const Services {
        &raw const self.services
    }

    /// What is lent to a flow's handler.
    pub fn pool_services(&self) -> *const PoolServices {
        &raw const self.pool_services
    }

    /// The frame has ended: so have the views of what was read.
    pub fn take_back(&mut self) {
        self.read.clear();
        self.listed.clear();
    }
}

unsafe extern "C" fn log(context: *mut c_void, level: u32, text: *const u8, len: u64) {
    // SAFETY: the context is what the harness lends; the driver passes text that it owns, on this thread.
    let outcome = unsafe {
        let text = py::text(std::slice::from_raw_parts(text, len as usize));
        text.and_then(|text| py::tuple(&[&py::int(level.into())?, &text])).map(|record| {
            ffi::PyList_Append((*context.cast::<Lent>()).logged.as_ptr(), record.as_ptr());
        })
    };
    let _ = outcome.map_err(failure::forget);
}

unsafe extern "C" fn read(context: *mut c_void, query: *const Query, found: *mut Item) -> Status {
    // SAFETY: as `log`; the driver passes a query, and a place for one item.
    unsafe {
        found.write(Item::ABSENT);
        let outcome = find(&mut *context.cast(), &*query, &mut *found);
        outcome.map_err(failure::forget).unwrap_or(Status::FAILED)
    }
}

/// # Safety
/// The query's key must be valid.
unsafe fn find(lent: &mut Lent, query: &Query, found: &mut Item) -> Outcome<Status> {
    // SAFETY: the caller's promise; what is borrowed from the dict is shared.
    let versions = unsafe {
        let key = py::bytes(std::slice::from_raw_parts(query.key, query.key_len as usize))?;
        let key = py::tuple(&[&py::int(query.pool.into())?, &key])?;
        match ffi::PyDict_GetItemWithError(lent.stored.as_ptr(), key.as_ptr()) {
            stored if stored.is_null() => return Ok(Status::OK),
            stored => Ref::share(stored),
        }
    };
    let newest = py::len(&versions)? as u64;
    let version = if query.as_of == as_of::NOW { newest } else { query.at.min(newest) };
    if version == 0 {
        return Ok(Status::OK);
    }
    let value = py::item(&versions, version as usize - 1)?;
    if value.as_ptr() == py::none().as_ptr() {
        found.tag = missing::COMPACTED;
        return Ok(Status::FAILED);
    }
    // SAFETY: the harness takes `bytes`, and holds this one until the frame ends.
    found.value = Rel::of(unsafe { bytes_of(value.as_ptr()) });
    (found.version, found.time) = (version, version);
    lent.read.push(value);
    Ok(Status::OK)
}

unsafe extern "C" fn list(context: *mut c_void, query: *const Query, keys: *mut Rel<Rel<u8>>) -> Status {
    // SAFETY: as `log`; the driver passes a query, and a place for the list.
    unsafe {
        let listed = all(&mut *context.cast(), &*query).map_err(failure::forget);
        listed.map_or(Status::FAILED, |listed| {
            keys.write(listed);
            Status::OK
        })
    }
}

/// # Safety
/// The query's key must be valid.
unsafe fn all(lent: &mut Lent, query: &Query) -> Outcome<Rel<Rel<u8>>> {
    // SAFETY: the caller's promise; the keys of the dict are (pool id, bytes), held until the frame ends.
    let mut keys: Vec<&[u8]> = unsafe {
        let prefix = std::slice::from_raw_parts(query.key, query.key_len as usize);
        let stored = Ref::steal(ffi::PyDict_Keys(lent.stored.as_ptr()))?;
        let mut keys = Vec::new();
        for index in 0..ffi::PyList_Size(stored.as_ptr()) {
            let entry = ffi::PyList_GetItem(stored.as_ptr(), index);
            if entry.is_null() {
                return Err(Raised);
            }
            let entry = Ref::share(entry);
            let (pool, key) = (super::number(&py::item(&entry, 0)?)?, py::item(&entry, 1)?);
            if pool == u64::from(query.pool) && bytes_of(key.as_ptr()).starts_with(prefix) {
                keys.push(bytes_of(key.as_ptr()));
                lent.read.push(key);
            }
        }
        keys
    };
    keys.sort_unstable();
    lent.listed.push(keys.into_iter().map(Rel::of).collect());
    Ok(lent.listed.last().map_or(Rel::EMPTY, |keys| Rel::of(keys)))
}
