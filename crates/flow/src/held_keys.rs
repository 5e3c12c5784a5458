//! Keys that are held up: it is not known yet what becomes of an item with this key, and those behind it wait.

use crate::parcel::Delivery;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The keys of one handler on one worker, by their hash.
#[derive(Default)]
pub(crate) struct HeldKeys(HashMap<u64, Held, RandomState>);

/// What waits behind a key.
#[derive(Default)]
pub(crate) struct Held {
    /// In order; each is one item with memory of its own.
    pub(crate) behind: Vec<Delivery>,
    /// Whether an item that is tried again holds the key up: those behind it are set aside, and let others in.
    pub(crate) aside: bool,
}

impl HeldKeys {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn holds(&self, tag: u64) -> bool {
        self.0.contains_key(&tag)
    }

    /// Holds a key up. One that is held up already stays so, with what waits.
    pub(crate) fn hold(&mut self, tag: u64, aside: bool) {
        self.0.entry(tag).or_insert_with(|| Held { behind: Vec::new(), aside });
    }

    /// What waits behind a key, for one more; `None` when it is not held up.
    pub(crate) fn behind(&mut self, tag: u64) -> Option<&mut Held> {
        self.0.get_mut(&tag)
    }

    /// Holds a key up no longer.
    pub(crate) fn release(&mut self, tag: u64) -> Held {
        self.0.remove(&tag).unwrap_or_default()
    }
}
