//! What a worker has at hand for all its handlers: frames, the router, memory, and its own queue.

use crate::call::OwnedCall;
use crate::chunk::Filler;
use crate::conditional::Conditional;
use crate::dead::{Cause, DeadLetter};
use crate::open_handler::OpenHandler;
use crate::parcel::{Delivery, OVERHEAD, Parcel, Times, key, value, weight};
use crate::plan::Plan;
use crate::route::{self, Refused, Router};
use crate::shared::Shared;
use crate::spare::Spare;
use crate::stats::bump;
use crate::ticket::{Asker, Claim};
use std::collections::VecDeque;
use upcall_abi::{Item, Rel};

pub(crate) struct WorkerContext<'s> {
    pub(crate) shared: &'s Shared,
    pub(crate) me: usize,
    /// The wall clock, read once per turn.
    pub(crate) now: u64,
    /// When the items that are handled now were sent.
    pub(crate) times: Times,
    /// When the last upcall ended, in nanoseconds since the flow's start.
    pub(crate) ended: u64,
    /// When the first item of a batch was sent whose wait the credit has not been told yet.
    pub(crate) waited: Option<u64>,
    /// Frames for the next calls.
    pub(crate) calls: Vec<OwnedCall>,
    /// Of handlers that may answer later.
    pub(crate) later_calls: Vec<OwnedCall>,
    /// Parcels for this worker itself.
    pub(crate) mine: VecDeque<Parcel>,
    pub(crate) router: Router,
    pub(crate) filler: Filler,
    pub(crate) refused: Vec<Refused>,
    /// What the last call has emitted on condition, in order of its items.
    pub(crate) undecided: Vec<Conditional>,
    /// What their owners are to be asked: the worker that is one, if any.
    asked: Vec<(Option<usize>, Parcel)>,
}

impl<'s> WorkerContext<'s> {
    pub(crate) fn new(me: usize, shared: &'s Shared) -> WorkerContext<'s> {
        WorkerContext {
            shared,
            me,
            now: 0,
            times: Times::default(),
            ended: 0,
            waited: None,
            calls: Vec::new(),
            later_calls: Vec::new(),
            mine: VecDeque::new(),
            router: Router::new(shared),
            filler: Filler::new(&shared.memory),
            refused: Vec::new(),
            undecided: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// An item with memory of its own, so that its chunks can go.
    pub(crate) fn own(&mut self, item: &Item, times: Times) -> Delivery {
        // SAFETY: whoever passes the item holds its chunks.
        let (key_at, value_at) = unsafe { self.filler.copy(key(item), value(item)) };
        let (key, value) = (Rel::new(key_at, item.key.len), Rel::new(value_at, item.value.len));
        let item = Item { key, value, ..*item };
        Delivery {
            items: vec![item],
            chunks: vec![self.filler.chunk().clone()],
            bytes: weight(&item),
            times,
            own: true,
        }
    }

    /// Says when the items of the upcalls that follow were sent: a batch of what was queued.
    pub(crate) fn begin(&mut self, times: Times) {
        (self.times, self.waited) = (times, Some(times.sent));
    }

    /// As [`WorkerContext::begin`], for what has not waited in the queue only.
    pub(crate) fn begin_again(&mut self, times: Times) {
        (self.times, self.waited) = (times, None);
    }

    /// Items are done: they count no longer.
    pub(crate) fn settle(&self, handler: &OpenHandler<'_>, items: &[Item]) {
        if items.is_empty() {
            return;
        }
        let (count, bytes) = (items.len() as u64, items.iter().map(weight).sum::<u64>());
        bump(&handler.stats.bytes_in, bytes - count * OVERHEAD);
        handler.state.queue.sub(items.len());
        self.shared.in_flight.sub(count, bytes);
    }

    /// Adds what an item has emitted on condition to what the owner of its key is asked, who tells `asker`.
    pub(crate) fn ask_owner(&mut self, emitted: &Conditional, asker: Asker) {
        let item = emitted.emission;
        let owner = Plan::owner(&self.shared.plan.pools[item.pool as usize], item.tag);
        let asked = self.asked.iter().position(|(of, parcel)| *of == owner && parcel.pool == item.pool);
        let index = asked.unwrap_or_else(|| {
            let times = Times { put: self.times.put, sent: self.ended };
            self.asked.push((owner, Parcel::new(item.pool, times)));
            self.asked.len() - 1
        });
        let parcel = &mut self.asked[index].1;
        let claim = Claim { index: parcel.items.len(), asker, expect: Some(emitted.expect), remove: false };
        parcel.claims.push(claim);
        parcel.bytes += weight(&item);
        parcel.items.push(item);
        emitted.chunks.iter().for_each(|chunk| parcel.hold(chunk));
    }

    /// Sends what owners are asked.
    pub(crate) fn send_asked(&mut self) {
        for (owner, parcel) in self.asked.drain(..) {
            self.shared.in_flight.add(parcel.items.len() as u64, parcel.bytes);
            route::deliver(self.shared, parcel, owner, self.me, self.now, &mut self.mine);
        }
    }

    /// Lists of items that are used again.
    pub(crate) fn spare(&mut self) -> &mut Spare {
        &mut self.router.spare
    }

    /// Gives an item up: it becomes a dead letter and is no longer in flight.
    pub(crate) fn bury(&mut self, handler: &OpenHandler<'_>, item: &Item, attempts: u32, cause: Cause) {
        self.letter(handler, item, attempts, cause);
        self.settle(handler, &[*item]);
    }

    pub(crate) fn letter(&mut self, handler: &OpenHandler<'_>, item: &Item, attempts: u32, cause: Cause) {
        let (shared, name) = (self.shared, &handler.plan.spec.name);
        let pool = &shared.plan.pools[item.pool as usize];
        let sender = match item.sender {
            0 => "input",
            handler => shared.plan.handlers[handler as usize - 1].spec.name.as_str(),
        };
        bump(&handler.stats.buried, 1);
        // SAFETY: whoever passes the item holds its chunks.
        let letter = unsafe { DeadLetter::about(item, pool, sender, handler.plan, attempts, cause) };
        let DeadLetter { cause: Cause { type_name, message, .. }, key, .. } = &letter;
        let Some(dead) = pool.dead else {
            // A dead letter that could not be handled itself: it stays in its dead pool.
            tracing::error!(target: "upcall::flow", handler = name, key, "{type_name}: {message}");
            return;
        };
        let path = &shared.plan.pools[dead as usize].path;
        tracing::warn!(target: "upcall::flow", handler = name, key, "buried in {path}: {type_name}: {message}");
        let text = serde_json::to_vec(&letter).expect("a dead letter is text and numbers");
        let (key_at, value_at) = self.filler.copy(letter.key.as_bytes(), &text);
        let item = Item {
            key: Rel::new(key_at, letter.key.len() as u64),
            value: Rel::new(value_at, text.len() as u64),
            pool: dead,
            sender: item.sender,
            tag: shared.plan.hash(letter.key.as_bytes()),
            ..Item::ABSENT
        };
        self.router.add(shared, &[item], std::slice::from_ref(self.filler.chunk()));
        let times = Times { put: self.times.put, sent: self.ended };
        self.router.send(shared, self.me, self.now, times, &mut self.mine);
    }
}
