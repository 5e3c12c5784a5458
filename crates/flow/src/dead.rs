//! Where items go that no retry has helped: `/dead/<pool>`, which keeps the newest.

use crate::parcel::{key, value};
use crate::plan::{HandlerPlan, PoolPlan};
use crate::spec::DeadLetterLimit;
use crate::table::Table;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use upcall_abi::{CallFailed, Item};

/// What the path of a dead pool begins with; the path of the pool follows.
pub const ROOT: &str = "/dead";

/// An item that was buried, and why. The value of an object in a dead pool is this as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeadLetter {
    /// The pool that the item was put into.
    pub pool: String,
    /// Its key.
    pub key: String,
    /// Its value; base64 in JSON.
    #[serde(with = "base64_bytes")]
    pub value: Vec<u8>,
    /// Its version.
    pub version: u64,
    /// Its time, in nanoseconds since the Unix epoch.
    pub time: u64,
    /// Where it came from and how far it came: who put it, the pool, the handler that failed.
    pub trace: Vec<String>,
    /// How often it was tried. A batch that failed as a whole and was then handed over item by item counts once.
    pub attempts: u32,
    /// Why it failed the last time.
    pub cause: Cause,
}

/// A failure, as the guest described it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Cause {
    /// The type of the error: an exception's class, `panic`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its message.
    pub message: String,
    /// Its stack trace, as the guest's language prints it.
    pub stack: String,
}

impl From<CallFailed> for Cause {
    fn from(failed: CallFailed) -> Cause {
        let CallFailed { type_name, message, stack, .. } = failed;
        Cause { type_name, message, stack }
    }
}

impl DeadLetter {
    /// A dead letter about `item`.
    ///
    /// # Safety
    /// The chunk that holds the item's bytes must be kept during the call.
    pub(crate) unsafe fn about(
        item: &Item,
        pool: &PoolPlan,
        sender: &str,
        handler: &HandlerPlan,
        attempts: u32,
        cause: Cause,
    ) -> DeadLetter {
        // SAFETY: the caller's promise.
        let (key, value) = unsafe { (key(item), value(item)) };
        DeadLetter {
            pool: pool.path.clone(),
            key: String::from_utf8_lossy(key).into_owned(),
            value: value.to_vec(),
            version: item.version,
            time: item.time,
            trace: vec![sender.to_owned(), pool.path.clone(), handler.spec.name.clone()],
            attempts,
            cause,
        }
    }
}

/// The letters of a dead pool, oldest first: which to drop when there are more than the pool may keep. Whoever
/// changes the pool's table holds their lock.
pub(crate) struct Letters {
    limit: DeadLetterLimit,
    /// By version: the hash of the key.
    kept: Mutex<BTreeMap<u64, u64>>,
    dropped: AtomicU64,
}

impl Letters {
    pub(crate) fn new(limit: DeadLetterLimit) -> Letters {
        Letters { limit, kept: Mutex::default(), dropped: AtomicU64::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, u64>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`Table::put`], for the pool's table: stores a letter and drops the oldest beyond the limit, or clears
    /// all letters of a key.
    pub(crate) fn put(
        &self,
        table: &Table,
        hash: u64,
        key: &[u8],
        value: Option<&[u8]>,
        assign: impl FnOnce(u64) -> Option<(u64, u64)>,
    ) {
        let mut kept = self.lock();
        let (items, bytes) = (self.limit.items, self.limit.bytes);
        if value.is_some_and(|value| items == 0 || Table::weight(key, value) > bytes) {
            // It would push out all others and then itself.
            assign(0);
            self.dropped.fetch_add(1, Relaxed);
            return;
        }
        if value.is_none() {
            for seen in table.versions(hash, key) {
                kept.remove(&seen.version);
            }
        }
        let mut given = None;
        table.put(hash, key, value, |found| {
            given = assign(found);
            given
        });
        let Some(now) = given else { return };
        if value.is_some() {
            kept.insert(now.0, hash);
        }
        while kept.len() as u64 > items || table.bytes() > bytes {
            let Some((version, hash)) = kept.pop_first() else { return };
            table.forget(hash, version, now);
            self.dropped.fetch_add(1, Relaxed);
        }
    }

    /// How many are kept.
    pub(crate) fn kept(&self) -> u64 {
        self.lock().len() as u64
    }

    /// How many were dropped.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Relaxed)
    }
}

mod base64_bytes {
    use super::{BASE64_STANDARD, Engine};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&BASE64_STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        BASE64_STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
    }
}
