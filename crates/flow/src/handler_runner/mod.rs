//! Runs a handler on a worker: what waits for it, and in what batches it is handed over.

mod again;
mod later;
mod outcome;

use crate::held_keys::HeldKeys;
use crate::open_handler::OpenHandler;
use crate::parcel::{Delivery, Times, chunks_of};
use crate::rate::Rate;
use crate::retry::{Retries, Retry};
use crate::shared::Shared;
use crate::spec::Order;
use crate::worker_context::WorkerContext;
use later::Later;
use outcome::Left;
use std::collections::VecDeque;
use upcall_abi::{Item, kind};

pub(crate) struct HandlerRunner<'s> {
    shared: &'s Shared,
    pub(crate) handler: OpenHandler<'s>,
    pending: VecDeque<Delivery>,
    /// Items of the first pending delivery that are handled already.
    taken: usize,
    retries: Retries,
    /// Items that the guest has died with: each is tried with nothing else beside it.
    suspects: VecDeque<Retry>,
    keys: HeldKeys,
    later: Later,
    scratch: Vec<Item>,
    /// Whether one item of which it is not known yet what becomes of it holds up all others.
    single: bool,
    /// Whether items that wait for each other come one at a time: it has been seen to emit on condition, and of several in
    /// a batch only the first would count.
    one_at_a_time: bool,
    /// Of the items that are run now, those that are not done, and will be counted when they are.
    left_open: usize,
    pub(crate) flush: bool,
    /// How often the guest has died of the FLUSH that is to come.
    flush_losses: u32,
}

impl<'s> HandlerRunner<'s> {
    pub(crate) fn new(shared: &'s Shared, handler: OpenHandler<'s>) -> HandlerRunner<'s> {
        HandlerRunner {
            shared,
            single: handler.plan.spec.order == Order::Single,
            handler,
            pending: VecDeque::new(),
            taken: 0,
            retries: Retries::default(),
            suspects: VecDeque::new(),
            keys: HeldKeys::default(),
            later: Later::default(),
            scratch: Vec::new(),
            one_at_a_time: false,
            left_open: 0,
            flush: false,
            flush_losses: 0,
        }
    }

    pub(crate) fn deliver(&mut self, delivery: Delivery) {
        self.pending.push_back(delivery);
    }

    /// Something that is there and may be handled now, retries and answers apart.
    fn fresh(&self) -> bool {
        (!self.pending.is_empty() || self.shares()) && !self.held_up()
    }

    /// Whether nothing may be handed over, because of what is not known yet of other items.
    fn held_up(&self) -> bool {
        !self.may_call() || self.single && self.unsettled()
    }

    /// Whether there is something that any worker may take.
    pub(crate) fn shares(&self) -> bool {
        !self.handler.state.any.is_empty()
    }

    /// Whether it may be called, for what is tried again too.
    pub(crate) fn may_call(&self) -> bool {
        self.suspects.is_empty() && self.may_open() && self.allowed() > 0
    }

    /// Items that may be handed over now, by its `rate`.
    fn allowed(&self) -> usize {
        self.handler.state.rate.as_ref().map_or(usize::MAX, |rate| rate.allows(self.shared.elapsed()))
    }

    /// So many items are handed over.
    pub(super) fn spend(&self, items: usize) {
        if let Some(rate) = &self.handler.state.rate {
            rate.spend(items, self.shared.elapsed());
        }
    }

    /// Whether it is not known of some items what becomes of them.
    fn unsettled(&self) -> bool {
        !self.retries.is_empty() || !self.suspects.is_empty() || !self.later.is_empty()
    }

    /// Whether an item is to be tried with which the guest has died, and nothing else is with the guest.
    fn suspect(&self) -> bool {
        !self.suspects.is_empty() && self.later.nothing_open()
    }

    pub(crate) fn has_work(&self) -> bool {
        let retry = || self.retry_due().is_some_and(|due| due <= self.shared.due_by());
        self.fresh()
            || self.later.answered()
            || self.suspect()
            || retry()
            || self.late()
            || self.flush && !self.unsettled()
    }

    pub(crate) fn only_retries(&self) -> bool {
        !self.fresh() && !self.later.answered() && self.retry_due().is_some()
    }

    /// When the next retry is due, in nanoseconds since the flow's start.
    fn retry_due(&self) -> Option<u64> {
        self.retries.due().filter(|_| self.may_call())
    }

    /// When there is something to do that nobody wakes it for, in nanoseconds since the flow's start. One that is held back
    /// cancels calls all the same, and does nothing else.
    pub(crate) fn due(&self) -> Option<u64> {
        if self.held_back() {
            return self.cancel_due();
        }
        let waits = !self.pending.is_empty() || self.shares() || !self.retries.is_empty();
        let rate = self.handler.state.rate.as_ref().filter(|_| waits && self.allowed() == 0);
        [self.retry_due(), self.cancel_due(), rate.map(Rate::next)].into_iter().flatten().min()
    }

    /// Whether what it would emit has to wait: the flow is crowded, and a handler behind it has work to do. The
    /// last one that has work never waits.
    pub(crate) fn held_back(&self) -> bool {
        let (behind, handlers) = (&self.handler.plan.behind, &self.shared.handlers);
        !behind.is_empty()
            && self.shared.crowded()
            && behind.iter().any(|behind| handlers[*behind].queue.now() > 0)
    }

    /// What has been answered, and one batch of what is queued, as found; then one round of retries. FLUSH when nothing
    /// else is left.
    pub(crate) fn step(&mut self, worker: &mut WorkerContext<'_>) {
        if self.later.answered() {
            self.answers(worker);
        }
        self.cancel_late();
        if self.suspect()
            && let Some(suspect) = self.suspects.pop_front()
        {
            self.retry(worker, suspect);
        } else if self.fresh() {
            self.batch(worker);
        } else if self.pending.is_empty() && !self.unsettled() && self.flush {
            self.flush = false;
            self.flush(worker);
        }
        for _ in 0..self.retries.len() {
            if self.shared.stopped() || !self.may_call() {
                break;
            }
            let Some(retry) = self.retries.pop(self.shared.due_by()) else { break };
            self.retry(worker, retry);
        }
    }

    /// Items that the next batch may have.
    pub(crate) fn most(&self) -> usize {
        if self.handler.one_at_a_time || self.one_at_a_time && self.single {
            return 1;
        }
        self.handler.pace.limit(self.shared.plan.room).min(self.allowed()).max(1)
    }

    fn batch(&mut self, worker: &mut WorkerContext<'_>) {
        let max = self.most();
        self.take_any(worker.me, max);
        let Some(first) = self.pending.front() else { return };
        let left = first.items.len() - self.taken;
        self.left_open = 0;
        if self.keys.is_empty() && !self.one_at_a_time && (left >= max || self.pending.len() == 1) {
            let Some(delivery) = self.pending.pop_front() else { return };
            let from = std::mem::take(&mut self.taken);
            let end = from + left.min(max);
            worker.begin(delivery.times);
            let held = std::slice::from_ref(&delivery);
            let back = self.run(worker, &delivery.items[from..end], held);
            let handled = end - from - back.len() - self.left_open;
            self.handler.stats.waited(&delivery.times, worker.ended, handled);
            let again = (!back.is_empty()).then(|| Delivery { items: back, ..delivery.without_items() });
            if end < delivery.items.len() {
                self.taken = end;
                self.pending.push_front(delivery);
            } else {
                worker.spare().put_back(delivery.items);
            }
            again.into_iter().for_each(|again| self.push_front(again));
            return;
        }
        // Several small deliveries become one batch; items whose key is held up step aside.
        let mut items = std::mem::take(&mut self.scratch);
        let (mut held, mut spans): (Vec<Delivery>, Vec<(Times, usize)>) = Default::default();
        while items.len() < max
            && let Some(delivery) = self.pending.pop_front()
        {
            let (from, end) = (self.taken, delivery.items.len().min(self.taken + max - items.len()));
            let before = items.len();
            // What has memory of its own need not be copied.
            if delivery.own
                && let [item] = delivery.items[..]
                && let Some(key) = self.keys.behind(&item)
            {
                key.push(delivery, &self.shared.in_flight);
                continue;
            }
            for item in &delivery.items[from..end] {
                if !self.waits(worker, item, delivery.times) {
                    if self.one_at_a_time && !self.single {
                        self.keys.take_turn(item);
                    }
                    items.push(*item);
                }
            }
            spans.push((delivery.times, items.len() - before));
            if end < delivery.items.len() {
                held.push(delivery.without_items());
                self.taken = end;
                self.pending.push_front(delivery);
                break;
            }
            self.taken = 0;
            held.push(delivery);
        }
        let times = spans.iter().map(|(times, _)| *times).reduce(Times::earlier).unwrap_or_default();
        worker.begin(times);
        let back = self.run(worker, &items, &held);
        let mut handled = items.len() - back.len() - self.left_open;
        for (times, count) in spans {
            let count = handled.min(count);
            self.handler.stats.waited(&times, worker.ended, count);
            handled -= count;
        }
        if !back.is_empty() {
            let chunks = chunks_of(&back, held.iter().flat_map(|delivery| &delivery.chunks));
            self.push_front(Delivery { items: back, chunks, bytes: 0, times, own: false });
        }
        items.clear();
        self.scratch = items;
        held.into_iter().for_each(|delivery| worker.spare().put_back(delivery.items));
    }

    /// Takes as much for a batch of what waits for any worker, where nothing waits for this one.
    fn take_any(&mut self, me: usize, max: usize) {
        let any = &self.handler.state.any;
        if any.is_empty() || !self.pending.is_empty() {
            return;
        }
        let mut left = max;
        while left > 0
            && let Some(delivery) = any.take(left)
        {
            left -= delivery.items.len();
            self.pending.push_back(delivery);
        }
        if !any.is_empty() {
            self.shared.wake_one(me, self.handler.index);
        }
    }

    /// Puts a delivery before all that is queued.
    fn push_front(&mut self, delivery: Delivery) {
        if self.taken > 0
            && let Some(first) = self.pending.front_mut()
        {
            first.items.drain(..self.taken);
            self.taken = 0;
        }
        self.pending.push_front(delivery);
    }

    /// Hands items over until each is done, is held up, or is buried; their bytes are `held`. Returns those that are not
    /// to be handled yet: the batch was cut, or one of them holds up the others.
    fn run(&mut self, worker: &mut WorkerContext<'_>, items: &[Item], held: &[Delivery]) -> Vec<Item> {
        let mut filtered: Vec<Item>;
        let mut rest = items;
        while !rest.is_empty() && !self.shared.stopped() {
            if !self.begin_call(false) {
                return rest.to_vec();
            }
            self.spend(rest.len());
            let outcome = worker.upcall(&mut self.handler, kind::FLOW, rest, 1);
            self.returned(&outcome);
            match self.called(worker, outcome, rest, held) {
                Left::Nothing => return Vec::new(),
                Left::NotYet(back) => return back,
                Left::From(next) => rest = &rest[next..],
            }
            if self.held_up() {
                return rest.to_vec();
            }
            if rest.iter().any(|item| self.keys.holds(item)) {
                let times = worker.times;
                let go: Vec<Item> =
                    rest.iter().filter(|item| !self.waits(worker, item, times)).copied().collect();
                self.left_open += rest.len() - go.len();
                filtered = go;
                rest = &filtered;
            }
        }
        Vec::new()
    }

    /// Lets an item wait whose key is held up; false when it is not.
    fn waits(&mut self, worker: &mut WorkerContext<'_>, item: &Item, times: Times) -> bool {
        let Some(key) = self.keys.behind(item) else { return false };
        key.push(worker.own(item, times), &self.shared.in_flight);
        true
    }

    /// Holds up what must not overtake an item of this key; `aside` where the item is tried again.
    fn hold(&mut self, tag: u64, aside: bool) {
        if self.handler.plan.spec.order != Order::Key {
            return;
        }
        match self.keys.hold(tag, aside) {
            0 => {}
            more @ 1.. => self.shared.in_flight.set_aside(more as usize),
            less => self.shared.in_flight.take_up(less.unsigned_abs()),
        }
    }

    /// Holds a key up no longer: those behind it come before all that is queued, or the first of them where they come one
    /// at a time.
    fn release(&mut self, worker: &WorkerContext<'_>, tag: u64) {
        if !self.one_at_a_time {
            return self.release_all(worker, tag);
        }
        let (next, taken_up) = self.keys.next(tag);
        self.shared.in_flight.take_up(taken_up);
        if let Some(mut delivery) = next {
            delivery.times.sent = worker.ended;
            self.push_front(delivery);
        }
    }

    /// As [`HandlerRunner::release`], for all that wait.
    fn release_all(&mut self, worker: &WorkerContext<'_>, tag: u64) {
        if self.keys.is_empty() {
            return;
        }
        let released = self.keys.release(tag);
        if released.aside {
            self.shared.in_flight.take_up(released.behind.len());
        }
        for mut delivery in released.behind.into_iter().rev() {
            // Its wait for the handler begins now.
            delivery.times.sent = worker.ended;
            self.push_front(delivery);
        }
    }

    fn flush(&mut self, worker: &mut WorkerContext<'_>) {
        let now = self.shared.elapsed();
        worker.begin_again(Times { put: now, sent: now });
        let outcome = worker.upcall(&mut self.handler, kind::FLUSH, &[], 1);
        self.flushed(outcome);
    }
}
