//! The engine of `upcall.testing`: real frames around one instance, called through the real driver.

mod combine;
mod flow;
mod later;
mod lent;
mod vertex;

use crate::arguments;
use crate::driver::Instance;
use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref, returned};
use crate::types::{self, TypeOf};
use later::Calls;
use lent::Lent;
use upcall_abi::{
    Chained, DescribeFrame, ErrorSlot, FrameHead, OpenFrame, Output, Rel, Setting, Status, base, kind,
};

/// The Python object.
#[repr(C)]
struct Harness {
    head: PyObject,
    inner: *mut Inner,
    /// Whether one of its methods is running: the handler's code, and so any other, may run meanwhile.
    busy: bool,
}

struct Inner {
    // The first to be dropped: `lent` is what it may point to.
    instance: Instance,
    calls: Calls,
    handler: Ref,
    opened: bool,
    settings: Vec<(String, String)>,
    pools: Vec<Declared>,
    // One, in a `Vec`, because an address into a `Box` may not be used once the box has moved.
    lent: Vec<Lent>,
    text: Box<[u8; 65536]>,
}

/// A pool of the harness.
struct Declared {
    path: String,
    value_type: String,
    value_size: u32,
    access: u32,
}

/// A function in C that calls `$function` with the harness and arguments of these names, all of which are needed.
macro_rules! method {
    ($module:ident::$function:ident($($argument:ident),+)) => {{
        unsafe extern "C" fn method(
            harness: *mut PyObject,
            given: *const *mut PyObject,
            count: isize,
            keywords: *mut PyObject,
        ) -> *mut PyObject {
            let names = [$(stringify!($argument)),+];
            // SAFETY: CPython passes a Harness, and arguments that live until this returns.
            unsafe { called(harness, stringify!($function), names, given, count, keywords, $module::$function) }
        }
        method
    }};
}

/// A function in C that calls `$function` with the harness.
macro_rules! action {
    ($function:path) => {{
        unsafe extern "C" fn action(harness: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
            // SAFETY: CPython passes a Harness that lives until this returns.
            unsafe { entered(harness, $function) }
        }
        action
    }};
}

/// The type, which Python calls with (handler, settings, pools, stored, logged).
pub fn harness_type() -> Outcome<Ref> {
    TypeOf::new::<Harness>(c"upcall._upcall.Harness")
        .slot(ffi::Py_tp_new, new as *const ())
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .action(c"open", action!(flow::open), c"OPEN, for a flow")
        .method(
            c"run",
            method!(flow::run(objects, size)),
            c"A batch of (key, value, pool, version, time): what was emitted, and the failure.",
        )
        .method(
            c"begin",
            method!(later::begin(object, answered)),
            c"An object that is answered later, and what is called then: its number.",
        )
        .method(c"cancel", method!(later::cancel(number, why)), c"CANCEL, for a number, and why.")
        .method(c"end", method!(later::end(number)), c"Of a number that has been answered: as `run`.")
        .action(c"flush", action!(flow::flush), c"FLUSH, with the same answer.")
        .method(
            c"open_combine",
            method!(combine::open_combine(element, size)),
            c"OPEN, for combining elements of a type and size",
        )
        .method(
            c"combine",
            method!(combine::combine(source, into, count)),
            c"Combines two buffers: the second as it is then, and the failure.",
        )
        .action(c"describe", action!(describe), c"DESCRIBE: what it says, as (subject, key, value)")
        .method(
            c"open_vertex",
            method!(vertex::open_vertex(vertices, edges, directed)),
            c"OPEN, for a graph of this size",
        )
        .method(
            c"vertices",
            method!(vertex::vertices(numbers, total, lent, written, incoming, outgoing, room)),
            c"The vertices of a frame: what was written, and the failure.",
        )
        .method(
            c"after",
            method!(vertex::after(iteration, updated, scheduled, residual, total)),
            c"An iteration that has ended: whether it was the last one, and the failure.",
        )
        .method(
            c"interval",
            method!(vertex::interval(iteration, first, end, pass_, updated, residual, total)),
            c"An interval that was updated: whether it is to be once more, and the failure.",
        )
        .action(c"close", action!(close), c"CLOSE")
        .make(None)
}

unsafe extern "C" fn new(
    of: *mut ffi::PyTypeObject,
    given: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a type of ours and a tuple.
    returned(unsafe {
        make(&Ref::share(given)).and_then(|inner| {
            let harness = types::new(&Ref::share(of.cast()))?;
            (*harness.as_ptr().cast::<Harness>()).inner = Box::into_raw(Box::new(inner));
            Ok(harness)
        })
    })
}

/// Of (handler, settings, pools, stored, logged).
fn make(given: &Ref) -> Outcome<Inner> {
    let (given_settings, given_pools) = (py::item(given, 1)?, py::item(given, 2)?);
    let text = |of: &Ref, index| Ok(py::item(of, index)?.text()?.to_owned());
    let (mut settings, mut pools) = (Vec::new(), Vec::new());
    for index in 0..py::len(&given_settings)? {
        let pair = py::item(&given_settings, index)?;
        settings.push((text(&pair, 0)?, text(&pair, 1)?));
    }
    for index in 0..py::len(&given_pools)? {
        let pool = py::item(&given_pools, index)?;
        let number = |index| Ok(number(&py::item(&pool, index)?)? as u32);
        let (value_size, access) = (number(2)?, number(3)?);
        pools.push(Declared { path: text(&pool, 0)?, value_type: text(&pool, 1)?, value_size, access });
    }
    let mut lent = vec![Lent::new(py::item(given, 3)?, py::item(given, 4)?)];
    lent[0].lend();
    let handler = py::item(given, 0)?;
    let instance = Instance::new(handler.clone())?;
    let (calls, text) = (Calls::default(), Box::new([0; 65536]));
    Ok(Inner { instance, calls, handler, opened: false, settings, pools, lent, text })
}

/// The number that an `int` is.
fn number(of: &Ref) -> Outcome<u64> {
    // SAFETY: it is alive; CPython checks that it is a number.
    let number = unsafe { ffi::PyLong_AsUnsignedLongLong(of.as_ptr()) };
    // SAFETY: this thread is attached.
    if number == u64::MAX && !unsafe { ffi::PyErr_Occurred() }.is_null() { Err(Raised) } else { Ok(number) }
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
        // SAFETY: `new` set it, and nobody else is in the harness.
        unsafe { &mut *(*self.0).inner }
    }
}

/// Runs a method of a harness, for CPython.
///
/// # Safety
/// As [`Entered::new`].
unsafe fn entered(harness: *mut PyObject, method: impl FnOnce(&mut Inner) -> Outcome<Ref>) -> *mut PyObject {
    // SAFETY: the caller's promise.
    returned(unsafe { Entered::new(harness) }.and_then(|mut entered| method(entered.inner())))
}

/// Runs a method that has arguments.
///
/// # Safety
/// As [`Entered::new`] and [`arguments::parse`].
unsafe fn called<const N: usize>(
    harness: *mut PyObject,
    name: &str,
    names: [&str; N],
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
    method: impl FnOnce(&mut Inner, [Ref; N]) -> Outcome<Ref>,
) -> *mut PyObject {
    // SAFETY: the caller's promise; none of the arguments is null, as all are needed.
    unsafe {
        entered(harness, |inner| {
            let arguments = arguments::parse(name, names, N, given, count as usize, keywords)?;
            method(inner, arguments.map(|argument| Ref::share(argument)))
        })
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

impl Inner {
    /// OPEN of a new instance, for batches of this kind; `added` is what an engine adds for them.
    fn open<T>(&mut self, batch: u16, added: &T) -> Outcome<Ref> {
        if self.opened {
            self.instance = Instance::new(self.handler.clone())?;
        }
        self.opened = true;
        let text = |text: &str| Rel::of(text.as_bytes());
        let settings: Vec<Setting> = self
            .settings
            .iter()
            .map(|(name, value)| Setting { name: text(name), value: text(value) })
            .collect();
        let mut frame = OpenFrame::new(batch, "handler", self.lent[0].services(), added);
        frame.settings = Rel::of(&settings);
        frame.head.error.text = self.room();
        // SAFETY: the frame and all it points to live until the call returns.
        let status = unsafe { self.instance.handle((&raw mut frame).cast()) };
        failed(status, &frame.head, 0)
    }

    /// Room for an error's text.
    fn room(&mut self) -> Rel<u8> {
        Rel::new(self.text.as_mut_ptr() as u64, self.text.len() as u64)
    }
}

fn describe(inner: &mut Inner) -> Outcome<Ref> {
    let mut head = FrameHead::new::<DescribeFrame>(kind::DESCRIBE);
    head.error.text = inner.room();
    let mut asked = Chained::new(DescribeFrame { head, out: Output::NONE });
    let frame = asked.start();
    // SAFETY: the frame lives until the call returns.
    let (status, head) = unsafe { (inner.instance.handle(frame), &*frame) };
    let failure = failed(status, head, 0)?;
    if !failure.is_none() {
        return Ok(failure);
    }
    // SAFETY: the driver has written them.
    let records = unsafe { asked.records() };
    let records = records.map_err(|_| py::raise(Kind::Runtime, "the description's records are damaged"))?;
    py::list(records.len(), |index| {
        let (record, key, value) = &records[index];
        py::tuple(&[&py::int(record.pool.into())?, &py::text(key)?, &py::text(value)?])
    })
}

fn close(inner: &mut Inner) -> Outcome<Ref> {
    let mut frame = FrameHead::new::<FrameHead>(kind::CLOSE);
    frame.error.text = inner.room();
    // SAFETY: the frame lives until the call returns.
    let status = unsafe { inner.instance.handle(&mut frame) };
    failed(status, &frame, 0)
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
