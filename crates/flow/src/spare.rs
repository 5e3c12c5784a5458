//! Lists of items that are filled again once their items have been handled, so that the next batch finds them in the
//! cache and as long as the last one needed them.

use upcall_abi::Item;

/// Lists that are kept at most.
const LISTS: usize = 4;

/// Items that a list must have had room for to be worth keeping, and of the longest that is kept: 512 KiB, as what a
/// batch emits. `memory` does not count the lists, which are 2 MiB of a worker at most.
const SHORTEST: usize = 64;
const LONGEST: usize = 8 << 10;

/// The lists of a worker that nobody uses.
#[derive(Default)]
pub(crate) struct Spare(Vec<Vec<Item>>);

impl Spare {
    /// An empty list.
    pub(crate) fn take(&mut self) -> Vec<Item> {
        self.0.pop().unwrap_or_default()
    }

    /// The list, or one of its length where few items would keep a long one.
    pub(crate) fn fit(&mut self, items: Vec<Item>) -> Vec<Item> {
        if items.capacity() < SHORTEST || items.len() > items.capacity() / 8 {
            return items;
        }
        let short = items.to_vec();
        self.put_back(items);
        short
    }

    /// Its items have been handled.
    pub(crate) fn put_back(&mut self, mut items: Vec<Item>) {
        if self.0.len() < LISTS && (SHORTEST..=LONGEST).contains(&items.capacity()) {
            items.clear();
            self.0.push(items);
        }
    }
}
