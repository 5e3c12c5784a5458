#![forbid(unsafe_code)]
#[repr(C)]
pub struct Filed {
    length: u8,
    thin: *const u8,
}
// No end of line after this