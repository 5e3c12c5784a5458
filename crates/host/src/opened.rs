//! An instance that is open, with what every handler is given: settings and a log.

use crate::Instance;
use std::ffi::c_void;
use upcall_abi::{
    CallFailed, ErrorSlot, Frame, FrameHead, OpenFrame, Rel, Services, Setting, Status, base, kind, level,
};

/// Bytes of room for what a handler says when it fails.
const ROOM: usize = 16 << 10;

/// What an instance is told when it is opened, beside what the engine adds.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// The handler's name: its log's.
    pub name: &'a str,
    /// The kind of batch that will come: one of [`upcall_abi::kind`].
    pub batch: u16,
    /// Names and values.
    pub settings: &'a [(String, String)],
    /// Index of the worker among those that run the handler.
    pub worker: u32,
    /// How many there are.
    pub workers: u32,
}

/// An open instance of an engine that does nothing for its handlers but keep their log, which is the program's, by `tracing`.
///
/// It is closed when it is dropped, which must be on the thread that has opened it, within the host's worker.
pub struct Opened {
    instance: Instance,
    /// Where it says what it fails with.
    text: Box<[u8]>,
    _services: Box<Services>,
    /// The handler's name, which the services point to.
    name: Box<Name>,
}

/// Where a log finds it, wherever the instance is moved.
struct Name(String);

impl Opened {
    /// Opens an instance; `added` is what the engine adds for handlers of this kind, a struct that begins with its size.
    ///
    /// # Errors
    /// What the handler fails with.
    pub fn new<T>(instance: Instance, opening: &Opening<'_>, added: &T) -> Result<Opened, CallFailed> {
        let name = Box::new(Name(opening.name.to_owned()));
        let services = Box::new(Services {
            size: size_of::<Services>() as u32,
            reserved: 0,
            context: std::ptr::from_ref(&*name).cast_mut().cast(),
            log,
        });
        let text = |text: &String| Rel::of(text.as_bytes());
        let settings = opening.settings.iter();
        let settings: Vec<Setting> =
            settings.map(|(name, value)| Setting { name: text(name), value: text(value) }).collect();
        let mut frame = OpenFrame::new(opening.batch, opening.name, &raw const *services, added);
        frame.settings = Rel::new(settings.as_ptr().expose_provenance() as u64, settings.len() as u64);
        (frame.worker, frame.workers) = (opening.worker, opening.workers);
        let room = vec![0; ROOM].into_boxed_slice();
        let mut opened = Opened { instance, text: room, _services: services, name };
        // SAFETY: the frame, and what it points to, live until the call returns; the services until the instance is closed.
        unsafe { opened.instance.ask(&mut frame)? };
        Ok(opened)
    }

    /// Calls it with a frame, which is lent room for what it may fail with.
    ///
    /// # Errors
    /// What it answers that is not OK, and what it says of that.
    ///
    /// # Safety
    /// As [`Instance::call`].
    #[inline]
    pub unsafe fn call<F: Frame>(&mut self, frame: &mut F) -> Result<(), (Status, CallFailed)> {
        let head = frame.head();
        let place = self.text.as_mut_ptr().expose_provenance() as u64;
        let place = place.wrapping_sub(head.base[base::OUTPUT]);
        head.error = ErrorSlot { text: Rel::new(place, ROOM as u64), ..ErrorSlot::EMPTY };
        // SAFETY: the caller's promise; the frame begins with its head, and the room lives until the call returns.
        match unsafe { self.instance.call((&raw mut *frame).cast()) } {
            Status::OK => Ok(()),
            // SAFETY: the room was initialised, and the call has returned.
            status => Err((status, unsafe { CallFailed::of(frame.head()) })),
        }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let mut close = FrameHead::new::<FrameHead>(kind::CLOSE);
        // What it answers has nobody left to be told.
        // SAFETY: a whole frame of its kind.
        let _ = unsafe { self.instance.call(&mut close) };
    }
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").field("handler", &self.name.0).finish_non_exhaustive()
    }
}

unsafe extern "C" fn log(context: *mut c_void, at: u32, text: *const u8, length: u64) {
    // SAFETY: the context is the name, which lives until the instance is closed; the text is the handler's own.
    let (Name(handler), text) =
        unsafe { (&*context.cast::<Name>(), Rel::<u8>::new(text as u64, length).get(0)) };
    let text = String::from_utf8_lossy(text);
    match at {
        level::ERROR => tracing::error!(target: "upcall::handler", %handler, "{text}"),
        level::WARN => tracing::warn!(target: "upcall::handler", %handler, "{text}"),
        level::INFO => tracing::info!(target: "upcall::handler", %handler, "{text}"),
        level::DEBUG => tracing::debug!(target: "upcall::handler", %handler, "{text}"),
        _ => tracing::trace!(target: "upcall::handler", %handler, "{text}"),
    }
}
