/// How much of the stack objects inside one another may take: their number alone does not say it, as it differs by
/// a hundred times between types and builds.
#[derive(Clone, Copy)]
pub(crate) struct Stack {
    base: usize,
    most: usize,
}

impl Stack {
    /// At most so many bytes from here on.
    #[inline(always)]
    pub(crate) fn new(most: usize) -> Stack {
        Stack { base: here(), most }
    }

    /// Whether they are taken.
    #[inline(always)]
    pub(crate) fn is_taken(&self) -> bool {
        // Miri has no stack: its addresses lie anywhere.
        !cfg!(miri) && here().abs_diff(self.base) > self.most
    }
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
