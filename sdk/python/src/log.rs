//! The way of Python's `logging` into the engine's log.
//!
//! The engine's log may be called on the handler's worker only. A record of another thread waits for the
//! next frame. On the thread of a handler's event loop it may be called too, from OPEN to CLOSE.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Mutex};
use upcall_abi::Services;

thread_local! {
    static SERVICES: Cell<*const Services> = const { Cell::new(std::ptr::null()) };
    /// On the thread of an event loop: those of its handler.
    static LASTING: RefCell<Option<Lasting>> = const { RefCell::new(None) };
}

/// Services of an engine that keeps no log.
struct Deaf(Services);

// SAFETY: nobody writes it, and its function does nothing.
unsafe impl Sync for Deaf {}

static DEAF: Deaf = Deaf(Services {
    size: size_of::<Services>() as u32,
    reserved: 0,
    context: std::ptr::null_mut(),
    log: drop_text,
});

unsafe extern "C" fn drop_text(_: *mut c_void, _: u32, _: *const u8, _: u64) {}

static WAITING: AtomicBool = AtomicBool::new(false);
static RECORDS: Mutex<Vec<(u32, String)>> = Mutex::new(Vec::new());

/// The services of a handler that may log whenever it likes, while it is open; then null. The interpreter's lock is held by
/// whoever logs, and by CLOSE.
#[derive(Clone, Default)]
pub struct Lasting(Arc<AtomicPtr<Services>>);

impl Lasting {
    /// From OPEN on those of the engine, from CLOSE on none.
    pub fn set(&self, services: *const Services) {
        self.0.store(services.cast_mut(), Ordering::Relaxed);
    }

    /// Sends the records of this thread there from now on.
    pub fn enter(&self) {
        LASTING.set(Some(self.clone()));
    }
}

/// Records that wait at most, so that a flow that gets no items cannot be filled by a chatty thread.
const MOST: usize = 10_000;

/// Where this thread's records go while it lives.
pub struct Log(*const Services);

/// Sends this thread's records, and those that wait, to an engine's services.
///
/// # Safety
/// `services` must be null, or valid until what is returned has been dropped.
#[inline]
pub unsafe fn to(services: *const Services) -> Log {
    // What is logged in a call of an engine that keeps no log is dropped, not kept for another handler's next call.
    let services = if services.is_null() { &raw const DEAF.0 } else { services };
    let log = Log(SERVICES.replace(services));
    deliver();
    log
}

impl Drop for Log {
    #[inline]
    fn drop(&mut self) {
        SERVICES.set(self.0);
    }
}

/// Logs what other threads have, where this thread may.
#[inline]
pub fn deliver() {
    if WAITING.load(Ordering::Relaxed) {
        deliver_now();
    }
}

#[cold]
fn deliver_now() {
    WAITING.store(false, Ordering::Relaxed);
    let records = std::mem::take(&mut *RECORDS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    for (level, text) in records {
        write(level, &text);
    }
}

/// Logs at one of [`upcall_abi::level`].
pub fn write(level: u32, text: &str) {
    let lasting = || LASTING.with_borrow(|lasting| Some(lasting.as_ref()?.0.load(Ordering::Relaxed)));
    let services = match SERVICES.get() {
        none if none.is_null() => match lasting() {
            // The handler has been closed.
            Some(none) if none.is_null() => return,
            lasting => lasting.map_or(none, <*mut _>::cast_const),
        },
        services => services,
    };
    // SAFETY: what `to` was promised, or not yet closed, as the lock is held since we have looked.
    match unsafe { services.as_ref() } {
        // SAFETY: the text is ours, and this is a thread that the engine takes it from.
        Some(s) => unsafe { (s.log)(s.context, level, text.as_ptr(), text.len() as u64) },
        None => {
            let mut records = RECORDS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if records.len() < MOST {
                records.push((level, text.to_owned()));
                WAITING.store(true, Ordering::Relaxed);
            }
        }
    }
}
