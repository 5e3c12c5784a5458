//! Keys that are held up: it is not known yet what becomes of an item with this key, and those behind it wait.

use crate::credit::InFlight;
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
    /// Whether those behind are set aside, as an item that is tried again holds the key up: they let others in.
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

    /// Holds a key up until it is released. `aside` says whether an item that is tried again does. Returns by how many
    /// more there are that are set aside.
    pub(crate) fn hold(&mut self, tag: u64, aside: bool) -> isize {
        let held = self.0.entry(tag).or_default();
        held.turn = None;
        let waiting = held.behind.len() as isize;
        match (std::mem::replace(&mut held.aside, aside), aside) {
            (false, true) => waiting,
            (true, false) => -waiting,
            _ => 0,
        }
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

    /// Gives the turn to the first that waits; with nobody there the key is free. Also returns how many are set aside no
    /// longer.
    pub(crate) fn next(&mut self, tag: u64) -> (Option<Delivery>, usize) {
        let Some(held) = self.0.get_mut(&tag) else { return (None, 0) };
        let taken_up = if std::mem::take(&mut held.aside) { held.behind.len() } else { 0 };
        let first = held.behind.pop_front();
        match &first {
            Some(delivery) => held.turn = delivery.items.first().map(identity),
            None => _ = self.0.remove(&tag),
        }
        (first, taken_up)
    }
}

impl Held {
    /// Lets one item wait, with memory of its own.
    pub(crate) fn push(&mut self, delivery: Delivery, in_flight: &InFlight) {
        self.behind.push_back(delivery);
        if self.aside {
            in_flight.set_aside(1);
        }
    }

    fn lets(&self, item: &Item) -> bool {
        self.turn == Some(identity(item))
    }
}

fn identity(item: &Item) -> (u32, u64) {
    (item.pool, item.version)
}
