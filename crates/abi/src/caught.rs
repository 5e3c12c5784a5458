//! How panics are caught, wherever foreign code calls Rust. The payload is the user's own too: it may
//! panic when it is dropped, and a panic out of a barrier ends the process.

use std::any::Any;
use std::borrow::ToOwned;
use std::boxed::Box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::string::String;

/// Runs `body`; a panic is its message. What `body` has borrowed may be left half-way through a change.
///
/// # Errors
/// What the panic said, if it has panicked.
#[inline]
pub fn caught<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(message)
}

/// Runs what has nobody left to tell of a panic, such as a destructor.
pub fn quietly(body: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
        // Dropped, it could panic again, and again.
        std::mem::forget(payload);
    }
}

#[cold]
fn message(payload: Box<dyn Any + Send>) -> String {
    let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a panic whose payload is not text".to_owned(),
    };
    quietly(|| drop(payload));
    message
}
