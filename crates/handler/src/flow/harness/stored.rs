//! What is in a pool of the harness.

use std::collections::BTreeSet;

/// What is in a pool that a handler reads: every version, counted from 1. A version is also its time.
#[derive(Default)]
pub(super) struct StoredPool {
    versions: Vec<(Vec<u8>, Vec<u8>)>,
    /// The oldest version of which it is known what the keys were.
    pub(super) oldest: u64,
}

impl StoredPool {
    pub(super) fn add(&mut self, key: &[u8], value: &[u8]) {
        self.versions.push((key.into(), value.into()));
    }

    /// The newest value of a key up to a version, with its own.
    pub(super) fn find(&self, key: &[u8], until: u64) -> Option<(&[u8], u64)> {
        let until = self.versions.len().min(usize::try_from(until).unwrap_or(usize::MAX));
        let found = self.versions[..until].iter().rposition(|(stored, _)| stored == key)?;
        Some((&self.versions[found].1, found as u64 + 1))
    }

    /// The keys that begin with a prefix, sorted.
    pub(super) fn keys(&self, prefix: &[u8]) -> BTreeSet<&[u8]> {
        self.versions.iter().map(|(key, _)| &**key).filter(|key| key.starts_with(prefix)).collect()
    }
}
