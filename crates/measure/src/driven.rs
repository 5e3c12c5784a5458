//! An instance that is driven without an engine: hand-made frames over memory that is used again and again.

use crate::nanos;
use std::ffi::c_void;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use upcall_abi::{
    CallFailed, FlowFrame, FlowOpen, FrameHead, Item, OpenFrame, PoolEntry, PoolServices, Query, Rel,
    Services, Status, access, kind,
};
use upcall_host::{Error, ErrorKind, Instance};

/// Bytes for what one batch emits.
const CHUNK: usize = 1 << 18;
/// Distance of two values of [`Objects::alike`]: a cache line.
const LINE: usize = 64;

/// Objects in native memory.
pub struct Objects {
    items: Vec<Item>,
    // What the items point to.
    _keys: Vec<String>,
    _values: Vec<u8>,
}

impl Objects {
    /// One object.
    #[must_use]
    pub fn one(key: &str, value: &[u8]) -> Objects {
        Objects::over(vec![key.to_owned()], value.to_vec(), value.len())
    }

    /// `len` objects with keys of their own and values of `value_bytes`. The values overlap, each begins a
    /// cache line after the one before, so that what is measured is the boundary and not the memory.
    #[must_use]
    pub fn alike(len: usize, value_bytes: usize) -> Objects {
        let keys = (0..len).map(|index| format!("key-{index:06}")).collect();
        Objects::over(keys, vec![7; len * LINE + value_bytes], value_bytes)
    }

    /// `len` objects with keys of their own and the same value, 8-byte aligned as an engine's are.
    #[must_use]
    pub fn same(len: usize, value: &[u8]) -> Objects {
        let keys = (0..len).map(|index| format!("key-{index:06}")).collect();
        let mut values = vec![0; len * LINE + value.len()];
        for index in 0..len {
            values[index * LINE..][..value.len()].copy_from_slice(value);
        }
        Objects::over(keys, values, value.len())
    }

    fn over(keys: Vec<String>, values: Vec<u8>, value_bytes: usize) -> Objects {
        let item = |(index, key): (usize, &String)| Item {
            key: Rel::of(key.as_bytes()),
            value: Rel::of(&values[index * LINE.min(values.len() - value_bytes)..][..value_bytes]),
            version: index as u64 + 1,
            time: index as u64 + 1,
            tag: tag(key),
            ..Item::ABSENT
        };
        Objects { items: keys.iter().enumerate().map(item).collect(), _keys: keys, _values: values }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.items.len()
    }
}

/// A hash of a key, as an engine puts it into each item: guests find texts by it that they have seen before.
fn tag(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// An open instance, on its worker's thread. Pool 0 is watched, pool 1 may be emitted to.
pub struct Driven {
    instance: Instance,
    frame: Box<FlowFrame>,
    chunk: Vec<u64>,
    // What the frames point to; in no `Box`, whose memory may not be used by address once the box has moved.
    services: Rc<Services>,
    pool_services: Rc<PoolServices>,
}

impl Driven {
    /// Opens an instance.
    ///
    /// # Errors
    /// The handler fails to open.
    pub fn open(instance: Instance) -> Result<Driven, Error> {
        let context = std::ptr::null_mut();
        let services = Rc::new(Services { size: size_of::<Services>() as u32, reserved: 0, context, log });
        let size = size_of::<PoolServices>() as u32;
        let pool_services = Rc::new(PoolServices { size, reserved: 0, context, read, list });
        let chunk = vec![0u64; CHUNK / 8];
        let frame = Box::new(FlowFrame::new(kind::FLOW));
        let mut driven = Driven { instance, frame, chunk, services, pool_services };

        let bytes = |text: &'static str| Rel::of(text.as_bytes());
        let pool = |id, path, access| PoolEntry {
            path: bytes(path),
            value_type: Rel::EMPTY,
            value_size: 0,
            id,
            access,
            reserved: 0,
        };
        let pools = [pool(0, "/in", access::WATCH), pool(1, "/out", access::EMIT)];
        let senders = [bytes("input")];
        let added = FlowOpen {
            size: size_of::<FlowOpen>() as u32,
            reserved: 0,
            pools: Rel::of(&pools),
            senders: Rel::of(&senders),
            pool_services: Rc::as_ptr(&driven.pool_services),
        };
        let mut open = OpenFrame::new(kind::FLOW, "measured", Rc::as_ptr(&driven.services), &added);
        // SAFETY: the frame and all it points to live until the call returns, the services until CLOSE.
        unsafe { driven.instance.ask(&mut open) }.map_err(failed).map(|()| driven)
    }

    fn over(&mut self, objects: &Objects) {
        let frame = &mut *self.frame;
        frame.items = Rel::of(&objects.items);
        frame.done = 0;
        frame.out.at = self.chunk.as_mut_ptr() as u64;
        frame.out.end = frame.out.at + CHUNK as u64;
    }

    /// Hands the objects over, as one batch.
    #[inline]
    pub fn call(&mut self, objects: &Objects) -> Status {
        self.over(objects);
        // SAFETY: items and chunk live until the call returns.
        unsafe { self.instance.call((&raw mut *self.frame).cast()) }
    }

    /// An empty crossing.
    #[inline]
    pub fn ping(&mut self) -> Status {
        let mut head = FrameHead::new::<FrameHead>(kind::PING);
        // SAFETY: a bare head is what PING takes.
        unsafe { self.instance.call(&mut head) }
    }

    /// Hands the objects over.
    ///
    /// # Errors
    /// One of them failed.
    pub fn checked(&mut self, objects: &Objects) -> Result<(), Error> {
        self.over(objects);
        // SAFETY: as above.
        unsafe { self.instance.ask(&mut *self.frame) }.map_err(failed)
    }

    /// Nanoseconds that a call with the objects takes.
    ///
    /// # Errors
    /// One of them failed.
    pub fn nanos(&mut self, objects: &Objects) -> Result<f64, Error> {
        self.checked(objects)?;
        let mut well = true;
        let nanos = nanos(|| well &= self.call(objects) == Status::OK);
        if !well {
            self.checked(objects)?;
        }
        Ok(nanos)
    }

    /// Bytes that the last batch emitted, records whole.
    #[must_use]
    pub fn emitted(&self) -> &[u64] {
        let used = self.frame.out.at - self.chunk.as_ptr() as u64;
        &self.chunk[..used as usize / 8]
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        close(&mut self.instance);
    }
}

/// The last call of an instance, which is released after it.
pub(crate) fn close(instance: &mut Instance) {
    let mut close = FrameHead::new::<FrameHead>(kind::CLOSE);
    // SAFETY: a bare head is what CLOSE takes.
    unsafe { instance.call(&mut close) };
}

pub(crate) fn failed(failed: CallFailed) -> Error {
    Error::new(ErrorKind::RuntimeFailed, format!("measure a handler: it failed: {failed}"))
}

unsafe extern "C" fn log(_: *mut c_void, level: u32, text: *const u8, len: u64) {
    // SAFETY: the handler passes text that it owns.
    let text = String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(text, len as usize) });
    tracing::debug!(level, "{text}");
}

unsafe extern "C" fn read(_: *mut c_void, _: *const Query, _: *mut Item) -> Status {
    Status::FAILED
}

unsafe extern "C" fn list(_: *mut c_void, _: *const Query, _: *mut Rel<Rel<u8>>) -> Status {
    Status::FAILED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_like_an_engines_with_a_tag_and_a_version_each() {
        let objects = Objects::alike(1024, 64);
        let numbers = |of: fn(&Item) -> u64| {
            let mut numbers: Vec<u64> = objects.items.iter().map(of).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers.len()
        };
        assert_eq!((numbers(|item| item.tag), numbers(|item| item.version)), (1024, 1024));
        // A guest looks at the last bits of a tag.
        assert!(numbers(|item| item.tag % 4096) > 800, "{}", numbers(|item| item.tag % 4096));
        assert_eq!(Objects::one("a", b"").items[0].tag, Objects::one("a", b"1").items[0].tag);
    }
}
