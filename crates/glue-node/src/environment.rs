//! What belongs to an environment: its callbacks, by number.

use super::calling::forget;
use super::entries::Entries;
use super::held::Held;
use super::queue;
use super::value::*;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What a callback calls.
#[derive(Clone, Copy)]
pub enum Callee {
    /// For the call it was passed to, whose scope keeps it.
    Plain(napi_value),
    /// Until it is released.
    Kept(napi_ref),
    /// Until native code, which it was passed to as this, releases it.
    Owned(napi_ref, At),
}

/// A callback that native code may call.
pub struct Function {
    /// What it calls.
    pub callee: Callee,
    /// What a `Callback` was first passed as.
    pub name: String,
}

impl Function {
    /// What it was first passed as, if it may be called from other threads.
    pub fn name(&self) -> String {
        match self.callee {
            Callee::Owned(_, at) => at.subject(),
            Callee::Plain(_) | Callee::Kept(_) => self.name.clone(),
        }
    }
}

/// The callbacks of an environment, whose tag is in their numbers.
pub type Functions = Entries<Function, 16>;

/// What belongs to one environment.
pub struct State {
    /// The environment.
    pub env: napi_env,
    /// With the tag 0 before the module is opened.
    pub entries: Functions,
    /// An object that holds what a callback threw.
    pub pending: napi_ref,
    /// What JavaScript must release, on a worker thread.
    pub held: Option<Held>,
}

impl State {
    const fn new(env: napi_env, tag: usize) -> State {
        State { env, entries: Functions::new(tag), pending: ptr::null_mut(), held: None }
    }
}

thread_local! {
    static STATE: UnsafeCell<State> = const { UnsafeCell::new(State::new(ptr::null_mut(), 0)) };
}

static TAGS: AtomicUsize = AtomicUsize::new(1);

/// This thread's.
#[inline(always)]
pub fn state<'a>() -> &'a mut State {
    // SAFETY: this thread's own; no reference is held across a call into JavaScript.
    STATE.with(|state| unsafe { &mut *state.get() })
}

/// Begins an environment: a worker thread's, or that of the main thread.
pub unsafe fn open(env: napi_env, worker: bool) {
    let state = state();
    if state.entries.tag() != 0 && state.env == env {
        return;
    }
    let tag = TAGS.fetch_add(1, Relaxed);
    forget(state);
    *state = State::new(env, tag);
    state.held = worker.then(Held::default);
    // SAFETY: the environment is open; the hook runs before it ends.
    unsafe {
        queue::open(env, tag);
        napi_add_env_cleanup_hook(env, Some(close), tag as *mut c_void);
    }
}

unsafe extern "C" fn close(tag: *mut c_void) {
    queue::close(tag as usize);
    let state = state();
    if state.entries.tag() == tag as usize {
        forget(state);
        let held = std::mem::replace(state, State::new(ptr::null_mut(), 0)).held;
        held.into_iter().for_each(Held::release);
    }
}
