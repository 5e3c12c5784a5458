//! Callbacks whose contexts are passed in more than one way, and structs of callbacks.

use std::ffi::c_void;
use std::sync::Mutex;
use std::thread;

/// Its context stands behind it in one function, and before it in another.
pub type Step = extern "C" fn(context: *mut c_void, value: i32) -> i32;

#[unsafe(no_mangle)]
pub extern "C" fn context_behind(step: Step, context: *mut c_void, value: i32) -> i32 {
    step(context, value)
}

#[unsafe(no_mangle)]
pub extern "C" fn context_before(context: *mut c_void, step: Step, value: i32) -> i32 {
    step(context, value)
}

/// What a library in C has for an interface.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Operations {
    pub context: *mut c_void,
    pub step: Option<Step>,
    pub done: [Option<extern "C" fn(value: f64)>; 2],
}

#[derive(Clone, Copy)]
struct Kept(Operations);

// SAFETY: the context is the program's matter.
unsafe impl Send for Kept {}

static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

#[unsafe(no_mangle)]
pub extern "C" fn keep_operations(operations: Option<&Operations>) {
    *KEPT.lock().unwrap() = operations.map(|operations| Kept(*operations));
}

/// Takes a step with what is kept, and says that it is done; -1 if there is none to take.
#[unsafe(no_mangle)]
pub extern "C" fn operate(value: i32) -> i32 {
    let Some(Kept(operations)) = *KEPT.lock().unwrap() else { return -1 };
    let Some(step) = operations.step else { return -1 };
    let result = step(operations.context, value);
    operations.done.into_iter().flatten().for_each(|done| done(result.into()));
    result
}

/// The same, from another thread.
#[unsafe(no_mangle)]
pub extern "C" fn operate_elsewhere(value: i32) -> i32 {
    thread::spawn(move || operate(value)).join().unwrap()
}
