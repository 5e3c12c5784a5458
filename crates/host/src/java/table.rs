//! The guest's table: each function calls a method of `upcall.Exports`.

use super::machine;
use jni_sys::{JNIEnv, jclass, jint, jlong, jmethodID, jvalue};
use std::ffi::{CStr, c_void};
use std::mem::offset_of;
use std::ptr;
use std::sync::OnceLock;
use upcall_abi::{ABI, Entry, FrameHead, GuestTable, HandlerName, Refusal, Status, refusal};

/// The table, which is there as long as the process.
pub(super) static TABLE: GuestTable = GuestTable {
    abi: ABI,
    reserved: 0,
    size: size_of::<GuestTable>() as u32,
    start: None,
    attach: Some(attach),
    detach: Some(detach),
    load,
    create,
    unload,
};

/// `upcall.Exports` and its methods.
struct Exports {
    class: jclass,
    load: jmethodID,
    create: jmethodID,
    unload: jmethodID,
    call: jmethodID,
    release: jmethodID,
}

// SAFETY: a class that is held for ever, and methods, which belong to no thread.
unsafe impl Send for Exports {}
// SAFETY: as above.
unsafe impl Sync for Exports {}

static EXPORTS: OnceLock<Exports> = OnceLock::new();

/// Finds the class and its methods. Or says what it lacks.
///
/// # Safety
/// `env` is this thread's.
pub(super) unsafe fn find(env: *mut JNIEnv) -> Result<(), String> {
    // SAFETY: the caller's promise; texts that end with zero; the functions are there since JNI 1.2.
    unsafe {
        let class = class(env, c"upcall/Exports")?;
        let abi = method(env, class, c"abi", c"()I")?;
        let call = (**env).CallStaticIntMethodA.ok_or("its virtual machine calls no methods")?;
        let abi = call(env, class, abi, ptr::null());
        if abi != jint::from(ABI) {
            return Err(format!("built for ABI {abi}, this is ABI {ABI}"));
        }
        let exports = Exports {
            class,
            load: method(env, class, c"load", c"(JJJ)I")?,
            create: method(env, class, c"create", c"(JJJ)I")?,
            unload: method(env, class, c"unload", c"(J)V")?,
            call: method(env, class, c"call", c"(JJ)I")?,
            release: method(env, class, c"release", c"(J)V")?,
        };
        EXPORTS.get_or_init(|| exports);
        Ok(())
    }
}

/// A class, held for ever.
///
/// # Safety
/// As [`find`].
pub(super) unsafe fn class(env: *mut JNIEnv, name: &CStr) -> Result<jclass, String> {
    // SAFETY: as in `find`.
    unsafe {
        let found = (**env).FindClass.map_or(ptr::null_mut(), |find| find(env, name.as_ptr()));
        if machine::thrown(env) || found.is_null() {
            return Err(format!("it has no class {}", name.to_string_lossy()));
        }
        let held = (**env).NewGlobalRef.map_or(ptr::null_mut(), |hold| hold(env, found));
        if held.is_null() { Err("no memory to hold its classes".into()) } else { Ok(held) }
    }
}

/// # Safety
/// As [`find`], for a class.
unsafe fn method(
    env: *mut JNIEnv,
    class: jclass,
    name: &CStr,
    signature: &CStr,
) -> Result<jmethodID, String> {
    // SAFETY: as in `find`.
    unsafe {
        let find = (**env).GetStaticMethodID;
        let found = find.map_or(ptr::null_mut(), |find| find(env, class, name.as_ptr(), signature.as_ptr()));
        if machine::thrown(env) || found.is_null() {
            return Err(format!("upcall.Exports has no {}", name.to_string_lossy()));
        }
        Ok(found)
    }
}

unsafe extern "C" fn attach() {
    machine::hold();
}

unsafe extern "C" fn detach() {
    machine::unhold();
}

fn number(value: usize) -> jvalue {
    jvalue { j: value as jlong }
}

/// Calls a method of `upcall.Exports` that answers with a status; `None` where it does not.
fn answer<const N: usize>(pick: fn(&Exports) -> jmethodID, arguments: [jvalue; N]) -> Option<Status> {
    let exports = EXPORTS.get()?;
    machine::with(|env| {
        // SAFETY: this thread's environment, a static method of the class with such parameters; it throws nothing, and where
        // memory is so short that it does, that is taken back.
        unsafe {
            let status =
                ((**env).CallStaticIntMethodA?)(env, exports.class, pick(exports), arguments.as_ptr());
            (!machine::thrown(env)).then_some(Status(status))
        }
    })?
}

/// The same, of a method that answers nothing.
fn tell(pick: fn(&Exports) -> jmethodID, argument: jvalue) {
    let Some(exports) = EXPORTS.get() else { return };
    machine::with(|env| {
        // SAFETY: as in `answer`.
        unsafe {
            if let Some(call) = (**env).CallStaticVoidMethodA {
                call(env, exports.class, pick(exports), &argument);
                machine::thrown(env);
            }
        }
    });
}

/// What is answered where Java does not.
unsafe fn silent(refusal: *mut Refusal) -> Status {
    let text = "this thread cannot be attached to Java, or there is no memory left for it";
    // SAFETY: the caller's room.
    unsafe { (*refusal).write(refusal::RUNTIME_FAILED, text) }
}

unsafe extern "C" fn load(
    handler: *const HandlerName,
    module: *mut *mut c_void,
    refused: *mut Refusal,
) -> Status {
    let arguments = [number(handler as usize), number(module as usize), number(refused as usize)];
    // SAFETY: the caller's refusal.
    answer(|exports| exports.load, arguments).unwrap_or_else(|| unsafe { silent(refused) })
}

unsafe extern "C" fn create(module: *mut c_void, entry: *mut Entry, refused: *mut Refusal) -> Status {
    let arguments = [number(module as usize), number(entry as usize), number(refused as usize)];
    // SAFETY: the caller's refusal.
    let status = answer(|exports| exports.create, arguments).unwrap_or_else(|| unsafe { silent(refused) });
    if status == Status::OK {
        // SAFETY: Java has written the function, or none, and the state; a function is not read where there is none.
        unsafe {
            let function = entry.byte_add(offset_of!(Entry, call)).cast::<usize>();
            if function.read() == 0 {
                (&raw mut (*entry).call).write(call);
            }
            (&raw mut (*entry).release).write(Some(release));
        }
    }
    status
}

unsafe extern "C" fn unload(module: *mut c_void) {
    tell(|exports| exports.unload, number(module as usize));
}

/// The entry of instances that have no function of their own.
unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    answer(|exports| exports.call, [number(state as usize), number(frame as usize)]).unwrap_or(Status::FAILED)
}

unsafe extern "C" fn release(state: *mut c_void) {
    tell(|exports| exports.release, number(state as usize));
}
