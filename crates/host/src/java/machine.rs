//! The virtual machine: how it is started, and how a thread reaches it.

use super::locate::{BARRIER, FOREIGN, Runtime};
use super::{natives, table};
use crate::copies;
use crate::guest::Guest;
use crate::guests;
use crate::loader;
use crate::{Error, ErrorKind, JavaOptions};
use jni_sys::{
    JNI_OK, JNI_TRUE, JNI_VERSION_10, JNIEnv, JavaVM, JavaVMAttachArgs, JavaVMInitArgs, JavaVMOption, jint,
};
use libloading::os::unix::{Library, RTLD_NOW};
use std::cell::Cell;
use std::env;
use std::ffi::{CStr, CString, OsString, c_char, c_int, c_void};
use std::io::{self, Write as _};
use std::path::Path;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

/// `JNI_CreateJavaVM` of `jni.h`.
type Create = unsafe extern "C" fn(*mut *mut JavaVM, *mut *mut c_void, *mut c_void) -> jint;

static MACHINE: AtomicPtr<JavaVM> = AtomicPtr::new(ptr::null_mut());

thread_local! {
    /// This thread's environment where it was attached here, and how often it is held.
    static ENVIRONMENT: Cell<(*mut JNIEnv, u32)> = const { Cell::new((ptr::null_mut(), 0)) };
}

/// An error where a CLR is in this process already, or Java itself.
pub(super) fn alone() -> Result<(), Error> {
    if copies::is_loaded(copies::JAVA) {
        let (who, help) = copies::who_started_it();
        let message = format!("start Java: it runs in this process already, {who}; {help}");
        return Err(Error::new(ErrorKind::RuntimeFailed, message));
    }
    if !copies::is_loaded(copies::CLR) {
        return Ok(());
    }
    let message = "start Java: .NET runs in this process already, and Java's exceptions for null would end it; start Java \
                   first, or give the handlers of one of the two `isolation = \"process\"`";
    Err(Error::new(ErrorKind::RuntimeFailed, message))
}

/// Starts the virtual machine. Once per process: it can neither be stopped nor started again.
pub(super) fn start(runtime: &Runtime, options: &JavaOptions, sdk: &Path) -> Result<Guest, Error> {
    let attempt = format!("start Java {} of {}", runtime.version, runtime.home.display());
    let failed = |what: String| Error::new(ErrorKind::RuntimeFailed, format!("{attempt}: {what}"));
    // SAFETY: loading runs the library's initialisers: the runtime that the user installed.
    let library = unsafe { Library::open(Some(&runtime.library), RTLD_NOW) }
        .map_err(|error| failed(format!("{}; install it again", loader::why(&error))))?;
    // The runtime never ends.
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: the type is that of jni.h.
    let create = *unsafe { library.get::<Create>(b"JNI_CreateJavaVM\0") }.map_err(|error| {
        failed(format!("not a Java virtual machine: {}; install it again", loader::why(&error)))
    })?;
    let options = arguments(runtime, options, sdk).map_err(&failed)?;
    // The thread that makes it counts as Java's own until it ends: one of ours, as this may be the program's first, whose
    // stack grows.
    let started = std::thread::scope(|scope| {
        let maker = std::thread::Builder::new().name("java-start".into());
        let made =
            maker.spawn_scoped(scope, || create_with(create, &options).and_then(|env| prepared(env, sdk)));
        match made.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(Failed::Runtime("it panicked".into())),
            Err(error) => Err(Failed::Runtime(format!("there is no thread for it: {error}"))),
        }
    });
    match started {
        Ok(()) => {}
        Err(Failed::Runtime(what)) => return Err(failed(what)),
        Err(Failed::Sdk(what)) => {
            let message = format!("start Java handlers: {what}; run `cargo xtask build`");
            return Err(Error::new(ErrorKind::AbiMismatch, message));
        }
    }
    // SAFETY: a static table.
    unsafe { Guest::of(&table::TABLE, guests::JAVA.called, sdk, "run `cargo xtask build`") }
}

enum Failed {
    Runtime(String),
    /// `upcall.jar` is not what it should be.
    Sdk(String),
}

/// Finds what is called, on a thread that is attached; detaches it.
fn prepared(env: *mut JNIEnv, sdk: &Path) -> Result<(), Failed> {
    // SAFETY: the environment of this thread, which is attached since the machine was made.
    let outcome = unsafe { table::find(env).and_then(|()| natives::register(env)) };
    // SAFETY: as above; no Java runs on it now.
    unsafe { detach() };
    outcome.map_err(|what| Failed::Sdk(format!("{}: {what}", sdk.display())))
}

fn create_with(create: Create, options: &[CString]) -> Result<*mut JNIEnv, Failed> {
    let row = |text: &CStr, extra| JavaVMOption { optionString: text.as_ptr().cast_mut(), extraInfo: extra };
    // Why it does not start is printed, not returned. First, as options are read in their order.
    let mut rows =
        vec![row(c"vfprintf", listen as *mut c_void), row(c"abort", before_it_ends as *mut c_void)];
    rows.extend(options.iter().map(|option| row(option, ptr::null_mut())));
    let mut arguments = JavaVMInitArgs {
        version: JNI_VERSION_10,
        nOptions: rows.len() as jint,
        options: rows.as_mut_ptr(),
        ignoreUnrecognized: 0,
    };
    let (mut machine, mut env) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: arguments as jni.h has them, texts that end with zero; what is kept of them is copied. Places for both results.
    let status = unsafe { create(&mut machine, &mut env, (&raw mut arguments).cast()) };
    let said = heard();
    if status != JNI_OK {
        let said = said.trim().replace('\n', " ");
        let why = if said.is_empty() { format!("JNI_CreateJavaVM answered {status}") } else { said };
        return Err(Failed::Runtime(format!("{why}; look at [java] in the flow's file")));
    }
    if !said.trim().is_empty() {
        tracing::warn!("Java says: {}", said.trim());
    }
    runs(machine);
    Ok(env.cast())
}

/// From now on this is the machine of the process.
fn runs(machine: *mut JavaVM) {
    MACHINE.store(machine, Ordering::Release);
    #[cfg(feature = "clr")]
    crate::faults::java_started(attached);
}

/// Takes the machine that runs Java on this thread. Or says why it cannot.
///
/// # Safety
/// `env` is this thread's.
#[cfg(feature = "embedded")]
pub(super) unsafe fn take(env: *mut JNIEnv) -> Result<(), String> {
    let mut machine = ptr::null_mut();
    // SAFETY: the caller's promise; a place for the machine.
    let status = unsafe { (**env).GetJavaVM.map_or(jni_sys::JNI_ERR, |get| get(env, &mut machine)) };
    if status != JNI_OK {
        return Err(format!("GetJavaVM answered {status}"));
    }
    runs(machine);
    Ok(())
}

/// What the virtual machine has printed while it starts; `None` from then on.
static HEARD: Mutex<Option<String>> = Mutex::new(Some(String::new()));

fn heard() -> String {
    HEARD.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take().unwrap_or_default()
}

unsafe extern "C" {
    /// Of `stdio.h`; a `va_list` is handed on as it comes: an address, by the calling conventions of x86-64 and AArch64.
    fn vsnprintf(text: *mut c_char, room: usize, format: *const c_char, arguments: *mut c_void) -> c_int;
}

/// In place of `vfprintf`, for the virtual machine.
unsafe extern "C" fn listen(_file: *mut c_void, format: *const c_char, arguments: *mut c_void) -> c_int {
    let mut room = [0u8; 1024];
    // SAFETY: format and arguments are those of the caller, and the text is cut to the room, with a zero behind it.
    let length = unsafe { vsnprintf(room.as_mut_ptr().cast(), room.len(), format, arguments) };
    let text = CStr::from_bytes_until_nul(&room).unwrap_or_default().to_string_lossy();
    let mut heard = HEARD.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    match &mut *heard {
        Some(before) => before.push_str(&text),
        None => tell(&text),
    }
    length
}

/// The virtual machine is about to end the process, as it does for some options while it starts.
unsafe extern "C" fn before_it_ends() {
    let said = heard();
    if !said.trim().is_empty() {
        let said = said.trim().replace('\n', " ");
        tell(&format!("error: start Java: {said}; look at [java] in the flow's file\n"));
    }
}

/// To the standard error, which nobody may read any more: `eprint!` would panic then, and from what C calls end the process.
fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The options of the virtual machine.
fn arguments(runtime: &Runtime, options: &JavaOptions, sdk: &Path) -> Result<Vec<CString>, String> {
    let mut classes = vec![sdk.to_owned()];
    for path in &options.class_path {
        classes.push(there(path, "class_path")?);
    }
    let classes = env::join_paths(classes).map_err(|error| error.to_string())?;
    let mut texts = vec![prefixed("-Djava.class.path=", classes), "-Xrs".into()];
    if runtime.feature >= FOREIGN {
        // Upcall's own classes and what handlers use by it.
        texts.push("--enable-native-access=ALL-UNNAMED".into());
    }
    if runtime.feature >= BARRIER && has_barrier() {
        // A thread that comes into Java does without a fence, a fifth of what a call takes; who stops it pays in its place.
        texts.push("-XX:+UseSystemMemoryBarrier".into());
    }
    if !options.module_path.is_empty() {
        let modules = options.module_path.iter().map(|path| there(path, "module_path"));
        let modules = modules.collect::<Result<Vec<_>, _>>()?;
        let modules = env::join_paths(modules).map_err(|error| error.to_string())?;
        texts.push(prefixed("--module-path=", modules));
        texts.push("--add-modules=ALL-MODULE-PATH".into());
    }
    texts.extend(options.options.iter().map(OsString::from));
    let zero = |_| "an option or path holds a zero byte".to_owned();
    texts.into_iter().map(|text| CString::new(text.into_encoded_bytes()).map_err(zero)).collect()
}

/// Whether the system has the barriers that the virtual machine asks for by that option: it does not start where it has none.
fn has_barrier() -> bool {
    #[cfg(target_os = "linux")]
    {
        let wanted = libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED | libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
        // SAFETY: a question, which changes nothing.
        let known = unsafe { libc::syscall(libc::SYS_membarrier, libc::MEMBARRIER_CMD_QUERY, 0, 0) };
        known >= 0 && known & libc::c_long::from(wanted) == libc::c_long::from(wanted)
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// Java says nothing of what is not there.
fn there(path: &Path, key: &str) -> Result<std::path::PathBuf, String> {
    path.canonicalize().map_err(|error| format!("{} of `{key}`: {error}", path.display()))
}

fn prefixed(prefix: &str, text: OsString) -> OsString {
    let mut whole = OsString::from(prefix);
    whole.push(text);
    whole
}

/// Whether this thread is one of Java's. It may be asked where a fault is handled: the machine looks at what it keeps for
/// the thread, and takes no lock.
#[cfg(feature = "clr")]
fn attached() -> bool {
    let machine = MACHINE.load(Ordering::Acquire);
    let mut env = ptr::null_mut();
    // SAFETY: as in `with`.
    unsafe { (**machine).GetEnv.is_some_and(|get| get(machine, &mut env, JNI_VERSION_10) == JNI_OK) }
}

/// Attaches this thread until [`unhold`]: its environment is at hand in between. Counts.
pub(super) fn hold() {
    // Where it is none, each call asks again, and says so.
    let _ = environment();
    let (env, times) = ENVIRONMENT.get();
    ENVIRONMENT.set((env, times + 1));
}

/// The end of [`hold`].
pub(super) fn unhold() {
    let (env, times) = ENVIRONMENT.get();
    ENVIRONMENT.set((env, times.saturating_sub(1)));
    if times <= 1 {
        leave();
    }
}

/// Runs `body` with this thread's environment. A thread that nobody holds stays attached until it ends, as one does that
/// calls a stub of Java's: it is the same thread to Java each time. `None` where it cannot be attached.
pub(super) fn with<R>(body: impl FnOnce(*mut JNIEnv) -> R) -> Option<R> {
    environment().map(body)
}

/// This thread's environment. What is attached here is detached by [`leave`].
fn environment() -> Option<*mut JNIEnv> {
    let (env, times) = ENVIRONMENT.get();
    if !env.is_null() {
        return Some(env);
    }
    let machine = MACHINE.load(Ordering::Acquire);
    let mut env = ptr::null_mut();
    // SAFETY: the machine lives for ever once it is there, and nobody comes here before; a place for the environment.
    if unsafe { ((**machine).GetEnv?)(machine, &mut env, JNI_VERSION_10) } == JNI_OK {
        // A thread of Java's own.
        return Some(env.cast());
    }
    let env = attach()?;
    ENVIRONMENT.set((env, times));
    LEAVES.with(|_| {});
    Some(env)
}

/// Detaches this thread, if it was attached here.
fn leave() {
    let (env, times) = ENVIRONMENT.replace((ptr::null_mut(), 0));
    debug_assert_eq!(times, 0);
    if !env.is_null() {
        // SAFETY: attached by `environment`; what ran Java on this thread has returned.
        unsafe { detach() };
    }
}

/// Detaches a thread when it ends.
struct Leaves;

impl Drop for Leaves {
    fn drop(&mut self) {
        leave();
    }
}

thread_local!(static LEAVES: Leaves = const { Leaves });

fn attach() -> Option<*mut JNIEnv> {
    let machine = MACHINE.load(Ordering::Acquire);
    let mut env = ptr::null_mut();
    let name = std::thread::current().name().and_then(|name| CString::new(name).ok());
    let mut about = JavaVMAttachArgs {
        version: JNI_VERSION_10,
        name: name.as_ref().map_or(ptr::null_mut(), |name| name.as_ptr().cast_mut()),
        group: ptr::null_mut(),
    };
    // SAFETY: as in `with`; the name is copied. As a daemon: the machine never waits for it.
    let status =
        unsafe { ((**machine).AttachCurrentThreadAsDaemon?)(machine, &mut env, (&raw mut about).cast()) };
    (status == JNI_OK).then_some(env.cast())
}

/// # Safety
/// This thread is attached, and no Java runs on it.
unsafe fn detach() {
    let machine = MACHINE.load(Ordering::Acquire);
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(detach) = (**machine).DetachCurrentThread {
            detach(machine);
        }
    }
}

/// Whether an exception was thrown; it is forgotten, after the machine has printed it.
///
/// # Safety
/// `env` is this thread's.
pub(super) unsafe fn thrown(env: *mut JNIEnv) -> bool {
    // SAFETY: the caller's promise; every machine since 1.2 has these functions.
    unsafe {
        let Some(check) = (**env).ExceptionCheck else { return false };
        let thrown = check(env) == JNI_TRUE;
        if thrown {
            if let Some(describe) = (**env).ExceptionDescribe {
                describe(env);
            }
            if let Some(clear) = (**env).ExceptionClear {
                clear(env);
            }
        }
        thrown
    }
}
