//! The way of Python's `logging` into the engine's log.
//!
//! The engine's log may be called on the handler's worker only. A record of another thread waits for the
//! next frame.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use upcall_abi::Services;

thread_local! {
    static SERVICES: Cell<*const Services> = const { Cell::new(std::ptr::null()) };
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
    if WAITING.load(Ordering::Relaxed) {
        deliver();
    }
    log
}

impl Drop for Log {
    #[inline]
    fn drop(&mut self) {
        SERVICES.set(self.0);
    }
}

#[cold]
fn deliver() {
    WAITING.store(false, Ordering::Relaxed);
    let records = std::mem::take(&mut *RECORDS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    for (level, text) in records {
        write(level, &text);
    }
}

/// Logs at one of [`upcall_abi::level`].
pub fn write(level: u32, text: &str) {
    // SAFETY: what `to` was promised.
    match unsafe { SERVICES.get().as_ref() } {
        // SAFETY: the text is ours, and this is the thread that the engine called.
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
