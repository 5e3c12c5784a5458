//! Where items go that no retry has helped: `/dead/<pool>`, the newest 10,000.

use crate::parcel::{key, value};
use crate::plan::{HandlerPlan, PoolPlan};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use upcall_abi::Item;

/// What the path of a dead pool begins with; the path of the pool follows.
pub const ROOT: &str = "/dead";

/// Letters that a dead pool keeps.
pub const KEPT: usize = 10_000;

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

impl DeadLetter {
    /// A letter about `item`.
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

/// The order in which letters came, so that the oldest can be dropped.
#[derive(Default)]
pub(crate) struct Letters(Mutex<VecDeque<Kept>>);

/// Where a letter is in its pool's table.
pub(crate) struct Kept {
    pub(crate) hash: u64,
    pub(crate) key: Box<[u8]>,
    pub(crate) version: u64,
}

impl Letters {
    /// Notes a stored letter; returns the one to drop.
    pub(crate) fn push(&self, hash: u64, key: &[u8], version: u64) -> Option<Kept> {
        let mut order = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        order.push_back(Kept { hash, key: key.into(), version });
        if order.len() > KEPT { order.pop_front() } else { None }
    }

    /// Keys and versions, oldest letter first.
    pub(crate) fn all(&self) -> Vec<(Box<[u8]>, u64)> {
        let order = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        order.iter().map(|kept| (kept.key.clone(), kept.version)).collect()
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
