//! Faults where a CLR shares a process with Java or WebAssembly: whose they are.
//!
//! Each makes exceptions or traps of faults, by a handler of the process. CoreCLR hands on what is not of its own code, but
//! looks first at what it knows of the thread, and dies where that is nothing: at a Java thread that it has never seen, or a
//! trap on a thread that has only run WebAssembly. So where it starts behind another, a handler of ours stands before all of
//! them, and gives each thread's faults to the runtime that it belongs to. wasmtime and Java hand on what is not theirs,
//! whoever of the two starts first, and what starts behind the CLR is asked before it.

use std::cell::Cell;
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

/// What all of them take.
const SIGNALS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// The handlers of one runtime, by [`SIGNALS`].
type Handlers = [libc::sigaction; SIGNALS.len()];

#[cfg(feature = "java")]
static JAVA: OnceLock<(Handlers, fn() -> bool)> = OnceLock::new();
/// Of wasmtime, where it started before a CLR.
#[cfg(feature = "wasm")]
static WASM: OnceLock<Handlers> = OnceLock::new();
static CLR: OnceLock<Handlers> = OnceLock::new();

// How often this thread is in code of a runtime. They need no destructor, so that they are there as long as the thread is.
thread_local! {
    #[cfg(feature = "java")]
    static IN_CLR: Cell<u32> = const { Cell::new(0) };
    #[cfg(feature = "wasm")]
    static IN_WASM: Cell<u32> = const { Cell::new(0) };
}

/// This thread runs code of a runtime until it is dropped.
#[derive(Debug)]
pub(crate) struct Inside(*const Cell<u32>);

impl Inside {
    /// C#, which has to be called next, before anything else is, so that the CLR knows the thread.
    #[cfg(feature = "java")]
    pub(crate) fn clr() -> Inside {
        IN_CLR.with(Inside::of)
    }

    /// WebAssembly.
    #[cfg(feature = "wasm")]
    #[inline]
    pub(crate) fn wasm() -> Inside {
        IN_WASM.with(Inside::of)
    }

    #[inline]
    fn of(depth: &Cell<u32>) -> Inside {
        depth.set(depth.get() + 1);
        // What is on one thread stays there: a pointer is not `Send`.
        Inside(depth)
    }
}

impl Drop for Inside {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: of this thread, and there until the thread has ended.
        let depth = unsafe { &*self.0 };
        depth.set(depth.get() - 1);
    }
}

/// Java has started; `attached` says whether this thread is one of its own, also where a fault is handled.
#[cfg(feature = "java")]
pub(crate) fn java_started(attached: fn() -> bool) {
    JAVA.get_or_init(|| (installed(), attached));
}

/// Whether it has.
#[cfg(feature = "java")]
pub(crate) fn java_is_known() -> bool {
    JAVA.get().is_some()
}

/// wasmtime has installed its handlers. Behind a CLR they come first as it is.
#[cfg(feature = "wasm")]
pub(crate) fn wasm_started() {
    for (signal, theirs) in SIGNALS.into_iter().zip(installed()) {
        if matches!(signal, libc::SIGFPE | libc::SIGILL) {
            // CoreCLR makes exceptions of these where the handler stands, and ends the process where that is not the
            // thread's own stack. There is room: both are raised by code, not by a stack that has ended.
            let own = libc::sigaction { sa_flags: theirs.sa_flags & !libc::SA_ONSTACK, ..theirs };
            // SAFETY: the handler that was there, with another flag.
            unsafe { libc::sigaction(signal, &own, ptr::null_mut()) };
        }
    }
    if CLR.get().is_none() {
        WASM.get_or_init(installed);
    }
}

/// A CLR has started. Behind others, faults are told apart from now on.
pub(crate) fn clr_started() {
    let theirs = CLR.get_or_init(installed);
    if !behind_others() {
        return;
    }
    for (signal, theirs) in SIGNALS.into_iter().zip(theirs) {
        // Masks and flags are the CLR's, whose handler may never return.
        let ours = libc::sigaction { sa_sigaction: tell as *const () as usize, ..*theirs };
        // SAFETY: a handler of this signature, which calls what was there.
        unsafe { libc::sigaction(signal, &ours, ptr::null_mut()) };
    }
}

fn behind_others() -> bool {
    #[cfg(feature = "java")]
    if JAVA.get().is_some() {
        return true;
    }
    #[cfg(feature = "wasm")]
    if WASM.get().is_some() {
        return true;
    }
    false
}

fn installed() -> Handlers {
    SIGNALS.map(|signal| {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: only asks; zeroes are an action too.
        unsafe {
            libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
            action.assume_init()
        }
    })
}

/// Whose this thread's faults are. Of a thread that is both Java's and the CLR's they are the CLR's, which hands on Java's.
fn owner() -> Option<&'static Handlers> {
    #[cfg(feature = "wasm")]
    if let Some(wasm) = WASM.get()
        && IN_WASM.get() != 0
    {
        return Some(wasm);
    }
    #[cfg(feature = "java")]
    if let Some((java, attached)) = JAVA.get()
        && IN_CLR.get() == 0
        && attached()
    {
        return Some(java);
    }
    CLR.get()
}

/// Gives a fault to the runtime whose it is.
unsafe extern "C" fn tell(signal: c_int, about: *mut libc::siginfo_t, context: *mut libc::c_void) {
    type Handler = unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut libc::c_void);
    let Some(owner) = owner() else { return };
    let Some(index) = SIGNALS.iter().position(|one| *one == signal) else { return };
    let action = &owner[index];
    if action.sa_sigaction == libc::SIG_DFL || action.sa_sigaction == libc::SIG_IGN {
        // SAFETY: what would have happened without a handler, as the instruction is run again.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
        return;
    }
    // SAFETY: what was installed for this signal, with SA_SIGINFO as all of them do; what it is given is what we were.
    unsafe { std::mem::transmute::<usize, Handler>(action.sa_sigaction)(signal, about, context) };
}
