//! JavaScript functions that native code calls.
//!
//! Native code knows a callback by a number: the context it passes back, or a slot of a pool of trampolines.
//! The number says which environment (thread) the callback belongs to, and names an entry of its table and
//! the entry's generation: a call after its end is an error, not a crash.

use super::value::*;
use std::cell::UnsafeCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// A kind of function that native code calls.
pub struct Signature {
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

enum Callee {
    Gone,
    /// For the call that it was passed to, whose scope keeps it.
    Plain(napi_value),
    /// Until it is released.
    Kept(napi_ref),
}

struct Entry {
    generation: usize,
    callee: Callee,
    slots: Vec<(&'static Signature, usize)>,
}

/// What belongs to one environment.
struct State {
    env: napi_env,
    /// 0 before the module is opened.
    tag: usize,
    entries: Vec<Entry>,
    free: Vec<usize>,
    /// An object that holds what a callback threw.
    pending: napi_ref,
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

/// Whether any environment has something to throw.
static PENDING: AtomicBool = AtomicBool::new(false);
/// Whether a callback was called where it cannot be.
static MISUSED: AtomicBool = AtomicBool::new(false);
static TAGS: AtomicUsize = AtomicUsize::new(1);
/// The threadsafe function of each environment.
static QUEUES: Mutex<Option<HashMap<usize, usize>>> = Mutex::new(None);

/// A number's parts, from the lowest bit: plain or not, place, generation, tag.
const PLACE: u32 = 1;
const GENERATION: u32 = 17;
const TAG: u32 = 33;
const MASK: usize = 0xffff;

const FOREIGN: &str = "a callback was called from another thread: only a Callback that returns nothing can be";
const LATE: &str = "a callback was called after it was released, or after the call that it was passed to";

fn state<'a>() -> &'a mut State {
    // SAFETY: this thread's own; no reference is held across a call into JavaScript.
    STATE.with(|state| unsafe { &mut *state.get() })
}

impl State {
    fn entry(&mut self, number: usize) -> Option<&mut Entry> {
        let entry = self.entries.get_mut(number >> PLACE & MASK)?;
        (number >> TAG == self.tag
            && entry.generation == number >> GENERATION & MASK
            && !matches!(entry.callee, Callee::Gone))
        .then_some(entry)
    }

    fn enter(&mut self, callee: Callee) -> Option<usize> {
        let plain = usize::from(matches!(callee, Callee::Plain(_)));
        let place = self.free.pop().unwrap_or(self.entries.len());
        if place > MASK {
            return None;
        }
        if place == self.entries.len() {
            self.entries.push(Entry { generation: 0, callee: Callee::Gone, slots: Vec::new() });
        }
        let entry = &mut self.entries[place];
        entry.generation = (entry.generation + 1) & MASK;
        entry.callee = callee;
        Some(self.tag << TAG | entry.generation << GENERATION | place << PLACE | plain)
    }

    fn leave(&mut self, number: usize) -> Callee {
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
    let (mut name, mut queue) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the environment is open; the hook runs before it ends.
    unsafe {
        napi_create_string_utf8(env, c"callbacks".as_ptr(), 9, &mut name);
        let made = napi_create_threadsafe_function(
            env,
            ptr::null_mut(),
            ptr::null_mut(),
            name,
            0,
            1,
            ptr::null_mut(),
            None,
            ptr::null_mut(),
            Some(deliver),
            &mut queue,
        );
        if made == 0 {
            napi_unref_threadsafe_function(env, queue);
            queues(|queues| queues.insert(state.tag, queue as usize));
        }
        napi_add_env_cleanup_hook(env, Some(close), state.tag as *mut c_void);
    }
}

fn queues<R>(with: impl FnOnce(&mut HashMap<usize, usize>) -> R) -> R {
    let mut queues = QUEUES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    with(queues.get_or_insert_with(HashMap::new))
}

unsafe extern "C" fn close(tag: *mut c_void) {
    queues(|queues| queues.remove(&(tag as usize)));
    let state = state();
    if state.tag == tag as usize {
        for entry in &mut state.entries {
            for (signature, slot) in entry.slots.drain(..) {
                signature.slots[slot].store(0, Relaxed);
            }
        }
        *state = State {
            env: ptr::null_mut(),
            tag: 0,
            entries: Vec::new(),
            free: Vec::new(),
            pending: ptr::null_mut(),
        };
    }
}

/// Throws what a callback threw during the native call that has just returned.
#[inline(always)]
pub unsafe fn returned(env: napi_env) -> Outcome<()> {
    if PENDING.load(Relaxed) || MISUSED.load(Relaxed) {
        // SAFETY: the caller's environment.
        return unsafe { rethrow(env) };
    }
    Ok(())
}

#[cold]
unsafe fn rethrow(env: napi_env) -> Outcome<()> {
    // SAFETY: the caller's environment.
    unsafe {
        if let Some(thrown) = pending(env) {
            napi_throw(env, thrown);
            return Err(Thrown);
        }
        if MISUSED.swap(false, Relaxed) {
            return Err(error(env, FOREIGN));
        }
    }
    Ok(())
}

unsafe fn pending(env: napi_env) -> Option<napi_value> {
    let state = state();
    if state.pending.is_null() {
        return None;
    }
    let (mut holder, mut thrown) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: a reference of this environment.
    unsafe {
        napi_get_reference_value(env, state.pending, &mut holder);
        napi_get_named_property(env, holder, c"thrown".as_ptr(), &mut thrown);
        napi_delete_reference(env, state.pending);
    }
    state.pending = ptr::null_mut();
    PENDING.store(false, Relaxed);
    Some(thrown)
}

/// Keeps the exception that is set for the native call to throw when it returns.
#[cold]
unsafe fn keep(env: napi_env) {
    let (mut thrown, mut holder) = (ptr::null_mut(), ptr::null_mut());
    let state = state();
    // SAFETY: the caller's environment.
    unsafe {
        napi_get_and_clear_last_exception(env, &mut thrown);
        if state.pending.is_null() {
            napi_create_object(env, &mut holder);
            napi_set_named_property(env, holder, c"thrown".as_ptr(), thrown);
            napi_create_reference(env, holder, 1, &mut state.pending);
        }
    }
    PENDING.store(true, Relaxed);
}

/// A callback as the native function takes it, for the length of the call.
pub struct Bound {
    function: *const c_void,
    number: usize,
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
        self.number as *mut c_void
    }
}

impl Drop for Bound {
    #[inline(always)]
    fn drop(&mut self) {
        if self.number & 1 == 1 {
            state().leave(self.number);
        }
    }
}

/// A function for the length of the call; what index.js made of a `Callback`: its number, negative; the
/// address of a native function; or 0.
pub unsafe fn take(
    env: napi_env,
    value: napi_value,
    of: &'static Signature,
    nullable: bool,
    at: At,
) -> Outcome<Bound> {
    let mut ty = 0;
    // SAFETY: a value of this environment.
    unsafe {
        napi_typeof(env, value, &mut ty);
        if ty == ValueType::napi_function {
            let Some(number) = state().enter(Callee::Plain(value)) else {
                return Err(error(env, "65536 callbacks are alive: release some"));
            };
            let mut bound = Bound { function: ptr::null(), number };
            bound.function = trampoline(env, number, of, at)?;
            return Ok(bound);
        }
        let number = take_f64(env, value, at)?;
        if number < 0.0 {
            let number = -number as usize;
            return Ok(Bound { function: trampoline(env, number, of, at)?, number });
        }
        let address: *mut c_void = take_address(env, value, at)?;
        if address.is_null() && !nullable {
            return Err(at.wrong_type(env, "a function"));
        }
        Ok(Bound { function: address, number: 0 })
    }
}

/// The trampoline for an entry. Without a context one of the pool is taken, until the entry is gone.
unsafe fn trampoline(env: napi_env, number: usize, of: &'static Signature, at: At) -> Outcome<*const c_void> {
    let Some(entry) = state().entry(number) else {
        // SAFETY: the caller's environment.
        return Err(unsafe { at.wrong_type(env, "a Callback that was not released") });
    };
    if of.slots.is_empty() {
        return Ok(of.trampolines[0].0);
    }
    if let Some((_, slot)) = entry.slots.iter().find(|(signature, _)| ptr::eq(*signature, of)) {
        return Ok(of.trampolines[*slot].0);
    }
    for (slot, trampoline) in of.trampolines.iter().enumerate() {
        if of.slots[slot].compare_exchange(0, number, Relaxed, Relaxed).is_ok() {
            entry.slots.push((of, slot));
            return Ok(trampoline.0);
        }
    }
    let message = format!("{} callbacks of a kind without a context parameter are alive: release some", of.slots.len());
    // SAFETY: the caller's environment.
    Err(unsafe { error(env, &message) })
}

/// Makes a function callable until it is dropped; returns its number.
pub unsafe fn retain(env: napi_env, function: napi_value) -> Outcome<f64> {
    let mut reference = ptr::null_mut();
    // SAFETY: a value of this environment.
    unsafe {
        napi_create_reference(env, function, 1, &mut reference);
        match state().enter(Callee::Kept(reference)) {
            Some(number) => Ok(number as f64),
            None => Err(error(env, "65536 callbacks are alive: release some")),
        }
    }
}

/// Ends what [`retain`] began.
pub unsafe fn release(env: napi_env, number: usize) {
    if let Callee::Kept(reference) = state().leave(number) {
        // SAFETY: a reference of this environment.
        unsafe { napi_delete_reference(env, reference) };
    }
}

/// Runs a callback: its arguments are written by `give`, its result is read by `take`. Where it throws, the
/// result is zeros.
#[inline(always)]
pub unsafe fn call<const N: usize, R: Copy>(
    number: usize,
    give: impl FnOnce(napi_env, &mut [napi_value; N]) -> Outcome<()>,
    take: impl FnOnce(napi_env, napi_value) -> Outcome<R>,
) -> R {
    // SAFETY: all zeros are a value of each type of the mirror.
    let zeros = unsafe { std::mem::zeroed() };
    let state = state();
    if number >> TAG != state.tag {
        misused(FOREIGN);
        return zeros;
    }
    if !state.pending.is_null() {
        return zeros;
    }
    let env = state.env;
    // SAFETY: this is the environment's thread, within a native call that it made.
    unsafe {
        let mut scope = ptr::null_mut();
        napi_open_handle_scope(env, &mut scope);
        let result = match apply(env, number, give, take) {
            Ok(result) => result,
            Err(Thrown) => {
                keep(env);
                zeros
            }
        };
        napi_close_handle_scope(env, scope);
        result
    }
}

#[inline(always)]
unsafe fn apply<const N: usize, R>(
    env: napi_env,
    number: usize,
    give: impl FnOnce(napi_env, &mut [napi_value; N]) -> Outcome<()>,
    take: impl FnOnce(napi_env, napi_value) -> Outcome<R>,
) -> Outcome<R> {
    // SAFETY: the caller's promise.
    unsafe {
        let (mut function, mut this, mut result) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        match state().entry(number).map(|entry| &entry.callee) {
            Some(Callee::Plain(value)) => function = *value,
            Some(Callee::Kept(reference)) => {
                napi_get_reference_value(env, *reference, &mut function);
            }
            _ => return Err(error(env, LATE)),
        }
        let mut arguments = [ptr::null_mut(); N];
        give(env, &mut arguments)?;
        napi_get_undefined(env, &mut this);
        if napi_call_function(env, this, function, N, arguments.as_ptr(), &mut result) != 0 {
            return Err(Thrown);
        }
        take(env, result)
    }
}

#[cold]
fn misused(message: &str) {
    MISUSED.store(true, Relaxed);
    eprintln!("{message}");
}

struct Sent<T>(T);

// SAFETY: what is sent are the bytes of the arguments; what they point to is the library's matter.
unsafe impl<T> Send for Sent<T> {}

type Delivery = Box<dyn FnOnce(napi_env) + Send>;

/// As [`call`], for a callback that returns nothing: from another thread it is sent to its own one, which runs
/// it later, unless it is a plain function.
pub unsafe fn notify<const N: usize>(
    number: usize,
    give: impl FnOnce(napi_env, &mut [napi_value; N]) -> Outcome<()> + 'static,
) {
    let nothing = |_, _| Ok(());
    let tag = number >> TAG;
    if number & 1 == 1 || tag == state().tag {
        // SAFETY: the caller's promise.
        return unsafe { call(number, give, nothing) };
    }
    let sent = Sent(give);
    let delivery: Delivery = Box::new(move |_| {
        let sent = sent;
        // SAFETY: run by `deliver` on the environment's thread.
        unsafe { call(number, sent.0, nothing) }
    });
    // SAFETY: the queue lives while it is in the map, whose lock is held.
    let gone = queues(|queues| match queues.get(&tag) {
        Some(queue) => unsafe {
            let data = Box::into_raw(Box::new(delivery)).cast();
            napi_call_threadsafe_function(*queue as napi_threadsafe_function, data, ThreadsafeFunctionCallMode::nonblocking);
            false
        },
        None => true,
    });
    if gone {
        misused(LATE);
    }
}

unsafe extern "C" fn deliver(env: napi_env, _: napi_value, _: *mut c_void, data: *mut c_void) {
    // SAFETY: made by `notify`. Without an environment it is only freed.
    unsafe {
        let delivery = *Box::from_raw(data.cast::<Delivery>());
        if env.is_null() {
            return;
        }
        delivery(env);
        if PENDING.load(Relaxed)
            && let Some(thrown) = pending(env)
        {
            napi_fatal_exception(env, thrown);
        }
    }
}

thread_local! {
    static PLACE_OF_EXCHANGE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Sets this environment's place of exchange.
pub fn exchange(at: usize) {
    PLACE_OF_EXCHANGE.set(at);
}

/// Writes an argument there.
#[inline(always)]
pub unsafe fn put<T>(offset: usize, value: T) {
    // SAFETY: index.js has made it long enough.
    unsafe { ((PLACE_OF_EXCHANGE.get() + offset) as *mut T).write_unaligned(value) }
}

/// Reads a result from there.
#[inline(always)]
pub unsafe fn get<T: Copy>(_: napi_env, _: napi_value) -> Outcome<T> {
    // SAFETY: as above.
    Ok(unsafe { (PLACE_OF_EXCHANGE.get() as *const T).read_unaligned() })
}

/// The result of a callback that is a function's address.
pub unsafe fn take_function<T: Copy>(env: napi_env, value: napi_value, at: At) -> Outcome<T> {
    const { assert!(size_of::<T>() == size_of::<usize>(), "the address of a function") };
    // SAFETY: the callback's own promise.
    unsafe { take_address::<c_void>(env, value, at).map(|address| std::mem::transmute_copy(&address)) }
}
