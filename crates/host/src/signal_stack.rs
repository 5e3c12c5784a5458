//! A signal stack for runtimes that make exceptions of faults.

use std::cell::Cell;
use std::ptr;

/// Bytes of the stack; CoreCLR needs 16 KiB or more (measured: 16, 32, 64 and 256 KiB all hold).
const BYTES: usize = 64 * 1024;

/// A signal stack for this thread that is large enough for CoreCLR's SIGSEGV handler, with a guard page below
/// it. Dropping it puts the previous one back.
///
/// Rust gives each thread one of 8 KiB, which CoreCLR would use and overflow: the process would die at the
/// first NullReferenceException (dotnet/runtime#115438).
#[derive(Debug)]
pub(crate) struct SignalStack(Option<Installed>);

#[derive(Debug)]
struct Installed {
    previous: libc::stack_t,
    mapping: *mut libc::c_void,
    bytes: usize,
    stack: *mut libc::c_void,
}

thread_local! {
    /// Whether one of these is this thread's: the system call that would tell takes 0.2 us, and a handler may be called within a worker
    /// for each batch.
    static HERE: Cell<bool> = const { Cell::new(false) };
}

impl SignalStack {
    /// Installs one, unless this thread has one that is large enough.
    ///
    /// Without memory for it the thread keeps what it has: handlers run, and a NullReferenceException is
    /// fatal, which the log says.
    pub(crate) fn install() -> SignalStack {
        if HERE.get() {
            return SignalStack(None);
        }
        let current = current();
        if current.ss_flags & libc::SS_DISABLE == 0 && current.ss_size >= BYTES {
            return SignalStack(None);
        }
        let installed = map_and_install(current);
        HERE.set(installed.is_some());
        if installed.is_none() {
            tracing::warn!(
                "no memory for a signal stack: a NullReferenceException or the like would end the process"
            );
        }
        SignalStack(installed)
    }
}

impl Drop for SignalStack {
    fn drop(&mut self) {
        let Some(installed) = &self.0 else { return };
        HERE.set(false);
        // Somebody else's stack stays.
        if current().ss_sp == installed.stack {
            // SAFETY: the previous stack is still there: whoever made it frees it at the thread's end, which
            // comes after this. It is not a running handler's, as a handler does not drop this.
            unsafe { libc::sigaltstack(&installed.previous, ptr::null_mut()) };
        }
        // SAFETY: mapped by `map_and_install`, and no longer installed.
        unsafe { libc::munmap(installed.mapping, installed.bytes) };
    }
}

fn current() -> libc::stack_t {
    let mut current = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
    // SAFETY: only asks; when it fails, there is none.
    unsafe { libc::sigaltstack(ptr::null(), &mut current) };
    current
}

fn map_and_install(previous: libc::stack_t) -> Option<Installed> {
    // SAFETY: asks for a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    let bytes = page + BYTES;
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping anywhere.
    let mapping = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) };
    if mapping == libc::MAP_FAILED {
        return None;
    }
    let stack = mapping.wrapping_byte_add(page);
    let new = libc::stack_t { ss_sp: stack, ss_flags: 0, ss_size: BYTES };
    // SAFETY: the first page of the new mapping becomes the guard, the rest the stack; both are ours until
    // they are unmapped, which is after the stack was replaced.
    let done = unsafe {
        libc::mprotect(mapping, page, libc::PROT_NONE) == 0 && libc::sigaltstack(&new, ptr::null_mut()) == 0
    };
    if !done {
        // SAFETY: mapped above, and not installed.
        unsafe { libc::munmap(mapping, bytes) };
        return None;
    }
    Some(Installed { previous, mapping, bytes, stack })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_a_large_signal_stack_inside_and_its_own_again_after() {
        std::thread::spawn(|| {
            let before = current();
            {
                let _outer = SignalStack::install();
                let inside = current();
                assert_eq!((inside.ss_size, inside.ss_flags), (BYTES, 0));
                drop(SignalStack::install());
                assert_eq!(current().ss_sp, inside.ss_sp, "an inner one changes nothing");
            }
            let after = current();
            assert_eq!((after.ss_sp, after.ss_size), (before.ss_sp, before.ss_size));
        })
        .join()
        .unwrap();
    }
}
