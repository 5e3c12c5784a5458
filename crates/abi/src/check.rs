use crate::{ABI, ErrorSlot, FlowFrame, FrameHead, OpenFrame, Status, base, kind};
use core::fmt::{self, Write};
use core::mem::offset_of;

/// Bytes of text that say why a frame is refused; the longest of them has 120.
const ROOM: usize = 160;

impl FrameHead {
    /// Whether a driver of this [`ABI`] can read the frame; every driver asks before it reads a field past
    /// the head.
    ///
    /// Another ABI number, a kind that is none of [`kind`] and a frame shorter than what ABI 1 began with are
    /// refused. A longer frame is accepted: a newer engine has appended fields. A driver that reads an
    /// appended field compares `size` with the end of that field first.
    ///
    /// # Errors
    /// What the driver answers: [`Status::FAILED`], with the reason in the frame's error slot where the frame
    /// is long enough to have one.
    ///
    /// # Safety
    /// `frame` must be the address of a frame, valid for reads and writes of the bytes that its `size` says,
    /// and of the first eight in any case.
    #[inline]
    pub unsafe fn check(frame: *mut FrameHead) -> Result<(), Status> {
        // SAFETY: the first eight bytes are there, which hold all three.
        let (abi, kind, size) = unsafe { ((*frame).abi, (*frame).kind, (*frame).size) };
        // Batches first: every call comes through here.
        let least = if kind == kind::FLOW { FLOW } else { least(kind).map_or(u32::MAX, |(_, least)| least) };
        if abi == ABI && size >= least {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe { refuse(frame, &Refused { abi, kind, size }) };
        Err(Status::FAILED)
    }
}

/// Bytes of the frames that ABI 1 began with: up to the end of what was then their last field. Appended fields
/// do not raise them.
const HEAD: u32 = (offset_of!(FrameHead, complete) + size_of::<usize>()) as u32;
const OPEN: u32 = (offset_of!(OpenFrame, workers) + size_of::<u32>()) as u32;
const FLOW: u32 = (offset_of!(FlowFrame, reserved) + size_of::<u32>()) as u32;

/// Name and least bytes of a kind of frame.
fn least(kind: u16) -> Option<(&'static str, u32)> {
    match kind {
        kind::OPEN => Some(("OPEN", OPEN)),
        kind::FLOW => Some(("FLOW", FLOW)),
        kind::FLUSH => Some(("FLUSH", FLOW)),
        kind::CLOSE => Some(("CLOSE", HEAD)),
        kind::PING => Some(("PING", HEAD)),
        _ => None,
    }
}

/// The head of a frame that a driver cannot read.
struct Refused {
    abi: u16,
    kind: u16,
    size: u32,
}

/// Writes the reason into the error slot. The head's fields up to the slot stay where they are in every ABI.
///
/// # Safety
/// As [`FrameHead::check`].
#[cold]
unsafe fn refuse(frame: *mut FrameHead, why: &Refused) {
    if (why.size as usize) < offset_of!(FrameHead, complete) {
        return;
    }
    let mut text = Text { bytes: [0; ROOM], len: 0 };
    // What does not fit is cut.
    let _ = write!(text, "{why}");
    // SAFETY: the caller's promise; the frame is long enough to hold bases and slot.
    unsafe {
        let output = (*frame).base[base::OUTPUT];
        (*frame).error.write(output, ErrorSlot::NO_ITEM, "frame", text.as_str(), "");
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { abi, kind, size } = self;
        match least(*kind) {
            _ if *abi != ABI => write!(
                f,
                "a frame of ABI {abi} reached a handler of ABI {ABI}: build the handler again with the \
                 engine's version"
            ),
            None => {
                write!(f, "unknown frame kind {kind}: the engine is newer than this handler; build it again")
            }
            Some((name, least)) => write!(
                f,
                "the {name} frame has {size} bytes, and ABI {ABI} has at least {least}: build engine and \
                 handler with the same version"
            ),
        }
    }
}

/// Text of at most [`ROOM`] bytes.
struct Text {
    bytes: [u8; ROOM],
    len: usize,
}

impl Text {
    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len]).unwrap_or("")
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let len = text.floor_char_boundary(ROOM - self.len);
        self.bytes[self.len..self.len + len].copy_from_slice(&text.as_bytes()[..len]);
        self.len += len;
        if len == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}
