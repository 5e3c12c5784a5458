//! Python functions that native code calls.
//!
//! Native code knows a callback by a number: the context it passes back, or a slot of a pool of trampolines.
//! The number names an entry of a table, and says when that entry is gone: a call after its end is an error,
//! not a crash.

use super::explicit;
use super::ffi::*;
use std::cell::{Cell, UnsafeCell};
use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering::Relaxed};

/// A kind of function that native code calls.
pub struct Signature {
    pub name: &'static CStr,
    /// With a context: the one trampoline. Without: one for each slot.
    pub trampolines: &'static [Address],
    /// Without a context: the number that each slot stands for; 0 where it is free.
    pub slots: &'static [AtomicUsize],
}

/// The address of a trampoline.
#[derive(Clone, Copy)]
pub struct Address(pub *const c_void);

// SAFETY: the address of code.
unsafe impl Sync for Address {}

/// What is called, and how often the entry was used before.
struct Entry {
    callable: Obj,
    generation: usize,
}

struct Entries(UnsafeCell<Vec<Entry>>);

// SAFETY: touched with the GIL only.
unsafe impl Sync for Entries {}

static ENTRIES: Entries = Entries(UnsafeCell::new(Vec::new()));
/// How many native calls are going on without the GIL.
static RUNNING: AtomicIsize = AtomicIsize::new(0);
/// Whether a plain function was called where it cannot be.
static MISUSED: AtomicUsize = AtomicUsize::new(0);

/// What a callback raised: taken by the native call that returns next.
struct Pending(UnsafeCell<[Obj; 3]>);

// SAFETY: touched with the GIL only.
unsafe impl Sync for Pending {}

static PENDING: Pending = Pending(UnsafeCell::new([ptr::null_mut(); 3]));

/// Where a thread is within native calls.
#[derive(Clone, Copy, PartialEq)]
pub enum Inside {
    /// In none that calls back.
    No,
    /// In one that was given callbacks, with the GIL.
    Attached,
    /// In one without the GIL.
    Detached,
}

/// Where a thread was before. Its place is kept too: to find it again takes 3 ns.
#[derive(Clone, Copy)]
pub struct Before {
    place: *const Cell<Inside>,
    was: Inside,
}

/// Says where this thread is now.
#[inline]
pub fn inside(now: Inside) -> Before {
    INSIDE.with(|place| Before { place, was: place.replace(now) })
}

impl Before {
    /// Says that this thread, which must be the same one, is where it was.
    #[inline]
    pub fn restore(self) {
        // SAFETY: the thread's own, which lives as long as the thread.
        unsafe { (*self.place).set(self.was) }
    }
}

thread_local! {
    static INSIDE: Cell<Inside> = const { Cell::new(Inside::No) };
}

/// A number's parts: whether it is for one call only, its place in the table, its generation.
const PLACES: u32 = 16;

fn number(place: usize, generation: usize, plain: bool) -> usize {
    generation << (PLACES + 1) | place << 1 | usize::from(plain)
}

#[inline]
unsafe fn entry<'a>(number: usize) -> Option<&'a mut Entry> {
    // SAFETY: the GIL is held.
    let entries = unsafe { &mut *ENTRIES.0.get() };
    let entry = entries.get_mut(number >> 1 & ((1 << PLACES) - 1))?;
    (entry.generation << (PLACES + 1) == number & !((1 << (PLACES + 1)) - 1) && !entry.callable.is_null())
        .then_some(entry)
}

/// Puts a callable, whose reference is taken over, into the table.
#[inline]
pub unsafe fn enter(callable: Obj, plain: bool) -> Outcome<usize> {
    // SAFETY: the GIL is held.
    let entries = unsafe { &mut *ENTRIES.0.get() };
    let free = entries.iter().position(|entry| entry.callable.is_null());
    let place = free.unwrap_or(entries.len());
    if place >= 1 << PLACES {
        // SAFETY: as above.
        return Err(unsafe { raise(PyExc_RuntimeError, "65536 callbacks are alive: release some") });
    }
    if free.is_none() {
        entries.push(Entry { callable: ptr::null_mut(), generation: 0 });
    }
    let entry = &mut entries[place];
    entry.callable = callable;
    entry.generation = entry.generation.wrapping_add(1) & (usize::MAX >> (PLACES + 1));
    Ok(number(place, entry.generation, plain))
}

#[inline]
pub unsafe fn leave(number: usize) {
    // SAFETY: the GIL is held.
    unsafe {
        if let Some(entry) = entry(number) {
            let callable = std::mem::replace(&mut entry.callable, ptr::null_mut());
            decref(callable);
        }
    }
}

/// Counts the calls that are going on without the GIL.
pub fn running(change: isize) {
    RUNNING.fetch_add(change, Relaxed);
}

/// Raises what a callback raised since the last time.
#[inline]
pub unsafe fn raised() -> Outcome<()> {
    // SAFETY: the GIL is held.
    unsafe {
        let kept = &mut *PENDING.0.get();
        if !kept[0].is_null() {
            let pending = std::mem::replace(kept, [ptr::null_mut(); 3]);
            PyErr_Restore(pending[0], pending[1], pending[2]);
            return Err(Raised);
        }
        if MISUSED.load(Relaxed) > 0 {
            MISUSED.store(0, Relaxed);
            let message = "a function passed as a callback was called from another thread, or after the call \
                           that it was passed to: pass a Callback";
            return Err(raise(PyExc_RuntimeError, message));
        }
        Ok(())
    }
}

/// A callback as the native function takes it, for the length of the call.
pub struct Bound {
    function: *const c_void,
    context: usize,
    /// Whether it is for this call only.
    lent: bool,
}

impl Bound {
    /// The function, as the mirror's type for it.
    #[inline(always)]
    pub fn function<T: Copy>(&self) -> T {
        const { assert!(size_of::<T>() == size_of::<usize>(), "the address of a function") };
        // SAFETY: the trampoline was made for this type.
        unsafe { std::mem::transmute_copy(&self.function) }
    }

    /// The context.
    #[inline(always)]
    pub fn context(&self) -> *mut c_void {
        self.context as *mut c_void
    }
}

impl Drop for Bound {
    #[inline]
    fn drop(&mut self) {
        if self.lent {
            // SAFETY: the native call has returned, and the GIL is held.
            unsafe { leave(self.context) };
        }
    }
}

/// A callable for the length of the call, a `Callback`, the address of a native function, or `None`.
///
/// `release` says whether the call gives up the GIL.
#[inline]
pub unsafe fn take(
    object: Obj,
    of: &'static Signature,
    nullable: bool,
    release: bool,
    at: &'static At,
) -> Outcome<Bound> {
    let bare = |function: usize| Bound {
        function: function as *const c_void,
        context: 0,
        lent: false,
    };
    // SAFETY: the object is alive.
    unsafe {
        if let Some((function, context)) = explicit::take(object, of, at)? {
            return Ok(Bound { function, context, lent: false });
        }
        if PyCallable_Check(object) == 0 {
            let wanted = c"a callable, a Callback, the address of a function or None";
            if object != Py_None() && PyIndex_Check(object) == 0 {
                return Err(at.wrong_type(wanted, object));
            }
            return Ok(bare(super::view::take_address(object, None, nullable, at)? as usize));
        }
        // What was misused before this call has been reported.
        MISUSED.store(0, Relaxed);
        incref(object);
        // Where the GIL is kept, other threads cannot call it.
        let number = enter(object, !release && !explicit::live())?;
        let function = of.trampoline(number).inspect_err(|_| leave(number))?;
        Ok(Bound { function, context: number, lent: true })
    }
}

impl Signature {
    /// The trampoline for an entry. Without a context one of the pool is taken, until the entry is gone.
    #[inline]
    pub unsafe fn trampoline(&'static self, number: usize) -> Outcome<*const c_void> {
        if self.slots.is_empty() {
            return Ok(self.trampolines[0].0);
        }
        for (slot, trampoline) in self.slots.iter().zip(self.trampolines) {
            let taken = slot.load(Relaxed);
            // SAFETY: the GIL is held.
            if taken == 0 || unsafe { entry(taken) }.is_none() {
                slot.store(number, Relaxed);
                return Ok(trampoline.0);
            }
        }
        let (name, len) = (self.name.to_string_lossy(), self.slots.len());
        let message = format!("{len} callbacks of {name}, which has no context parameter, are alive: release some");
        // SAFETY: the GIL is held.
        Err(unsafe { raise(PyExc_RuntimeError, &message) })
    }
}

/// Runs a callback: its arguments are written by `give`, its result is read by `take`. Where it raises, the
/// result is zeros.
pub unsafe fn call<const N: usize, R: Copy>(
    number: usize,
    give: impl FnOnce(&mut [Obj; N]) -> Outcome<()>,
    take: impl FnOnce(Obj) -> Outcome<R>,
) -> R {
    let inside = INSIDE.get();
    // SAFETY: all zeros are a value of each type of the mirror.
    let mut result = unsafe { std::mem::zeroed() };
    if inside == Inside::No && number & 1 == 1 {
        MISUSED.store(1, Relaxed);
        eprintln!("a function passed as a callback was called from another thread, or after its call: pass a Callback");
        return result;
    }
    // SAFETY: Python runs; where this thread does not hold the GIL, it is taken.
    unsafe {
        let taken = (inside != Inside::Attached).then(|| PyGILState_Ensure());
        if (*PENDING.0.get())[0].is_null() {
            match run(number, give, take) {
                Ok(value) => result = value,
                Err(Raised) => keep(),
            }
        }
        if let Some(state) = taken {
            PyGILState_Release(state);
        }
    }
    result
}

#[inline(always)]
unsafe fn run<const N: usize, R>(
    number: usize,
    give: impl FnOnce(&mut [Obj; N]) -> Outcome<()>,
    take: impl FnOnce(Obj) -> Outcome<R>,
) -> Outcome<R> {
    // SAFETY: the GIL is held.
    unsafe {
        let Some(entry) = entry(number) else {
            return Err(raise(PyExc_RuntimeError, "a callback was called after it was released"));
        };
        let callable = entry.callable;
        // It may release itself while it runs.
        incref(callable);
        let mut arguments = [ptr::null_mut(); N];
        let given = give(&mut arguments);
        let result = given.and_then(|()| owned(vectorcall(callable, &arguments)));
        for argument in arguments {
            decref(argument);
        }
        decref(callable);
        let result = result?;
        let taken = take(result);
        decref(result);
        taken
    }
}

/// Keeps the exception for the native call that returns next; without one it is reported.
#[cold]
unsafe fn keep() {
    // SAFETY: an exception is set, and the GIL is held.
    unsafe {
        if INSIDE.get() == Inside::No && RUNNING.load(Relaxed) == 0 {
            PyErr_WriteUnraisable(ptr::null_mut());
            return;
        }
        let [kind, value, trace] = &mut *PENDING.0.get();
        PyErr_Fetch(kind, value, trace);
    }
}

/// The result of a callback that returns none.
pub unsafe fn nothing(_: Obj) -> Outcome<()> {
    Ok(())
}
