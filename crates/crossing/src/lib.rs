//! How frames cross into memory that a guest sees too: copied there with offsets in place of addresses, and what the guest has
//! made of them copied back.
//!
//! It is a crate of its own because two hosts need it, each with memory of its own kind behind a [`Room`]: a segment that
//! is shared with another process, and the linear memory of a WebAssembly module.
//!
//! What comes back is hostile: each number is read once, into memory of the engine's own, and compared with what was given;
//! what the guest has written is copied before anybody looks at it. One module per kind of frame; who uses them knows none.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod cancel;
mod combine;
mod describe;
mod error;
mod flow;
mod open;
mod output;
mod room;
mod services;
mod vertex;

pub use cancel::cancel;
pub use error::{Said, tell};
pub use open::Services;
use output::Stands;
pub use output::{Chunks, Emitted, Grown};
pub use room::{Full, Room};
pub use services::{NO_ROOM, NO_ROOM_FOR_KEYS};
use upcall_abi::{ErrorSlot, FlowFrame, FrameHead, Rel, Status, kind};

/// Bytes before a frame of items that are the guest's own, until it has answered.
pub const BEFORE: u64 = 16;

/// A frame that is with the guest.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// The frame's offset.
    pub at: u64,
    /// Where what the guest will read begins and ends.
    pub input: [u64; 2],
    /// Its room for the text of an error.
    error: Rel<u8>,
    form: Form,
}

/// What comes back.
#[derive(Clone, Debug)]
enum Form {
    /// An error at most.
    Plain,
    /// Records.
    Describe,
    /// Records and progress.
    Flow,
    /// The second array, which is at this offset.
    Combine(u64),
    /// What the vertices have written.
    Vertex(vertex::Written),
}

/// Why a frame does not cross.
#[derive(Debug)]
pub enum Unable {
    /// It is larger than the guest's memory.
    Full,
    /// A kind of batch that nobody has taught to cross.
    Kind(u16),
    /// What the engine adds is cut short.
    Short,
}

impl From<Full> for Unable {
    fn from(Full: Full) -> Unable {
        Unable::Full
    }
}

/// What the guest did to a frame that no driver does.
pub type Broken = &'static str;

/// Copies a frame there, for a handler that takes batches of the kind `batch`.
///
/// # Errors
/// It does not cross.
///
/// # Safety
/// `frame` must be a whole frame of its kind, as an engine passes it.
#[inline]
pub unsafe fn cross(
    room: &mut impl Room,
    chunks: &mut Chunks,
    frame: *mut FrameHead,
    batch: u16,
) -> Result<Crossing, Unable> {
    room.reset();
    // SAFETY: the caller's promise.
    let head = unsafe { &*frame };
    if room.reserves() && head.kind == kind::FLOW {
        // SAFETY: as above.
        room.reserve(unsafe { flow::bytes(&*frame.cast()) } + head.error.text.len)?;
    }
    let of = if head.kind == kind::FLUSH { batch } else { head.kind };
    if of == kind::FLOW {
        // SAFETY: the caller's promise.
        let (at, input, error) = unsafe { flow::cross(room, chunks, &*frame.cast())? };
        return Ok(Crossing { at, input, error, form: Form::Flow });
    }
    let error = error::room(room, head)?;
    let mut input = [room.end(); 2];
    // SAFETY: the caller's promise, for each kind.
    let (at, form) = unsafe {
        match of {
            kind::CLOSE | kind::PING => (room.put_one(theirs::<FrameHead>(head, error))?, Form::Plain),
            kind::DESCRIBE => (describe::cross(room, chunks, &*frame.cast(), error)?, Form::Describe),
            kind::OPEN => (open::cross(room, &*frame.cast(), error)?, Form::Plain),
            kind::COMBINE => {
                let (at, into) = combine::cross(room, &*frame.cast(), error)?;
                input[1] = at;
                (at, Form::Combine(into))
            }
            kind::VERTEX => {
                let written = vertex::cross(room, &*frame.cast(), error)?;
                input[1] = written.at;
                (written.at, Form::Vertex(written))
            }
            other => return Err(Unable::Kind(other)),
        }
    };
    Ok(Crossing { at, input, error: error.text, form })
}

/// A frame's head as the guest sees it: no address of ours is in it. Its bases the guest fills in itself, as only it knows
/// where it has mapped the memory.
#[inline]
fn theirs<F>(head: &FrameHead, error: ErrorSlot) -> FrameHead {
    FrameHead { error, ..FrameHead::new::<F>(head.kind) }
}

impl Crossing {
    /// Where in the frame its output is; 0 where it has none.
    #[must_use]
    #[inline]
    pub fn output(&self) -> u64 {
        match self.form {
            Form::Describe => describe::OUT,
            Form::Flow => flow::OUT,
            Form::Plain | Form::Combine(_) | Form::Vertex(_) => 0,
        }
    }

    /// What the engine's frame emits into, if it does.
    ///
    /// # Safety
    /// `frame` must be the one that crosses.
    #[must_use]
    #[inline]
    pub unsafe fn emitted(&self, frame: *mut FrameHead) -> Option<Emitted> {
        let out = self.output();
        if out == 0 {
            return None;
        }
        // SAFETY: the output is part of the frame.
        let (ours, theirs) = (unsafe { frame.byte_add(out as usize).cast() }, self.at + out);
        Some(match self.form {
            Form::Flow => Emitted::flow(frame, ours, theirs, self.at),
            _ => Emitted::description(frame, ours, theirs),
        })
    }

    /// Copies back what the guest has made of the frame: after its answer, or after its death, when `status` is `LOST`.
    ///
    /// # Errors
    /// The guest did what no driver does.
    ///
    /// # Safety
    /// `frame` must be the one that crosses, and still what it was.
    #[inline]
    pub unsafe fn back(
        &self,
        room: &impl Room,
        chunks: &mut Chunks,
        frame: *mut FrameHead,
        status: Status,
    ) -> Result<(), Broken> {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(emitted) = self.emitted(frame) {
                let (stands, told) = match self.form {
                    Form::Flow => {
                        let told = flow::Told::read(room, self.at).ok_or(output::OUTSIDE)?;
                        (told.stands(), Some(told))
                    }
                    _ => (Stands::read(room, self.at + self.output())?, None),
                };
                chunks.copy_back(room, &emitted, stands, status == Status::LOST)?;
                if let Some(told) = told {
                    told.back(chunks, &mut *frame.cast());
                }
            }
            if let (Form::Combine(into), Status::OK) = (&self.form, status) {
                combine::back(room, *into, &*frame.cast());
            }
            if let (Form::Vertex(written), Status::OK) = (&self.form, status) {
                let back = vertex::back(room, written, &mut *frame.cast());
                back.ok_or("it wakes more vertices than there is room for")?;
            }
            if status == Status::OK || status == Status::LOST {
                return Ok(());
            }
            let said = self.said(room).ok_or("its error lies outside its memory")?;
            said.write(&mut *frame);
        }
        Ok(())
    }

    /// Whether the frame is one of items.
    #[must_use]
    pub fn emits_items(&self) -> bool {
        matches!(self.form, Form::Flow)
    }

    /// Whether it is the sample of a handler's `warm`: one object that was never put.
    ///
    /// # Safety
    /// `frame` must be the one that crosses.
    #[must_use]
    pub unsafe fn is_sample(&self, frame: *const FrameHead) -> bool {
        // SAFETY: the caller's promise.
        matches!(self.form, Form::Flow) && unsafe { flow::is_sample(&*frame.cast::<FlowFrame>()) }
    }

    /// Whether anything of the frame is done.
    ///
    /// # Safety
    /// `frame` must be the one that crosses.
    #[must_use]
    pub unsafe fn progress(&self, frame: *const FrameHead) -> bool {
        // SAFETY: the caller's promise.
        matches!(self.form, Form::Flow) && unsafe { (*frame.cast::<FlowFrame>()).done > 0 }
    }

    /// Nothing of the frame is done, and nothing was emitted: what the guest has left cannot be. The engine's output is where
    /// it was before the call, as what lies behind was never copied.
    ///
    /// # Safety
    /// `frame` must be the one that crosses, and nobody else use it meanwhile.
    pub unsafe fn nothing(&self, chunks: &mut Chunks, frame: *mut FrameHead) {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(emitted) = self.emitted(frame) {
                chunks.forget(&emitted);
            }
            if let Form::Flow = self.form {
                (*frame.cast::<FlowFrame>()).done = 0;
            }
        }
    }

    /// What the guest says of its failure.
    #[must_use]
    pub fn said(&self, room: &impl Room) -> Option<Said> {
        Said::read(room, self.at, self.error)
    }
}
