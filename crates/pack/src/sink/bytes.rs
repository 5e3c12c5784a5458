use crate::{Error, Sink};
use bytes::BytesMut;
use core::mem::MaybeUninit;

/// What sockets are written from: values are appended to what the buffer has.
impl Sink for BytesMut {
    unsafe fn window(&mut self, at_least: usize) -> Result<&mut [MaybeUninit<u8>], Error> {
        self.reserve(at_least);
        Ok(self.spare_capacity_mut())
    }

    unsafe fn advance(&mut self, count: usize) {
        // SAFETY: the caller has written these bytes of the spare capacity.
        unsafe { self.set_len(self.len() + count) }
    }
}
