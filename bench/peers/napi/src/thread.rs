//! A callback in JavaScript that another thread than the event loop's calls, as an engine's worker has to. `threads.mjs`
//! measures it.

#[path = "../../../../crates/measure/src/clock.rs"]
mod clock;

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use napi::bindgen_prelude::{Buffer, FnArgs};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Error, Result, Status};
use napi_derive::napi;

type Arguments = FnArgs<(String, Buffer)>;
type Callback = ThreadsafeFunction<Arguments, Buffer, Arguments, Status, false>;

/// What has been measured: nanoseconds, or what has failed.
static RESULT: Mutex<Option<std::result::Result<f64, String>>> = Mutex::new(None);

/// The bytes that a callback has answered.
type Answer = std::result::Result<Vec<u8>, String>;

/// Calls `callback` from another thread with keys and values of 64 bytes, so many calls under way, and waits for what they
/// return: one is a round trip for each. `result` says how many nanoseconds that takes each.
#[napi]
pub fn from_another_thread(under_way: u32, callback: Callback) {
    thread::spawn(move || {
        let (answers, answered) = channel();
        let value = [b'v'; 64];
        let mut failed = None;
        let nanos = clock::nanos(|| {
            for index in 0..under_way {
                call(&callback, format!("key{index:07}"), &value, answers.clone());
            }
            for _ in 0..under_way {
                match answered.recv() {
                    Ok(Ok(bytes)) if bytes.len() == 16 => {}
                    Ok(Ok(bytes)) => failed = Some(format!("an answer of {} bytes", bytes.len())),
                    Ok(Err(error)) => failed = Some(error),
                    Err(error) => failed = Some(error.to_string()),
                }
            }
        });
        let result = failed.map_or(Ok(nanos / f64::from(under_way)), Err);
        *RESULT.lock().expect("nobody panics with it") = Some(result);
    });
}

fn call(callback: &Callback, key: String, value: &[u8], answers: Sender<Answer>) {
    let given = (key, Buffer::from(value)).into();
    callback.call_with_return_value(given, ThreadsafeFunctionCallMode::NonBlocking, move |answer, _| {
        let answer = answer.map(|bytes| bytes.to_vec()).map_err(|error| error.to_string());
        answers.send(answer).map_err(|error| Error::from_reason(error.to_string()))
    });
}

/// What has been measured, once.
#[napi]
pub fn result() -> Result<Option<f64>> {
    let result = RESULT.lock().expect("nobody panics with it").take();
    result.transpose().map_err(Error::from_reason)
}
