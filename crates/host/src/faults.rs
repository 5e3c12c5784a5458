//! Faults where Java and a CLR share a process: whose they are.
//!
//! Both runtimes make exceptions of faults, by a handler of the process. CoreCLR, which starts last, hands on what is not of
//! its own code, but looks first at what it knows of the thread, and dies where that is nothing: at a Java thread that it has
//! never seen. So a handler of ours stands before both, and gives each thread's faults to the runtime that it belongs to.

use std::cell::Cell;
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

/// What both runtimes take.
const SIGNALS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// The handlers of one runtime, by [`SIGNALS`].
type Handlers = [libc::sigaction; SIGNALS.len()];

static JAVA: OnceLock<(Handlers, fn() -> bool)> = OnceLock::new();
static CLR: OnceLock<Handlers> = OnceLock::new();

thread_local! {
    /// How often this thread is in [`InClr`].
    static IN_CLR: Cell<u32> = const { Cell::new(0) };
}

/// Java has started; `attached` says whether this thread is one of its own, also where a fault is handled.
pub(crate) fn java_started(attached: fn() -> bool) {
    JAVA.get_or_init(|| (installed(), attached));
}

/// A CLR has started. Behind Java, faults are told apart from now on.
pub(crate) fn clr_started() {
    if JAVA.get().is_none() {
        return;
    }
    for (signal, theirs) in SIGNALS.into_iter().zip(CLR.get_or_init(installed)) {
        // Masks and flags are the CLR's, whose handler may never return.
        let ours = libc::sigaction { sa_sigaction: tell as *const () as usize, ..*theirs };
        // SAFETY: a handler of this signature, which calls what was there.
        unsafe { libc::sigaction(signal, &ours, ptr::null_mut()) };
    }
}

/// This thread runs C#, and the CLR knows it, until it is dropped.
#[derive(Debug)]
pub(crate) struct InClr(());

impl InClr {
    /// To be followed by a call of C#, before any other.
    pub(crate) fn enter() -> InClr {
        IN_CLR.set(IN_CLR.get() + 1);
        InClr(())
    }
}

impl Drop for InClr {
    fn drop(&mut self) {
        IN_CLR.set(IN_CLR.get() - 1);
    }
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

/// Gives a fault to the runtime whose thread it is on. One that is of both is the CLR's, which hands on Java's.
unsafe extern "C" fn tell(signal: c_int, about: *mut libc::siginfo_t, context: *mut libc::c_void) {
    type Handler = unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut libc::c_void);
    let (Some((java, attached)), Some(clr)) = (JAVA.get(), CLR.get()) else { return };
    let Some(index) = SIGNALS.iter().position(|one| *one == signal) else { return };
    let javas = IN_CLR.get() == 0 && attached();
    let action = if javas { &java[index] } else { &clr[index] };
    if action.sa_sigaction == libc::SIG_DFL || action.sa_sigaction == libc::SIG_IGN {
        // SAFETY: what would have happened without a handler, as the instruction is run again.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
        return;
    }
    // SAFETY: what was installed for this signal, with SA_SIGINFO as both runtimes do; what it is given is what we were.
    unsafe { std::mem::transmute::<usize, Handler>(action.sa_sigaction)(signal, about, context) };
}
