//! The engine of `upcall.testing`: real frames around one instance, called through the real driver.

use crate::arguments;
use crate::data::Data;
use crate::driver::Instance;
use crate::ffi;
use crate::object::returned;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use crate::types::{self, TypeOf};
use chunks::Running;
use std::ffi::c_void;
use upcall_abi::{
    ErrorSlot, FlowFrame, FrameHead, Item, OpenFrame, PoolEntry, Rel, Services, Setting, Status, base, kind,
};

mod chunks;

/// The Python object.
#[repr(C)]
struct Harness {
    head: PyObject,
    inner: *mut Inner,
    /// Whether one of its methods is running: the handler's code, and so any other, may run meanwhile.
    busy: bool,
}

struct Inner {
    handler: Ref,
    instance: Instance,
    opened: bool,
    /// What OPEN tells: text that lives as long as the harness.
    texts: Vec<String>,
    settings: Vec<(usize, usize)>,
    /// Path, type, size of a value, access.
    pools: Vec<(usize, usize, u32, u32)>,
    world: Box<World>,
    services: Box<Services>,
    text: Box<[u8; 65536]>,
}

/// What the handler's services reach.
struct World {
    /// A dict of (pool id, key) to (value, version).
    stored: Ref,
    /// A list of (level, text).
    logged: Ref,
    /// Holds what was read until the frame ends.
    read: Vec<Ref>,
}

/// The type, which Python calls with (handler, settings, pools, stored, logged).
pub fn harness_type() -> Outcome<Ref> {
    TypeOf::new::<Harness>(c"upcall._upcall.Harness")
        .slot(ffi::Py_tp_new, new as *const ())
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .action(c"open", open, c"OPEN")
        .method(
            c"run",
            run,
            c"A batch of (key, value, pool, version, time): what was emitted, and the failure.",
        )
        .action(c"flush", flush, c"FLUSH, with the same answer.")
        .action(c"close", close, c"CLOSE")
        .make(None)
}

unsafe extern "C" fn new(
    of: *mut ffi::PyTypeObject,
    given: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a type of ours and a tuple.
    returned(unsafe {
        make(given).and_then(|inner| {
            let harness = types::new(&Ref::share(of.cast()))?;
            (*harness.as_ptr().cast::<Harness>()).inner = Box::into_raw(Box::new(inner));
            Ok(harness)
        })
    })
}

/// # Safety
/// `given` must be a tuple of (handler, settings, pools, stored, logged).
unsafe fn make(given: *mut PyObject) -> Outcome<Inner> {
    // SAFETY: the caller's promise; what is borrowed from the tuple lives as long as it.
    unsafe {
        let argument = |index| Ok(Ref::share(element(given, index)?));
        let (mut texts, mut settings, mut pools) = (Vec::new(), Vec::new(), Vec::new());
        let mut keep = |text: *mut PyObject| {
            texts.push(py::utf8(text)?.to_owned());
            Ok(texts.len() - 1)
        };
        let given_settings: Ref = argument(1)?;
        for index in 0..ffi::PyObject_Size(given_settings.as_ptr()) {
            let pair = element(given_settings.as_ptr(), index)?;
            settings.push((keep(element(pair, 0)?)?, keep(element(pair, 1)?)?));
        }
        let given_pools: Ref = argument(2)?;
        for index in 0..ffi::PyObject_Size(given_pools.as_ptr()) {
            let pool = element(given_pools.as_ptr(), index)?;
            let number = |index| Ok(ffi::PyLong_AsLong(element(pool, index)?) as u32);
            let (size, may) = (number(2)?, number(3)?);
            pools.push((keep(element(pool, 0)?)?, keep(element(pool, 1)?)?, size, may));
        }
        let mut world = Box::new(World { stored: argument(3)?, logged: argument(4)?, read: Vec::new() });
        let services = Box::new(Services { context: (&raw mut *world).cast(), log, read });
        let handler = argument(0)?;
        let instance = Instance::new(handler.clone())?;
        let text = Box::new([0; 65536]);
        Ok(Inner { handler, instance, opened: false, texts, settings, pools, world, services, text })
    }
}

/// An item of a tuple, borrowed.
///
/// # Safety
/// `tuple` must be alive.
unsafe fn element(tuple: *mut PyObject, index: isize) -> Outcome<*mut PyObject> {
    // SAFETY: the caller's promise; CPython checks type and bounds.
    let element = unsafe { ffi::PyTuple_GetItem(tuple, index) };
    if element.is_null() { Err(Raised) } else { Ok(element) }
}

/// A harness while one of its methods runs: calls on one do not nest.
struct Entered(*mut Harness);

impl Entered {
    /// # Safety
    /// `harness` must be a [`Harness`] that is alive for as long as what is returned.
    unsafe fn new(harness: *mut PyObject) -> Outcome<Entered> {
        let harness = harness.cast::<Harness>();
        // SAFETY: the caller's promise.
        unsafe {
            if (*harness).busy {
                let message = "the harness is running its handler: neither that nor its threads can use it";
                return Err(py::raise(Kind::Runtime, message));
            }
            (*harness).busy = true;
        }
        Ok(Entered(harness))
    }

    fn inner(&mut self) -> &mut Inner {
        // SAFETY: `make` set it, and nobody else is in the harness.
        unsafe { &mut *(*self.0).inner }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        // SAFETY: `new`'s promise.
        unsafe { (*self.0).busy = false };
    }
}

unsafe extern "C" fn dealloc(harness: *mut PyObject) {
    // SAFETY: CPython calls it with a Harness that nobody refers to.
    unsafe {
        let inner = (*harness.cast::<Harness>()).inner;
        if !inner.is_null() {
            drop(Box::from_raw(inner));
        }
        types::free(harness);
    }
}

unsafe extern "C" fn open(harness: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython passes a Harness that lives until this returns.
    returned(unsafe { Entered::new(harness) }.and_then(|mut entered| opened(entered.inner())))
}

fn opened(inner: &mut Inner) -> Outcome<Ref> {
    if inner.opened {
        inner.instance = Instance::new(inner.handler.clone())?;
    }
    inner.opened = true;
    let text = |index: usize| Rel::of(inner.texts[index].as_bytes());
    let settings: Vec<Setting> = inner
        .settings
        .iter()
        .map(|&(name, value)| Setting { name: text(name), value: text(value) })
        .collect();
    let pool =
        |(id, &(path, value_type, value_size, access)): (usize, &(usize, usize, u32, u32))| PoolEntry {
            path: text(path),
            value_type: text(value_type),
            value_size,
            id: id as u32,
            access,
            reserved: 0,
        };
    let pools: Vec<PoolEntry> = inner.pools.iter().enumerate().map(pool).collect();
    let senders = [Rel::of(b"harness")];
    let mut frame = OpenFrame {
        head: head::<OpenFrame>(kind::OPEN, &mut inner.text[..]),
        name: Rel::of(b"handler"),
        settings: Rel::of(&settings),
        pools: Rel::of(&pools),
        senders: Rel::of(&senders),
        services: &*inner.services,
        worker: 0,
        workers: 1,
    };
    // SAFETY: the frame and all it points to live until the call returns.
    let status = unsafe { inner.instance.handle((&raw mut frame).cast()) };
    failed(status, &frame.head, 0)
}

unsafe extern "C" fn run(
    harness: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a Harness and arguments that live until this returns.
    returned(unsafe {
        Entered::new(harness).and_then(|mut entered| {
            arguments::parse("run", ["objects", "size"], 2, given, count as usize, keywords)
                .and_then(|[objects, size]| feed(entered.inner(), objects, ffi::PyLong_AsLong(size) as u64))
        })
    })
}

/// # Safety
/// `objects` must be alive.
unsafe fn feed(inner: &mut Inner, objects: *mut PyObject, size: u64) -> Outcome<Ref> {
    // Memory of this call's own, as an engine's batch is: what dangles afterwards really does.
    let (mut bytes, mut items) = (Vec::<u8>::new(), Vec::new());
    // SAFETY: the caller's promise: a tuple of (key, value, pool, version, time), checked by CPython.
    unsafe {
        let mut keep = |object| {
            let data = Data::key(object)?;
            bytes.extend_from_slice(data.bytes());
            Ok(Rel::new((bytes.len() - data.bytes().len()) as u64, data.bytes().len() as u64))
        };
        let count = ffi::PyObject_Size(objects);
        for index in 0..count {
            let object = element(objects, index)?;
            let number = |part| Ok(ffi::PyLong_AsUnsignedLongLong(element(object, part)?));
            let (pool, version, time) = (number(2)? as u32, number(3)?, number(4)?);
            let value = keep(element(object, 1)?)?;
            items.push(Item { key: Rel::EMPTY, value, version, time, pool, sender: 0, tag: 0 });
        }
        for (index, item) in items.iter_mut().enumerate() {
            item.key = keep(element(element(objects, index as isize)?, 0)?)?;
        }
        let start = bytes.as_ptr() as u64;
        for item in &mut items {
            item.key.offset += start;
            item.value.offset += start;
        }
        // As in an engine, only values that all have the type's size are side by side.
        let size = if items.iter().all(|item| item.value.len == size) { size } else { 0 };
        let values = if size > 0 { Rel::new(start, size * items.len() as u64) } else { Rel::EMPTY };
        let mut running =
            Running::new(head::<FlowFrame>(kind::FLOW, &mut inner.text[..]), &items, values, size);
        finish(inner, &mut running)
    }
}

unsafe extern "C" fn flush(harness: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython passes a Harness.
    returned(unsafe {
        Entered::new(harness).and_then(|mut entered| {
            let inner = entered.inner();
            let head = head::<FlowFrame>(kind::FLUSH, &mut inner.text[..]);
            finish(inner, &mut Running::new(head, &[], Rel::EMPTY, 0))
        })
    })
}

unsafe extern "C" fn close(harness: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython passes a Harness; the frame lives until the call returns.
    returned(unsafe {
        Entered::new(harness).and_then(|mut entered| {
            let inner = entered.inner();
            let mut frame = head::<FrameHead>(kind::CLOSE, &mut inner.text[..]);
            let status = inner.instance.handle(&mut frame);
            failed(status, &frame, 0)
        })
    })
}

/// Calls the driver and answers (emitted, failure).
///
/// # Safety
/// The frame must be valid.
unsafe fn finish(inner: &mut Inner, running: &mut Running) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    let status = unsafe { inner.instance.handle((&raw mut *running).cast()) };
    inner.world.read.clear();
    let emitted = running.records()?;
    py::tuple(&[&emitted, &failed(status, &running.frame.head, running.frame.done)?])
}

fn head<F>(kind: u16, text: &mut [u8]) -> FrameHead {
    let mut head = FrameHead::new::<F>(kind);
    head.error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
    head
}

/// `None`, or (type, message, stack, done, item or None).
fn failed(status: Status, head: &FrameHead, done: u32) -> Outcome<Ref> {
    if status == Status::OK {
        return Ok(py::none());
    }
    // SAFETY: the text is the harness's.
    let (type_name, message, stack) = unsafe { head.error.read(head.base[base::OUTPUT]) };
    let item =
        if head.error.item == ErrorSlot::NO_ITEM { py::none() } else { py::int(head.error.item.into())? };
    py::tuple(&[&py::text(type_name)?, &py::text(message)?, &py::text(stack)?, &py::int(done.into())?, &item])
}

unsafe extern "C" fn log(context: *mut c_void, level: u32, text: *const u8, len: u64) {
    // SAFETY: the context is the harness's world; the driver passes text that it owns, on this thread.
    let outcome = unsafe {
        let text = py::text(std::slice::from_raw_parts(text, len as usize));
        text.and_then(|text| py::tuple(&[&py::int(level.into())?, &text])).map(|record| {
            ffi::PyList_Append((*context.cast::<World>()).logged.as_ptr(), record.as_ptr());
        })
    };
    let _ = outcome.map_err(crate::failure::forget);
}

unsafe extern "C" fn read(
    context: *mut c_void,
    pool: u32,
    key: *const u8,
    len: u64,
    found: *mut Item,
) -> Status {
    // SAFETY: as `log`; the driver passes a place for one item.
    unsafe {
        let world = &mut *context.cast::<World>();
        found.write(Item::ABSENT);
        let key = py::bytes(std::slice::from_raw_parts(key, len as usize))
            .and_then(|key| py::tuple(&[&py::int(pool.into())?, &key]));
        let Ok(key) = key.map_err(crate::failure::forget) else { return Status::FAILED };
        let stored = ffi::PyDict_GetItemWithError(world.stored.as_ptr(), key.as_ptr());
        if stored.is_null() {
            return Status::OK;
        }
        let (value, version) = (ffi::PyTuple_GetItem(stored, 0), ffi::PyTuple_GetItem(stored, 1));
        world.read.push(Ref::share(value));
        let bytes = crate::keys::bytes_of(value);
        (*found).value = Rel::of(bytes);
        (*found).version = ffi::PyLong_AsUnsignedLongLong(version);
    }
    Status::OK
}
