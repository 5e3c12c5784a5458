//! The objects of a volatile pool: read by anybody, written by the owners of the keys.

use crate::object::{Object, Seen};
use crate::{Error, ErrorKind};
use hashbrown::HashTable;
use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock};

const SHARDS: usize = 64;

pub(crate) struct Table {
    shards: Box<[RwLock<HashTable<Entry>>]>,
    keep: usize,
}

struct Entry {
    hash: u64,
    key: Box<[u8]>,
    newest: Version,
    /// Older versions, oldest first.
    older: VecDeque<Version>,
    /// The newest version that was dropped, 0 for none.
    dropped: u64,
}

struct Version {
    version: u64,
    time: u64,
    /// `None`: removed.
    value: Option<Arc<[u8]>>,
}

impl Table {
    /// A table that keeps `keep` versions of a key.
    pub(crate) fn new(keep: usize) -> Table {
        Table { shards: (0..SHARDS).map(|_| RwLock::default()).collect(), keep: keep.max(1) }
    }

    fn shard(&self, hash: u64) -> &RwLock<HashTable<Entry>> {
        // The low bits choose the worker and hashbrown's bucket, its tag is the top 7.
        &self.shards[(hash >> 48) as usize % SHARDS]
    }

    /// Stores a version (`None` removes). `assign` is called under the key's lock, with the newest version
    /// of the key (0 when it has none or is removed), and gives version and time; `None` leaves all as it is.
    pub(crate) fn put(
        &self,
        hash: u64,
        key: &[u8],
        value: Option<&[u8]>,
        assign: impl FnOnce(u64) -> Option<(u64, u64)>,
    ) {
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        if let Ok(mut there) = shard.find_entry(hash, |entry| *entry.key == *key) {
            let entry = there.get_mut();
            let found = entry.newest.value.as_ref().map_or(0, |_| entry.newest.version);
            let Some((version, time)) = assign(found) else { return };
            if value.is_none() && self.keep == 1 {
                // Nothing of it is kept, so that keys may come and go.
                drop(there.remove());
            } else {
                entry.push(version, time, value, self.keep);
            }
            return;
        }
        let Some((version, time)) = assign(0) else { return };
        if value.is_none() {
            return;
        }
        let newest = Version { version, time, value: value.map(Arc::from) };
        let entry = Entry { hash, key: key.into(), newest, older: VecDeque::new(), dropped: 0 };
        shard.insert_unique(hash, entry, |entry| entry.hash);
    }

    fn read<R>(&self, hash: u64, key: &[u8], with: impl FnOnce(&Entry) -> R) -> Option<R> {
        let shard = self.shard(hash).read().unwrap_or_else(PoisonError::into_inner);
        shard.find(hash, |entry| *entry.key == *key).map(with)
    }

    /// The newest version; `None` when there is none or it is removed.
    pub(crate) fn get(&self, hash: u64, key: &[u8]) -> Option<Object> {
        self.read(hash, key, |entry| entry.newest.object(key))?
    }

    /// The newest version that is not after the one asked for, by number or by time.
    pub(crate) fn get_as_of(&self, hash: u64, key: &[u8], as_of: AsOf) -> Result<Option<Object>, Error> {
        self.read(hash, key, |entry| {
            let found = match as_of.covers(&entry.newest) {
                true => Some(&entry.newest),
                false => {
                    let after = entry.older.partition_point(|version| as_of.covers(version));
                    after.checked_sub(1).map(|index| &entry.older[index])
                }
            };
            match found {
                Some(version) => Ok(version.object(key)),
                None if entry.dropped == 0 => Ok(None),
                None => Err(entry.compacted(as_of, self.keep)),
            }
        })
        .unwrap_or(Ok(None))
    }

    /// The versions that are kept, oldest first.
    pub(crate) fn versions(&self, hash: u64, key: &[u8]) -> Vec<Seen> {
        self.read(hash, key, |entry| entry.versions().map(Version::seen).collect()).unwrap_or_default()
    }

    /// The keys that begin with `prefix` and are not removed, sorted. Walks the whole table.
    pub(crate) fn list(&self, prefix: &[u8]) -> Vec<Box<[u8]>> {
        let mut keys = Vec::new();
        for shard in &self.shards {
            let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
            let there = shard.iter().filter(|e| e.newest.value.is_some() && e.key.starts_with(prefix));
            keys.extend(there.map(|entry| entry.key.clone()));
        }
        keys.sort_unstable();
        keys
    }

    /// Drops one version altogether, and the key with its last.
    pub(crate) fn forget(&self, hash: u64, key: &[u8], version: u64) {
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        let Ok(mut found) = shard.find_entry(hash, |entry| *entry.key == *key) else { return };
        let entry = found.get_mut();
        if entry.newest.version != version {
            entry.older.retain(|older| older.version != version);
            entry.dropped = entry.dropped.max(version);
        } else if let Some(older) = entry.older.pop_back() {
            entry.newest = older;
        } else {
            found.remove();
        }
    }
}

impl Entry {
    fn push(&mut self, version: u64, time: u64, value: Option<&[u8]>, keep: usize) {
        if keep > 1 {
            let newest = Version { version, time, value: value.map(Arc::from) };
            self.older.push_back(std::mem::replace(&mut self.newest, newest));
            while self.older.len() >= keep {
                self.dropped = self.older.pop_front().map_or(self.dropped, |oldest| oldest.version);
            }
            return;
        }
        self.dropped = self.newest.version;
        // A value of the same size that nobody reads is written over, without an allocation.
        match (self.newest.value.as_mut().and_then(Arc::get_mut), value) {
            (Some(place), Some(value)) if place.len() == value.len() => place.copy_from_slice(value),
            _ => self.newest.value = value.map(Arc::from),
        }
        (self.newest.version, self.newest.time) = (version, time);
    }

    fn versions(&self) -> impl Iterator<Item = &Version> {
        self.older.iter().chain([&self.newest])
    }

    fn compacted(&self, as_of: AsOf, keep: usize) -> Error {
        let oldest = self.versions().next().unwrap_or(&self.newest);
        let (asked, kept) = match as_of {
            AsOf::Version(version) => (format!("version {version}"), format!("version {}", oldest.version)),
            AsOf::Time(time) => (format!("time {time}"), format!("time {}", oldest.time)),
        };
        let key = String::from_utf8_lossy(&self.key);
        let message = format!(
            "read {key} as of {asked}: the pool keeps {keep} versions, the oldest of this key is {kept}; \
             raise its `keep`"
        );
        Error::new(ErrorKind::Compacted, message)
    }
}

impl Version {
    fn object(&self, key: &[u8]) -> Option<Object> {
        let value = self.value.clone()?;
        Some(Object { key: key.into(), value, version: self.version, time: self.time })
    }

    fn seen(&self) -> Seen {
        Seen { version: self.version, time: self.time, removed: self.value.is_none() }
    }
}

/// The moment that a read asks for.
#[derive(Clone, Copy)]
pub(crate) enum AsOf {
    Version(u64),
    Time(u64),
}

impl AsOf {
    fn covers(self, version: &Version) -> bool {
        match self {
            AsOf::Version(asked) => version.version <= asked,
            AsOf::Time(asked) => version.time <= asked,
        }
    }
}
