use crate::{Entry, Rel, Status};
use core::ffi::c_void;

/// What stands between a host and a guest's handlers: how its runtime is started, and how handlers are made in it. Every
/// guest has one, as a symbol of its library ([`GUEST_SYMBOL`]) or by a function that returns it. The first two fields
/// stay where they are in every ABI.
///
/// The functions may be called from any thread once `start` has returned, where there is one; they attach and detach by
/// themselves unless stated otherwise.
#[repr(C)]
#[derive(Debug)]
pub struct GuestTable {
    /// [`crate::ABI`] that the library was built with.
    pub abi: u16,
    /// Zero.
    pub reserved: u16,
    /// Bytes of the table, which only grows by appending.
    pub size: u32,
    /// Starts the runtime, once per process. Null where nothing has to be started.
    pub start: Option<unsafe extern "C" fn(start: *const Start, refusal: *mut Refusal) -> Status>,
    /// Attaches this thread until `detach`: in between its entries cost what an attached thread costs. Null where no
    /// thread has to be.
    pub attach: Option<unsafe extern "C" fn()>,
    /// Detaches this thread. Null where `attach` is.
    pub detach: Option<unsafe extern "C" fn()>,
    /// Finds a handler, and writes a module for `create`.
    pub load: unsafe extern "C" fn(
        handler: *const HandlerName,
        module: *mut *mut c_void,
        refusal: *mut Refusal,
    ) -> Status,
    /// Makes an instance of a module on the thread of its worker, and writes its entry.
    pub create: unsafe extern "C" fn(module: *mut c_void, entry: *mut Entry, refusal: *mut Refusal) -> Status,
    /// Frees a module. Instances that were made of it live on.
    pub unload: unsafe extern "C" fn(module: *mut c_void),
}

crate::layout::layout!(local GuestTable: 56, 8 {
    abi: 0, reserved: 2, size: 4, start: 8, attach: 16, detach: 24, load: 32, create: 40, unload: 48
});

/// The symbol of a library that holds a [`GuestTable`]: a native handler library, or a runtime's driver.
pub const GUEST_SYMBOL: &str = "UPCALL_GUEST";

/// What a runtime is started with. All text is UTF-8 and valid until `start` has returned.
#[repr(C)]
#[derive(Debug)]
pub struct Start {
    /// Bytes of this struct, which grows by appending only.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// What the guest's host and its driver have agreed on: one argument per line.
    pub lines: Rel<u8>,
    /// To be called, on any thread, when an uncaught exception is about to end the process.
    pub last_word: Option<unsafe extern "C" fn()>,
}

crate::layout::layout!(Start: 32, 8 { size: 0, reserved: 4, lines: 8, last_word: 24 });

/// Which handler to load. All text is UTF-8 and valid until `load` has returned.
#[repr(C)]
#[derive(Debug)]
pub struct HandlerName {
    /// Bytes of this struct, which grows by appending only.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// The file that holds it; of no interest to a library that holds its own handlers.
    pub file: Rel<u8>,
    /// Its name in the file: an exported name, a class.
    pub class: Rel<u8>,
}

crate::layout::layout!(HandlerName: 40, 8 { size: 0, reserved: 4, file: 8, class: 24 });

/// Why a function of a [`GuestTable`] answered `FAILED`: the caller's room for text, filled by the driver.
#[repr(C)]
#[derive(Debug)]
pub struct Refusal {
    /// One of [`refusal`].
    pub kind: u32,
    /// Zero.
    pub reserved: u32,
    /// Room for UTF-8 text.
    pub text: *mut u8,
    /// Bytes of the room.
    pub room: u64,
    /// Bytes of the text, cut at a character boundary where it does not fit.
    pub len: u64,
}

crate::layout::layout!(Refusal: 32, 8 { kind: 0, reserved: 4, text: 8, room: 16, len: 24 });

impl Refusal {
    /// One that has said nothing yet, over room for its text.
    pub fn over(room: &mut [u8]) -> Refusal {
        Refusal { kind: 0, reserved: 0, text: room.as_mut_ptr(), room: room.len() as u64, len: 0 }
    }

    /// Says why, cut at a character boundary where it does not fit. Returns what the function answers.
    ///
    /// # Safety
    /// The room must be writable, and nobody else's.
    pub unsafe fn write(&mut self, kind: u32, text: &str) -> Status {
        let len = text.floor_char_boundary(self.room as usize);
        // SAFETY: the caller's promise, for at least `len` bytes.
        unsafe { self.text.copy_from_nonoverlapping(text.as_ptr(), len) };
        (self.kind, self.len) = (kind, len as u64);
        Status::FAILED
    }

    /// What was said, as bytes.
    ///
    /// # Safety
    /// The room must be initialised and stay unchanged for `'a`.
    #[must_use]
    pub unsafe fn read<'a>(&self) -> &'a [u8] {
        // SAFETY: the caller's promise; a guest that lies about the length cannot make it longer than the room.
        unsafe { core::slice::from_raw_parts(self.text, self.len.min(self.room) as usize) }
    }
}

/// Kinds of a [`Refusal`].
pub mod refusal {
    /// The runtime did not start.
    pub const RUNTIME_FAILED: u32 = 1;
    /// The handler's file is not there or cannot be read.
    pub const FILE_MISSING: u32 = 2;
    /// The file is there but is not what it should be.
    pub const FILE_INVALID: u32 = 3;
    /// The file holds no such handler. The text: why, then each handler that it holds on a line of its own.
    pub const HANDLER_MISSING: u32 = 4;
    /// The handler's constructor failed.
    pub const CONSTRUCTOR_FAILED: u32 = 5;
    /// The handler was built for another number of the boundary.
    pub const ABI_MISMATCH: u32 = 6;
}
