use crate::Entry;

/// The symbol that a native handler library exports: a [`ExportTable`].
pub const EXPORT_SYMBOL: &str = "UPCALL_EXPORTS";

/// One handler of a native library.
#[repr(C)]
#[derive(Debug)]
pub struct Export {
    /// Its name, UTF-8, `name_len` bytes.
    pub name: *const u8,
    /// Bytes of the name.
    pub name_len: u64,
    /// Makes an instance and writes its entry. Called on the thread of the worker that will use it.
    pub create: unsafe extern "C" fn(entry: *mut Entry) -> crate::Status,
}

crate::layout::layout!(Export: 24, 8 { name: 0, name_len: 8, create: 16 });

// SAFETY: it points to static memory that nobody writes.
unsafe impl Sync for Export {}

/// The handlers of a native library. The first two fields stay where they are in every ABI.
#[repr(C)]
#[derive(Debug)]
pub struct ExportTable {
    /// [`crate::ABI`] that the library was built with.
    pub abi: u16,
    /// Zero.
    pub reserved: u16,
    /// Elements of `exports`.
    pub len: u32,
    /// The handlers.
    pub exports: *const Export,
}

crate::layout::layout!(ExportTable: 16, 8 { abi: 0, reserved: 2, len: 4, exports: 8 });

// SAFETY: it points to static memory that nobody writes.
unsafe impl Sync for ExportTable {}
