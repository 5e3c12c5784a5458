//! Memory that an engine lends.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

/// Memory of an engine's that frames point into: all of a file, which the engine has mapped. A guest in another process maps it too, to
/// read it, and need not be sent copies.
#[derive(Clone, Debug)]
pub struct Lent {
    /// The addresses in this process, from that of the file's first byte on.
    pub addresses: Range<u64>,
    /// The file.
    pub file: Arc<File>,
}

impl Lent {
    /// Memory that a file was mapped to, from its begin on.
    #[must_use]
    pub fn new(mapped: &[u8], file: Arc<File>) -> Lent {
        let begin = mapped.as_ptr().expose_provenance() as u64;
        Lent { addresses: begin..begin + mapped.len() as u64, file }
    }

    /// How many bytes it is.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.addresses.end - self.addresses.start
    }
}
