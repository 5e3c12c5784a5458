//! Keys that are held up: it is not known yet what becomes of an item with this key, and those behind it wait.

use crate::parcel::Delivery;
use foldhash::fast::RandomState;
use std::collections::{HashMap, VecDeque};
use upcall_abi::Item;

/// The keys of one handler on one worker, by their hash.
#[derive(Default)]
pub(crate) struct HeldKeys(HashMap<u64, Held, RandomState>);

/// What waits behind a key.
#[derive(Default)]
pub(crate) struct Held {
    /// In order; each is one item with memory of its own.
    pub(crate) behind: VecDeque<Delivery>,
    /// Whether those behind are set aside, as an item that is tried again held the key up first: they let others in.
    pub(crate) aside: bool,
    /// The item whose turn it is, by pool and version; `None` while one is awaited.
    turn: Option<(u32, u64)>,
}

impl HeldKeys {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an item has to wait.
    pub(crate) fn holds(&self, item: &Item) -> bool {
        self.0.get(&item.tag).is_some_and(|held| !held.lets(item))
    }

    /// What an item has to wait behind; `None` when it may be handled.
    pub(crate) fn behind(&mut self, item: &Item) -> Option<&mut Held> {
        self.0.get_mut(&item.tag).filter(|held| !held.lets(item))
    }

    /// Holds a key up until it is released.
    pub(crate) fn hold(&mut self, tag: u64, aside: bool) {
        self.0.entry(tag).or_insert_with(|| Held { aside, ..Held::default() }).turn = None;
    }

    /// Lets no other item of the key be handled until this one has been.
    pub(crate) fn take_turn(&mut self, item: &Item) {
        self.0.entry(item.tag).or_default().turn = Some(identity(item));
    }

    /// Whether it is the item's turn, and nobody else's.
    pub(crate) fn has_turn(&self, item: &Item) -> bool {
        self.0.get(&item.tag).is_some_and(|held| held.lets(item))
    }

    /// Holds a key up no longer: all that waits may be handled.
    pub(crate) fn release(&mut self, tag: u64) -> Held {
        self.0.remove(&tag).unwrap_or_default()
    }

    /// Gives the turn to the first that waits, and says whether it was set aside. With nobody there the key is free.
    pub(crate) fn next(&mut self, tag: u64) -> Option<(Delivery, bool)> {
        let held = self.0.get_mut(&tag)?;
        let Some(delivery) = held.behind.pop_front() else {
            self.0.remove(&tag);
            return None;
        };
        held.turn = delivery.items.first().map(identity);
        Some((delivery, held.aside))
    }
}

impl Held {
    fn lets(&self, item: &Item) -> bool {
        self.turn == Some(identity(item))
    }
}

fn identity(item: &Item) -> (u32, u64) {
    (item.pool, item.version)
}
