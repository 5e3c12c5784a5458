use crate::{Error, ErrorKind, Options};

/// What is left for a level that is entered last, and for what it calls.
#[cfg(debug_assertions)]
const RESERVE: usize = 128 << 10;

/// How deeply objects may be nested, by number and by the stack that they take: the number alone is not enough,
/// as the size of a level varies a hundredfold between types and builds.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    /// Levels left.
    left: u32,
    /// Where the stack pointer was at first, and the most bytes from there on.
    base: usize,
    most: usize,
    /// Whether that is what the caller chose.
    #[cfg(debug_assertions)]
    chosen: bool,
}

impl Depth {
    /// What the options allow, from here on.
    #[inline(always)]
    pub(crate) fn new(options: Options) -> Depth {
        Depth {
            left: options.depth,
            base: here(),
            most: options.stack.unwrap_or(Options::STACK),
            #[cfg(debug_assertions)]
            chosen: options.stack.is_some(),
        }
    }

    /// Takes a level, if one is left.
    #[inline(always)]
    #[must_use]
    pub(crate) fn enter(&mut self) -> bool {
        if self.left == 0 || !self.has_stack() {
            return false;
        }
        self.left -= 1;
        true
    }

    /// Whether there is stack for a level, which is not counted.
    #[inline(always)]
    #[must_use]
    pub(crate) fn has_stack(&mut self) -> bool {
        // Miri has no stack: its addresses lie anywhere.
        cfg!(miri) || here().abs_diff(self.base) <= self.most || self.extend()
    }

    /// Allows what the thread's stack has left, where nobody chose a limit.
    #[cfg(debug_assertions)]
    #[cold]
    #[inline(never)]
    fn extend(&mut self) -> bool {
        let here = here();
        let Some(lowest) = stack::lowest().filter(|lowest| *lowest < here && !self.chosen) else {
            return false;
        };
        self.most = self.base.saturating_sub(lowest).saturating_sub(RESERVE);
        here.abs_diff(self.base) <= self.most
    }

    /// Optimised frames fit what any thread has.
    #[cfg(not(debug_assertions))]
    #[inline(always)]
    fn extend(&self) -> bool {
        false
    }

    /// Gives a level back.
    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        self.left += 1;
    }
}

/// The error where no level is left.
#[cold]
#[inline(never)]
pub(crate) fn too_deep(place: usize) -> Error {
    let message = "objects are nested deeper than the options allow: raise `Options::depth` or `Options::stack`, on \
                   a thread with the stack for it";
    Error::new(ErrorKind::DepthExceeded, place, message)
}

/// The stack pointer. A local's address would do, if AddressSanitizer did not put locals on the heap.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[inline(always)]
fn here() -> usize {
    let pointer;
    // SAFETY: it reads a register.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        core::arch::asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        core::arch::asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    pointer
}

/// The address of a local.
#[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), miri))]
#[inline(always)]
fn here() -> usize {
    let marker = core::mem::MaybeUninit::<u8>::uninit();
    (&raw const marker).addr()
}

/// Where the thread's stack ends. Own code, as the crate that has it (`stacker`) builds assembler, which Miri and a
/// build for another machine have no compiler of.
#[cfg(debug_assertions)]
mod stack {
    #[cfg(all(any(target_os = "linux", target_os = "android"), feature = "std", not(miri)))]
    pub(super) fn lowest() -> Option<usize> {
        let mut attributes = core::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
        let (mut lowest, mut size) = (core::ptr::null_mut(), 0);
        // SAFETY: the attributes are those of this thread, read only where they were written, and destroyed once.
        unsafe {
            if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
                return None;
            }
            let found = libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size);
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
            (found == 0).then(|| lowest.addr())
        }
    }

    #[cfg(all(target_vendor = "apple", feature = "std", not(miri)))]
    pub(super) fn lowest() -> Option<usize> {
        // SAFETY: it asks about this thread. The address is the stack's other end.
        unsafe {
            let thread = libc::pthread_self();
            libc::pthread_get_stackaddr_np(thread).addr().checked_sub(libc::pthread_get_stacksize_np(thread))
        }
    }

    #[cfg(all(windows, feature = "std", not(miri)))]
    pub(super) fn lowest() -> Option<usize> {
        #[link(name = "kernel32")]
        unsafe extern "system" {
            fn GetCurrentThreadStackLimits(low: *mut usize, high: *mut usize);
        }
        let (mut low, mut high) = (0, 0);
        // SAFETY: both may be written.
        unsafe { GetCurrentThreadStackLimits(&mut low, &mut high) };
        Some(low)
    }

    #[cfg(any(
        not(any(target_os = "linux", target_os = "android", target_vendor = "apple", windows)),
        not(feature = "std"),
        miri
    ))]
    pub(super) fn lowest() -> Option<usize> {
        None
    }
}
