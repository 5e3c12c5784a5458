use crate::{
    ABI, CancelFrame, CombineFrame, DescribeFrame, ErrorSlot, FlowFrame, FrameHead, OpenFrame, Progress,
    Status, VertexFrame, base, kind,
};
use core::fmt::{self, Write};
use core::mem::offset_of;

/// Bytes of text that say why a frame is refused; the longest of them has 120.
const ROOM: usize = 160;

/// The batches that a driver can read: their kind, and the least bytes of their frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchFrame {
    kind: u16,
    least: u32,
}

impl BatchFrame {
    /// [`FlowFrame`]s.
    pub const FLOW: BatchFrame = BatchFrame {
        kind: kind::FLOW,
        least: (offset_of!(FlowFrame, progress) + size_of::<[Progress; 2]>()) as u32,
    };
    /// [`CombineFrame`]s.
    pub const COMBINE: BatchFrame = BatchFrame {
        kind: kind::COMBINE,
        least: (offset_of!(CombineFrame, count) + size_of::<u64>()) as u32,
    };
    /// [`VertexFrame`]s.
    pub const VERTEX: BatchFrame = BatchFrame {
        kind: kind::VERTEX,
        least: (offset_of!(VertexFrame, value_size) + size_of::<u32>()) as u32,
    };

    /// The kind, of [`kind`].
    #[must_use]
    pub const fn kind(self) -> u16 {
        self.kind
    }
}

impl FrameHead {
    /// Whether a driver of this [`ABI`] whose handler takes `batch` can read the frame; every driver asks before it reads
    /// a field after the head.
    ///
    /// Refused are another ABI number, a kind that is none of [`kind`] or another batch, and a frame that is shorter than
    /// what ABI 2 began with. A longer frame is taken: a newer engine has appended fields. A driver that reads an
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
    pub unsafe fn check(frame: *mut FrameHead, batch: BatchFrame) -> Result<(), Status> {
        // SAFETY: the first eight bytes are there, which hold all three.
        let (abi, kind, size) = unsafe { ((*frame).abi, (*frame).kind, (*frame).size) };
        // A batch, first of all: this is on the way of every call.
        let fits = if kind == batch.kind {
            size >= batch.least
        } else {
            least(kind, batch).is_some_and(|(_, least)| size >= least)
        };
        if abi == ABI && fits {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe { refuse(frame, abi, kind, size, batch) };
        Err(Status::FAILED)
    }
}

/// Bytes of the frames that ABI 2 began with: up to the end of what was then their last field. Appended fields
/// do not raise them.
const HEAD: u32 = (offset_of!(FrameHead, complete) + size_of::<usize>()) as u32;
const OPEN: u32 = (offset_of!(OpenFrame, reserved_2) + size_of::<u32>()) as u32;
const CANCEL: u32 = (offset_of!(CancelFrame, reserved) + size_of::<u32>()) as u32;
const DESCRIBE: u32 = (offset_of!(DescribeFrame, out) + size_of::<crate::Output>()) as u32;

/// Name and least bytes of a kind of frame, for a handler that takes `batch`.
fn least(kind: u16, batch: BatchFrame) -> Option<(&'static str, u32)> {
    match kind {
        kind::OPEN => Some(("OPEN", OPEN)),
        kind::FLUSH => Some(("FLUSH", batch.least)),
        kind::CLOSE => Some(("CLOSE", HEAD)),
        kind::PING => Some(("PING", HEAD)),
        kind::CANCEL => Some(("CANCEL", CANCEL)),
        kind::DESCRIBE => Some(("DESCRIBE", DESCRIBE)),
        kind if kind == batch.kind => Some((kind::name(kind)?, batch.least)),
        _ => None,
    }
}

/// The head of a frame that a driver cannot read.
struct Refused {
    abi: u16,
    kind: u16,
    size: u32,
    batch: BatchFrame,
}

/// Writes the reason into the error slot. The head's fields up to the slot stay where they are in every ABI.
///
/// # Safety
/// As [`FrameHead::check`].
#[cold]
unsafe fn refuse(frame: *mut FrameHead, abi: u16, kind: u16, size: u32, batch: BatchFrame) {
    let why = Refused { abi, kind, size, batch };
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
        let Refused { abi, kind, size, batch } = self;
        match least(*kind, *batch) {
            _ if *abi != ABI => write!(
                f,
                "a frame of ABI {abi} reached a handler of ABI {ABI}: build the handler again with the \
                 engine's version"
            ),
            None if let Some(found) = kind::name(*kind) => write!(
                f,
                "a {found} frame reached a handler that takes {}: give the engine another handler",
                kind::name(batch.kind).unwrap_or("none")
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
