//! Calls a handler, and says what the items of a call have come to.

use crate::call::{AnswerTo, Call, OwnedCall};
use crate::conditional::Conditional;
use crate::dead::Cause;
use crate::open_handler::OpenHandler;
use crate::parcel::{OVERHEAD, Times, weight};
use crate::plan::HandlerPlan;
use crate::route::{Origin, Refused};
use crate::spec::Sample;
use crate::stats::bump;
use crate::worker_context::WorkerContext;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use upcall_abi::{CancelFrame, Item, Rel, Status, cancelled, kind};

/// How an upcall ended.
pub(crate) enum Outcome {
    /// All items are done.
    Done,
    /// `done` items are; the others wait until what these have emitted has been handled.
    Cut { done: usize },
    /// `done` items are; the next one failed, or all the rest unless `alone`.
    Failed { done: usize, alone: bool, cause: Cause },
    /// `done` items are; with the others the guest has died, and nobody is to blame.
    Lost { done: usize, cause: Cause },
    /// The handler has kept the frame, and will say later how it ended.
    Pending(Unanswered),
}

/// A call that the handler will answer later. It owns its frame; the worker goes on with another.
pub(crate) struct Unanswered {
    call: OwnedCall,
    /// Its number, of the handler on its worker.
    pub(crate) id: u64,
    attempt: u32,
    /// Nanoseconds inside the upcall.
    spent: u64,
    /// Why it is no longer waited for, in words for whoever reads the cause.
    cancelled: Option<(u32, Cause)>,
}

impl Unanswered {
    /// Tells the handler to cancel what it does for this call.
    pub(crate) fn cancel(&mut self, handler: &mut OpenHandler<'_>, why: u32, cause: Cause) {
        self.cancelled = Some((why, cause));
        let mut frame = CancelFrame::new(self.call.frame(), why);
        // SAFETY: a whole frame of its kind; the call that it names is open.
        if let Err(failed) = unsafe { handler.instance.ask(&mut frame) } {
            tracing::warn!(target: "upcall::flow", handler = handler.plan.spec.name, "cancel: {failed}");
        }
    }

    /// Nobody will answer any more.
    pub(crate) fn leak(self) {
        self.call.leak();
    }
}

impl WorkerContext<'_> {
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
        let mut call = match handler.answers_later {
            false => self.calls.pop().unwrap_or_else(|| OwnedCall::new(&shared.memory)),
            true => self.later_calls.pop().unwrap_or_else(|| OwnedCall::later(&shared.memory)),
        };
        call.begin(kind, items, shared.plan.room, budget);
        let mut id = 0;
        if handler.answers_later {
            id = handler.number();
            let shared = Arc::downgrade(&handler.context.shared);
            call.may_wait(items, AnswerTo { shared, worker: self.me, handler: handler.index, call: id });
        }
        let begun = shared.elapsed();
        // SAFETY: the frame is a flow frame that lives until it is answered; its items' chunks are held by whoever passes
        // them, and for as long as the call is unanswered.
        let status = unsafe { handler.instance.call(call.frame()) };
        let end = shared.elapsed();
        self.ended = end;
        handler.context.release();
        let spent = end - begun;
        if let Some(sent) = self.waited.take() {
            shared.in_flight.waited(sent, begun, end, |nanos| shared.queues_are_short(nanos));
        }
        if kind == kind::FLOW {
            stats.batch(items.len(), begun, end);
        } else {
            bump(&stats.inside, spent);
        }
        if handler.answers_later {
            if status == Status::PENDING {
                return Outcome::Pending(Unanswered { call, id, attempt, spent, cancelled: None });
            }
            call.answered();
        }
        let outcome = self.ended(handler, &mut call, items, attempt, status, spent);
        if handler.answers_later {
            self.later_calls.push(call)
        } else {
            self.calls.push(call)
        }
        outcome
    }

    /// A call has been answered that was sent at `times`. Returns what it had been given.
    pub(crate) fn answered(
        &mut self,
        handler: &mut OpenHandler<'_>,
        unanswered: Unanswered,
        times: Times,
        status: Status,
    ) -> (Vec<Item>, Outcome) {
        let Unanswered { mut call, attempt, spent, cancelled, .. } = unanswered;
        self.times = times;
        call.answered();
        let items = std::mem::take(&mut call.items);
        handler.stats.last.store(self.ended, Relaxed);
        let outcome = match cancelled {
            // What is too late does not count, however good: whether it did would be chance.
            Some((cancelled::TIMED_OUT, cause)) if status == Status::OK => {
                self.nothing_counts(&mut call);
                bump(&handler.stats.items, items.len() as u64);
                bump(&handler.stats.failed, 1);
                Outcome::Failed { done: 0, alone: items.len() == 1, cause }
            }
            cancelled => match self.ended(handler, &mut call, &items, attempt, status, spent) {
                // Whatever the handler makes of it: this is why it has failed.
                Outcome::Failed { done, alone, cause } => {
                    let cause =
                        cancelled.map_or(cause.clone(), |(_, why)| Cause { stack: said(&cause), ..why });
                    Outcome::Failed { done, alone, cause }
                }
                outcome => outcome,
            },
        };
        if self.later_calls.len() < SPARE {
            self.later_calls.push(call);
        }
        (items, outcome)
    }

    /// A call has ended that has `spent` so long inside the handler.
    fn ended(
        &mut self,
        handler: &mut OpenHandler<'_>,
        call: &mut Call,
        items: &[Item],
        attempt: u32,
        status: Status,
        spent: u64,
    ) -> Outcome {
        let stats = handler.stats;
        let before = stats.weight_out();
        let outcome = self.outcome(handler, call, items, attempt, status);
        // Those behind one that failed, or where the batch was cut, are handed over again.
        let handled = match outcome {
            Outcome::Failed { done, alone: true, .. } => items.len().min(done + 1),
            Outcome::Cut { done } | Outcome::Lost { done, .. } => done,
            Outcome::Failed { .. } | Outcome::Done => items.len(),
            Outcome::Pending(_) => 0,
        };
        bump(&stats.items, handled as u64);
        // How long a guest has taken to die says nothing about the next items.
        if call.is_batch() && !matches!(outcome, Outcome::Lost { .. }) {
            handler.pace.learn(handled, spent, stats.weight_out() - before);
            handler.state.nanos.store(handler.pace.nanos(), Relaxed);
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
        let items = &[item];
        let mut call = OwnedCall::new(&shared.memory);
        call.begin(kind::FLOW, items, shared.plan.memory, shared.plan.memory);
        // SAFETY: the frame is a flow frame that lives until the call returns; the filler holds the item's chunk.
        let status = unsafe { handler.instance.call(call.frame()) };
        handler.context.release();
        let outcome = match (status, call.finish()) {
            (Status::OK, Ok((filled, _))) => {
                let origin = Origin { handler: plan, sender: handler.sender(), items, done: 1, filled };
                self.router.sort(shared, &origin, &mut self.refused);
                let refused = self.refused.pop();
                refused.map_or(Ok(()), |refused| Err(cause(BAD_EMISSION, refused.why)))
            }
            (Status::OK, Err(what)) => Err(cause(BAD_EMISSION, what.into())),
            (Status::PENDING, _) => {
                // The handler may go on with the frame all the same.
                std::mem::replace(&mut call, OwnedCall::new(&shared.memory)).leak();
                Err(cause("pending", WARM_PENDING.into()))
            }
            _ => Err(call.failed().into()),
        };
        self.nothing_counts(&mut call);
        outcome
    }

    /// Sends on what counts of the output, and says what the items have come to.
    fn outcome(
        &mut self,
        handler: &mut OpenHandler<'_>,
        call: &mut Call,
        items: &[Item],
        attempt: u32,
        status: Status,
    ) -> Outcome {
        let (shared, plan) = (self.shared, handler.plan);
        if status == Status::PENDING {
            return self.all_failed(call, cause("pending", NO_PENDING.into()));
        }
        if status == Status::LOST {
            return self.lost(handler, call, items, attempt);
        }
        let refused = call.refused();
        let (filled, done) = match call.finish() {
            Ok(written) => written,
            Err(what) => return self.all_failed(call, cause(BAD_EMISSION, what.into())),
        };
        let done = if status == Status::OK { items.len() } else { done.min(items.len()) };
        if refused.is_some_and(|at| at == 0 || at != done || status == Status::OK) {
            // Too much for one call. Or the handler went on without what it could not emit: none of it counts.
            self.nothing_counts(call);
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
        let origin = Origin { handler: plan, sender: handler.sender(), items, done, filled };
        let sorted = match self.sort(&origin) {
            Ok(sorted) => sorted,
            Err(why) => return self.all_failed(call, cause(BAD_EMISSION, why)),
        };
        let outcome = match status {
            Status::OK => Outcome::Done,
            _ if refused.is_some() => Outcome::Cut { done },
            _ => {
                let failed = call.failed();
                Outcome::Failed { done, alone: failed.item.is_some(), cause: failed.into() }
            }
        };
        self.counts(handler, call, sorted, &items[..done], attempt);
        outcome
    }

    /// As [`WorkerContext::outcome`], where the guest has died: what it had finished counts.
    fn lost(
        &mut self,
        handler: &mut OpenHandler<'_>,
        call: &mut Call,
        items: &[Item],
        attempt: u32,
    ) -> Outcome {
        let cause = call.failed().into();
        let (filled, done) = call.finish_lost();
        let origin = Origin { handler: handler.plan, sender: handler.sender(), items, done, filled };
        // What is wrong for no item in particular is said when the items are handed over again.
        match self.sort(&origin) {
            Ok(sorted) if done > 0 => {
                self.counts(handler, call, sorted, &items[..done], attempt);
                Outcome::Lost { done, cause }
            }
            _ => {
                self.nothing_counts(call);
                Outcome::Lost { done: 0, cause }
            }
        }
    }

    /// Sorts what a call has written, and returns how many emissions there are; or why none of them counts: one is wrong for
    /// no item in particular, or for one that is not there.
    fn sort(&mut self, origin: &Origin<'_>) -> Result<u64, String> {
        let sorted = self.router.sort(self.shared, origin, &mut self.refused);
        let items = origin.items.len();
        let wrong = self.refused.iter().position(|refused| refused.item as usize >= items);
        wrong.map_or(Ok(sorted), |index| Err(self.refused.swap_remove(index).why))
    }

    /// Sends what was sorted, of these items, and buries those of them that have emitted what is refused.
    fn counts(
        &mut self,
        handler: &OpenHandler<'_>,
        call: &mut Call,
        sorted: u64,
        done: &[Item],
        attempt: u32,
    ) {
        self.undecided = self.router.conditional();
        self.send(handler, sorted);
        call.recycle();
        for Refused { item, why } in std::mem::take(&mut self.refused) {
            // What it emitted before is gone; it is counted out with the items that are done.
            if let Some(item) = done.get(item as usize) {
                self.letter(handler, item, attempt, cause(BAD_EMISSION, why));
            }
        }
        self.shared.bound_memory(|| growth(handler.plan));
    }

    /// Sends what the router has sorted: so many emissions of a handler.
    fn send(&mut self, handler: &OpenHandler<'_>, sorted: u64) {
        bump(&handler.stats.emitted, sorted);
        let times = Times { put: self.times.put, sent: self.ended };
        let bytes = self.router.send(self.shared, self.me, self.now, times, &mut self.mine);
        bump(&handler.stats.bytes_out, bytes - sorted * OVERHEAD);
    }

    /// Sends what an item has emitted beside what its owner has accepted.
    pub(crate) fn send_others(&mut self, handler: &OpenHandler<'_>, emitted: &Conditional) {
        self.router.add(self.shared, &emitted.others, &emitted.chunks);
        self.send(handler, emitted.others.len() as u64);
        bump(&handler.stats.emitted, 1);
        bump(&handler.stats.bytes_out, weight(&emitted.emission) - OVERHEAD);
    }

    /// All items have failed, and nothing of the output counts.
    fn all_failed(&mut self, call: &mut Call, cause: Cause) -> Outcome {
        self.nothing_counts(call);
        Outcome::Failed { done: 0, alone: false, cause }
    }

    /// Forgets the output.
    fn nothing_counts(&mut self, call: &mut Call) {
        self.refused.clear();
        self.router.clear();
        call.discard();
    }
}

/// Frames that a worker keeps for its next calls that may be answered later.
const SPARE: usize = 128;

const BAD_EMISSION: &str = "bad emission";
const WARM_PENDING: &str = "it answered PENDING, and the sample of its `warm` has to be answered at once";
const NO_PENDING: &str = "it answered PENDING, which is for handlers that say when they are asked what they are that they \
                          answer later, and once for a call; answer when done";

/// What a handler has said of its end that was told to cancel, for the stack.
fn said(Cause { type_name, message, stack }: &Cause) -> String {
    [format!("{type_name}: {message}").trim_matches([':', ' ']), stack].join("\n").trim().to_owned()
}

/// A failure that the engine has found.
pub(crate) fn cause(type_name: &str, message: String) -> Cause {
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
