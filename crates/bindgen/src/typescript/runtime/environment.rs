//! What belongs to an environment: its callbacks, by number.

use super::callback::Signature;
use super::calling::forget;
use super::queue;
use super::value::*;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What an entry calls.
pub enum Callee {
    Gone,
    /// For the call it was passed to, whose scope keeps it.
    Plain(napi_value),
    /// Until it is released.
    Kept(napi_ref),
}

/// A callback that native code may call.
pub struct Entry {
    generation: usize,
    pub callee: Callee,
    /// What it was first passed as, if it may be called from other threads.
    pub name: String,
    /// The slots that stand for it.
    pub slots: Vec<(&'static Signature, usize)>,
}

/// What belongs to one environment.
pub struct State {
    pub env: napi_env,
    /// 0 before the module is opened.
    pub tag: usize,
    entries: Vec<Entry>,
    free: Vec<usize>,
    /// An object that holds what a callback threw.
    pub pending: napi_ref,
}

thread_local! {
    static STATE: UnsafeCell<State> = const {
        UnsafeCell::new(State {
            env: ptr::null_mut(),
            tag: 0,
            entries: Vec::new(),
            free: Vec::new(),
            pending: ptr::null_mut(),
        })
    };
}

static TAGS: AtomicUsize = AtomicUsize::new(1);

/// A number's parts, from the lowest bit: plain or not, place, generation, tag.
const PLACE: u32 = 1;
const GENERATION: u32 = 17;
pub const TAG: u32 = 33;
const MASK: usize = 0xffff;

/// This thread's.
pub fn state<'a>() -> &'a mut State {
    // SAFETY: this thread's own; no reference is held across a call into JavaScript.
    STATE.with(|state| unsafe { &mut *state.get() })
}

impl State {
    pub fn entry(&mut self, number: usize) -> Option<&mut Entry> {
        let entry = self.entries.get_mut(number >> PLACE & MASK)?;
        (number >> TAG == self.tag
            && entry.generation == number >> GENERATION & MASK
            && !matches!(entry.callee, Callee::Gone))
        .then_some(entry)
    }

    pub fn enter(&mut self, callee: Callee) -> Option<usize> {
        let plain = usize::from(matches!(callee, Callee::Plain(_)));
        let place = self.free.pop().unwrap_or(self.entries.len());
        if place > MASK {
            return None;
        }
        if place == self.entries.len() {
            self.entries.push(Entry { generation: 0, callee: Callee::Gone, name: String::new(), slots: Vec::new() });
        }
        let entry = &mut self.entries[place];
        entry.generation = (entry.generation + 1) & MASK;
        entry.callee = callee;
        Some(self.tag << TAG | entry.generation << GENERATION | place << PLACE | plain)
    }

    pub fn leave(&mut self, number: usize) -> Callee {
        let Some(entry) = self.entry(number) else { return Callee::Gone };
        for (signature, slot) in entry.slots.drain(..) {
            signature.slots[slot].store(0, Relaxed);
        }
        let callee = std::mem::replace(&mut entry.callee, Callee::Gone);
        self.free.push(number >> PLACE & MASK);
        callee
    }
}

/// Begins an environment.
pub unsafe fn open(env: napi_env) {
    let state = state();
    if state.tag != 0 && state.env == env {
        return;
    }
    state.env = env;
    state.tag = TAGS.fetch_add(1, Relaxed);
    // SAFETY: the environment is open; the hook runs before it ends.
    unsafe {
        queue::open(env, state.tag);
        napi_add_env_cleanup_hook(env, Some(close), state.tag as *mut c_void);
    }
}

unsafe extern "C" fn close(tag: *mut c_void) {
    queue::close(tag as usize);
    let state = state();
    if state.tag == tag as usize {
        for entry in &mut state.entries {
            for (signature, slot) in entry.slots.drain(..) {
                signature.slots[slot].store(0, Relaxed);
            }
        }
        forget(state);
        *state = State {
            env: ptr::null_mut(),
            tag: 0,
            entries: Vec::new(),
            free: Vec::new(),
            pending: ptr::null_mut(),
        };
    }
}
