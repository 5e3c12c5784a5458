//! A handler on a worker: its instance, what waits for it, and what happens when an item fails.

use crate::dead::Cause;
use crate::pace::Pace;
use crate::parcel::{Delivery, Times};
use crate::plan::HandlerPlan;
use crate::retry::{self, Retries, Retry};
use crate::services::Context;
use crate::shared::Shared;
use crate::spec::Order;
use crate::worker_context::{Outcome, WorkerContext};
use foldhash::fast::RandomState;
use std::collections::{HashMap, VecDeque};
use upcall_abi::{Item, PoolServices, Services, kind};
use upcall_host::Instance;

pub(crate) struct HandlerRunner {
    pub(crate) handler: usize,
    // Dropped before what it may still point to.
    pub(crate) instance: Instance,
    pub(crate) services: Box<Services>,
    pub(crate) pool_services: Box<PoolServices>,
    pub(crate) context: Box<Context>,
    pub(crate) pace: Pace,
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

impl HandlerRunner {
    pub(crate) fn new(handler: usize, instance: Instance, context: Box<Context>) -> HandlerRunner {
        let plan = &context.shared.plan.handlers[handler];
        HandlerRunner {
            handler,
            instance,
            services: Box::new(context.services()),
            pool_services: Box::new(context.pool_services()),
            pace: Pace::new(plan.batch),
            pending: VecDeque::new(),
            taken: 0,
            retries: Retries::default(),
            waiting: HashMap::default(),
            scratch: Vec::new(),
            single: plan.spec.order == Order::Single,
            flush: false,
            context,
        }
    }

    pub(crate) fn deliver(&mut self, delivery: Delivery) {
        self.pending.push_back(delivery);
    }

    /// Something that is there and may be handled now, retries apart.
    fn fresh(&self) -> bool {
        !self.pending.is_empty() && (!self.single || self.retries.is_empty())
    }

    pub(crate) fn has_work(&self, shared: &Shared) -> bool {
        let due = || self.retries.due().is_some_and(|due| due <= shared.elapsed());
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
    pub(crate) fn held_back(&self, shared: &Shared) -> bool {
        let handlers = &shared.plan.handlers;
        let behind = &handlers[self.handler].behind;
        !behind.is_empty()
            && shared.crowded()
            && behind.iter().any(|behind| handlers[*behind].queue.now() > 0)
    }

    /// One batch of what is queued, as found; then one round of retries. FLUSH when nothing else is left.
    pub(crate) fn step(&mut self, worker: &mut WorkerContext, shared: &Shared) {
        let handler = &shared.plan.handlers[self.handler];
        if self.fresh() {
            self.batch(worker, shared, handler);
        } else if self.pending.is_empty() && self.retries.is_empty() && self.flush {
            self.flush = false;
            self.flush(worker, shared, handler);
        }
        for _ in 0..self.retries.len() {
            if shared.stopped() {
                break;
            }
            let Some(retry) = self.retries.pop(shared.elapsed()) else { break };
            self.retry(worker, shared, handler, retry);
        }
    }

    fn batch(&mut self, worker: &mut WorkerContext, shared: &Shared, handler: &HandlerPlan) {
        let max = self.pace.limit(shared.plan.room);
        let left = self.pending[0].items.len() - self.taken;
        if self.waiting.is_empty() && (left >= max || self.pending.len() == 1) {
            let Some(delivery) = self.pending.pop_front() else { return };
            let (from, end) = (self.taken, self.taken + left.min(max));
            worker.begin(delivery.times);
            let back = self.run(worker, shared, handler, &delivery.items[from..end]);
            handler.stats[worker.me].waited(&delivery.times, worker.ended, end - from - back.len());
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
                if !self.waits(worker, shared, item, delivery.times) {
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
        let back = self.run(worker, shared, handler, &items);
        let mut handled = items.len() - back.len();
        for (times, count) in spans {
            let count = handled.min(count);
            handler.stats[worker.me].waited(&times, worker.ended, count);
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
    fn run(
        &mut self,
        worker: &mut WorkerContext,
        shared: &Shared,
        handler: &HandlerPlan,
        items: &[Item],
    ) -> Vec<Item> {
        let mut filtered: Vec<Item>;
        let mut rest = items;
        while !rest.is_empty() && !shared.stopped() {
            match worker.upcall(shared, self, handler, kind::FLOW, rest, 1) {
                Outcome::Done => {
                    worker.settle(shared, handler, rest);
                    return Vec::new();
                }
                Outcome::Cut { done } => {
                    worker.settle(shared, handler, &rest[..done]);
                    return rest[done..].to_vec();
                }
                Outcome::Failed { done, alone, cause } => {
                    worker.settle(shared, handler, &rest[..done]);
                    let left = rest.len() - done;
                    if left == 0 {
                        // Each of them counts as done, so there is nothing to try again or to bury.
                        let (handler, Cause { type_name, message, .. }) = (&handler.spec.name, cause);
                        tracing::error!(target: "upcall::flow", handler, "failed when its batch was done: {type_name}: {message}");
                        return Vec::new();
                    }
                    if !alone && left > 1 {
                        return self.one_by_one(worker, shared, handler, &rest[done..]);
                    }
                    self.failed(worker, shared, handler, &rest[done], &cause);
                    rest = &rest[done + 1..];
                }
            }
            if self.single && !self.retries.is_empty() {
                return rest.to_vec();
            }
            if rest.iter().any(|item| self.waiting.contains_key(&item.tag)) {
                let times = worker.times;
                let go = rest.iter().filter(|item| !self.waits(worker, shared, item, times)).copied();
                filtered = go.collect();
                rest = &filtered;
            }
        }
        Vec::new()
    }

    /// Hands over once more what failed as a whole, so that the others do not share the culprit's fate. For
    /// each it counts as the first try.
    fn one_by_one(
        &mut self,
        worker: &mut WorkerContext,
        shared: &Shared,
        handler: &HandlerPlan,
        items: &[Item],
    ) -> Vec<Item> {
        for (index, item) in items.iter().enumerate() {
            if self.waits(worker, shared, item, worker.times) {
                continue;
            }
            let mut back = self.run(worker, shared, handler, std::slice::from_ref(item));
            if !back.is_empty() || self.single && !self.retries.is_empty() {
                back.extend(&items[index + 1..]);
                return back;
            }
        }
        Vec::new()
    }

    /// Lets an item wait whose key waits for a retry; false when it does not.
    fn waits(&mut self, worker: &mut WorkerContext, shared: &Shared, item: &Item, times: Times) -> bool {
        let Some(behind) = self.waiting.get_mut(&item.tag) else { return false };
        behind.push(worker.own(item, times));
        shared.in_flight.set_aside();
        true
    }

    /// An item has failed for the first time.
    fn failed(
        &mut self,
        worker: &mut WorkerContext,
        shared: &Shared,
        handler: &HandlerPlan,
        item: &Item,
        cause: &Cause,
    ) {
        if handler.spec.retry == 0 {
            return worker.bury(shared, handler, item, 1, cause.clone());
        }
        if handler.spec.order == Order::Key {
            self.waiting.insert(item.tag, Vec::new());
        }
        let delivery = worker.own(item, worker.times);
        self.wait(worker, shared, handler, Retry { delivery, failures: 1 });
    }

    /// Tries an item again later. Meanwhile those behind it wait, and others go on.
    fn wait(&mut self, worker: &WorkerContext, shared: &Shared, handler: &HandlerPlan, retry: Retry) {
        let seed = retry.delivery.items[0].tag ^ retry.delivery.items[0].version;
        let wait = retry::wait(handler.spec.retry_delay, retry.failures, seed);
        self.retries.push(worker.ended.saturating_add(wait), retry);
        shared.in_flight.set_aside();
    }

    fn retry(&mut self, worker: &mut WorkerContext, shared: &Shared, handler: &HandlerPlan, retry: Retry) {
        let hash = retry.delivery.items[0].tag;
        shared.in_flight.take_up(1);
        match self.attempt(worker, shared, handler, retry) {
            Some(again) => self.wait(worker, shared, handler, again),
            None => {
                // Those behind it come before all that is queued; the delivery they may split goes on later.
                let behind = self.waiting.remove(&hash).unwrap_or_default();
                shared.in_flight.take_up(behind.len());
                for mut delivery in behind.into_iter().rev() {
                    // Its wait for the handler begins now.
                    delivery.times.sent = worker.ended;
                    self.push_front(delivery);
                }
            }
        }
    }

    /// Tries one item again. `None` when it is done or buried.
    fn attempt(
        &mut self,
        worker: &mut WorkerContext,
        shared: &Shared,
        handler: &HandlerPlan,
        mut retry: Retry,
    ) -> Option<Retry> {
        let item = retry.delivery.items[0];
        worker.begin_again(retry.delivery.times);
        match worker.upcall(shared, self, handler, kind::FLOW, &[item], retry.failures + 1) {
            Outcome::Done | Outcome::Failed { done: 1.., .. } => {
                worker.settle(shared, handler, &[item]);
                handler.stats[worker.me].waited(&retry.delivery.times, worker.ended, 1);
            }
            // It emits more than there is memory, and the flow has been stopped.
            Outcome::Cut { .. } => return Some(retry),
            Outcome::Failed { cause, .. } => {
                retry.failures += 1;
                if retry.failures <= handler.spec.retry {
                    return Some(retry);
                }
                worker.bury(shared, handler, &item, retry.failures, cause);
            }
        }
        None
    }

    fn flush(&mut self, worker: &mut WorkerContext, shared: &Shared, handler: &HandlerPlan) {
        let now = shared.elapsed();
        worker.begin_again(Times { put: now, sent: now });
        if let Outcome::Failed { cause, .. } = worker.upcall(shared, self, handler, kind::FLUSH, &[], 1) {
            let message = format!(
                "handler {} failed when the input had ended: {}: {}\n{}",
                handler.spec.name, cause.type_name, cause.message, cause.stack
            );
            let mut failures =
                shared.flush_failures.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            failures.push(message.trim_end().to_owned());
        }
        shared.in_flight.sub(1, 0);
    }
}
