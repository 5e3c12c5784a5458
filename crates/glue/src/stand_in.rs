//! What native code is given where a callback has failed.

/// Zeros, and these numbers (offset, size, number) where zeros would not be a value.
///
/// # Safety
/// All zeros are a value of the type, and the places lie within it.
#[inline(always)]
#[must_use]
pub unsafe fn stand_in<T: Copy>(numbers: &[(usize, usize, i128)]) -> T {
    // SAFETY: the caller's promise; of the mirror's types it holds, as their enums are numbers.
    let mut value: T = unsafe { std::mem::zeroed() };
    for (offset, size, number) in numbers {
        let bytes = number.to_ne_bytes();
        let bytes = if cfg!(target_endian = "big") { &bytes[16 - size..] } else { &bytes[..*size] };
        // SAFETY: the caller's promise.
        unsafe { (&raw mut value).cast::<u8>().add(*offset).copy_from(bytes.as_ptr(), *size) };
    }
    value
}
