//! What is on its way to a worker: one queue per worker. Workers take its lock once per batch, on either side; a put from
//! outside takes it once. Sending never blocks.

use crate::chunk::Filler;
use crate::memory::Memory;
use crate::parcel::{Delivery, Parcel, Times, weight};
use crate::shared::Shared;
use crate::spare::Spare;
use crate::ticket::Claim;
use crate::wakeup::Wakeup;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use upcall_abi::{Item, Rel, Status};

pub(crate) enum Message {
    /// Objects whose keys this worker owns.
    Parcel(Parcel),
    /// Versioned objects for a handler on this worker.
    Deliver { handler: usize, delivery: Delivery },
    /// The input of a handler has ended.
    Flush { handler: usize },
    /// What a handler on this worker waits for, by their numbers there.
    Answers { handler: usize, answers: Vec<(u64, Answer)> },
}

/// What a handler's items waited for.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    /// A call that was answered with PENDING has ended.
    Status(Status),
    /// The owner of its key has put what was emitted on condition.
    Accepted,
    /// The owner has not: the key was at another version, 0 for none.
    Conflict { found: u64 },
}

/// On cache lines of its own: whoever puts into one is not to slow down the worker of another.
#[repr(align(128))]
pub(crate) struct Inbox {
    queue: Mutex<Queue>,
    /// Woken when something is queued, or when the flow stops.
    pub(crate) wakeup: Wakeup,
}

pub(crate) struct Queue {
    messages: Vec<Message>,
    /// For the items of the next parcel.
    spare: Vec<Item>,
    filler: Filler,
    /// Objects among the messages that are not counted as in flight yet, and their bytes.
    uncounted: (u64, u64),
}

/// One object from outside.
pub(crate) struct Incoming<'a> {
    pub(crate) pool: u32,
    pub(crate) store: bool,
    pub(crate) hash: u64,
    pub(crate) key: &'a [u8],
    pub(crate) value: &'a [u8],
}

impl Queue {
    /// Counts as in flight what has been put, as far as that has not been done.
    pub(crate) fn count(&mut self, shared: &Shared) {
        let (items, bytes) = std::mem::take(&mut self.uncounted);
        if items > 0 {
            shared.in_flight.add(items, bytes);
        }
    }

    /// Queues an empty parcel.
    #[cold]
    fn begin(&mut self, pool: u32, store: bool, now: u64) {
        self.messages.push(Message::Parcel(Parcel {
            pool,
            store,
            items: std::mem::take(&mut self.spare),
            chunks: Vec::new(),
            bytes: 0,
            claims: Vec::new(),
            times: Times { put: now, sent: now },
            queued: false,
        }));
    }
}

impl Inbox {
    pub(crate) fn new(memory: &Arc<Memory>) -> Inbox {
        let queue =
            Queue { messages: Vec::new(), spare: Vec::new(), filler: Filler::new(memory), uncounted: (0, 0) };
        Inbox { queue: Mutex::new(queue), wakeup: Wakeup::default() }
    }

    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn send(&self, message: Message) {
        let mut queue = self.lock();
        let first = queue.messages.is_empty();
        queue.messages.push(message);
        drop(queue);
        if first {
            self.wakeup.wake();
        }
    }

    /// Copies one object in, behind what is queued. It is counted as in flight before it can be taken.
    /// `claim` makes its claim from the item's index.
    #[inline]
    pub(crate) fn put(
        &self,
        object: Incoming<'_>,
        claim: Option<impl FnOnce(usize) -> Claim>,
        shared: &Shared,
    ) {
        let mut guard = self.lock();
        let queue = &mut *guard;
        // Whoever put what is queued wakes the worker, if it has not done so yet.
        let first = queue.messages.is_empty();
        let (key, value) = queue.filler.copy(object.key, object.value);
        // Not behind what a handler has emitted: the queues of the handlers count that already.
        let fits = matches!(queue.messages.last(),
            Some(Message::Parcel(p)) if p.pool == object.pool && p.store == object.store && !p.queued);
        if !fits {
            queue.begin(object.pool, object.store, shared.elapsed());
        }
        let Some(Message::Parcel(parcel)) = queue.messages.last_mut() else { return };
        parcel.hold(queue.filler.chunk());
        if let Some(claim) = claim {
            parcel.claims.push(claim(parcel.items.len()));
        }
        let item = Item {
            key: Rel::new(key, object.key.len() as u64),
            value: Rel::new(value, object.value.len() as u64),
            pool: object.pool,
            tag: object.hash,
            ..Item::ABSENT
        };
        let weight = weight(&item);
        parcel.bytes += weight;
        parcel.items.push(item);
        let (most_items, most_bytes) = shared.in_flight.uncounted();
        queue.uncounted = (queue.uncounted.0 + 1, queue.uncounted.1 + weight);
        if queue.uncounted.0 >= most_items || queue.uncounted.1 >= most_bytes {
            queue.count(shared);
        }
        drop(guard);
        if first {
            self.wakeup.wake();
        }
    }

    /// All that is queued, for a worker that takes nothing any more.
    pub(crate) fn rest(&self) -> Vec<Message> {
        std::mem::take(&mut self.lock().messages)
    }

    /// Takes all that is queued into `messages`, which is empty, and leaves a list for what comes next.
    pub(crate) fn take(&self, messages: &mut Vec<Message>, spare: &mut Spare, shared: &Shared) {
        if self.wakeup.take() {
            let mut queue = self.lock();
            queue.count(shared);
            std::mem::swap(&mut queue.messages, messages);
            if queue.spare.capacity() == 0 {
                queue.spare = spare.take();
            }
        }
    }
}
