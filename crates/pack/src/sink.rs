//! Where written bytes go: memory that is filled through windows, so that nothing is copied twice.

#[cfg(feature = "bytes")]
mod bytes;
mod fixed;
mod measure;

use crate::Error;
use crate::prelude::*;
use core::mem::MaybeUninit;

pub use fixed::Fixed;
pub(crate) use measure::Measure;

/// Memory that a [`Writer`](crate::Writer) fills from the front.
pub trait Sink {
    /// The free memory after what was advanced over, at least `at_least` bytes in one piece. It stays where
    /// it is until the next call to a method of the sink.
    ///
    /// # Errors
    /// [`ErrorKind::Full`](crate::ErrorKind::Full) when there is not that much.
    ///
    /// # Safety
    /// Nothing uninitialised may be written into the window: it may lie in memory that holds something already.
    unsafe fn window(&mut self, at_least: usize) -> Result<&mut [MaybeUninit<u8>], Error>;

    /// Takes the first `count` bytes of the window as written.
    ///
    /// # Safety
    /// The last window must have had `count` bytes, and they must have been written.
    unsafe fn advance(&mut self, count: usize);
}

impl Sink for Vec<u8> {
    unsafe fn window(&mut self, at_least: usize) -> Result<&mut [MaybeUninit<u8>], Error> {
        self.reserve(at_least);
        Ok(self.spare_capacity_mut())
    }

    unsafe fn advance(&mut self, count: usize) {
        // SAFETY: the caller has written these bytes of the spare capacity.
        unsafe { self.set_len(self.len() + count) }
    }
}
