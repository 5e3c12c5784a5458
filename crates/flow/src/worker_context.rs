//! What a worker has at hand for all its handlers: the frame, the router, and upcalls through them.

use crate::call::Call;
use crate::chunk::Filler;
use crate::dead::{Cause, DeadLetter};
use crate::open_handler::OpenHandler;
use crate::parcel::{Delivery, OVERHEAD, Parcel, Times, key, value, weight};
use crate::plan::HandlerPlan;
use crate::route::{Refused, Router};
use crate::shared::Shared;
use crate::spec::Sample;
use crate::stats::bump;
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use upcall_abi::{CallFailed, Item, Rel, Status, kind};

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
    waited: Option<u64>,
    pub(crate) call: Box<Call>,
    /// Parcels for this worker itself.
    pub(crate) mine: VecDeque<Parcel>,
    router: Router,
    filler: Filler,
    refused: Vec<Refused>,
}

/// How an upcall ended.
pub(crate) enum Outcome {
    /// All items are done.
    Done,
    /// `done` items are; the others wait until what these have emitted has been handled.
    Cut { done: usize },
    /// `done` items are; the next one failed, or all the rest unless `alone`.
    Failed { done: usize, alone: bool, cause: Cause },
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
            call: Call::new(&shared.memory),
            mine: VecDeque::new(),
            router: Router::new(shared),
            filler: Filler::new(&shared.memory),
            refused: Vec::new(),
        }
    }

    /// An item with memory of its own, so that its chunks can go.
    pub(crate) fn own(&mut self, item: &Item, times: Times) -> Delivery {
        // SAFETY: whoever passes the item holds its chunks.
        let (key_at, value_at) = unsafe { self.filler.copy(key(item), value(item)) };
        let (key, value) = (Rel::new(key_at, item.key.len), Rel::new(value_at, item.value.len));
        let item = Item { key, value, ..*item };
        Delivery { items: vec![item], chunks: vec![self.filler.chunk().clone()], bytes: weight(&item), times }
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
        self.shared.wake_held_back();
    }

    /// Calls a handler and sends on what it emitted. The `attempt` is the first one of the items, or a later one.
    pub(crate) fn upcall(
        &mut self,
        handler: &mut OpenHandler<'_>,
        kind: u16,
        items: &[Item],
        attempt: u32,
    ) -> Outcome {
        let (shared, stats) = (self.shared, handler.stats);
        let budget = shared.plan.memory.saturating_sub(shared.held());
        self.call.begin(kind, items, shared.plan.room, budget);
        let begin = shared.elapsed();
        // SAFETY: the frame is a flow frame that lives in the worker; its items' chunks are held by whoever passes them.
        let status = unsafe { handler.instance.call(self.call.frame()) };
        let end = shared.elapsed();
        self.ended = end;
        handler.context.release();
        if let Some(sent) = self.waited.take() {
            shared.in_flight.waited(sent, begin, end, |nanos| shared.queues_are_short(nanos));
        }
        let before = stats.bytes_out.load(Relaxed);
        let outcome = self.outcome(handler, items, attempt, status);
        // Those behind one that failed, or where the batch was cut, are handed over again.
        let handled = match outcome {
            Outcome::Failed { done, alone: true, .. } => items.len().min(done + 1),
            Outcome::Cut { done } => done,
            Outcome::Failed { .. } | Outcome::Done => items.len(),
        };
        bump(&stats.items, handled as u64);
        if kind == kind::FLOW {
            stats.batch(items.len(), begin, end);
            handler.pace.learn(handled, end - begin, stats.bytes_out.load(Relaxed) - before);
            handler.state.nanos.store(handler.pace.nanos(), Relaxed);
        } else {
            bump(&stats.inside, end - begin);
        }
        if let Outcome::Failed { .. } = outcome {
            bump(&stats.failed, 1);
        }
        outcome
    }

    /// Hands a handler the object of its `warm`. What it emits is thrown away, and nothing is counted.
    pub(crate) fn warm(&mut self, handler: &mut OpenHandler<'_>, sample: &Sample) -> Result<(), Cause> {
        let (shared, plan) = (self.shared, handler.plan);
        let (key_at, value_at) = self.filler.copy(sample.key.as_bytes(), &sample.value);
        let item = Item {
            key: Rel::new(key_at, sample.key.len() as u64),
            value: Rel::new(value_at, sample.value.len() as u64),
            time: crate::clock::now(),
            pool: plan.watches[0],
            ..Item::ABSENT
        };
        self.call.begin(kind::FLOW, &[item], shared.plan.memory, shared.plan.memory);
        // SAFETY: the frame is a flow frame that lives in the worker; the filler holds the item's chunk.
        let status = unsafe { handler.instance.call(self.call.frame()) };
        handler.context.release();
        let outcome = match (status, self.call.finish()) {
            (Status::OK, Ok((filled, _))) => {
                self.router.sort(shared, plan, handler.index as u32 + 1, filled, 1, &mut self.refused);
                let refused = self.refused.pop();
                refused.map_or(Ok(()), |refused| Err(cause(BAD_EMISSION, refused.why)))
            }
            (Status::OK, Err(what)) => Err(cause(BAD_EMISSION, what.into())),
            (Status::PENDING, _) => Err(cause("pending", NO_PENDING.into())),
            _ => {
                let CallFailed { type_name, message, stack, .. } = self.call.failed();
                Err(Cause { type_name, message, stack })
            }
        };
        self.nothing_counts();
        outcome
    }

    /// Sends on what counts of the output, and says what the items have come to.
    fn outcome(
        &mut self,
        handler: &mut OpenHandler<'_>,
        items: &[Item],
        attempt: u32,
        status: Status,
    ) -> Outcome {
        let (shared, plan) = (self.shared, handler.plan);
        if status == Status::PENDING {
            return self.all_failed("pending", NO_PENDING.into());
        }
        let refused = self.call.refused();
        let (filled, done) = match self.call.finish() {
            Ok(written) => written,
            Err(what) => return self.all_failed(BAD_EMISSION, what.into()),
        };
        let done = if status == Status::OK { items.len() } else { done.min(items.len()) };
        if refused.is_some_and(|at| at == 0 || at != done || status == Status::OK) {
            // Too much for one call. Or the handler went on without what it could not emit: none of it counts.
            self.nothing_counts();
            match items.len() {
                0 | 1 => shared.outgrown(&growth(plan)),
                several => handler.pace.too_many(several),
            }
            return Outcome::Cut { done: 0 };
        }
        if refused.is_some() && done == items.len() {
            // There is no item left that could emit it later.
            shared.outgrown(&growth(plan));
        }
        let sender = handler.index as u32 + 1;
        let sorted = self.router.sort(shared, plan, sender, filled, done, &mut self.refused);
        if let Some(index) = self.refused.iter().position(|refused| refused.item as usize >= items.len()) {
            // It is wrong for no item in particular, or for one that is not there.
            let why = self.refused.swap_remove(index).why;
            return self.all_failed(BAD_EMISSION, why);
        }
        bump(&handler.stats.emitted, sorted);
        let times = Times { put: self.times.put, sent: self.ended };
        let bytes = self.router.send(shared, self.me, self.now, times, &mut self.mine);
        bump(&handler.stats.bytes_out, bytes - sorted * OVERHEAD);
        let outcome = match status {
            Status::OK => Outcome::Done,
            _ if refused.is_some() => Outcome::Cut { done },
            _ => {
                let CallFailed { type_name, message, stack, item } = self.call.failed();
                Outcome::Failed { done, alone: item.is_some(), cause: Cause { type_name, message, stack } }
            }
        };
        self.call.recycle();
        for Refused { item, why } in std::mem::take(&mut self.refused) {
            // What it emitted before is gone; it is counted out with the items that are done.
            if let Some(item) = items[..done].get(item as usize) {
                self.letter(handler, item, attempt, cause(BAD_EMISSION, why));
            }
        }
        shared.bound_memory(|| growth(plan));
        outcome
    }

    /// All items have failed, and nothing of the output counts.
    fn all_failed(&mut self, type_name: &str, message: String) -> Outcome {
        self.nothing_counts();
        Outcome::Failed { done: 0, alone: false, cause: cause(type_name, message) }
    }

    /// Forgets the output.
    fn nothing_counts(&mut self) {
        self.refused.clear();
        self.router.clear();
        self.call.discard();
    }

    /// Gives an item up: it becomes a dead letter and is no longer in flight.
    pub(crate) fn bury(&mut self, handler: &OpenHandler<'_>, item: &Item, attempts: u32, cause: Cause) {
        self.letter(handler, item, attempts, cause);
        self.settle(handler, &[*item]);
    }

    fn letter(&mut self, handler: &OpenHandler<'_>, item: &Item, attempts: u32, cause: Cause) {
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
        self.router.add(shared, item, self.filler.chunk());
        let times = Times { put: self.times.put, sent: self.ended };
        self.router.send(shared, self.me, self.now, times, &mut self.mine);
    }
}

const BAD_EMISSION: &str = "bad emission";
const NO_PENDING: &str = "it answered PENDING, and a flow takes no asynchronous handlers; answer when done";

fn cause(type_name: &str, message: String) -> Cause {
    Cause { type_name: type_name.into(), message, stack: String::new() }
}

/// How a flow comes to hold more than its memory when a handler has emitted.
fn growth(handler: &HandlerPlan) -> String {
    let name = &handler.spec.name;
    match &handler.cycle {
        Some(cycle) => format!("at handler {name}: the cycle {cycle} puts in more than it takes out"),
        None => format!("at handler {name}: it emits more than the handlers behind it take"),
    }
}
