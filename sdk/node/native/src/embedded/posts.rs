//! What the event loop is asked for, in its order, and the bell that wakes it.

use super::program::lock;
use napi_sys::*;
use std::collections::VecDeque;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::time::Duration;
use upcall_segment::Spin;

/// What the event loop is asked for.
pub(super) enum Post {
    /// Answer the frame at an offset of an instance's memory.
    Call { instance: u32, at: u64 },
    /// Load a class of a file.
    Load { question: u32, file: String, class: String },
    /// Make an instance of a module.
    Make { question: u32, module: u32, instance: u32 },
    /// Forget an instance.
    Release { instance: u32 },
    /// Forget a module.
    Unload { module: u32 },
}

/// For how long the event loop looks for another call at most, where that has paid off: all else that it has to do waits.
const LINGER: Duration = Duration::from_micros(20);

/// The last instance that a number of JavaScript has room for, behind an offset of 32 bits: it is exact up to 2 ** 53.
const LAST: u32 = (1 << 21) - 1;

/// The queue of an event loop.
pub(super) struct Posts {
    queue: Mutex<Queue>,
    /// How many there are, for who looks without the lock.
    count: AtomicUsize,
    /// How the event loop looks for another call.
    spin: Mutex<Spin>,
}

struct Queue {
    /// `None` once the event loop has ended.
    bell: Option<Bell>,
    posts: VecDeque<Post>,
    /// Whether it will look here by itself: the bell has rung, or it has not gone to rest since.
    awake: bool,
}

/// What wakes the event loop.
struct Bell(napi_threadsafe_function);

// SAFETY: made to be called from any thread.
unsafe impl Send for Bell {}

impl Posts {
    /// Those of the event loop that this function wakes.
    pub(super) fn new(bell: napi_threadsafe_function) -> Posts {
        let queue = Queue { bell: Some(Bell(bell)), posts: VecDeque::new(), awake: false };
        let spin = Mutex::new(Spin::at_most(LINGER));
        Posts { queue: Mutex::new(queue), count: AtomicUsize::new(0), spin }
    }

    /// Asks for something, on any thread. False where nobody is there to hear it.
    pub(super) fn push(&self, post: Post) -> bool {
        let queue = &mut *lock(&self.queue);
        if !queue.awake && !queue.ring() {
            return false;
        }
        queue.posts.push_back(post);
        self.count.store(queue.posts.len(), Release);
        true
    }

    /// What is asked for next.
    pub(super) fn pop(&self) -> Option<Post> {
        let queue = &mut *lock(&self.queue);
        let post = queue.posts.pop_front();
        self.count.store(queue.posts.len(), Release);
        post
    }

    /// The next call, which is waited for where that has paid off.
    pub(super) fn next_call(&self) -> Option<(u32, u64)> {
        let mut spin = lock(&self.spin);
        if spin.wait(|| (self.count.load(Acquire) > 0).then_some(())).is_none() {
            spin.slept();
            return None;
        }
        let queue = &mut *lock(&self.queue);
        let Some(&Post::Call { instance, at }) = queue.posts.front() else { return None };
        if instance > LAST {
            return None;
        }
        queue.posts.pop_front();
        self.count.store(queue.posts.len(), Release);
        Some((instance, at))
    }

    /// The event loop looks here no more until it is woken, as it is where something is there.
    pub(super) fn rest(&self) {
        let queue = &mut *lock(&self.queue);
        queue.awake = !queue.posts.is_empty() && queue.ring();
    }

    /// Whether the process lives on for their sake.
    ///
    /// # Safety
    /// Only on the event loop's thread.
    pub(super) unsafe fn hold(&self, env: napi_env, hold: bool) {
        if let Some(Bell(bell)) = &lock(&self.queue).bell {
            // SAFETY: it lives until the hook of the environment has run, and the caller's promise.
            unsafe {
                match hold {
                    true => napi_ref_threadsafe_function(env, *bell),
                    false => napi_unref_threadsafe_function(env, *bell),
                };
            }
        }
    }

    /// The event loop has ended.
    pub(super) fn end(&self) {
        let queue = &mut *lock(&self.queue);
        (queue.bell, queue.awake) = (None, false);
        queue.posts.clear();
    }
}

impl Queue {
    /// Wakes the event loop. False where there is none any more.
    fn ring(&mut self) -> bool {
        let Some(Bell(bell)) = &self.bell else { return false };
        let mode = ThreadsafeFunctionCallMode::nonblocking;
        // SAFETY: it lives while the queue's lock is held and it is there.
        self.awake =
            unsafe { napi_call_threadsafe_function(*bell, ptr::null_mut(), mode) == Status::napi_ok };
        self.awake
    }
}
