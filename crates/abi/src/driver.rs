use crate::{Entry, Status};
use core::ffi::c_void;

/// What a guest's driver library exports for the host: how a runtime that lives in this process is started
/// and how handlers are made in it. The first two fields stay where they are in every ABI.
///
/// For guests whose driver is native code that must not be linked into the host, as it needs the runtime's
/// own library to be opened before it (Python). The functions may be called from any thread once `start`
/// has returned; they attach and detach by themselves unless stated otherwise.
#[repr(C)]
#[derive(Debug)]
pub struct DriverTable {
    /// [`crate::ABI`] that the library was built with.
    pub abi: u16,
    /// Zero.
    pub reserved: u16,
    /// Bytes of the table, which only grows by appending.
    pub size: u32,
    /// Starts the runtime, once per process, with what the guest needs: UTF-8, one argument per line.
    pub start: unsafe extern "C" fn(lines: *const u8, len: u64, refusal: *mut Refusal) -> Status,
    /// Attaches this thread until `detach`. In between its entries cost what an attached thread costs.
    pub attach: unsafe extern "C" fn(),
    /// Detaches this thread.
    pub detach: unsafe extern "C" fn(),
    /// Loads a handler from a file and writes a module for `create`.
    pub load: unsafe extern "C" fn(
        file: *const u8,
        file_len: u64,
        class: *const u8,
        class_len: u64,
        module: *mut *mut c_void,
        refusal: *mut Refusal,
    ) -> Status,
    /// Makes an instance of a module and writes its entry.
    pub create: unsafe extern "C" fn(module: *mut c_void, entry: *mut Entry, refusal: *mut Refusal) -> Status,
    /// Frees a module. Instances that were made from it live on.
    pub unload: unsafe extern "C" fn(module: *mut c_void),
}

crate::layout::layout!(DriverTable: 56, 8 {
    abi: 0, reserved: 2, size: 4, start: 8, attach: 16, detach: 24, load: 32, create: 40, unload: 48
});

/// Why a [`DriverTable`] function answered `FAILED`: the caller's room for text, filled by the driver.
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

/// Kinds of a [`Refusal`].
pub mod refusal {
    /// The runtime did not start.
    pub const RUNTIME_FAILED: u32 = 1;
    /// The handler's file is missing or cannot be read.
    pub const FILE_MISSING: u32 = 2;
    /// The file is there but is not what it should be.
    pub const FILE_INVALID: u32 = 3;
    /// The file holds no such handler.
    pub const HANDLER_MISSING: u32 = 4;
    /// The handler's constructor failed.
    pub const CONSTRUCTOR_FAILED: u32 = 5;
}
