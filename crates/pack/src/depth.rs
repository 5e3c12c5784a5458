use crate::{Error, ErrorKind, Options};

/// How deeply objects may be nested, by number and by the stack that they take: the number alone is not enough,
/// as the size of a level varies a hundredfold between types and builds.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    /// Levels left.
    left: u32,
    /// Where the stack pointer was at first, and the most bytes from there on.
    base: usize,
    most: usize,
}

impl Depth {
    /// What the options allow, from here on.
    #[inline(always)]
    pub(crate) fn new(options: Options) -> Depth {
        Depth { left: options.depth, base: here(), most: options.stack }
    }

    /// Takes a level, if one is left.
    #[inline(always)]
    #[must_use]
    pub(crate) fn enter(&mut self) -> bool {
        // Miri has no stack: its addresses lie anywhere.
        if self.left == 0 || (!cfg!(miri) && here().abs_diff(self.base) > self.most) {
            return false;
        }
        self.left -= 1;
        true
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
        std::arch::asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        std::arch::asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    pointer
}

/// The address of a local.
#[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), miri))]
#[inline(always)]
fn here() -> usize {
    let marker = std::mem::MaybeUninit::<u8>::uninit();
    (&raw const marker).addr()
}
