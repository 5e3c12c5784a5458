//! The call that an instance is in, and the only code that touches the items, the values and the output of
//! its frame.
//!
//! A handler's threads share what it was given. Wherever Python code can run (a `pack`, an `__index__`, a
//! finalizer), another thread can run too, and meanwhile the call can end: then the frame is gone, or is that
//! of the next call. So what Python's objects keep of a call is a [`Moment`], and a frame never leaves this
//! file: each function compares the moment, does one thing and gives back a copy, and nothing in here runs
//! Python code between the comparison and the last access. Whoever has to convert converts first.

use super::keys::Keys;
use super::moment::{Moment, Moments};
use super::over::Over;
use crate::ffi;
use crate::py::{self, Kind, Outcome, Raised, Ref};
use crate::view::{Memory, Views};
use std::cell::Cell;
use std::ptr;
use upcall_abi::{FlowFrame, Item, Mark, Record, Writer, base, copy_short};

/// An item of one call.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    item: *const Item,
    moment: Moment,
}

impl Place {
    /// The call that it is of.
    pub fn moment(self) -> Moment {
        self.moment
    }
}

/// The call of an instance. Everything needs the interpreter's lock.
pub struct Call {
    moments: Moments,
    /// The frame, during [`Call::during`]; nobody looks at it outside of a moment.
    frame: Cell<*mut FlowFrame>,
    /// Its items.
    items: Cell<*const Item>,
    /// What offsets of the frame's batch are relative to.
    base: Cell<u64>,
    /// Index of the item that is being handled.
    item: Cell<u32>,
    /// The moment of the last emission on condition. Each item has its own.
    conditional: Cell<Option<Moment>>,
    /// The thread that the engine called, as [`thread`] has it.
    thread: Cell<usize>,
    /// Whether it is the one call of an item that is answered later: of [`Call::begin`] and [`Call::over`].
    later: bool,
    /// Why that is over.
    over: Cell<Option<Over>>,
}

/// What tells this thread from all others that live.
fn thread() -> usize {
    thread_local! {
        static PLACE: u8 = const { 0 };
    }
    PLACE.with(|place| std::ptr::from_ref(place).addr())
}

impl Call {
    /// Outside of any call.
    pub fn new() -> Call {
        Call::with(false)
    }

    /// Of an item that is answered later, on whichever thread, before [`Call::begin`].
    pub fn later() -> Call {
        Call::with(true)
    }

    fn with(later: bool) -> Call {
        Call {
            moments: Moments::new(),
            frame: Cell::new(ptr::null_mut()),
            items: Cell::new(ptr::null()),
            base: Cell::new(0),
            item: Cell::new(Record::NO_ITEM),
            conditional: Cell::new(None),
            thread: Cell::new(0),
            later,
            over: Cell::new(None),
        }
    }

    /// Runs `body`, which opens moments of this frame. None is open when it has ended, by a panic too.
    ///
    /// # Safety
    /// `frame` must be a valid flow frame, its output used through this alone, until it returns.
    #[inline(always)]
    pub unsafe fn during<R>(&self, frame: *mut FlowFrame, body: impl FnOnce() -> R) -> R {
        self.thread.set(thread());
        // SAFETY: the caller's promise.
        unsafe { self.show(frame) };
        self.moments.during(body)
    }

    /// # Safety
    /// `frame` must be a valid flow frame.
    #[inline(always)]
    unsafe fn show(&self, frame: *mut FlowFrame) {
        self.frame.set(frame);
        // SAFETY: the caller's promise.
        unsafe {
            self.base.set((*frame).head.base[base::BATCH]);
            self.items.set((*frame).items.get(self.base.get()).as_ptr());
        }
    }

    /// Begins the one call of an item that is answered later, or of the flush where there is no item.
    ///
    /// # Safety
    /// `frame` must be a valid flow frame, its output used through this alone, until [`Call::over`] has returned it. It must
    /// have the item.
    pub unsafe fn begin(&self, frame: *mut FlowFrame, item: u32) -> Place {
        // SAFETY: the caller's promise.
        unsafe {
            self.show(frame);
            if item == Record::NO_ITEM {
                return Place { item: ptr::null(), moment: self.open(item) };
            }
            self.open_item(item)
        }
    }

    /// Ends it. Returns the frame, which nothing of ours looks at from now on; none when it was over already.
    pub fn over(&self, why: Over) -> Option<*mut FlowFrame> {
        self.moments.now()?;
        self.over.set(Some(why));
        self.moments.close();
        Some(self.frame.replace(ptr::null_mut()))
    }

    /// The frame, until it is over.
    pub fn frame(&self) -> Option<*mut FlowFrame> {
        self.moments.now().map(|_| self.frame.get())
    }

    /// Why the call of an item that is answered later is over; none while it is not.
    pub fn why_over(&self) -> Option<Over> {
        self.over.get()
    }

    /// Whether it is the call of an item that is answered later.
    #[inline(always)]
    pub fn is_later(&self) -> bool {
        self.later
    }

    /// Opens a moment: the handler's method is called next, for the item of this index.
    #[inline(always)]
    pub fn open(&self, item: u32) -> Moment {
        self.item.set(item);
        self.moments.open()
    }

    /// Opens a moment for the item of this index, and says where that is.
    ///
    /// # Safety
    /// The frame must have so many items.
    #[inline(always)]
    pub unsafe fn open_item(&self, index: u32) -> Place {
        let moment = self.open(index);
        // SAFETY: the caller's promise.
        Place { item: unsafe { self.items.get().add(index as usize) }, moment }
    }

    /// Ends the moment: the handler's method has returned.
    #[inline(always)]
    pub fn close(&self) {
        self.moments.close();
    }

    /// The current moment, for `function`.
    #[inline(always)]
    pub fn moment(&self, function: &str) -> Outcome<Moment> {
        self.moments.now().ok_or_else(|| self.used_late(function))
    }

    /// Raises for `function` when the call is no longer the one of then.
    #[inline(always)]
    pub fn still(&self, moment: Moment, function: &str) -> Outcome<()> {
        if self.is(moment) { Ok(()) } else { Err(self.used_late(function)) }
    }

    /// Whether the call is still the one of then.
    #[inline(always)]
    pub fn is(&self, moment: Moment) -> bool {
        self.moments.is(moment)
    }

    /// Whether this is the thread that the engine called, and on which the engine may be called back: any, for what is
    /// answered later.
    pub fn is_here(&self) -> bool {
        self.later || self.thread.get() == thread()
    }

    /// What offsets of the frame's batch are relative to. During [`Call::during`].
    pub fn base(&self) -> u64 {
        self.base.get()
    }

    /// Objects in the frame.
    pub fn len(&self, moment: Moment) -> Outcome<usize> {
        if !self.is(moment) {
            return Err(batch_ended());
        }
        // SAFETY: the moment is now, so the frame is there.
        Ok(unsafe { (*self.frame.get()).items.len as usize })
    }

    /// The item of this index.
    pub fn place(&self, moment: Moment, index: usize) -> Outcome<Place> {
        let len = self.len(moment)?;
        if index >= len {
            let message = format!("the batch has {len} objects, not one at {index}");
            return Err(py::raise(Kind::Index, message));
        }
        // SAFETY: the moment is now, so the frame is there, and has `len` items.
        Ok(Place { item: unsafe { self.items.get().add(index) }, moment })
    }

    /// What is known of an item beside its key and value.
    #[inline]
    pub fn item(&self, place: Place) -> Outcome<Item> {
        if !self.is(place.moment) {
            return Err(self.object_ended());
        }
        // SAFETY: the moment is now, so the item is there.
        Ok(unsafe { *place.item })
    }

    /// An item's key and value, for the functions below: nothing of theirs runs Python before its last look.
    #[inline(always)]
    fn bytes(&self, place: Place) -> Outcome<(&[u8], &[u8])> {
        if !self.is(place.moment) {
            return Err(self.object_ended());
        }
        // SAFETY: the moment is now, so the item is there, and what it points to.
        unsafe { Ok(((*place.item).key.get(self.base.get()), (*place.item).value.get(self.base.get()))) }
    }

    /// An item's key as `bytes`.
    #[inline(always)]
    pub fn key(&self, keys: &Keys, place: Place) -> Outcome<Ref> {
        keys.get(self.bytes(place)?.0)
    }

    /// An item's key as `str`, for messages.
    pub fn key_text(&self, place: Place) -> Outcome<Ref> {
        py::text(self.bytes(place)?.0)
    }

    /// Bytes of an item's value.
    #[inline]
    pub fn value_len(&self, place: Place) -> Outcome<usize> {
        Ok(self.bytes(place)?.1.len())
    }

    /// An item's value as `bytes`, a copy.
    #[inline]
    pub fn value(&self, place: Place) -> Outcome<Ref> {
        py::bytes(self.bytes(place)?.1)
    }

    /// An item's value as `str`; `None` when it is not UTF-8.
    pub fn text(&self, place: Place) -> Outcome<Option<Ref>> {
        match std::str::from_utf8(self.bytes(place)?.1) {
            Ok(text) => py::text(text.as_bytes()).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// The first 8 bytes of an item's value, and how many it has.
    #[inline]
    pub fn word(&self, place: Place) -> Outcome<([u8; 8], usize)> {
        let value = self.bytes(place)?.1;
        let mut word = [0; 8];
        let len = value.len().min(8);
        word[..len].copy_from_slice(&value[..len]);
        Ok((word, value.len()))
    }

    /// An item's value as `bytes`, a copy, when it is shorter than `from`, else a view, which [`Views::end`] ends.
    #[inline]
    pub fn value_or_view(&self, views: &Views, place: Place, from: usize) -> Outcome<Ref> {
        let value = self.bytes(place)?.1;
        if value.len() < from {
            return py::bytes(value);
        }
        // SAFETY: the driver ends the views before the frame.
        unsafe { views.of(Memory::bytes(value)) }
    }

    /// A view of all values and their distance, where they are side by side.
    pub fn side_by_side(&self, views: &Views, moment: Moment) -> Outcome<Option<(Ref, usize)>> {
        self.len(moment)?;
        // SAFETY: the moment is now, so the frame is there; the driver ends the views before it.
        unsafe {
            let stride = (*self.frame.get()).stride as usize;
            if stride == 0 {
                return Ok(None);
            }
            let all = (*self.frame.get()).values.get(self.base.get());
            Ok(Some((views.of(Memory::bytes(all))?, stride)))
        }
    }

    /// All values, of `size` bytes each, one after another as `bytes`.
    pub fn gathered(&self, moment: Moment, size: usize) -> Outcome<Ref> {
        let len = self.len(moment)?;
        // SAFETY: the moment is now, so the items are there; a new `bytes` is filled before anybody sees it.
        unsafe {
            let all = uninit(len * size)?;
            let to = ffi::PyBytes_AsString(all.as_ptr()).cast::<u8>();
            for (index, item) in (*self.frame.get()).items.get(self.base.get()).iter().enumerate() {
                let value = item.value.get(self.base.get());
                if value.len() != size {
                    let message = format!("value {index} of the batch has {} bytes, not {size}", value.len());
                    return Err(py::raise(Kind::Value, message));
                }
                to.add(index * size).copy_from_nonoverlapping(value.as_ptr(), size);
            }
            Ok(all)
        }
    }

    /// The keys and the values of all items, each one after another as `bytes`; and behind them, as `bytes` of 64-bit numbers,
    /// where each begins, with the end of the last.
    pub fn columns(&self, moment: Moment) -> Outcome<[Ref; 4]> {
        let len = self.len(moment)?;
        // SAFETY: the moment is now, so the items are there, and what they point to, in memory: together it is no more than
        // there are numbers. New `bytes` are filled before anybody sees them.
        unsafe {
            let items = (*self.frame.get()).items.get(self.base.get());
            let total = |(keys, values), item: &Item| (keys + item.key.len, values + item.value.len);
            let (keys, values) = items.iter().fold((0, 0), total);
            let places = (len + 1) * size_of::<i64>();
            let made = [uninit(keys as usize)?, uninit(places)?, uninit(values as usize)?, uninit(places)?];
            let mut columns = [Column::of(&made[0], &made[1]), Column::of(&made[2], &made[3])];
            for item in items {
                columns[0].push(item.key.get(self.base.get()));
                columns[1].push(item.value.get(self.base.get()));
            }
            columns.iter_mut().for_each(|column| column.place());
            Ok(made)
        }
    }

    /// Writes an emission that was begun at `moment`.
    #[inline(always)]
    pub fn put(&self, moment: Moment, pool: u32, key: &[u8], value: &[u8]) -> Outcome<()> {
        self.still(moment, "emit")?;
        self.writer().put(pool, self.item.get(), key, value).ok_or_else(|| no_memory(value.len()))
    }

    /// As [`Call::put`], on condition that the key's newest version is `previous`.
    pub fn put_if(&self, moment: Moment, pool: u32, key: &[u8], value: &[u8], previous: u64) -> Outcome<()> {
        self.still(moment, "emit.put_if")?;
        let (mut writer, item) = (self.writer(), self.item.get());
        if item == Record::NO_ITEM {
            return Err(py::raise(Kind::Runtime, NO_OBJECT));
        }
        if self.conditional.get() == Some(moment) {
            return Err(py::raise(Kind::Runtime, TWICE));
        }
        let mark = writer.mark();
        let written = writer.condition(item, previous).and_then(|()| writer.put(pool, item, key, value));
        if written.is_none() {
            // SAFETY: the mark is of this call, and nothing was forgotten since.
            unsafe { writer.truncate(mark) };
            return Err(no_memory(value.len()));
        }
        self.conditional.set(Some(moment));
        Ok(())
    }

    /// Counts objects of the batch as done. Returns where the output stands.
    pub fn done(&self, moment: Moment, count: isize) -> Outcome<Mark> {
        let len = self.len(moment)?;
        // SAFETY: the moment is now, so the frame is there.
        let before = unsafe { (*self.frame.get()).done };
        if count < 0 || count as usize > len || (count as u32) < before {
            let message = format!("batch.done({count}): it has {len} objects, {before} were done before");
            return Err(py::raise(Kind::Value, message));
        }
        // SAFETY: as above.
        unsafe { FlowFrame::report(self.frame.get(), count as u32) };
        Ok(self.mark())
    }

    /// Where the output stands. During [`Call::during`].
    #[inline]
    pub fn mark(&self) -> Mark {
        self.writer().mark()
    }

    /// Forgets what was written since `mark`, as the call fails. During [`Call::during`].
    ///
    /// # Safety
    /// `mark` must be of this call, which forgets once.
    pub unsafe fn truncate(&self, mark: Mark) {
        // SAFETY: the caller's promise.
        unsafe { self.writer().truncate(mark) };
    }

    #[inline(always)]
    fn writer(&self) -> Writer {
        let frame = self.frame.get();
        // SAFETY: the frame is there, as `during` and `begin` were promised; the writer is dropped before anything else runs.
        unsafe { Writer::new(frame.cast(), &raw mut (*frame).out) }
    }

    #[cold]
    fn object_ended(&self) -> Raised {
        if let Some(over) = self.over.get() {
            return over.raise("the object");
        }
        let message = "the object has ended with its call: keep bytes(obj.key), bytes(obj.value) instead";
        py::raise(Kind::Runtime, message)
    }

    #[cold]
    fn used_late(&self, function: &str) -> Raised {
        if let Some(over) = self.over.get() {
            return over.raise(function);
        }
        let message = format!("{function} was used after its call had ended: use it while your method runs");
        py::raise(Kind::Runtime, message)
    }
}

// These two are the same in the other SDKs.
const TWICE: &str = "emit on condition twice for one object: two conditions cannot be decided together; emit on condition \
                     once for each object";
const NO_OBJECT: &str = "emit on condition for no object in particular: there is none that could fail; emit on condition \
                         where one object is handled, not for a batch or at the flush";

/// Where the bytes of one after another go, and where each begins.
struct Column {
    start: *mut u8,
    len: usize,
    places: *mut i64,
}

impl Column {
    /// One that fills these `bytes`.
    fn of(bytes: &Ref, places: &Ref) -> Column {
        // SAFETY: both are alive and `bytes`.
        unsafe {
            let start = ffi::PyBytes_AsString(bytes.as_ptr()).cast();
            Column { start, len: 0, places: ffi::PyBytes_AsString(places.as_ptr()).cast() }
        }
    }

    /// # Safety
    /// There must be room for it.
    #[inline(always)]
    unsafe fn push(&mut self, bytes: &[u8]) {
        // SAFETY: the caller's promise.
        unsafe {
            self.place();
            copy_short(bytes.as_ptr(), self.start.add(self.len), bytes.len());
        }
        self.len += bytes.len();
    }

    /// # Safety
    /// There must be room for a place.
    #[inline(always)]
    unsafe fn place(&mut self) {
        // SAFETY: the caller's promise.
        unsafe {
            self.places.write_unaligned(self.len as i64);
            self.places = self.places.add(1);
        }
    }
}

/// New `bytes` of this length, which are to be filled before anybody sees them.
fn uninit(len: usize) -> Outcome<Ref> {
    // SAFETY: without a source CPython leaves them as they are.
    unsafe { Ref::steal(ffi::PyBytes_FromStringAndSize(ptr::null(), len as isize)) }
}

#[cold]
fn batch_ended() -> Raised {
    py::raise(Kind::Runtime, "the batch has ended with its call: keep copies of keys and values")
}

#[cold]
fn no_memory(len: usize) -> Raised {
    let message = format!("no memory to emit a value of {len} bytes: the flow has reached its limit");
    py::raise(Kind::Memory, message)
}
