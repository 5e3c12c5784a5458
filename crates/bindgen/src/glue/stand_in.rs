//! What native code is given where a callback has failed.

/// Zeros, and these numbers (offset, size, number) where zeros would not be a value.
#[inline(always)]
pub fn stand_in<T: Copy>(numbers: &[(usize, usize, i128)]) -> T {
    // SAFETY: all zeros are a value of each type of the mirror, whose enums are numbers.
    let mut value: T = unsafe { std::mem::zeroed() };
    for (offset, size, number) in numbers {
        let bytes = number.to_ne_bytes();
        let bytes = if cfg!(target_endian = "big") { &bytes[16 - size..] } else { &bytes[..*size] };
        // SAFETY: the places lie within the value.
        unsafe { (&raw mut value).cast::<u8>().add(*offset).copy_from(bytes.as_ptr(), *size) };
    }
    value
}
