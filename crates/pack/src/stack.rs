use std::mem::MaybeUninit;

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

#[inline(always)]
fn here() -> usize {
    let marker = MaybeUninit::<u8>::uninit();
    (&raw const marker).addr()
}
