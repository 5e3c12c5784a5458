use crate::{FrameHead, Rel, base};
use core::ffi::c_void;

/// Levels of [`Services::log`].
pub mod level {
    /// Something failed.
    pub const ERROR: u32 = 1;
    /// Something looks wrong.
    pub const WARN: u32 = 2;
    /// Something worth telling.
    pub const INFO: u32 = 3;
    /// For whoever debugs the handler.
    pub const DEBUG: u32 = 4;
    /// Everything.
    pub const TRACE: u32 = 5;
}

/// The first frame of an instance, on the thread of its worker, after DESCRIBE if the engine asks.
///
/// What it points to is valid during the call, except `services`, which is valid until CLOSE has returned.
#[repr(C)]
#[derive(Debug)]
pub struct OpenFrame {
    /// The head; its kind is [`crate::kind::OPEN`].
    pub head: FrameHead,
    /// The handler's name, UTF-8.
    pub name: Rel<u8>,
    /// The handler's settings.
    pub settings: Rel<Setting>,
    /// What the engine does for every handler; null where it keeps no log.
    pub services: *const Services,
    /// What the engine adds for handlers of this kind: one struct, which begins with its size in bytes (`u32`).
    pub added: Rel<u8>,
    /// The kind of batch that will come: one of [`crate::kind`].
    pub batch: u16,
    /// Zero.
    pub reserved: u16,
    /// Index of this worker among those that run the handler.
    pub worker: u32,
    /// How many workers run the handler.
    pub workers: u32,
    /// Zero.
    pub reserved_2: u32,
}

crate::layout::layout!(OpenFrame: 152, 8 {
    head: 0, name: 80, settings: 96, services: 112, added: 120, batch: 136, reserved: 138, worker: 140, workers: 144,
    reserved_2: 148
});

impl OpenFrame {
    /// For one worker, without settings, whose handler takes batches of this kind. What the engine adds and the services
    /// live as long as the frame is used, the services until CLOSE.
    pub fn new<T>(batch: u16, name: &str, services: *const Services, added: &T) -> OpenFrame {
        OpenFrame {
            head: FrameHead::new::<OpenFrame>(crate::kind::OPEN),
            name: Rel::of(name.as_bytes()),
            settings: Rel::EMPTY,
            services,
            added: Rel::new((&raw const *added).expose_provenance() as u64, size_of::<T>() as u64),
            batch,
            reserved: 0,
            worker: 0,
            workers: 1,
            reserved_2: 0,
        }
    }

    /// What the engine adds, when it has at least `least` bytes.
    ///
    /// # Safety
    /// It must be a `T` in its first `least` bytes, and stay unchanged for `'a`.
    pub(crate) unsafe fn added<'a, T>(&self, least: usize) -> Option<&'a T> {
        let at = (self.head.base[base::BATCH] + self.added.offset) as *const T;
        // SAFETY: the caller's promise.
        (self.added.len as usize >= least).then(|| unsafe { &*at })
    }
}

/// One setting of a handler: both UTF-8. What is not a plain value in the flow's file arrives as JSON text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name.
    pub name: Rel<u8>,
    /// Its value.
    pub value: Rel<u8>,
}

crate::layout::layout!(Setting: 32, 8 { name: 0, value: 16 });

/// What an engine does for every handler. Called on the handler's worker only; a handler that answers later may call from
/// any thread.
#[repr(C)]
#[derive(Debug)]
pub struct Services {
    /// Bytes of this struct, which grows by appending only.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Passed to each function.
    pub context: *mut c_void,
    /// Logs `len` bytes of UTF-8 at one of [`level`], under the handler's name.
    pub log: unsafe extern "C" fn(context: *mut c_void, level: u32, text: *const u8, len: u64),
}

crate::layout::layout!(local Services: 24, 8 { size: 0, reserved: 4, context: 8, log: 16 });
