#[repr(C)]
pub struct Piece {
    pub tag: u8,
    #[cfg(feature = "wide")]
    pub wide: u64,
    pub end: u16,
}

pub fn text<T: ToString>(value: T) -> String {
    value.to_string()
}
