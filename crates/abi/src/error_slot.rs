use crate::Rel;

/// Where a guest describes a failure: engine memory that holds type, message and stack one after the other.
///
/// Text is UTF-8 and is cut at a character boundary where it does not fit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ErrorSlot {
    /// The room for text, relative to `base::OUTPUT`.
    pub text: Rel<u8>,
    /// Bytes of the error's type name, at the start of `text`.
    pub type_len: u32,
    /// Bytes of the message, after the type name.
    pub message_len: u32,
    /// Bytes of the stack trace, after the message.
    pub stack_len: u32,
    /// Index of the item that failed, or [`ErrorSlot::NO_ITEM`].
    pub item: u32,
}

crate::layout::layout!(ErrorSlot: 32, 8 { text: 0, type_len: 16, message_len: 20, stack_len: 24, item: 28 });

impl ErrorSlot {
    /// The failure concerns the whole frame.
    pub const NO_ITEM: u32 = u32::MAX;

    /// A slot without room.
    pub const EMPTY: ErrorSlot =
        ErrorSlot { text: Rel::EMPTY, type_len: 0, message_len: 0, stack_len: 0, item: Self::NO_ITEM };

    /// Forgets what was written, keeps the room.
    pub fn clear(&mut self) {
        *self = ErrorSlot { text: self.text, ..ErrorSlot::EMPTY };
    }

    /// Writes a failure, cutting what does not fit (the stack first, as it is written last).
    ///
    /// # Safety
    /// `base + text.offset` must be the address of `text.len` writable bytes that nobody else uses meanwhile.
    pub unsafe fn write(&mut self, base: u64, item: u32, type_name: &str, message: &str, stack: &str) {
        let mut at = 0;
        let mut append = |text: &str| {
            let len = text.floor_char_boundary(self.text.len as usize - at);
            // SAFETY: at + len <= text.len, and the caller gave the room to us alone.
            unsafe {
                let to = (base + self.text.offset) as *mut u8;
                core::ptr::copy_nonoverlapping(text.as_ptr(), to.add(at), len);
            }
            at += len;
            len as u32
        };
        self.type_len = append(type_name);
        self.message_len = append(message);
        self.stack_len = append(stack);
        self.item = item;
    }

    /// Type, message and stack as bytes. Lengths that exceed the room are cut, so a guest that lies about
    /// them cannot make the engine read elsewhere.
    ///
    /// # Safety
    /// `base + text.offset` must be the address of `text.len` initialised bytes that stay unchanged for `'a`.
    #[must_use]
    pub unsafe fn read<'a>(&self, base: u64) -> (&'a [u8], &'a [u8], &'a [u8]) {
        // SAFETY: the caller's promise.
        let text = unsafe { self.text.get(base) };
        let (type_name, rest) = text.split_at((self.type_len as usize).min(text.len()));
        let (message, rest) = rest.split_at((self.message_len as usize).min(rest.len()));
        (type_name, message, &rest[..(self.stack_len as usize).min(rest.len())])
    }
}
