//! What is answered later: calls that the handler has left open, and emissions on condition that an owner decides.

use super::HandlerRunner;
use super::outcome::Left;
use crate::chunk::Chunk;
use crate::conditional::Conditional;
use crate::inbox::Answer;
use crate::parcel::{Delivery, Times, chunks_of};
use crate::retry::Retry;
use crate::ticket::Asker;
use crate::upcall::{self, Outcome, Unanswered};
use crate::worker_context::WorkerContext;
use foldhash::fast::RandomState;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use upcall_abi::{Item, Status, cancelled};

/// How long a call may stay open in a hurry, whatever its deadline.
const HURRY: Duration = Duration::from_secs(5);

#[derive(Default)]
pub(super) struct Later {
    /// By their number.
    open: HashMap<u64, Open, RandomState>,
    /// When calls were handed over, and their numbers; those that were answered among them.
    handed_over: VecDeque<(u64, u64)>,
    /// By their number.
    undecided: HashMap<u64, Undecided, RandomState>,
    answers: VecDeque<(u64, Answer)>,
    /// Whether the only call that is open is for an item with which the guest has died.
    suspect: bool,
    /// Whether others have been open beside the call that has ended last.
    beside: bool,
}

/// On a worker that dies: nobody knows whether the guest still uses the frames.
impl Drop for Later {
    fn drop(&mut self) {
        for (_, Open { call, about, .. }) in self.open.drain() {
            call.leak();
            std::mem::forget(about);
        }
    }
}

/// A call that has been answered with PENDING.
struct Open {
    call: Unanswered,
    about: About,
    times: Times,
    /// Whether no other has been open meanwhile.
    alone: bool,
}

/// What such a call is about.
enum About {
    /// Items that are handed over for the first time, with their bytes.
    Batch(Vec<Arc<Chunk>>),
    Retry(Retry),
    Flush,
}

/// An item that has emitted on condition. It counts as in flight until the owner has decided.
struct Undecided {
    /// With the failures and losses before.
    item: Retry,
    emitted: Conditional,
}

impl Later {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty() && self.undecided.is_empty()
    }

    /// Whether no other call may be opened, as the guest seems to die of the one that is.
    pub(super) fn suspects(&self) -> bool {
        self.suspect
    }

    /// When the call was handed over that is open for the longest.
    fn first(&self) -> Option<u64> {
        self.handed_over.iter().find(|(_, id)| self.open.contains_key(id)).map(|(when, _)| *when)
    }

    pub(super) fn nothing_open(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether what a call has come to is that call's alone: the guest has had no other.
    pub(super) fn alone(&self) -> bool {
        self.open.is_empty() && !self.beside
    }

    pub(super) fn answered(&self) -> bool {
        !self.answers.is_empty()
    }
}

impl HandlerRunner<'_> {
    /// What it waits for under these numbers has been answered.
    pub(crate) fn answer(&mut self, answers: Vec<(u64, Answer)>) {
        self.later.answers.extend(answers);
    }

    pub(super) fn answers(&mut self, worker: &mut WorkerContext<'_>) {
        while !self.shared.stopped()
            && let Some((id, answer)) = self.later.answers.pop_front()
        {
            worker.ended = self.shared.elapsed();
            match answer {
                Answer::Status(status) => self.call_ended(worker, id, status),
                Answer::Accepted => self.accepted(worker, id),
                Answer::Conflict { found } => self.conflicted(worker, id, found),
            }
        }
    }

    /// Keeps a call that will be answered later: the keys of its items wait, others do not.
    pub(super) fn keep_call(&mut self, call: Unanswered, times: Times, items: &[Item], held: &[Delivery]) {
        // They keep no worker busy, and none of the others out.
        self.shared.in_flight.set_aside(items.len());
        items.iter().for_each(|item| self.hold(item.tag, true));
        let chunks = chunks_of(items, held.iter().flat_map(|delivery| &delivery.chunks));
        self.keep(call, About::Batch(chunks), times);
    }

    pub(super) fn keep_retry(&mut self, call: Unanswered, retry: Retry) {
        let times = retry.delivery.times;
        self.later.suspect = retry.suspect && self.later.nothing_open();
        self.shared.in_flight.set_aside(1);
        self.hold(retry.item().tag, true);
        self.keep(call, About::Retry(retry), times);
    }

    pub(super) fn keep_flush(&mut self, call: Unanswered) {
        let now = self.shared.elapsed();
        self.keep(call, About::Flush, Times { put: now, sent: now });
    }

    fn keep(&mut self, call: Unanswered, about: About, times: Times) {
        let Later { open, handed_over, .. } = &mut self.later;
        if !matches!(about, About::Flush) {
            handed_over.push_back((self.shared.elapsed(), call.id));
            // One that takes long keeps those behind it, most of which have been answered.
            if handed_over.len() > 2 * open.len() + 64 {
                handed_over.retain(|(_, id)| *id == call.id || open.contains_key(id));
            }
        }
        let alone = self.later.open.is_empty();
        if self.later.open.len() == 1 {
            self.later.open.values_mut().for_each(|open| open.alone = false);
        }
        self.later.open.insert(call.id, Open { call, about, times, alone });
    }

    /// Whether a call may be opened now; a handler that answers at once has one open at a time in any case.
    pub(super) fn may_open(&self) -> bool {
        !self.handler.answers_later || !self.later.suspects() && !self.handler.state.slots.full()
    }

    /// Counts a call in. False where another worker has taken the last slot meanwhile, unless it has to be `now`.
    pub(super) fn begin_call(&self, now: bool) -> bool {
        !self.handler.answers_later || self.handler.state.slots.take(now)
    }

    /// A call has returned, and counts no longer unless it is still open.
    pub(super) fn returned(&self, outcome: &Outcome) {
        if !matches!(outcome, Outcome::Pending(_)) {
            self.end_call();
        }
    }

    fn end_call(&self) {
        if self.handler.answers_later && self.handler.state.slots.give() {
            self.shared.wake_all(self.handler.index);
        }
    }

    /// When a call is to be cancelled that was handed over then, and why: its deadline, or a hurry that has lasted for long.
    fn ends(&self, handed_over: u64) -> Option<(u64, u32)> {
        let after = |since: u64, time: Duration| {
            since.saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
        };
        let deadline = self.handler.plan.deadline();
        let deadline = deadline.map(|deadline| (after(handed_over, deadline), cancelled::TIMED_OUT));
        let hurry = self.shared.hurried();
        let hurry = hurry.map(|since| (after(since.max(handed_over), HURRY), cancelled::FROM_OUTSIDE));
        [deadline, hurry].into_iter().flatten().min()
    }

    /// When the next call is to be cancelled.
    pub(super) fn cancel_due(&self) -> Option<u64> {
        Some(self.ends(self.later.first()?)?.0)
    }

    /// Whether there is a call whose time is over.
    pub(crate) fn late(&self) -> bool {
        self.cancel_due().is_some_and(|due| due <= self.shared.elapsed())
    }

    /// Cancels the calls whose time is over.
    pub(crate) fn cancel_late(&mut self) {
        let now = self.shared.elapsed();
        while let Some((when, id)) = self.later.handed_over.front().copied() {
            let ends = self.ends(when).filter(|(due, _)| *due <= now);
            let open = self.later.open.get_mut(&id);
            if open.is_some() && ends.is_none() {
                return;
            }
            self.later.handed_over.pop_front();
            if let (Some(open), Some((_, why))) = (open, ends) {
                let cause = match why {
                    cancelled::TIMED_OUT => {
                        let deadline = self.handler.plan.deadline().unwrap_or_default();
                        upcall::cause("timed out", format!("no answer within its `deadline` of {deadline:?}"))
                    }
                    _ => {
                        let message =
                            format!("the flow is being stopped, and there was no answer within {HURRY:?}");
                        upcall::cause("cancelled", message)
                    }
                };
                open.call.cancel(&mut self.handler, why, cause);
            }
        }
    }

    /// Before CLOSE: cancels all calls that are open, as the flow ends.
    pub(crate) fn cancel_all(&mut self) {
        for open in self.later.open.values_mut() {
            let cause = upcall::cause("cancelled", "the flow was stopped before it was answered".into());
            open.call.cancel(&mut self.handler, cancelled::FROM_OUTSIDE, cause);
        }
    }

    /// A call has been answered that was left open. One that is not known has been answered before.
    fn call_ended(&mut self, worker: &mut WorkerContext<'_>, id: u64, status: Status) {
        let Some(Open { call, about, times, alone }) = self.later.open.remove(&id) else { return };
        (self.later.suspect, self.later.beside) = (false, !alone);
        if !matches!(about, About::Flush) {
            self.end_call();
        }
        let (items, outcome) = worker.answered(&mut self.handler, call, times, status);
        match about {
            About::Flush => self.flushed(outcome),
            About::Retry(retry) => {
                self.shared.in_flight.take_up(1);
                self.retried(worker, outcome, retry);
            }
            About::Batch(chunks) => {
                // Those behind wait again where an item of theirs is held up once more.
                self.shared.in_flight.take_up(items.len());
                items.iter().for_each(|item| self.release_all(worker, item.tag));
                let held = Delivery { items: Vec::new(), chunks, bytes: 0, times, own: false };
                self.left_open = 0;
                let left = self.called(worker, outcome, &items, std::slice::from_ref(&held));
                let back = match left {
                    Left::Nothing => Vec::new(),
                    Left::NotYet(back) => back,
                    Left::From(next) => items[next..].to_vec(),
                };
                let handled = items.len() - back.len() - self.left_open;
                self.handler.stats.waited(&times, worker.ended, handled);
                if !back.is_empty() {
                    self.push_front(Delivery { items: back, ..held });
                }
            }
        }
        self.later.beside = false;
    }

    /// Has the owner of its key asked whether what an item has emitted on condition may be put.
    pub(super) fn ask_owner(&mut self, worker: &mut WorkerContext<'_>, item: Retry, emitted: Conditional) {
        let id = self.handler.number();
        self.hold(item.item().tag, false);
        worker.ask_owner(&emitted, Asker::Handler { worker: worker.me, handler: self.handler.index, id });
        self.later.undecided.insert(id, Undecided { item, emitted });
    }

    fn accepted(&mut self, worker: &mut WorkerContext<'_>, id: u64) {
        let Some(Undecided { item, emitted }) = self.later.undecided.remove(&id) else { return };
        worker.begin_again(item.delivery.times);
        worker.send_others(&self.handler, &emitted);
        worker.settle(&self.handler, std::slice::from_ref(item.item()));
        self.handler.stats.waited(&item.delivery.times, worker.ended, 1);
        self.release(worker, item.item().tag);
    }

    fn conflicted(&mut self, worker: &mut WorkerContext<'_>, id: u64, found: u64) {
        let Some(Undecided { item, emitted }) = self.later.undecided.remove(&id) else { return };
        worker.begin_again(item.delivery.times);
        let cause = upcall::cause("conflict", emitted.conflict(self.shared, found));
        crate::stats::bump(&self.handler.stats.failed, 1);
        self.failed_again(worker, item, cause);
    }

    /// After CLOSE: nobody answers any more. A guest that has broken this rule may still use its frames, which are never
    /// freed.
    pub(crate) fn abandon(&mut self) {
        for (id, _) in std::mem::take(&mut self.later.answers) {
            self.later.open.remove(&id);
        }
        let (handler, calls) = (&self.handler.plan.spec.name, self.later.open.len());
        if calls > 0 {
            tracing::warn!(target: "upcall::flow", handler, "closed without an answer to {calls} calls");
        }
    }
}
