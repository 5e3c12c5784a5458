//! Memory that was never written must not leave the process: what is sent of a type with padding has it zeroed.

use crate::buf::Buf;
use crate::datatype::{number, room};
use crate::error::{Error, ErrorKind};
use std::cell::Cell;
use std::ops::{Deref, RangeInclusive};
use upcall_abi::Blit;

/// The bytes to send: as they lie, or, of a type with padding, a copy whose padding is zero.
#[inline]
pub(crate) fn clean<T: Blit>(data: &[T]) -> Result<Option<Clean<T>>, Error> {
    may_travel::<T>()?;
    if T::PADDED { copy(data).map(Some) } else { Ok(None) }
}

fn copy<T: Blit>(data: &[T]) -> Result<Clean<T>, Error> {
    let bytes = size_of_val(data);
    let stage = if STAGED.contains(&bytes) { Stage::take() } else { None };
    let mut copy = match stage {
        Some(stage) => Clean(Memory::Stage(stage, data.len())),
        None => Clean(Memory::Own(room(data.len())?)),
    };
    // SAFETY: there is room for as many, which are all written then. The stage begins at a huge page.
    unsafe {
        match &mut copy.0 {
            Memory::Stage(stage, _) => copy_zeroed(data, stage.0.as_mut_ptr().cast()),
            Memory::Own(own) => {
                copy_zeroed(data, own.as_mut_ptr());
                own.set_len(data.len());
            }
        }
    }
    Ok(copy)
}

/// # Safety
/// There must be room for as many elements.
unsafe fn copy_zeroed<T: Blit>(data: &[T], mut to: *mut T) {
    // So many bytes at a time are still in the first cache when their padding is zeroed.
    const PART: usize = 4096;
    for part in data.chunks((PART / size_of::<T>()).max(1)) {
        // SAFETY: the caller's promise.
        unsafe {
            to.cast::<u8>().copy_from_nonoverlapping(part.as_ptr().cast(), size_of_val(part));
            for index in 0..part.len() {
                zero_padding(to.add(index));
            }
            to = to.add(part.len());
        }
    }
}

/// A copy whose padding is zero.
pub(crate) struct Clean<T>(Memory<T>);

enum Memory<T> {
    Own(Vec<T>),
    /// So many elements, which were written.
    Stage(Stage, usize),
}

impl<T: Blit> Deref for Clean<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Own(own) => own,
            // SAFETY: so many were written to its beginning, which is that of a huge page; any bytes are elements.
            Memory::Stage(stage, count) => unsafe {
                std::slice::from_raw_parts(stage.0.as_ptr().cast(), *count)
            },
        }
    }
}

/// What MPIs read from the sender's memory, which huge pages make worth more than the copy costs: 10,000 structs of 16 bytes take as
/// long as C's own bytes do, and 100,000 three quarters of that. What is smaller goes through MPI's memory.
const STAGED: RangeInclusive<usize> = 4096..=2 << 20;

thread_local! {
    /// Memory of this thread for such copies; nothing while one is sent.
    static STAGE: Cell<Option<Buf<u8>>> = const { Cell::new(None) };
}

/// That of this thread, which has it again when this is dropped.
struct Stage(Buf<u8>);

impl Stage {
    fn take() -> Option<Stage> {
        let kept = STAGE.try_with(Cell::take).ok()?;
        kept.or_else(|| Buf::zeroed(*STAGED.end()).ok()).map(Stage)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let memory = std::mem::take(&mut self.0);
        // A thread that ends has no more use for it.
        let _ = STAGE.try_with(|stage| stage.set(Some(memory)));
    }
}

/// Elements whose padding is zero.
pub(crate) fn cleaned<T: Blit>(mut data: Vec<T>) -> Result<Vec<T>, Error> {
    clean_in_place(&mut data)?;
    Ok(data)
}

/// Zeroes it in place, of elements that are this process's to change.
pub(crate) fn clean_in_place<T: Blit>(data: &mut [T]) -> Result<(), Error> {
    may_travel::<T>()?;
    if T::PADDED {
        for element in data {
            // SAFETY: it is one.
            unsafe { zero_padding(element) };
        }
    }
    Ok(())
}

/// Zeroes what no field of a struct has; the compiler knows the fields, and leaves the stores.
///
/// # Safety
/// `of` must be a place for a `T`.
#[inline(always)]
unsafe fn zero_padding<T: Blit>(of: *mut T) {
    let (bytes, mut end) = (of.cast::<u8>(), 0);
    for field in T::FIELDS {
        // SAFETY: the caller's promise; fields are in the order of their places.
        unsafe { bytes.add(end).write_bytes(0, field.offset - end) };
        end = field.offset + field.size;
    }
    // SAFETY: as above.
    unsafe { bytes.add(end).write_bytes(0, size_of::<T>() - end) };
}

/// Whether the padding of a type, if it has any, is known. It depends on nothing but the type, so that all ranks agree.
#[inline]
pub(crate) fn may_travel<T: Blit>() -> Result<(), Error> {
    if !T::PADDED {
        return Ok(());
    }
    // The fields of an array's elements are not known.
    if !T::FIELDS.is_empty() && T::FIELDS.iter().all(|field| number(field.type_name).is_some()) {
        return Ok(());
    }
    let message = format!(
        "send {}: it has padding, and is an array or has fields that are structs, whose own padding cannot be told; give it \
         fields of numbers only, or pad it by fields",
        T::NAME
    );
    Err(Error::new(ErrorKind::Usage, message))
}
