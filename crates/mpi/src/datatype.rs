//! What MPI calls the type of an element: bytes where elements are moved, so that their extent is right by construction, and
//! numbers where they are combined.

use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::shim::{Constant, Handle, Table};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};
use upcall_abi::Blit;

/// A number that MPI's own operations know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberType {
    pub(crate) of: Constant,
    pub(crate) size: usize,
}

impl NumberType {
    /// Its name in Rust.
    pub(crate) fn name(self) -> &'static str {
        const NAMES: [&str; 10] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"];
        NAMES
            .into_iter()
            .find(|name| number(name).is_some_and(|known| known.of == self.of))
            .unwrap_or("a number")
    }
}

/// The numbers that a type is made of: it is one, or an array of them.
pub(crate) const fn numbers<T: Blit>() -> Option<NumberType> {
    if T::FIELDS.is_empty() { number(T::NAME) } else { None }
}

/// A number by its name in Rust.
pub(crate) const fn number(name: &str) -> Option<NumberType> {
    let (of, size) = match name.as_bytes() {
        b"i8" => (Constant::Int8, 1),
        b"i16" => (Constant::Int16, 2),
        b"i32" => (Constant::Int32, 4),
        b"i64" => (Constant::Int64, 8),
        b"u8" => (Constant::Uint8, 1),
        b"u16" => (Constant::Uint16, 2),
        b"u32" => (Constant::Uint32, 4),
        b"u64" => (Constant::Uint64, 8),
        b"f32" => (Constant::Float, 4),
        b"f64" => (Constant::Double, 8),
        _ => return None,
    };
    Some(NumberType { of, size })
}

/// So many elements, in words for errors: elements of other languages arrive here as bytes.
pub(crate) fn amount<T: Blit>(elements: usize) -> String {
    let is_bytes = matches!(numbers::<T>(), Some(NumberType { of: Constant::Uint8, .. }));
    let (of, s) = (if is_bytes { "byte" } else { "element" }, if elements == 1 { "" } else { "s" });
    format!("{elements} {of}{s}")
}

/// Types that were made, one per size, for as long as MPI runs.
static MADE: Mutex<Option<HashMap<usize, Handle>>> = Mutex::new(None);

/// A type of MPI's whose elements are so many bytes, for operations and for counts of elements.
pub(crate) fn whole(library: &Library, size: usize) -> Result<Handle, Error> {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let made = made.get_or_insert_default();
    if let Some(&known) = made.get(&size) {
        return Ok(known);
    }
    let mut handle = 0;
    let byte = library.constant(Constant::Byte);
    library.call(
        // SAFETY: a new type, of bytes.
        |table| unsafe { (table.type_contiguous)(size as i64, byte, &mut handle) },
        || format!("make a type of {size} bytes"),
    )?;
    made.insert(size, handle);
    Ok(handle)
}

/// Frees them, before MPI is finalized: MPICH warns of those that are left.
pub(crate) fn free_made(table: &Table) {
    let made = MADE.lock().unwrap_or_else(PoisonError::into_inner).take();
    for mut handle in made.into_iter().flatten().map(|(_, handle)| handle) {
        // SAFETY: a type that was made here, and which nobody uses any more. Nobody could be told that it stays.
        let _ = unsafe { (table.type_free)(&mut handle) };
    }
}

/// Room for so many elements, which are still to be written.
pub(crate) fn room<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut room = Vec::<T>::new();
    room.try_reserve_exact(count).map_err(|error| {
        Error::new(
            ErrorKind::Count,
            format!("make room for {count} elements of {} bytes: {error}", size_of::<T>()),
        )
    })?;
    Ok(room)
}

/// So many elements.
pub(crate) fn zeroed<T: Blit>(count: usize) -> Result<Vec<T>, Error> {
    let mut room = room::<T>(count)?;
    // SAFETY: there is room, and zeroes are a `T`, as any bytes are.
    unsafe {
        room.as_mut_ptr().write_bytes(0, count);
        room.set_len(count);
    }
    Ok(room)
}

/// Where elements are. What Rust says of a slice without bytes may be 1, which is Open MPI's `MPI_IN_PLACE`.
#[inline]
pub(crate) fn place<T>(data: &[T]) -> *const c_void {
    static NOTHING: u64 = 0;
    if size_of_val(data) == 0 { (&raw const NOTHING).cast() } else { data.as_ptr().cast() }
}

/// As [`place`], to be written.
#[inline]
pub(crate) fn place_mut<T>(data: &mut [T]) -> *mut c_void {
    if size_of_val(data) == 0 { place(data).cast_mut() } else { data.as_mut_ptr().cast() }
}
