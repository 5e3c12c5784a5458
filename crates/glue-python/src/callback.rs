//! Python functions that native code calls.
//!
//! Native code knows a callback by a number: the context it passes back, or a slot of a pool of trampolines.
//! The number names an entry of a table and tells when that entry is gone: a late call is an error,
//! not a crash.

use super::entries::{self, FULL, is_plain};
use super::ffi::*;
use super::misuse::Misuse;
use super::slots::{Address, Signature};
use super::{explicit, owned};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed, Ordering::SeqCst};

/// Callables by number. An address space has one table, so the numbers need no tag.
type Entries = entries::Entries<Ref, { usize::BITS - 17 }>;

static TABLE: Guarded<Entries> = Guarded::new(Entries::new(0));

/// How many native calls are running without the GIL.
static RUNNING: AtomicIsize = AtomicIsize::new(0);
/// How many `Callback` objects are open.
static LIVE: AtomicIsize = AtomicIsize::new(0);
/// The same number, and the threads that wait for the GIL to call one. A thread first says that it waits and
/// then looks at what is alive; ending a `Callback` does the two in the opposite order. So either the thread sees
/// that it is too late, or the call that might wait for the thread sees that it must release the GIL.
static AWAITED: AtomicIsize = AtomicIsize::new(0);
/// Plain functions that were called where they cannot be.
static MISUSE: Misuse = Misuse::new();

/// Whether Python is about to end: threads of the library would not return from it.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// What `PyErr_Fetch` gives: type, value and traceback, or nothing.
type Exception = [Obj; 3];

const NOTHING: Exception = [ptr::null_mut(); 3];

/// The exception of a callback on one of the library's threads, raised by the native call that returns next.
static FOREIGN: Guarded<Exception> = Guarded::new(NOTHING);

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
    pending: Cell<Exception>,
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

    /// Whether it was in no native call that calls back.
    #[inline]
    pub fn outermost(self) -> bool {
        self.was == Inside::No
    }

    /// Raises a callback's exception from the call.
    #[inline]
    pub unsafe fn raised(self) -> Outcome<()> {
        // SAFETY: as above, and the GIL is held.
        unsafe {
            let own = &(*self.here).pending;
            if !own.get()[0].is_null() {
                return Err(set(own.replace(NOTHING)));
            }
            late()
        }
    }
}

/// Where this thread is now.
#[inline]
pub fn here() -> Inside {
    HERE.with(|here| here.inside.get())
}

thread_local! {
    static HERE: Here = const { Here { inside: Cell::new(Inside::No), pending: Cell::new(NOTHING) } };
}

/// Whether a callback may be called from other threads.
#[inline(always)]
pub fn awaited() -> bool {
    AWAITED.load(SeqCst) > 0
}

/// A thread of the library's that is about to wait for the GIL, until this is dropped.
pub struct Waiting(());

impl Waiting {
    /// Says so; `None` where Python is about to end.
    #[inline(always)]
    pub fn begin() -> Option<Waiting> {
        AWAITED.fetch_add(1, SeqCst);
        let waiting = Waiting(());
        (!CLOSED.load(SeqCst)).then_some(waiting)
    }
}

impl Drop for Waiting {
    #[inline(always)]
    fn drop(&mut self) {
        AWAITED.fetch_sub(1, SeqCst);
    }
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

/// Puts a callable into the table.
#[inline]
pub unsafe fn enter(callable: Ref, plain: bool) -> Outcome<usize> {
    // SAFETY: the GIL is held.
    unsafe { TABLE.with(|table| table.enter(callable, plain)).map_err(|_| raise(PyExc_RuntimeError, FULL)) }
}

/// Ends what [`enter`] began.
#[inline]
pub unsafe fn leave(number: usize) {
    // SAFETY: the GIL is held.
    let callable = unsafe { TABLE.with(|table| table.leave(number)) };
    drop(callable);
}

/// What native code calls for a callable that is in the table.
#[inline]
pub unsafe fn address(number: usize, of: &'static Signature) -> Outcome<Address> {
    if let Some(trampoline) = of.shared() {
        return Ok(trampoline);
    }
    // SAFETY: the GIL is held.
    unsafe {
        TABLE.with(|table| table.address(number, of)).map_err(|_| raise(PyExc_RuntimeError, &of.exhausted()))
    }
}

/// Counts the calls that are running without the GIL.
pub fn running(change: isize) {
    RUNNING.fetch_add(change, Relaxed);
}

#[cold]
unsafe fn set([kind, value, trace]: Exception) -> Raised {
    // SAFETY: an exception that was fetched.
    unsafe { PyErr_Restore(kind, value, trace) };
    Raised
}

/// Raises what callbacks on threads of the library raised, or that they could not run there.
#[inline]
pub unsafe fn late() -> Outcome<()> {
    // SAFETY: the GIL is held.
    unsafe {
        if FOREIGN.with(|foreign| !foreign[0].is_null()) {
            // One error is enough.
            MISUSE.take();
            return Err(set(FOREIGN.with(|foreign| std::mem::replace(foreign, NOTHING))));
        }
        if MISUSE.take() {
            return Err(raise(PyExc_RuntimeError, LATE));
        }
        Ok(())
    }
}

/// Whether a callback was called where it cannot be.
#[inline(always)]
pub fn misused() -> bool {
    MISUSE.noted()
}

const LATE: &str = "a callback was called after it was released, or a function that is not a Callback from another \
                    thread or after the call that it was passed to: pass a Callback";

/// A callback as the native function takes it, for the duration of the call.
pub struct Bound {
    function: Address,
    context: usize,
    /// Whether it is for this call only.
    lent: bool,
}

impl Bound {
    /// The function, as the mirror's type for it.
    #[inline(always)]
    pub fn function<T: Copy>(&self) -> T {
        // SAFETY: the trampoline was made for this type; null is taken only where it has a null.
        unsafe { self.function.function() }
    }

    /// The context.
    #[inline(always)]
    pub fn context(&self) -> *mut c_void {
        self.context as *mut c_void
    }
}

impl Drop for Bound {
    #[inline(always)]
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
#[inline(always)]
pub unsafe fn take(
    object: Obj,
    of: &'static Signature,
    nullable: bool,
    release: bool,
    at: &'static At,
) -> Outcome<Bound> {
    let bare =
        |function: usize| Bound { function: Address(function as *const c_void), context: 0, lent: false };
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
        // While the GIL is kept, other threads cannot call it.
        let number = enter(Ref::to(object), !release && !awaited())?;
        let function = address(number, of).inspect_err(|_| leave(number))?;
        Ok(Bound { function, context: number, lent: true })
    }
}

/// Runs a callback: `give` writes its arguments, among which are views for the length of the call if it `lends`;
/// `take` reads its result. If it raises, the result is `other`.
#[inline(always)]
pub unsafe fn call<const N: usize, R: Copy>(
    number: usize,
    other: R,
    lends: bool,
    give: impl FnOnce(&mut [Obj; N]) -> Outcome<()>,
    take: impl FnOnce(Obj) -> Outcome<R>,
) -> R {
    let here = HERE.with(ptr::from_ref);
    // SAFETY: this thread's, while it lives.
    let here = unsafe { &*here };
    let inside = here.inside.get();
    let mut result = other;
    if inside == Inside::No && is_plain(number) {
        MISUSE.note(LATE);
        return result;
    }
    let own = inside != Inside::No;
    if !here.pending.get()[0].is_null() {
        return result;
    }
    let mut waiting = None;
    if !own {
        waiting = Waiting::begin();
        if waiting.is_none() {
            return result;
        }
        // With nothing alive, the thread that holds the GIL may be waiting for this one.
        if LIVE.load(SeqCst) == 0 && RUNNING.load(SeqCst) == 0 {
            MISUSE.note(LATE);
            return result;
        }
    }
    // SAFETY: Python is running; if this thread does not hold the GIL, it takes it.
    unsafe {
        let taken = (inside != Inside::Attached).then(|| PyGILState_Ensure());
        here.inside.set(if own { Inside::Calling } else { Inside::No });
        match find(number).and_then(|callable| run(&callable, lends, give, take)) {
            Ok(value) => result = value,
            Err(Raised) => keep(own.then_some(here)),
        }
        here.inside.set(inside);
        if let Some(state) = taken {
            PyGILState_Release(state);
        }
    }
    drop(waiting);
    result
}

/// The callable of a number, which may release itself while it runs.
#[inline(always)]
unsafe fn find(number: usize) -> Outcome<Ref> {
    // SAFETY: the GIL is held.
    unsafe {
        let callable = TABLE.with(|table| table.get(number).map(|callable| Ref::to(callable.0)));
        callable.ok_or_else(|| raise(PyExc_RuntimeError, "a callback was called after it was released"))
    }
}

/// Calls a callable with what `give` writes: see [`call`].
#[inline(always)]
pub unsafe fn run<const N: usize, R>(
    callable: &Ref,
    lends: bool,
    give: impl FnOnce(&mut [Obj; N]) -> Outcome<()>,
    take: impl FnOnce(Obj) -> Outcome<R>,
) -> Outcome<R> {
    // SAFETY: the GIL is held.
    unsafe {
        let mut arguments = [ptr::null_mut(); N];
        let given = give(&mut arguments);
        let mut result = given.and_then(|()| Ref::new(vectorcall(callable.0, &arguments)));
        for argument in arguments {
            if lends
                && !argument.is_null()
                && PyMemoryView_Check(argument) != 0
                && owned::end(argument, result.is_ok()).is_err()
            {
                result = Err(Raised);
            }
            decref(argument);
        }
        take(result?.0)
    }
}

/// Keeps the exception for the native call of this thread, or else for the next one that returns; without
/// either, it is reported.
#[cold]
unsafe fn keep(own: Option<&Here>) {
    // SAFETY: an exception is set, and the GIL is held.
    unsafe {
        let kept = || RUNNING.load(Relaxed) > 0 && FOREIGN.with(|foreign| foreign[0].is_null());
        if own.is_none() && !kept() {
            PyErr_WriteUnraisable(ptr::null_mut());
            return;
        }
        let mut raised = NOTHING;
        let [kind, value, trace] = &mut raised;
        PyErr_Fetch(kind, value, trace);
        match own {
            Some(here) => here.pending.set(raised),
            None => FOREIGN.with(|foreign| *foreign = raised),
        }
    }
}

/// The result of a callback that returns nothing.
pub unsafe fn nothing(_: Obj) -> Outcome<()> {
    Ok(())
}
