//! What waits for a handler whose items any worker may take: the first one that is free does.

use crate::parcel::Delivery;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub(crate) struct AnyQueue {
    queue: Mutex<Queue>,
    /// Deliveries, for those who only look.
    len: AtomicUsize,
}

#[derive(Default)]
struct Queue {
    deliveries: VecDeque<Delivery>,
    /// Items of the first delivery that were taken.
    taken: usize,
}

impl AnyQueue {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len.load(SeqCst) == 0
    }

    pub(crate) fn push(&self, delivery: Delivery) {
        let mut queue = self.lock();
        queue.deliveries.push_back(delivery);
        // Swapped, as what a `Wakeup` looks at before its worker sleeps.
        self.len.swap(queue.deliveries.len(), SeqCst);
    }

    /// Takes the first delivery, or so many of its items.
    pub(crate) fn take(&self, most: usize) -> Option<Delivery> {
        let mut queue = self.lock();
        let taken = queue.taken;
        let first = queue.deliveries.front()?;
        if first.items.len() - taken > most {
            let items = first.items[taken..taken + most].to_vec();
            let part = Delivery { items, ..first.without_items() };
            queue.taken += most;
            return Some(part);
        }
        let mut first = queue.deliveries.pop_front()?;
        queue.taken = 0;
        self.len.swap(queue.deliveries.len(), SeqCst);
        drop(queue);
        first.items.drain(..taken);
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parcel::Times;
    use upcall_abi::Item;

    fn delivery(versions: std::ops::Range<u64>) -> Delivery {
        let items = versions.map(|version| Item { version, ..Item::ABSENT }).collect();
        Delivery { items, chunks: Vec::new(), bytes: 0, times: Times::default(), own: false }
    }

    #[test]
    fn each_item_is_taken_once_and_in_order() {
        let queue = AnyQueue::default();
        assert!(queue.is_empty());
        queue.push(delivery(0..10));
        queue.push(delivery(10..12));
        let mut seen: Vec<u64> = Vec::new();
        let mut sizes = Vec::new();
        while let Some(part) = queue.take(4) {
            sizes.push(part.items.len());
            seen.extend(part.items.iter().map(|item| item.version));
        }
        assert_eq!((seen, sizes), ((0..12).collect(), vec![4, 4, 2, 2]));
        assert!(queue.is_empty());
    }
}
