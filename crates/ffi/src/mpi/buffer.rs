use super::failure::MpiFailure;
use std::sync::{Mutex, PoisonError};
use upcall::Blit;
use upcall::abi::SliceMut;
use upcall_mpi::Buf;

/// A place in memory, for as long as the object that has told it says.
#[derive(Clone, Copy, Blit)]
#[repr(C)]
pub struct UpcallMpiMemory {
    /// Its address.
    pub address: u64,
    /// Its bytes.
    pub bytes: u64,
}

impl UpcallMpiMemory {
    pub(super) fn of(data: *mut u8, bytes: usize) -> UpcallMpiMemory {
        UpcallMpiMemory { address: data.expose_provenance() as u64, bytes: bytes as u64 }
    }
}

/// Some bytes of memory, for a language that sees memory by slices alone.
#[unsafe(no_mangle)]
pub extern "C" fn upcall_mpi_memory_view(address: u64, bytes: u64) -> SliceMut<u8> {
    let (address, len) = (usize::try_from(address).unwrap_or(0), usize::try_from(bytes).unwrap_or(0));
    SliceMut { data: std::ptr::with_exposed_provenance_mut(address), len }
}

/// Memory on huge pages, which MPIs move faster than other memory: some bytes that are zero at first. For few large buffers that
/// are used often.
///
/// When it is released the system has its pages back at once; the addresses stay, for the next one, so that whoever still reads or
/// writes there meets zeroes, or another buffer, and no fault.
pub struct UpcallMpiBuffer {
    memory: Option<Buf<u8>>,
    bytes: usize,
}

/// What was released: addresses without pages.
static PARKED: Mutex<Vec<Buf<u8>>> = Mutex::new(Vec::new());

/// A huge page, of which a buffer has a whole number.
const HUGE: usize = 2 << 20;

#[upcall::export]
impl UpcallMpiBuffer {
    /// One of so many bytes. MPI need not have been started.
    pub fn new(bytes: usize) -> Result<Self, MpiFailure> {
        let room = bytes.checked_next_multiple_of(HUGE).unwrap_or(usize::MAX);
        let mut parked = PARKED.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = parked.iter().enumerate().filter(|(_, buffer)| buffer.len() >= room);
        let smallest = fits.min_by_key(|(_, buffer)| buffer.len()).map(|(index, _)| index);
        let memory = match smallest {
            Some(index) if bytes > 0 => parked.swap_remove(index),
            _ => Buf::zeroed(room)?,
        };
        Ok(UpcallMpiBuffer { memory: Some(memory), bytes })
    }

    /// Where it is, until it is released.
    pub fn memory(&self, memory: &mut UpcallMpiMemory) {
        let data = self.memory.as_ref().map_or(std::ptr::null_mut(), |memory| memory.as_ptr().cast_mut());
        *memory = UpcallMpiMemory::of(data, self.bytes);
    }

    /// Whether what was written there lies on huge pages. It reads what the system says of all memory of the process.
    pub fn has_huge_pages(&self) -> bool {
        self.memory.as_ref().is_some_and(|memory| memory.lies_on_huge_pages(self.bytes))
    }
}

impl Drop for UpcallMpiBuffer {
    fn drop(&mut self) {
        if let Some(mut memory) = self.memory.take()
            && !memory.is_empty()
            && memory.discard()
        {
            PARKED.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        }
    }
}
