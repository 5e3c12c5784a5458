use std::path::PathBuf;

/// A place in a source file, for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// As the user wrote it, or relative to the crate's root.
    pub file: PathBuf,
    /// From 1; 0 if unknown.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Distance between two array elements.
    pub size: u64,
    /// An address must be a multiple of this.
    pub align: u64,
}
