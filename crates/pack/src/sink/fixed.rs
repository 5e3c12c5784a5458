use crate::prelude::*;
use crate::{Error, ErrorKind, Sink};
use core::mem::MaybeUninit;

/// A slice that is filled and does not grow.
#[derive(Debug)]
pub struct Fixed<'a> {
    slice: &'a mut [MaybeUninit<u8>],
    filled: usize,
}

impl<'a> Fixed<'a> {
    /// A sink that fills `slice`.
    pub fn new(slice: &'a mut [u8]) -> Fixed<'a> {
        let (start, len) = (slice.as_mut_ptr().cast(), slice.len());
        // SAFETY: the same memory for the same time. Whoever asks for a window writes nothing uninitialised into it,
        // so the caller's slice is initialised when the borrow ends.
        Fixed::over(unsafe { core::slice::from_raw_parts_mut(start, len) })
    }

    /// A sink that fills uninitialised memory.
    pub fn over(slice: &'a mut [MaybeUninit<u8>]) -> Fixed<'a> {
        Fixed { slice, filled: 0 }
    }

    /// Bytes written.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.filled
    }
}

impl Sink for Fixed<'_> {
    unsafe fn window(&mut self, at_least: usize) -> Result<&mut [MaybeUninit<u8>], Error> {
        let (filled, whole) = (self.filled, self.slice.len());
        if whole - filled < at_least {
            let message = format!(
                "{at_least} more bytes do not fit into a slice of {whole}: give it what `packed_len` says"
            );
            return Err(Error::new(ErrorKind::Full, filled, message));
        }
        Ok(&mut self.slice[filled..])
    }

    unsafe fn advance(&mut self, count: usize) {
        self.filled += count;
    }
}
