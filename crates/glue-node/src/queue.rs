//! Calls of a `Callback` by other threads, which wait until its own thread runs them.
//!
//! What waits is bounded: a thread that sends cannot be made to wait, because JavaScript's thread may be within a
//! native call that waits for it. What has no room is dropped, counted, and thrown as an error that says so.

use super::calling::{LATE, MISUSE, PENDING, pending};
use super::entries::is_plain;
use super::environment::{Functions, state};
use super::misuse::say;
use super::value::*;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How many bytes may wait for one environment: arguments, copies of texts and slices, and [`OVERHEAD`].
const LIMIT: usize = 64 << 20;
/// What a call takes besides its arguments: its allocation and its place in Node's queue.
const OVERHEAD: usize = 128;

const UNSENT: &str =
    "calls of a Callback by another thread were dropped: it was released before they could run";

/// The queue of one environment.
struct Queue {
    function: napi_threadsafe_function,
    /// The bytes that wait.
    waiting: usize,
    /// Calls dropped since the queue was full, by the callback's number. Until half of it has run, all calls are:
    /// one gap is easier to understand than many.
    dropped: HashMap<usize, usize>,
}

// SAFETY: Node's queue may be called from every thread.
unsafe impl Send for Queue {}

static QUEUES: Mutex<Option<HashMap<usize, Queue>>> = Mutex::new(None);

/// The queue with this tag, locked, so that no other thread closes it meanwhile.
fn locked<R>(tag: usize, with: impl FnOnce(&mut Queue) -> R) -> Option<R> {
    let mut queues = QUEUES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    queues.as_mut()?.get_mut(&tag).map(with)
}

/// Makes an environment's queue.
pub unsafe fn open(env: napi_env, tag: usize) {
    let (mut name, mut function, none) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: the environment is open.
    unsafe {
        napi_create_string_utf8(env, c"callbacks".as_ptr(), 9, &mut name);
        let made = napi_create_threadsafe_function(
            env,
            none,
            none,
            name,
            0,
            1,
            ptr::null_mut(),
            None,
            ptr::null_mut(),
            Some(deliver),
            &mut function,
        );
        if made == 0 {
            napi_unref_threadsafe_function(env, function);
            let queue = Queue { function, waiting: 0, dropped: HashMap::new() };
            let mut queues = QUEUES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            queues.get_or_insert_default().insert(tag, queue);
        }
    }
}

/// Ends it.
pub fn close(tag: usize) {
    let mut queues = QUEUES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    queues.as_mut().map(|queues| queues.remove(&tag));
}

/// A call on its way, and its bytes.
struct Delivery {
    number: usize,
    bytes: usize,
    run: Box<dyn FnOnce()>,
}

/// Whether a callback may be sent to its own thread from another one: not if it is a plain function.
#[inline(always)]
pub fn elsewhere(number: usize) -> bool {
    !is_plain(number) && Functions::tag_of(number) != state().entries.tag()
}

/// What a borrowed text or slice holds, whose bytes are added to a sum.
pub unsafe fn copied<T: Copy>(data: *const T, len: usize, bytes: &mut usize) -> Vec<T> {
    *bytes += len * size_of::<T>();
    // SAFETY: the library's promise: so many elements.
    if len == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(data, len) }.to_vec() }
}

/// Sends a callback that returns nothing to its own thread, which runs it later. Only the bytes of the arguments are
/// sent, and copies, of so many bytes, of the texts and slices they point to; the targets of other pointers are up
/// to the library.
pub fn send<F: FnOnce() + 'static>(number: usize, copied: usize, run: F) {
    if !post(number, copied, run) {
        MISUSE.note(LATE);
    }
}

/// The same; says whether there is a queue. A call that has no room counts as sent.
pub fn post<F: FnOnce() + 'static>(number: usize, copied: usize, run: F) -> bool {
    let bytes = OVERHEAD + size_of::<F>() + copied;
    let posted = locked(Functions::tag_of(number), |queue| {
        // One call alone may be larger.
        let full = queue.waiting > 0 && queue.waiting + bytes > LIMIT;
        if full || !queue.dropped.is_empty() {
            *queue.dropped.entry(number).or_default() += 1;
            return true;
        }
        queue.put(number, bytes, run)
    });
    posted == Some(true)
}

/// Sends what comes behind the last call of a callback. There is always room for it.
pub fn last<F: FnOnce() + 'static>(number: usize, run: F) {
    locked(Functions::tag_of(number), |queue| queue.put(number, OVERHEAD, run));
}

/// Whether nothing waits for the environment with this tag.
pub fn is_empty(tag: usize) -> bool {
    locked(tag, |queue| queue.waiting == 0) == Some(true)
}

impl Queue {
    /// Whether Node has taken it.
    fn put<F: FnOnce() + 'static>(&mut self, number: usize, bytes: usize, run: F) -> bool {
        let data = Box::into_raw(Box::new(Delivery { number, bytes, run: Box::new(run) }));
        let nonblocking = ThreadsafeFunctionCallMode::nonblocking;
        // SAFETY: the queue lives while it is in the map, whose lock is held; what it does not take is still ours.
        unsafe {
            if napi_call_threadsafe_function(self.function, data.cast(), nonblocking) != 0 {
                drop(Box::from_raw(data));
                return false;
            }
        }
        self.waiting += bytes;
        true
    }
}

/// Runs what [`send`] has sent.
unsafe extern "C" fn deliver(env: napi_env, _: napi_value, _: *mut c_void, data: *mut c_void) {
    /// Whether a lost call was reported.
    static UNDELIVERED: AtomicBool = AtomicBool::new(false);
    // SAFETY: made by `send`. Without an environment it is only freed.
    unsafe {
        let Delivery { number, bytes, run } = *Box::from_raw(data.cast());
        if env.is_null() {
            return;
        }
        let dropped = locked(Functions::tag_of(number), |queue| {
            queue.waiting -= bytes;
            if queue.waiting <= LIMIT / 2 { std::mem::take(&mut queue.dropped) } else { HashMap::new() }
        });
        // Whoever releases a callback cannot know what is on its way to it.
        match state().entries.get(number) {
            Some(_) => run(),
            None if !UNDELIVERED.swap(true, Relaxed) => say(UNSENT),
            None => {}
        }
        if PENDING.load(Relaxed) > 0
            && let Some(thrown) = pending(env)
        {
            napi_fatal_exception(env, thrown);
        }
        for (number, calls) in dropped.unwrap_or_default() {
            full(env, number, calls);
        }
    }
}

/// Throws, as what nobody catches, that calls were dropped.
#[cold]
unsafe fn full(env: napi_env, number: usize, calls: usize) {
    let name = state()
        .entries
        .get(number)
        .map_or_else(|| "a Callback that was released".to_owned(), |function| function.name());
    let message = format!(
        "{name}: {calls} calls by other threads were dropped, because {} MiB of calls were waiting for this thread; \
         let it return to the event loop more often, or have native code call less often",
        LIMIT >> 20
    );
    let (mut text, mut thrown) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the caller's environment.
    unsafe {
        napi_create_string_utf8(env, message.as_ptr().cast(), message.len() as isize, &mut text);
        napi_create_error(env, ptr::null_mut(), text, &mut thrown);
        napi_fatal_exception(env, thrown);
    }
}
