//! Python functions that native code calls.
//!
//! Native code knows a callback by a number: the context it passes back, or a slot of a pool of trampolines.
//! The number names an entry of a table and tells when that entry is gone: a late call is an error,
//! not a crash.

use super::{explicit, owned};
use super::ffi::*;
use std::cell::{Cell, UnsafeCell};
use std::ffi::{CStr, c_void};
use std::io::Write as _;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

/// A kind of function that native code calls.
pub struct Signature {
    pub name: &'static CStr,
    /// With a context: the one trampoline. Without: one for each slot.
    pub trampolines: &'static [Address],
    /// Without a context: the number that each slot stands for; 0 where it is free.
    pub slots: &'static [AtomicUsize],
    /// The slot to try next: a freed slot is reused as late as possible.
    pub next: AtomicUsize,
}

/// The address of a trampoline.
#[derive(Clone, Copy)]
pub struct Address(pub *const c_void);

// SAFETY: the address of code.
unsafe impl Sync for Address {}

/// What to call, and how often the entry was used before.
struct Entry {
    callable: Obj,
    generation: usize,
}

struct Entries(UnsafeCell<Vec<Entry>>);

// SAFETY: only touched with the GIL held.
unsafe impl Sync for Entries {}

static ENTRIES: Entries = Entries(UnsafeCell::new(Vec::new()));
/// How many native calls are running without the GIL.
static RUNNING: AtomicIsize = AtomicIsize::new(0);
/// How many `Callback` objects are open.
static LIVE: AtomicIsize = AtomicIsize::new(0);
/// The same number, and the threads that wait for the GIL to call one. A thread first says that it waits and
/// then looks at what is alive; ending a `Callback` does the two in the opposite order. So either the thread sees
/// that it is too late, or the call that might wait for the thread sees that it must release the GIL.
static AWAITED: AtomicIsize = AtomicIsize::new(0);
/// Whether a plain function was called where it cannot be.
static MISUSED: AtomicBool = AtomicBool::new(false);

/// Whether Python is about to end: threads of the library would not return from it.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Exceptions of callbacks on the library's threads, raised by the native call that returns next.
struct Pending(UnsafeCell<[Obj; 3]>);

// SAFETY: only touched with the GIL held.
unsafe impl Sync for Pending {}

static FOREIGN: Pending = Pending(UnsafeCell::new([ptr::null_mut(); 3]));

/// Where a thread is within native calls.
#[derive(Clone, Copy, PartialEq)]
pub enum Inside {
    /// In none that calls back.
    No,
    /// In one that was given callbacks, with the GIL.
    Attached,
    /// In one without the GIL.
    Detached,
    /// Back in Python, in a callback: it holds the GIL, but may release it in ways that are not known here.
    Calling,
}

/// A thread's part in native calls.
struct Here {
    inside: Cell<Inside>,
    /// The exception of a callback during the native call that it is in.
    pending: UnsafeCell<[Obj; 3]>,
}

/// Where a thread was before. Its place is kept too: finding it again takes 3 ns.
#[derive(Clone, Copy)]
pub struct Before {
    here: *const Here,
    was: Inside,
}

/// Sets where this thread is now.
#[inline]
pub fn inside(now: Inside) -> Before {
    HERE.with(|here| Before { here, was: here.inside.replace(now) })
}

impl Before {
    /// Sets this thread, which must be the same one, back to where it was.
    #[inline]
    pub fn restore(self) {
        // SAFETY: the thread's own, which lives as long as the thread.
        unsafe { (*self.here).inside.set(self.was) }
    }

    /// Raises a callback's exception from the call.
    #[inline]
    pub unsafe fn raised(self) -> Outcome<()> {
        // SAFETY: as above, and the GIL is held.
        unsafe {
            let own = &mut *(*self.here).pending.get();
            if !own[0].is_null() {
                return Err(set(own));
            }
            late()
        }
    }
}

thread_local! {
    static HERE: Here = const { Here { inside: Cell::new(Inside::No), pending: UnsafeCell::new([ptr::null_mut(); 3]) } };
}

/// Whether a callback may be called from other threads.
#[inline(always)]
pub fn awaited() -> bool {
    AWAITED.load(SeqCst) > 0
}

/// Lets no more of the library's threads in, and gives those inside some time to get out: Python ends
/// those that it meets later, wherever they are in the library.
pub unsafe fn close() {
    CLOSED.store(true, SeqCst);
    for _ in 0..5000 {
        if AWAITED.load(SeqCst) <= LIVE.load(SeqCst) {
            return;
        }
        // SAFETY: the GIL is held.
        let state = unsafe { PyEval_SaveThread() };
        std::thread::sleep(std::time::Duration::from_millis(1));
        // SAFETY: as above.
        unsafe { PyEval_RestoreThread(state) };
    }
}

/// Counts the open `Callback` objects.
pub fn live(change: isize) {
    LIVE.fetch_add(change, SeqCst);
    AWAITED.fetch_add(change, SeqCst);
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

/// Puts a callable, whose reference it takes over, into the table.
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

/// Counts the calls that are running without the GIL.
pub fn running(change: isize) {
    RUNNING.fetch_add(change, Relaxed);
}

#[cold]
unsafe fn set(kept: &mut [Obj; 3]) -> Raised {
    let [kind, value, trace] = std::mem::replace(kept, [ptr::null_mut(); 3]);
    // SAFETY: an exception that was fetched.
    unsafe { PyErr_Restore(kind, value, trace) };
    Raised
}

/// Raises what callbacks on threads of the library raised, or that they could not run there.
#[inline]
pub unsafe fn late() -> Outcome<()> {
    // SAFETY: the GIL is held.
    unsafe {
        let foreign = &mut *FOREIGN.0.get();
        if !foreign[0].is_null() {
            // One error is enough.
            MISUSED.store(false, Relaxed);
            return Err(set(foreign));
        }
        if misused() {
            MISUSED.store(false, Relaxed);
            return Err(raise(PyExc_RuntimeError, LATE));
        }
        Ok(())
    }
}

/// Whether a callback was called where it cannot be.
#[inline(always)]
pub fn misused() -> bool {
    MISUSED.load(Relaxed)
}

const LATE: &str = "a callback was called after it was released, or a function that is not a Callback from another \
                    thread or after the call that it was passed to: pass a Callback";

/// The native call that returns next raises it; until then it is printed once.
#[cold]
fn misuse() {
    if !MISUSED.swap(true, Relaxed) {
        // If it cannot be printed, the program must not end.
        let _ = writeln!(std::io::stderr(), "{LATE}");
    }
}

/// A callback as the native function takes it, for the duration of the call.
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

/// A callable for the duration of the call, a `Callback`, the address of a native function, or `None`.
///
/// `release` says whether the call releases the GIL.
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
        incref(object);
        // While the GIL is kept, other threads cannot call it.
        let number = enter(object, !release && !awaited())?;
        let function = of.trampoline(number).inspect_err(|_| leave(number))?;
        Ok(Bound { function, context: number, lent: true })
    }
}

impl Signature {
    /// The trampoline for an entry. Without a context, one is taken from the pool until the entry is gone.
    #[inline]
    pub unsafe fn trampoline(&'static self, number: usize) -> Outcome<*const c_void> {
        if self.slots.is_empty() {
            return Ok(self.trampolines[0].0);
        }
        let next = self.next.load(Relaxed);
        for place in (next..self.slots.len()).chain(0..next) {
            let taken = self.slots[place].load(Relaxed);
            // SAFETY: the GIL is held.
            if taken == 0 || unsafe { entry(taken) }.is_none() {
                self.slots[place].store(number, Relaxed);
                self.next.store(place + 1, Relaxed);
                return Ok(self.trampolines[place].0);
            }
        }
        let (name, len) = (self.name.to_string_lossy(), self.slots.len());
        let message = format!("{len} callbacks of {name}, which has no context parameter, are alive: release some");
        // SAFETY: the GIL is held.
        Err(unsafe { raise(PyExc_RuntimeError, &message) })
    }
}

/// Runs a callback: `give` writes its arguments, `take` reads its result. If it raises, the
/// result is `other`.
pub unsafe fn call<const N: usize, R: Copy>(
    number: usize,
    other: R,
    give: impl FnOnce(&mut [Obj; N]) -> Outcome<()>,
    take: impl FnOnce(Obj) -> Outcome<R>,
) -> R {
    let here = HERE.with(ptr::from_ref);
    // SAFETY: this thread's, while it lives.
    let here = unsafe { &*here };
    let inside = here.inside.get();
    let mut result = other;
    if inside == Inside::No && number & 1 == 1 {
        misuse();
        return result;
    }
    let own = inside != Inside::No;
    // SAFETY: only this thread has it.
    if unsafe { !(*here.pending.get())[0].is_null() } {
        return result;
    }
    if !own {
        AWAITED.fetch_add(1, SeqCst);
        if CLOSED.load(SeqCst) {
            AWAITED.fetch_sub(1, SeqCst);
            return result;
        }
        // With nothing alive, the thread that holds the GIL may be waiting for this one.
        if LIVE.load(SeqCst) == 0 && RUNNING.load(SeqCst) == 0 {
            AWAITED.fetch_sub(1, SeqCst);
            misuse();
            return result;
        }
    }
    // SAFETY: Python is running; if this thread does not hold the GIL, it takes it.
    unsafe {
        let taken = (inside != Inside::Attached).then(|| PyGILState_Ensure());
        here.inside.set(if own { Inside::Calling } else { Inside::No });
        match run(number, give, take) {
            Ok(value) => result = value,
            Err(Raised) => keep(own.then_some(here)),
        }
        here.inside.set(inside);
        if let Some(state) = taken {
            PyGILState_Release(state);
        }
    }
    if !own {
        AWAITED.fetch_sub(1, SeqCst);
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
        let mut result = given.and_then(|()| super::ffi::owned(vectorcall(callable, &arguments)));
        for argument in arguments {
            if !argument.is_null() && PyMemoryView_Check(argument) != 0 && owned::end(argument, result.is_ok()).is_err() {
                if let Ok(result) = std::mem::replace(&mut result, Err(Raised)) {
                    decref(result);
                }
            }
            decref(argument);
        }
        decref(callable);
        let result = result?;
        let taken = take(result);
        decref(result);
        taken
    }
}

/// Keeps the exception for the native call of this thread, or else for the next one that returns; without
/// either, it is reported.
#[cold]
unsafe fn keep(own: Option<&Here>) {
    // SAFETY: an exception is set, and the GIL is held.
    unsafe {
        let foreign = FOREIGN.0.get();
        if own.is_none() && (RUNNING.load(Relaxed) == 0 || !(*foreign)[0].is_null()) {
            PyErr_WriteUnraisable(ptr::null_mut());
            return;
        }
        let [kind, value, trace] = &mut *own.map_or(foreign, |here| here.pending.get());
        PyErr_Fetch(kind, value, trace);
    }
}

/// The result of a callback that returns nothing.
pub unsafe fn nothing(_: Obj) -> Outcome<()> {
    Ok(())
}
