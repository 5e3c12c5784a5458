//! Runs a handler on a worker: what waits for it, and in what batches it is handed over.

mod again;
mod later;
mod outcome;

use crate::held_keys::HeldKeys;
use crate::open_handler::OpenHandler;
use crate::parcel::{Delivery, Times};
use crate::retry::Retries;
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
    keys: HeldKeys,
    later: Later,
    scratch: Vec<Item>,
    /// Whether one item of which it is not known yet what becomes of it holds up all others.
    single: bool,
    /// Whether a batch has one item of a key at most: it has been seen to emit on condition, and of several only the first
    /// would count.
    one_of_a_key: bool,
    pub(crate) flush: bool,
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
            keys: HeldKeys::default(),
            later: Later::default(),
            scratch: Vec::new(),
            one_of_a_key: false,
            flush: false,
        }
    }

    pub(crate) fn deliver(&mut self, delivery: Delivery) {
        self.pending.push_back(delivery);
    }

    /// Something that is there and may be handled now, retries and answers apart.
    fn fresh(&self) -> bool {
        !self.pending.is_empty() && !self.later.full() && !self.held_up()
    }

    /// Whether one item holds up all others.
    fn held_up(&self) -> bool {
        self.single && self.unsettled()
    }

    /// Whether it is not known of some items what becomes of them.
    fn unsettled(&self) -> bool {
        !self.retries.is_empty() || !self.later.is_empty()
    }

    pub(crate) fn has_work(&self) -> bool {
        let due = || self.retries.due().is_some_and(|due| due <= self.shared.elapsed());
        self.fresh() || self.later.answered() || due() || self.flush && !self.unsettled()
    }

    pub(crate) fn only_retries(&self) -> bool {
        !self.fresh() && !self.later.answered() && !self.retries.is_empty()
    }

    /// When the next retry is due, in nanoseconds since the flow's start.
    pub(crate) fn due(&self) -> Option<u64> {
        self.retries.due()
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
        if self.fresh() {
            self.batch(worker);
        } else if self.pending.is_empty() && !self.unsettled() && self.flush {
            self.flush = false;
            self.flush(worker);
        }
        for _ in 0..self.retries.len() {
            if self.shared.stopped() {
                break;
            }
            let Some(retry) = self.retries.pop(self.shared.elapsed()) else { break };
            self.retry(worker, retry);
        }
    }

    fn batch(&mut self, worker: &mut WorkerContext<'_>) {
        let max = self.handler.pace.limit(self.shared.plan.room);
        let left = self.pending[0].items.len() - self.taken;
        if self.keys.is_empty() && !self.one_of_a_key && (left >= max || self.pending.len() == 1) {
            let Some(delivery) = self.pending.pop_front() else { return };
            let (from, end) = (self.taken, self.taken + left.min(max));
            worker.begin(delivery.times);
            let held = std::slice::from_ref(&delivery);
            let back = self.run(worker, &delivery.items[from..end], held);
            self.waited(&delivery.times, worker.ended, end - from - back.len());
            let again = (!back.is_empty()).then(|| Delivery { items: back, ..delivery.without_items() });
            if end < delivery.items.len() {
                self.taken = end;
                self.pending.push_front(delivery);
            } else {
                self.taken = 0;
                worker.spare().put_back(delivery.items);
            }
            again.into_iter().for_each(|again| self.push_front(again));
            return;
        }
        // Several small deliveries become one batch; items whose key waits for a retry step aside.
        let mut items = std::mem::take(&mut self.scratch);
        let (mut held, mut spans): (Vec<Delivery>, Vec<(Times, usize)>) = Default::default();
        while items.len() < max
            && let Some(delivery) = self.pending.pop_front()
        {
            let (from, end) = (self.taken, delivery.items.len().min(self.taken + max - items.len()));
            let before = items.len();
            for item in &delivery.items[from..end] {
                if !self.waits(worker, item, delivery.times) {
                    if self.one_of_a_key {
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
        let mut handled = items.len() - back.len();
        for (times, count) in spans {
            let count = handled.min(count);
            self.waited(&times, worker.ended, count);
            handled -= count;
        }
        if !back.is_empty() {
            let chunks = held.iter().flat_map(|delivery| delivery.chunks.iter().cloned());
            self.push_front(Delivery { items: back, chunks: chunks.collect(), bytes: 0, times });
        }
        items.clear();
        self.scratch = items;
        held.into_iter().for_each(|delivery| worker.spare().put_back(delivery.items));
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

    /// Counts how long so many items have waited that were sent at one time; those that are answered later are counted
    /// then.
    fn waited(&self, times: &Times, ended: u64, items: usize) {
        if !self.handler.answers_later {
            self.handler.stats.waited(times, ended, items);
        }
    }

    /// Hands items over until each is done, is held up, or is buried; their bytes are `held`. Returns those that are not
    /// to be handled yet: the batch was cut, or one of them holds up the others.
    fn run(&mut self, worker: &mut WorkerContext<'_>, items: &[Item], held: &[Delivery]) -> Vec<Item> {
        let mut filtered: Vec<Item>;
        let mut rest = items;
        while !rest.is_empty() && !self.shared.stopped() {
            let outcome = worker.upcall(&mut self.handler, kind::FLOW, rest, 1);
            match self.came_to(worker, outcome, rest, held) {
                Left::Nothing => return Vec::new(),
                Left::NotYet(back) => return back,
                Left::From(next) => rest = &rest[next..],
            }
            if self.held_up() {
                return rest.to_vec();
            }
            if rest.iter().any(|item| self.keys.holds(item)) {
                let times = worker.times;
                let go = rest.iter().filter(|item| !self.waits(worker, item, times)).copied();
                filtered = go.collect();
                rest = &filtered;
            }
        }
        Vec::new()
    }

    /// Lets an item wait whose key is held up; false when it is not.
    fn waits(&mut self, worker: &mut WorkerContext<'_>, item: &Item, times: Times) -> bool {
        let Some(key) = self.keys.behind(item) else { return false };
        key.behind.push_back(worker.own(item, times));
        if key.aside {
            self.shared.in_flight.set_aside();
        }
        true
    }

    /// Holds a key up no longer: those behind it come before all that is queued, or the first of them where each has to
    /// be awaited.
    fn release(&mut self, worker: &WorkerContext<'_>, tag: u64) {
        if !self.one_of_a_key {
            return self.release_all(worker, tag);
        }
        if let Some((mut delivery, aside)) = self.keys.next(tag) {
            if aside {
                self.shared.in_flight.take_up(1);
            }
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
