//! What a reader outside a handler gets: owned, or shared with the pool.

use std::fmt;
use std::sync::Arc;

/// A key, a value, a version and a timestamp. The value is shared with the pool, not copied.
#[derive(Clone, PartialEq, Eq)]
pub struct Stored {
    /// The key: UTF-8.
    pub key: Box<[u8]>,
    /// The value.
    pub value: Arc<[u8]>,
    /// Strictly increasing per key, unique per pool, at least 1.
    pub version: u64,
    /// Nanoseconds since the Unix epoch, never backward within a pool.
    pub time: u64,
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = String::from_utf8_lossy(&self.key);
        write!(f, "{key} v{} ({} bytes)", self.version, self.value.len())
    }
}

/// One version that is kept of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The version.
    pub version: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: u64,
    /// Whether this version removed the key.
    pub removed: bool,
}
