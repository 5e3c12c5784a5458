//! OPEN, kept for the instance that comes after one that has trapped.

use upcall_abi::{ErrorSlot, FrameHead, OpenFrame, Rel, kind};
use upcall_crossing::{Chunks, Full, Room, Unable, cross};

/// An OPEN frame with all that it points to, but for the services.
pub(super) struct Retold {
    _kept: Kept,
    frame: *mut FrameHead,
    /// Room for what the handler says when it fails.
    text: Vec<u8>,
}

/// Bytes of that room.
const ROOM: usize = 4096;

impl Retold {
    /// A copy of a frame.
    ///
    /// # Errors
    /// It is no frame that crosses.
    ///
    /// # Safety
    /// It must be a whole OPEN frame, as an engine passes it.
    pub(super) unsafe fn of(frame: *mut OpenFrame) -> Result<Retold, Unable> {
        let mut kept = Kept(Vec::new());
        // SAFETY: the caller's promise.
        let crossing = unsafe { cross(&mut kept, &mut Chunks::default(), frame.cast(), kind::OPEN)? };
        let frame = std::ptr::with_exposed_provenance_mut(crossing.at as usize);
        Ok(Retold { _kept: kept, frame, text: vec![0; ROOM] })
    }

    /// Says it, as an engine would. What comes of that, and what the handler says of its failure.
    ///
    /// # Safety
    /// `say` must be done with the frame when it returns.
    pub(super) unsafe fn say<T>(&mut self, say: impl FnOnce(*mut FrameHead) -> T) -> (T, String) {
        let text = self.text.as_mut_ptr().expose_provenance() as u64;
        // SAFETY: the frame is ours alone, and whole; so is the room for text.
        unsafe {
            (*self.frame).error = ErrorSlot { text: Rel::new(text, ROOM as u64), ..ErrorSlot::EMPTY };
            let outcome = say(self.frame);
            let (type_name, message, _) = (*self.frame).error.read(0);
            let [type_name, message] = [type_name, message].map(String::from_utf8_lossy);
            let told = format!("{type_name}: {message}").trim_matches([':', ' ']).to_owned();
            (outcome, told)
        }
    }
}

/// Memory of this process as room: an offset is an address, as in every frame whose bases are 0.
struct Kept(Vec<Box<[u128]>>);

// SAFETY: each place is an allocation of its own, aligned to 16, that lives as long as this does.
unsafe impl Room for Kept {
    fn reset(&mut self) {
        self.0.clear();
    }

    fn give(&mut self, bytes: u64) -> Result<(u64, *mut u8), Full> {
        let words = usize::try_from(bytes.div_ceil(16)).map_err(|_| Full)?.max(1);
        let mut given = vec![0u128; words].into_boxed_slice();
        let at = given.as_mut_ptr().cast::<u8>();
        self.0.push(given);
        Ok((at.expose_provenance() as u64, at))
    }

    fn place(&self, _: u64, _: u64) -> Option<*mut u8> {
        // No guest writes here.
        None
    }

    fn end(&self) -> u64 {
        0
    }
}
