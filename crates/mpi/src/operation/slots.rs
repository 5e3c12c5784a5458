//! MPI gives an operation no context: each closure has one of so many functions, which know their place in a table.

use crate::error::{Error, ErrorKind};
use crate::library::{Combines, Library};
use crate::shim::{Function, Handle};
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use upcall_abi::Blit;

const SLOTS: usize = 64;

/// How a slot's closure is called.
type Call = unsafe fn(
    state: *const c_void,
    from: *const c_void,
    into: *mut c_void,
    elements: usize,
) -> Result<(), String>;

/// What combines elements, of one rank into those of another.
pub(super) trait Combine<T>: Fn(&[T], &mut [T]) -> Result<(), String> + Send + Sync + 'static {}

impl<T, F: Fn(&[T], &mut [T]) -> Result<(), String> + Send + Sync + 'static> Combine<T> for F {}

struct Place {
    taken: AtomicBool,
    state: AtomicPtr<c_void>,
    call: AtomicPtr<c_void>,
    unit: AtomicUsize,
    /// MPI's operation over the place's function, that commutes and that does not; 0 where it was not made yet.
    ops: [AtomicI64; 2],
    failures: AtomicU64,
    why: Mutex<String>,
}

static PLACES: [Place; SLOTS] = [const {
    Place {
        taken: AtomicBool::new(false),
        state: AtomicPtr::new(ptr::null_mut()),
        call: AtomicPtr::new(ptr::null_mut()),
        unit: AtomicUsize::new(1),
        ops: [const { AtomicI64::new(0) }; 2],
        failures: AtomicU64::new(0),
        why: Mutex::new(String::new()),
    }
}; SLOTS];

/// A closure in its place.
pub(super) struct Slot {
    index: usize,
    pub(super) commutes: bool,
    /// What the place's state points to.
    _closure: Box<dyn Any + Send + Sync>,
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "slot {}", self.index)
    }
}

impl Slot {
    /// A closure's place. `unit` elements of its are one of MPI's.
    pub(super) fn take<T: Blit, F: Combine<T>>(unit: usize, closure: F) -> Result<Slot, Error> {
        let free = PLACES.iter().position(|place| !place.taken.swap(true, Ordering::Acquire));
        let Some(index) = free else {
            let message =
                format!("make an operation: there are {SLOTS} already; drop those that are no longer used");
            return Err(Error::new(ErrorKind::Usage, message));
        };
        let closure = Box::new(closure);
        let place = &PLACES[index];
        place.state.store(ptr::from_ref::<F>(&closure).cast_mut().cast(), Ordering::Relaxed);
        place.unit.store(unit, Ordering::Relaxed);
        let call: Call = called::<T, F>;
        place.call.store(call as *mut c_void, Ordering::Release);
        Ok(Slot { index, commutes: true, _closure: closure })
    }

    /// MPI's operation for it, which the place keeps.
    #[inline]
    pub(super) fn op(&self, library: &Library) -> Result<Handle, Error> {
        let kept = &PLACES[self.index].ops[usize::from(self.commutes)];
        match kept.load(Ordering::Acquire) {
            0 => self.made(library, kept),
            op => Ok(op),
        }
    }

    #[cold]
    fn made(&self, library: &Library, kept: &AtomicI64) -> Result<Handle, Error> {
        let mut op = 0;
        library.call(
            // SAFETY: the function is one of the program's, for good.
            |table| unsafe { (table.op_create)(FUNCTIONS[self.index], c_int::from(self.commutes), &mut op) },
            || "make an operation".to_owned(),
        )?;
        // Another thread may have been faster: both are right, and one is kept.
        kept.store(op, Ordering::Release);
        Ok(op)
    }

    /// How often its place has had a closure that failed.
    #[inline]
    pub(super) fn failures(&self) -> u64 {
        PLACES[self.index].failures.load(Ordering::Acquire)
    }

    /// What the last one has failed with.
    pub(super) fn why(&self) -> String {
        PLACES[self.index].why.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // Reductions borrow the operation, or keep it until they have ended, so that none is under way.
        PLACES[self.index].taken.store(false, Ordering::Release);
    }
}

/// # Safety
/// `state` must be an `F`, and the others slices of so many elements.
unsafe fn called<T: Blit, F: Combine<T>>(
    state: *const c_void,
    from: *const c_void,
    into: *mut c_void,
    elements: usize,
) -> Result<(), String> {
    // SAFETY: the caller's promise; any bytes are elements, and MPI's two buffers are apart.
    let (closure, from, into) = unsafe {
        let into = std::slice::from_raw_parts_mut(into.cast::<T>(), elements);
        (&*state.cast::<F>(), std::slice::from_raw_parts(from.cast::<T>(), elements), into)
    };
    closure(from, into)
}

/// What MPI calls, for the place of this index.
unsafe extern "C" fn combine<const INDEX: usize>(
    from: *mut c_void,
    into: *mut c_void,
    count: *mut c_int,
    _: *mut c_void,
) {
    let place = &PLACES[INDEX];
    let combines = Combines::begin();
    // SAFETY: MPI calls it with two arrays of that many elements of the type that the reduction was called with, while the
    // operation is borrowed; the place's function is a `Call`.
    let outcome = catch_unwind(AssertUnwindSafe(|| unsafe {
        let call = std::mem::transmute::<*mut c_void, Call>(place.call.load(Ordering::Acquire));
        let elements = usize::try_from(*count).unwrap_or(0) * place.unit.load(Ordering::Relaxed);
        call(place.state.load(Ordering::Relaxed), from, into, elements)
    }));
    drop(combines);
    let why = match outcome {
        Ok(Ok(())) => None,
        Ok(Err(why)) => Some(format!("failed: {why}")),
        Err(panic) => {
            let why = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
                (Some(text), _) => format!("panicked: {text}"),
                (_, Some(text)) => format!("panicked: {text}"),
                _ => "panicked".to_owned(),
            };
            // What panics while it is dropped would leave through MPI.
            std::mem::forget(panic);
            Some(why)
        }
    };
    if let Some(why) = why {
        *place.why.lock().unwrap_or_else(PoisonError::into_inner) = why;
        place.failures.fetch_add(1, Ordering::Release);
    }
}

macro_rules! functions {
    ($($tens:literal)*) => {
        [$(
            combine::<{ $tens * 8 }>, combine::<{ $tens * 8 + 1 }>, combine::<{ $tens * 8 + 2 }>, combine::<{ $tens * 8 + 3 }>,
            combine::<{ $tens * 8 + 4 }>, combine::<{ $tens * 8 + 5 }>, combine::<{ $tens * 8 + 6 }>, combine::<{ $tens * 8 + 7 }>,
        )*]
    };
}

static FUNCTIONS: [Function; SLOTS] = functions!(0 1 2 3 4 5 6 7);
