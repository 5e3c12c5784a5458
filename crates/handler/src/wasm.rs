//! Handlers that are compiled to WebAssembly: what a module exports, and what it is given by the host's module `upcall`.
//!
//! A module's memory is all that it sees, so every base of a frame is 0, and what an engine does is asked for by imports.

use crate::Export;
use std::ffi::c_void;
use std::panic;
use std::sync::Once;
use upcall_abi::caught::caught;
use upcall_abi::{
    DescribeFrame, Entry, FlowOpen, FrameHead, HandlerName, Instance, Item, OpenFrame, Output, PoolServices,
    Query, Refusal, Rel, Services, Status, kind, refusal,
};

/// What the host gives.
mod host {
    use upcall_abi::{Item, Query, Rel};

    #[link(wasm_import_module = "upcall")]
    unsafe extern "C" {
        /// Another chunk of output, of at least so many bytes: its begin and its end, or false.
        pub fn grow(need: u64, place: *mut [u64; 2]) -> i32;
        pub fn log(level: u32, text: *const u8, len: usize);
        pub fn read(query: *const Query, found: *mut Item) -> i32;
        pub fn list(query: *const Query, keys: *mut Rel<Rel<u8>>) -> i32;
        /// What the trap that follows is about: type, text, and where.
        pub fn failed(text: *const u8, len: usize, place: *const u8, place_len: usize);
    }
}

/// Makes an instance of a handler, for [`handlers!`](crate::handlers). Null where it refuses.
///
/// # Safety
/// Name and refusal must be the host's, until it returns.
#[doc(hidden)]
pub unsafe fn make(
    exports: &'static [Export],
    handler: *const HandlerName,
    refusal: *mut Refusal,
) -> *mut c_void {
    tell_panics();
    let mut module = std::ptr::null_mut();
    // SAFETY: the caller's promise; what `load` has found is an export.
    unsafe {
        if crate::load(exports, handler, &mut module, refusal) != Status::OK {
            return std::ptr::null_mut();
        }
        match caught((*module.cast::<Export>()).make) {
            Ok(instance) => Box::into_raw(Box::new(instance)).cast(),
            Err(panic) => {
                let why = format!("its constructor panicked: {panic}");
                (*refusal).write(refusal::CONSTRUCTOR_FAILED, &why);
                std::ptr::null_mut()
            }
        }
    }
}

/// Calls an instance of [`make`]'s with a frame, whose output is `out` bytes behind its start; 0 where it has none.
///
/// # Safety
/// The host has put a whole frame there, which is the module's until it returns.
#[doc(hidden)]
#[inline]
pub unsafe fn call(instance: *mut c_void, frame: *mut FrameHead, out: usize) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        if out > 0 {
            (*frame.byte_add(out).cast::<Output>()).grow =
                Some(if (*frame).kind == kind::DESCRIBE { grow_description } else { grow_items });
        }
        if (*frame).kind == kind::OPEN {
            let open = &mut *frame.cast::<OpenFrame>();
            if !open.services.is_null() {
                open.services = &raw const SERVICES.0;
            }
            if open.batch == kind::FLOW {
                let added = open.added.offset as *mut FlowOpen;
                if !(*added).pool_services.is_null() {
                    (*added).pool_services = &raw const POOLS.0;
                }
            }
        }
        (*instance.cast::<Instance>()).call(frame)
    }
}

/// A static that holds pointers.
struct Shared<T>(T);

// SAFETY: a module has one thread, and what these point to is null.
unsafe impl<T> Sync for Shared<T> {}

static SERVICES: Shared<Services> =
    Shared(Services { size: size_of::<Services>() as u32, reserved: 0, context: std::ptr::null_mut(), log });

static POOLS: Shared<PoolServices> = Shared(PoolServices {
    size: size_of::<PoolServices>() as u32,
    reserved: 0,
    context: std::ptr::null_mut(),
    read,
    list,
});

unsafe extern "C" fn grow_items(frame: *mut FrameHead, need: u64) -> Status {
    // SAFETY: a driver calls it during a call, with the frame of it.
    unsafe { grow(&raw mut (*frame.cast::<upcall_abi::FlowFrame>()).out, need) }
}

unsafe extern "C" fn grow_description(frame: *mut FrameHead, need: u64) -> Status {
    // SAFETY: as above.
    unsafe { grow(&raw mut (*frame.cast::<DescribeFrame>()).out, need) }
}

/// # Safety
/// The output must be that of the current frame.
unsafe fn grow(out: *mut Output, need: u64) -> Status {
    let mut place = [0; 2];
    // SAFETY: the place is ours; the caller's promise for the output.
    unsafe {
        let status = Status(host::grow(need, &mut place));
        if status == Status::OK {
            ((*out).at, (*out).end) = (place[0], place[1]);
            (*out).chunk += 1;
        }
        status
    }
}

unsafe extern "C" fn log(_: *mut c_void, level: u32, text: *const u8, len: u64) {
    // SAFETY: a handler calls it, with text of its own.
    unsafe { host::log(level, text, len as usize) };
}

unsafe extern "C" fn read(_: *mut c_void, query: *const Query, found: *mut Item) -> Status {
    // SAFETY: query, key and the place for an item are the handler's.
    unsafe {
        let status = Status(host::read(query, found));
        if (*found).version > 0 {
            // As it was asked for.
            (*found).key = Rel::new((*query).key as u64, (*query).key_len);
        }
        status
    }
}

unsafe extern "C" fn list(_: *mut c_void, query: *const Query, keys: *mut Rel<Rel<u8>>) -> Status {
    // SAFETY: as above.
    unsafe { Status(host::list(query, keys)) }
}

/// A panic ends in a trap, as nothing unwinds here: the host is told before what it says.
fn tell_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        panic::set_hook(Box::new(|info| {
            let said = info.payload_as_str().unwrap_or("it panicked");
            let place = info.location().map_or_else(String::new, |place| format!("at {place}"));
            // SAFETY: text of ours.
            unsafe { host::failed(said.as_ptr(), said.len(), place.as_ptr(), place.len()) };
        }));
    });
}

const _: () = assert!(size_of::<Entry>() == 12, "a module's addresses have 32 bits");
