//! The objects of a volatile pool: read by anybody, written by the owners of the keys.

use crate::memory::Memory;
use crate::object::{Seen, Stored};
use crate::small_key::SmallKey;
use crate::{Error, ErrorKind};
use hashbrown::HashTable;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};

/// A power of two.
const SHARDS: usize = 64;

/// What an entry and a value cost beside their bytes: fields, counters, what the allocator needs.
const ENTRY: i64 = (size_of::<Entry>() - size_of::<Version>()) as i64 + 16;
const VALUE: i64 = 32;

pub(crate) struct Table {
    shards: Box<[RwLock<Shard>]>,
    keep: usize,
    /// Whether a removal is a version; else the key is forgotten altogether.
    remembers: bool,
    /// Bytes that all entries take.
    bytes: AtomicU64,
    memory: Arc<Memory>,
}

#[derive(Default)]
struct Shard {
    entries: HashTable<Entry>,
    /// The newest removal after which a key was forgotten altogether.
    forgotten: Moment,
}

struct Entry {
    hash: u64,
    key: SmallKey,
    newest: Version,
    /// Older versions, oldest first.
    older: VecDeque<Version>,
    /// What the key was before is not kept; zero when all is.
    since: Moment,
}

/// A version of the pool, and its time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Moment {
    version: u64,
    time: u64,
}

struct Version {
    at: Moment,
    /// `None`: removed.
    value: Option<Arc<[u8]>>,
}

impl Table {
    /// A table that keeps `keep` versions of a key, and counts what it stores in `memory` too.
    pub(crate) fn new(keep: usize, memory: &Arc<Memory>) -> Table {
        Table::with(SHARDS, keep, memory)
    }

    fn with(shards: usize, keep: usize, memory: &Arc<Memory>) -> Table {
        Table {
            shards: (0..shards).map(|_| RwLock::default()).collect(),
            keep: keep.max(1),
            remembers: keep > 1,
            bytes: AtomicU64::new(0),
            memory: memory.clone(),
        }
    }

    /// A table that keeps all versions of a key, until they are forgotten or the key is removed. One shard is
    /// enough, as letters come one at a time.
    pub(crate) fn of_letters(memory: &Arc<Memory>) -> Table {
        Table { remembers: false, ..Table::with(1, usize::MAX, memory) }
    }

    /// What an object adds to [`Table::bytes`] whose key is new.
    pub(crate) fn weight(key: &[u8], value: &[u8]) -> u64 {
        (ENTRY + VALUE) as u64 + (size_of::<Version>() + key.len() + value.len()) as u64
    }

    /// Bytes that it takes: keys, values and what keeps them.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Counts a change. Most puts change nothing: they replace a value by one as long.
    fn count(&self, change: i64) {
        if change != 0 {
            self.bytes.fetch_add(change as u64, Relaxed);
            self.memory.stored(change);
        }
    }

    fn shard(&self, hash: u64) -> &RwLock<Shard> {
        // The low bits choose hashbrown's bucket, those below the 32nd the worker, the top 7 are hashbrown's tag.
        &self.shards[(hash >> 48) as usize & (self.shards.len() - 1)]
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
        let Shard { entries, forgotten } = &mut *shard;
        if let Ok(mut there) = entries.find_entry(hash, |entry| *entry.key == *key) {
            let entry = there.get_mut();
            let found = entry.newest.value.as_ref().map_or(0, |_| entry.newest.at.version);
            let Some((version, time)) = assign(found) else { return };
            let at = Moment { version, time };
            if value.is_none() && !self.remembers {
                // Nothing of it is kept, so that keys may come and go.
                self.count(-there.remove().0.bytes());
                *forgotten = at.max(*forgotten);
            } else if value.is_some() || entry.newest.value.is_some() {
                // Removing a key again must not push out what it was.
                self.count(entry.push(at, value, self.keep));
            }
            return;
        }
        let Some((version, time)) = assign(0) else { return };
        if value.is_none() {
            return;
        }
        let newest = Version { at: Moment { version, time }, value: value.map(Arc::from) };
        let entry = Entry { hash, key: key.into(), newest, older: VecDeque::new(), since: *forgotten };
        self.count(entry.bytes());
        entries.insert_unique(hash, entry, |entry| entry.hash);
    }

    fn read<R>(&self, hash: u64, key: &[u8], with: impl FnOnce(&Entry) -> R) -> Option<R> {
        let shard = self.shard(hash).read().unwrap_or_else(PoisonError::into_inner);
        shard.entries.find(hash, |entry| *entry.key == *key).map(with)
    }

    /// The newest version; `None` when there is none or it is removed.
    pub(crate) fn get(&self, hash: u64, key: &[u8]) -> Option<Stored> {
        self.read(hash, key, |entry| entry.newest.object(key))?
    }

    /// The newest version that is not after the one asked for, by number or by time.
    pub(crate) fn get_as_of(&self, hash: u64, key: &[u8], as_of: AsOf) -> Result<Option<Stored>, Error> {
        let shard = self.shard(hash).read().unwrap_or_else(PoisonError::into_inner);
        let entry = shard.entries.find(hash, |entry| *entry.key == *key);
        if let Some(found) = entry.and_then(|entry| entry.as_of(as_of)) {
            return Ok(found.object(key));
        }
        let since = entry.map_or(shard.forgotten, |entry| entry.since);
        if as_of.covers(since) { Ok(None) } else { Err(compacted(key, as_of, since, self.keep)) }
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
            let there =
                shard.entries.iter().filter(|e| e.newest.value.is_some() && e.key.starts_with(prefix));
            keys.extend(there.map(|entry| (*entry.key).into()));
        }
        keys.sort_unstable();
        keys
    }

    /// All versions that are kept, oldest first, without removals. Walks the whole table.
    pub(crate) fn all(&self) -> Vec<Stored> {
        let mut objects = Vec::new();
        for shard in &self.shards {
            let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
            for entry in &shard.entries {
                objects.extend(entry.versions().filter_map(|version| version.object(&entry.key)));
            }
        }
        objects.sort_unstable_by_key(|object| object.version);
        objects
    }

    /// Drops one version altogether, and the key with its last; `now` is the version and time of whatever has
    /// pushed it out.
    pub(crate) fn forget(&self, hash: u64, version: u64, now: (u64, u64)) {
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        let Shard { entries, forgotten } = &mut *shard;
        let is = |entry: &Entry| entry.versions().any(|kept| kept.at.version == version);
        let Ok(mut found) = entries.find_entry(hash, is) else { return };
        let entry = found.get_mut();
        if entry.newest.at.version != version {
            if let Ok(index) = entry.older.binary_search_by_key(&version, |older| older.at.version) {
                self.count(-entry.older.remove(index).map_or(0, |older| older.bytes()));
            }
            entry.since = entry.older.front().unwrap_or(&entry.newest).at;
        } else if let Some(older) = entry.older.pop_back() {
            self.count(-std::mem::replace(&mut entry.newest, older).bytes());
        } else {
            self.count(-found.remove().0.bytes());
            *forgotten = Moment { version: now.0, time: now.1 }.max(*forgotten);
        }
    }
}

impl Entry {
    /// Returns by how many bytes it has grown.
    fn push(&mut self, at: Moment, value: Option<&[u8]>, keep: usize) -> i64 {
        if keep > 1 {
            let newest = Version { at, value: value.map(Arc::from) };
            let mut grown = newest.bytes();
            self.older.push_back(std::mem::replace(&mut self.newest, newest));
            while self.older.len() >= keep {
                grown -= self.older.pop_front().map_or(0, |oldest| oldest.bytes());
                self.since = self.older.front().unwrap_or(&self.newest).at;
            }
            return grown;
        }
        let before = self.newest.bytes();
        // A value of the same size that nobody reads is written over, without an allocation.
        match (self.newest.value.as_mut().and_then(Arc::get_mut), value) {
            (Some(place), Some(value)) if place.len() == value.len() => place.copy_from_slice(value),
            _ => self.newest.value = value.map(Arc::from),
        }
        (self.newest.at, self.since) = (at, at);
        self.newest.bytes() - before
    }

    fn bytes(&self) -> i64 {
        ENTRY + self.key.len() as i64 + self.versions().map(Version::bytes).sum::<i64>()
    }

    /// The newest version that is not after the one asked for.
    fn as_of(&self, as_of: AsOf) -> Option<&Version> {
        if as_of.covers(self.newest.at) {
            return Some(&self.newest);
        }
        let after = self.older.partition_point(|version| as_of.covers(version.at));
        after.checked_sub(1).map(|index| &self.older[index])
    }

    fn versions(&self) -> impl Iterator<Item = &Version> {
        self.older.iter().chain([&self.newest])
    }
}

#[cold]
fn compacted(key: &[u8], as_of: AsOf, since: Moment, keep: usize) -> Error {
    let (asked, kept) = match as_of {
        AsOf::Version(version) => (format!("version {version}"), format!("version {}", since.version)),
        AsOf::Time(time) => (format!("time {time}"), format!("time {}", since.time)),
    };
    let (key, versions) = (String::from_utf8_lossy(key), if keep == 1 { "version" } else { "versions" });
    let message = format!(
        "read {key} as of {asked}: the pool keeps {keep} {versions} of a key, and what this one was before \
         {kept} is gone; raise its `keep`"
    );
    Error::new(ErrorKind::Compacted, message)
}

impl Version {
    fn bytes(&self) -> i64 {
        size_of::<Version>() as i64 + self.value.as_ref().map_or(0, |value| VALUE + value.len() as i64)
    }

    fn object(&self, key: &[u8]) -> Option<Stored> {
        let value = self.value.clone()?;
        Some(Stored { key: key.into(), value, version: self.at.version, time: self.at.time })
    }

    fn seen(&self) -> Seen {
        Seen { version: self.at.version, time: self.at.time, removed: self.value.is_none() }
    }
}

/// The moment that a read asks for.
#[derive(Clone, Copy)]
pub(crate) enum AsOf {
    Version(u64),
    Time(u64),
}

impl AsOf {
    fn covers(self, at: Moment) -> bool {
        match self {
            AsOf::Version(asked) => at.version <= asked,
            AsOf::Time(asked) => at.time <= asked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_counts_its_bytes_up_and_down_to_nothing() {
        for keep in [1, 3] {
            let table = Table::new(keep, &Arc::default());
            let put =
                |version, value: Option<&[u8]>| table.put(7, b"key", value, |_| Some((version, version)));
            put(1, Some(&[0; 100]));
            let one = table.bytes();
            assert!(one > 103, "{one}");
            put(2, Some(&[0; 100]));
            let two = table.bytes();
            assert_eq!(two > one, keep > 1);
            (3..9).for_each(|version| put(version, Some(&[0; 100])));
            let kept = table.bytes();
            put(9, Some(&[0; 50]));
            assert_eq!(kept - table.bytes(), 50);
            put(10, None);
            (1..11).for_each(|version| table.forget(7, version, (11, 11)));
            assert_eq!(table.bytes(), 0);
        }
    }
}
