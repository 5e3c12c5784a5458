//! What JavaScript calls. Instances are meant by their numbers, frames by their offsets.

use super::program::Program;
use super::shared::Shared;
use super::table;
use super::talk::{Asked, Told};
use crate::value::{arguments, bytes_of, give, null, number, number_of, throw, truth_of, undefined};
use napi_sys::*;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use upcall_abi::Status;
use upcall_segment::Segment;

/// Fills the module.
///
/// # Safety
/// With what Node has called the module's own function with.
pub(crate) unsafe fn register(env: napi_env, exports: napi_value) {
    // SAFETY: the caller's promise.
    unsafe {
        give(env, exports, c"begin", begin);
        give(env, exports, c"hold", hold);
        give(env, exports, c"next", next);
        give(env, exports, c"rest", rest);
        give(env, exports, c"give", give_module);
        give(env, exports, c"answer", answer);
        give(env, exports, c"complete", complete);
        give(env, exports, c"memory", memory);
        give(env, exports, c"lend", lend);
        give(env, exports, c"grow", grow);
        give(env, exports, c"log", log);
        give(env, exports, c"read", read);
        give(env, exports, c"list", list);
    }
}

/// `begin(onPost)`: the address of this event loop's table. `onPost` is called with what the engine asks for, as numbers and
/// texts: 0 an instance and the offset of its frame, 1 a question, file and class, 2 a question, a module and the instance to
/// make of it, 3 an instance and 4 a module to forget. Where it returns `true` it calls `next` soon, and `rest` in the end.
unsafe extern "C" fn begin(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: Node calls, here and in all that follow.
    unsafe {
        let [function] = arguments(env, info);
        match Program::begin(env, function) {
            Ok(program) => {
                let table = program.table().expose_provenance() as f64;
                let data = Box::into_raw(Box::new(program)).cast();
                napi_set_instance_data(env, data, Some(forget_program), ptr::null_mut());
                number_of(env, table)
            }
            Err(why) => throw(env, &why),
        }
    }
}

unsafe extern "C" fn forget_program(_: napi_env, program: *mut c_void, _: *mut c_void) {
    // SAFETY: `begin` has given it, and this is called once.
    drop(unsafe { Box::from_raw(program.cast::<Arc<Program>>()) });
}

/// The program of this event loop, once it has begun.
///
/// # Safety
/// As [`arguments`]; it stays until the environment ends.
pub(super) unsafe fn program<'a>(env: napi_env) -> Option<&'a Arc<Program>> {
    let mut data = ptr::null_mut();
    // SAFETY: the caller's promise; it is what `begin` has set, or null.
    unsafe {
        napi_get_instance_data(env, &mut data);
        data.cast::<Arc<Program>>().as_ref()
    }
}

/// The instance of a number.
///
/// # Safety
/// As [`arguments`].
unsafe fn instance(env: napi_env, value: napi_value) -> Option<Arc<Shared>> {
    // SAFETY: the caller's promise.
    unsafe { program(env)?.instance(number(env, value) as u32) }
}

/// `hold(whether)`: whether the process lives on for the sake of its flows.
unsafe extern "C" fn hold(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [hold] = arguments(env, info);
        if let Some(program) = program(env) {
            program.hold(env, truth_of(env, hold));
        }
        undefined(env)
    }
}

/// `next()`: the next frame to answer, waited for as long as that has paid off: its instance times 2 ** 32 and its offset. 0 where
/// there is none.
unsafe extern "C" fn next(env: napi_env, _: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let next = program(env).and_then(|program| program.posts().next_call());
        number_of(env, next.map_or(0.0, |(instance, at)| f64::from(instance) * 2f64.powi(32) + at as f64))
    }
}

/// `rest()`: nobody calls `next` any more until the event loop is woken.
unsafe extern "C" fn rest(env: napi_env, _: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        if let Some(program) = program(env) {
            program.posts().rest();
        }
        undefined(env)
    }
}

/// `give(module)`: the address of a module for the engine, which owns it.
unsafe extern "C" fn give_module(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [module] = arguments(env, info);
        match program(env) {
            Some(program) => {
                let module = table::module(program, number(env, module) as u32);
                number_of(env, module.expose_provenance() as f64)
            }
            None => throw(env, "give a handler: begin first"),
        }
    }
}

/// `answer(question, kind, module, why)`: what a question comes to; a `kind` of 0 is an answer, any other a refusal.
unsafe extern "C" fn answer(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [question, kind, module, why] = arguments(env, info);
        let answer = match number(env, kind) as u32 {
            0 => Ok(number(env, module) as u32),
            kind => Err((kind, String::from_utf8_lossy(&bytes_of(env, why)).into_owned())),
        };
        if let Some(program) = program(env) {
            program.answer(number(env, question) as u32, answer);
        }
        undefined(env)
    }
}

/// `complete(instance, frame, status)`: a frame is answered.
unsafe extern "C" fn complete(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [of, frame, status] = arguments(env, info);
        let mut answer = Status::FAILED.0;
        napi_get_value_int32(env, status, &mut answer);
        // Others are the engine's to say.
        let answer = if answer == Status::OK.0 { Status::OK } else { Status::FAILED };
        if let Some(shared) = instance(env, of) {
            shared.complete(number(env, frame), answer);
        }
        undefined(env)
    }
}

/// `memory(instance, bytes)`: the first bytes of its memory, which stays as long as the buffer does.
unsafe extern "C" fn memory(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [of, bytes] = arguments(env, info);
        let Some(shared) = instance(env, of) else { return throw(env, "the handler is gone") };
        let held = Box::into_raw(Box::new(shared.segment.clone()));
        let made = window(env, &shared.segment, 0, number(env, bytes), Some(let_go), held.cast());
        if made.is_null() {
            drop(Box::from_raw(held));
        }
        made
    }
}

unsafe extern "C" fn let_go(_: napi_env, _: *mut c_void, held: *mut c_void) {
    // SAFETY: `memory` has given it, once for each buffer.
    drop(unsafe { Box::from_raw(held.cast::<Arc<Segment>>()) });
}

/// `lend(instance, offset, bytes)`: a part of it, which is detached before the instance is forgotten.
unsafe extern "C" fn lend(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [of, offset, bytes] = arguments(env, info);
        let Some(shared) = instance(env, of) else { return throw(env, "the handler is gone") };
        window(env, &shared.segment, number(env, offset), number(env, bytes), None, ptr::null_mut())
    }
}

/// An `ArrayBuffer` over a part of a segment. It throws where there is none.
///
/// # Safety
/// As [`arguments`]; the segment must outlive it.
unsafe fn window(
    env: napi_env,
    segment: &Segment,
    offset: u64,
    bytes: u64,
    finalize: napi_finalize,
    hint: *mut c_void,
) -> napi_value {
    let mut made = ptr::null_mut();
    // SAFETY: the caller's promise; the place has as many bytes.
    unsafe {
        let Some(place) = segment.place(offset, bytes) else {
            return throw(
                env,
                "what is handed over lies beyond the memory that JavaScript shares with the engine",
            );
        };
        match napi_create_external_arraybuffer(env, place.cast(), bytes as usize, finalize, hint, &mut made) {
            napi_sys::Status::napi_ok => made,
            _ => throw(env, "this JavaScript has no memory but its own"),
        }
    }
}

/// `grow(instance, frame, need)`: where another chunk of output begins and ends, or `null`.
unsafe extern "C" fn grow(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [of, frame, need] = arguments(env, info);
        let asked = Asked::Grow { at: number(env, frame), need: number(env, need) };
        pair(env, instance(env, of).and_then(|shared| shared.ask(asked)))
    }
}

/// `log(instance, level, text)`.
unsafe extern "C" fn log(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [of, level, text] = arguments(env, info);
        if let Some(shared) = instance(env, of) {
            shared.ask(Asked::Log { level: number(env, level) as u32, text: bytes_of(env, text) });
        }
        undefined(env)
    }
}

/// `read(instance, pool, key, asOf, at)`: the offset of the item that says what was found, negative where it was refused; 0
/// where nobody answers.
unsafe extern "C" fn read(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [of, pool, key, as_of, time] = arguments(env, info);
        let (mut at, mut exact) = (0, true);
        napi_get_value_bigint_uint64(env, time, &mut at, &mut exact);
        let (pool, as_of) = (number(env, pool) as u32, number(env, as_of) as u32);
        let asked = Asked::Read { pool, key: bytes_of(env, key), as_of, at };
        let told = instance(env, of).and_then(|shared| shared.ask(asked)).unwrap_or(Told::NO);
        let item = told.with[0] as f64;
        number_of(env, if told.yes { item } else { -item })
    }
}

/// `list(instance, pool, prefix)`: where the list of keys is and how many they are, or `null`.
unsafe extern "C" fn list(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `begin`.
    unsafe {
        let [of, pool, prefix] = arguments(env, info);
        let asked = Asked::List { pool: number(env, pool) as u32, prefix: bytes_of(env, prefix) };
        pair(env, instance(env, of).and_then(|shared| shared.ask(asked)))
    }
}

/// Two numbers in an array, or `null`.
///
/// # Safety
/// As [`arguments`].
unsafe fn pair(env: napi_env, told: Option<Told>) -> napi_value {
    let mut made = ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe {
        let Some(Told { yes: true, with }) = told else { return null(env) };
        napi_create_array_with_length(env, 2, &mut made);
        for (index, number) in (0..).zip(with) {
            napi_set_element(env, made, index, number_of(env, number as f64));
        }
    }
    made
}
