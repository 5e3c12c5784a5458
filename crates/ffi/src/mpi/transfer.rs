//! Reading and writing of files in the background: requests like those of messages.

use super::failure::MpiFailure;
use super::file::UpcallMpiFile;
use super::memory::{Keep, Ours};
use super::request::{State, UpcallMpiRequest};
use std::ffi::c_void;
use upcall_mpi::{Lent, LentTransfer};

fn begun(transfer: LentTransfer<Keep>) -> UpcallMpiRequest {
    UpcallMpiRequest::new(State::Transfer(transfer))
}

#[upcall::export(extend)]
impl UpcallMpiFile {
    /// Begins to read at most so many bytes of elements of so many each, at an offset in elements of the view, into memory of the
    /// library's. Where all threads may call MPI it goes on in the background, else it is done when this returns. The request's
    /// status says how many bytes there were.
    pub fn start_read_at(
        &self,
        bytes: usize,
        element: usize,
        offset: u64,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let into = Ours::zeroes(bytes)?.lent();
        Ok(begun(self.with(|file| file.start_read_at_lent(into, element, offset))?))
    }

    /// The same into so many bytes at an address. `keep` is never called: it is released when the memory is not needed any more,
    /// on any thread, and until then that stays there and nobody else uses it.
    pub fn start_read_at_lent(
        &self,
        address: *mut c_void,
        bytes: usize,
        element: usize,
        offset: u64,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        // SAFETY: the caller's duty, as of every address.
        let into = unsafe { Lent::new(address.cast(), bytes, Keep::Theirs(keep)) };
        Ok(begun(self.with(|file| file.start_read_at_lent(into, element, offset))?))
    }

    /// Begins to write a copy of these bytes at an offset in elements of the view, as `start_read_at` reads.
    pub fn start_write_at(&self, data: &[u8], offset: u64) -> Result<UpcallMpiRequest, MpiFailure> {
        let copy = Ours::zeroes(data.len())?;
        // SAFETY: nobody else has it yet.
        unsafe { copy.write(data) };
        Ok(begun(self.with(|file| file.start_write_at_lent(copy.lent(), offset))?))
    }

    /// The same of so many bytes at an address, which stay there unchanged until `keep` is released.
    pub fn start_write_at_lent(
        &self,
        address: *const c_void,
        bytes: usize,
        offset: u64,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        // SAFETY: as above.
        let data = unsafe { Lent::new(address.cast_mut().cast(), bytes, Keep::Theirs(keep)) };
        Ok(begun(self.with(|file| file.start_write_at_lent(data, offset))?))
    }
}
