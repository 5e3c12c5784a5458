//! Runs a handler on a worker: what waits for it, and what happens when an item fails.

use crate::dead::Cause;
use crate::open_handler::OpenHandler;
use crate::parcel::{Delivery, Times};
use crate::retry::{self, Retries, Retry};
use crate::shared::Shared;
use crate::spec::Order;
use crate::worker_context::{Outcome, WorkerContext};
use foldhash::fast::RandomState;
use std::collections::{HashMap, VecDeque};
use upcall_abi::{Item, kind};

pub(crate) struct HandlerRunner<'s> {
    shared: &'s Shared,
    pub(crate) handler: OpenHandler<'s>,
    pending: VecDeque<Delivery>,
    /// Items of the first pending delivery that are handled already.
    taken: usize,
    retries: Retries,
    /// By hash of the key: items that wait for a retry of one before them.
    waiting: HashMap<u64, Vec<Delivery>, RandomState>,
    scratch: Vec<Item>,
    /// Whether one item that is tried again holds up all others.
    single: bool,
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
            waiting: HashMap::default(),
            scratch: Vec::new(),
            flush: false,
        }
    }

    pub(crate) fn deliver(&mut self, delivery: Delivery) {
        self.pending.push_back(delivery);
    }

    /// Something that is there and may be handled now, retries apart.
    fn fresh(&self) -> bool {
        !self.pending.is_empty() && (!self.single || self.retries.is_empty())
    }

    pub(crate) fn has_work(&self) -> bool {
        let due = || self.retries.due().is_some_and(|due| due <= self.shared.elapsed());
        self.fresh() || due() || self.flush && self.retries.is_empty()
    }

    pub(crate) fn only_retries(&self) -> bool {
        !self.fresh() && !self.retries.is_empty()
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

    /// One batch of what is queued, as found; then one round of retries. FLUSH when nothing else is left.
    pub(crate) fn step(&mut self, worker: &mut WorkerContext<'_>) {
        if self.fresh() {
            self.batch(worker);
        } else if self.pending.is_empty() && self.retries.is_empty() && self.flush {
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
        if self.waiting.is_empty() && (left >= max || self.pending.len() == 1) {
            let Some(delivery) = self.pending.pop_front() else { return };
            let (from, end) = (self.taken, self.taken + left.min(max));
            worker.begin(delivery.times);
            let back = self.run(worker, &delivery.items[from..end]);
            self.handler.stats.waited(&delivery.times, worker.ended, end - from - back.len());
            let again = (!back.is_empty()).then(|| Delivery { items: back, ..delivery.without_items() });
            if end < delivery.items.len() {
                self.taken = end;
                self.pending.push_front(delivery);
            } else {
                self.taken = 0;
            }
            again.into_iter().for_each(|again| self.push_front(again));
            return;
        }
        // Several small deliveries become one batch; items whose key waits for a retry step aside.
        let mut items = std::mem::take(&mut self.scratch);
        let (mut held, mut spans, mut split): (Vec<Delivery>, Vec<(Times, usize)>, _) = Default::default();
        while items.len() < max
            && let Some(delivery) = self.pending.pop_front()
        {
            let (from, end) = (self.taken, delivery.items.len().min(self.taken + max - items.len()));
            let before = items.len();
            for item in &delivery.items[from..end] {
                if !self.waits(worker, item, delivery.times) {
                    items.push(*item);
                }
            }
            spans.push((delivery.times, items.len() - before));
            if end < delivery.items.len() {
                split = Some(delivery.chunks.clone());
                self.taken = end;
                self.pending.push_front(delivery);
                break;
            }
            self.taken = 0;
            held.push(delivery);
        }
        let times = spans.iter().map(|(times, _)| *times).reduce(Times::earlier).unwrap_or_default();
        worker.begin(times);
        let back = self.run(worker, &items);
        let mut handled = items.len() - back.len();
        for (times, count) in spans {
            let count = handled.min(count);
            self.handler.stats.waited(&times, worker.ended, count);
            handled -= count;
        }
        if !back.is_empty() {
            let chunks =
                held.into_iter().flat_map(|delivery| delivery.chunks).chain(split.into_iter().flatten());
            self.push_front(Delivery { items: back, chunks: chunks.collect(), bytes: 0, times });
        }
        items.clear();
        self.scratch = items;
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

    /// Hands items over until each is done, waits for a retry, or is buried. Returns those that are not to be
    /// handled yet: the batch was cut, or one of them that is tried again holds up the others.
    fn run(&mut self, worker: &mut WorkerContext<'_>, items: &[Item]) -> Vec<Item> {
        let mut filtered: Vec<Item>;
        let mut rest = items;
        while !rest.is_empty() && !self.shared.stopped() {
            match worker.upcall(&mut self.handler, kind::FLOW, rest, 1) {
                Outcome::Done => {
                    worker.settle(&self.handler, rest);
                    return Vec::new();
                }
                Outcome::Cut { done } => {
                    worker.settle(&self.handler, &rest[..done]);
                    return rest[done..].to_vec();
                }
                Outcome::Failed { done, alone, cause } => {
                    worker.settle(&self.handler, &rest[..done]);
                    let left = rest.len() - done;
                    if left == 0 {
                        // Each of them counts as done, so there is nothing to try again or to bury.
                        let (handler, Cause { type_name, message, .. }) =
                            (&self.handler.plan.spec.name, cause);
                        tracing::error!(target: "upcall::flow", handler, "failed when its batch was done: {type_name}: {message}");
                        return Vec::new();
                    }
                    if !alone && left > 1 {
                        return self.one_by_one(worker, &rest[done..]);
                    }
                    self.failed(worker, &rest[done], &cause);
                    rest = &rest[done + 1..];
                }
            }
            if self.single && !self.retries.is_empty() {
                return rest.to_vec();
            }
            if rest.iter().any(|item| self.waiting.contains_key(&item.tag)) {
                let times = worker.times;
                let go = rest.iter().filter(|item| !self.waits(worker, item, times)).copied();
                filtered = go.collect();
                rest = &filtered;
            }
        }
        Vec::new()
    }

    /// Hands over once more what failed as a whole, so that the others do not share the culprit's fate. For
    /// each it counts as the first try.
    fn one_by_one(&mut self, worker: &mut WorkerContext<'_>, items: &[Item]) -> Vec<Item> {
        for (index, item) in items.iter().enumerate() {
            if self.waits(worker, item, worker.times) {
                continue;
            }
            let mut back = self.run(worker, std::slice::from_ref(item));
            if !back.is_empty() || self.single && !self.retries.is_empty() {
                back.extend(&items[index + 1..]);
                return back;
            }
        }
        Vec::new()
    }

    /// Lets an item wait whose key waits for a retry; false when it does not.
    fn waits(&mut self, worker: &mut WorkerContext<'_>, item: &Item, times: Times) -> bool {
        let Some(behind) = self.waiting.get_mut(&item.tag) else { return false };
        behind.push(worker.own(item, times));
        self.shared.in_flight.set_aside();
        true
    }

    /// An item has failed for the first time.
    fn failed(&mut self, worker: &mut WorkerContext<'_>, item: &Item, cause: &Cause) {
        if self.handler.plan.spec.retry == 0 {
            return worker.bury(&self.handler, item, 1, cause.clone());
        }
        if self.handler.plan.spec.order == Order::Key {
            self.waiting.insert(item.tag, Vec::new());
        }
        let delivery = worker.own(item, worker.times);
        self.wait(worker, Retry { delivery, failures: 1 });
    }

    /// Tries an item again later. Meanwhile those behind it wait, and others go on.
    fn wait(&mut self, worker: &WorkerContext<'_>, retry: Retry) {
        let seed = retry.delivery.items[0].tag ^ retry.delivery.items[0].version;
        let wait = retry::wait(self.handler.plan.spec.retry_delay, retry.failures, seed);
        self.retries.push(worker.ended.saturating_add(wait), retry);
        self.shared.in_flight.set_aside();
    }

    fn retry(&mut self, worker: &mut WorkerContext<'_>, retry: Retry) {
        let hash = retry.delivery.items[0].tag;
        self.shared.in_flight.take_up(1);
        match self.attempt(worker, retry) {
            Some(again) => self.wait(worker, again),
            None => {
                // Those behind it come before all that is queued; the delivery they may split goes on later.
                let behind = self.waiting.remove(&hash).unwrap_or_default();
                self.shared.in_flight.take_up(behind.len());
                for mut delivery in behind.into_iter().rev() {
                    // Its wait for the handler begins now.
                    delivery.times.sent = worker.ended;
                    self.push_front(delivery);
                }
            }
        }
    }

    /// Tries one item again. `None` when it is done or buried.
    fn attempt(&mut self, worker: &mut WorkerContext<'_>, mut retry: Retry) -> Option<Retry> {
        let item = retry.delivery.items[0];
        worker.begin_again(retry.delivery.times);
        match worker.upcall(&mut self.handler, kind::FLOW, &[item], retry.failures + 1) {
            Outcome::Done | Outcome::Failed { done: 1.., .. } => {
                worker.settle(&self.handler, &[item]);
                self.handler.stats.waited(&retry.delivery.times, worker.ended, 1);
            }
            // It emits more than there is memory, and the flow has been stopped.
            Outcome::Cut { .. } => return Some(retry),
            Outcome::Failed { cause, .. } => {
                retry.failures += 1;
                if retry.failures <= self.handler.plan.spec.retry {
                    return Some(retry);
                }
                worker.bury(&self.handler, &item, retry.failures, cause);
            }
        }
        None
    }

    fn flush(&mut self, worker: &mut WorkerContext<'_>) {
        let now = self.shared.elapsed();
        worker.begin_again(Times { put: now, sent: now });
        if let Outcome::Failed { cause, .. } = worker.upcall(&mut self.handler, kind::FLUSH, &[], 1) {
            let message = format!(
                "handler {} failed when the input had ended: {}: {}\n{}",
                self.handler.plan.spec.name, cause.type_name, cause.message, cause.stack
            );
            let mut failures =
                self.shared.flush_failures.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            failures.push(message.trim_end().to_owned());
        }
        self.shared.in_flight.sub(1, 0);
    }
}
