//! A handler on a worker: its instance, what waits for it, and what happens when an item fails.

use crate::dead::Cause;
use crate::parcel::{Delivery, weight};
use crate::plan::HandlerPlan;
use crate::services::Context;
use crate::shared::Shared;
use crate::spec::Order;
use crate::worker_context::{Outcome, WorkerContext};
use foldhash::fast::RandomState;
use std::collections::{HashMap, VecDeque};
use upcall_abi::{Item, Services, kind};
use upcall_host::Instance;

pub(crate) struct HandlerRunner {
    pub(crate) handler: usize,
    // Dropped before what it may still point to.
    pub(crate) instance: Instance,
    pub(crate) services: Box<Services>,
    pub(crate) context: Box<Context>,
    pending: VecDeque<Delivery>,
    /// Items of the first pending delivery that are handled already.
    taken: usize,
    retries: VecDeque<Retry>,
    /// By hash of the key: items that wait for a retry of one before them.
    waiting: HashMap<u64, Vec<Delivery>, RandomState>,
    scratch: Vec<Item>,
    pub(crate) flush: bool,
}

struct Retry {
    /// One item, with memory of its own.
    delivery: Delivery,
    failures: u32,
}

impl HandlerRunner {
    pub(crate) fn new(handler: usize, instance: Instance, context: Box<Context>) -> HandlerRunner {
        HandlerRunner {
            handler,
            instance,
            services: Box::new(context.services()),
            context,
            pending: VecDeque::new(),
            taken: 0,
            retries: VecDeque::new(),
            waiting: HashMap::default(),
            scratch: Vec::new(),
            flush: false,
        }
    }

    pub(crate) fn deliver(&mut self, delivery: Delivery) {
        self.pending.push_back(delivery);
    }

    pub(crate) fn has_work(&self) -> bool {
        !self.pending.is_empty() || !self.retries.is_empty() || self.flush
    }

    pub(crate) fn only_retries(&self) -> bool {
        self.pending.is_empty() && !self.retries.is_empty()
    }

    /// One batch of what is queued, as found; then one round of retries. FLUSH when nothing else is left.
    pub(crate) fn step(&mut self, worker: &mut WorkerContext, shared: &Shared) {
        let handler = &shared.plan.handlers[self.handler];
        if !self.pending.is_empty() {
            self.batch(worker, shared, handler);
        } else if self.retries.is_empty() && self.flush {
            self.flush = false;
            self.flush(worker, shared, handler);
        }
        for _ in 0..self.retries.len() {
            let Some(retry) = self.retries.pop_front().filter(|_| !shared.stopped()) else { break };
            self.retry(worker, shared, handler, retry);
        }
    }

    fn batch(&mut self, worker: &mut WorkerContext, shared: &Shared, handler: &HandlerPlan) {
        let max = shared.plan.batch;
        let left = self.pending[0].items.len() - self.taken;
        if self.waiting.is_empty() && (left >= max || self.pending.len() == 1) {
            let Some(delivery) = self.pending.pop_front() else { return };
            let end = self.taken + left.min(max);
            self.run(worker, shared, handler, &delivery.items[self.taken..end]);
            self.taken = end;
            if end < delivery.items.len() {
                self.pending.push_front(delivery);
            } else {
                self.taken = 0;
            }
            return;
        }
        // Several small deliveries become one batch; items whose key waits for a retry step aside.
        let mut items = std::mem::take(&mut self.scratch);
        let mut held = Vec::new();
        while items.len() < max
            && let Some(delivery) = self.pending.pop_front()
        {
            let end = delivery.items.len().min(self.taken + max - items.len());
            for item in &delivery.items[self.taken..end] {
                match self.waiting.get_mut(&item.tag) {
                    Some(behind) if handler.spec.order == Order::Key => behind.push(worker.own(item)),
                    _ => items.push(*item),
                }
            }
            self.taken = end;
            if end < delivery.items.len() {
                self.pending.push_front(delivery);
                break;
            }
            self.taken = 0;
            held.push(delivery);
        }
        self.run(worker, shared, handler, &items);
        items.clear();
        self.scratch = items;
    }

    /// Hands items over until each is done, waits for a retry, or is buried.
    fn run(&mut self, worker: &mut WorkerContext, shared: &Shared, handler: &HandlerPlan, items: &[Item]) {
        let mut filtered: Vec<Item>;
        let mut rest = items;
        while !rest.is_empty() && !shared.stopped() {
            match worker.upcall(shared, self, handler, kind::FLOW, rest, 1) {
                Outcome::Done => return settle(shared, rest),
                Outcome::Failed { done, alone, cause } => {
                    settle(shared, &rest[..done]);
                    let left = rest.len() - done;
                    if left == 0 {
                        // Each of them counts as done, so there is nothing to try again or to bury.
                        let (handler, Cause { type_name, message, .. }) = (&handler.spec.name, cause);
                        tracing::error!(handler, "failed when its batch was done: {type_name}: {message}");
                        return;
                    }
                    if !alone && left > 1 {
                        return self.one_by_one(worker, shared, handler, &rest[done..]);
                    }
                    self.failed(worker, shared, handler, &rest[done], &cause);
                    rest = &rest[done + 1..];
                }
            }
            if handler.spec.order == Order::Key
                && !self.waiting.is_empty()
                && rest.iter().any(|item| self.waiting.contains_key(&item.tag))
            {
                let (mut go, waiting) = (Vec::with_capacity(rest.len()), &mut self.waiting);
                for item in rest {
                    match waiting.get_mut(&item.tag) {
                        Some(behind) => behind.push(worker.own(item)),
                        None => go.push(*item),
                    }
                }
                filtered = go;
                rest = &filtered;
            }
        }
    }

    /// Hands over once more what failed as a whole, so that the others do not share the culprit's fate. For
    /// each it counts as the first try.
    fn one_by_one(
        &mut self,
        worker: &mut WorkerContext,
        shared: &Shared,
        handler: &HandlerPlan,
        items: &[Item],
    ) {
        for item in items {
            match self.waiting.get_mut(&item.tag) {
                Some(behind) if handler.spec.order == Order::Key => behind.push(worker.own(item)),
                _ => self.run(worker, shared, handler, std::slice::from_ref(item)),
            }
        }
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
        let retry = Retry { delivery: worker.own(item), failures: 1 };
        if handler.spec.order == Order::Single {
            // All others wait, so it is tried again at once.
            let mut again = Some(retry);
            while let Some(retry) = again.filter(|_| !shared.stopped()) {
                again = self.attempt(worker, shared, handler, retry);
            }
            return;
        }
        self.retries.push_back(retry);
    }

    fn retry(&mut self, worker: &mut WorkerContext, shared: &Shared, handler: &HandlerPlan, retry: Retry) {
        let hash = retry.delivery.items[0].tag;
        match self.attempt(worker, shared, handler, retry) {
            Some(again) => self.retries.push_back(again),
            None => {
                // Those behind it come before all that is queued; the delivery they may split goes on later.
                let behind = self.waiting.remove(&hash).unwrap_or_default();
                if self.taken > 0
                    && let Some(first) = self.pending.front_mut()
                {
                    first.items.drain(..self.taken);
                    self.taken = 0;
                }
                behind.into_iter().rev().for_each(|delivery| self.pending.push_front(delivery));
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
        match worker.upcall(shared, self, handler, kind::FLOW, &[item], retry.failures + 1) {
            Outcome::Done => settle(shared, &[item]),
            Outcome::Failed { done: 1.., .. } => settle(shared, &[item]),
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
        if let Outcome::Failed { cause, .. } = worker.upcall(shared, self, handler, kind::FLUSH, &[], 1) {
            let message = format!(
                "handler {} failed when the input had ended: {}: {}\n{}",
                handler.spec.name, cause.type_name, cause.message, cause.stack
            );
            tracing::error!("{}", message.trim_end());
            let mut failures =
                shared.flush_failures.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            failures.push(message.trim_end().to_owned());
        }
        shared.in_flight.sub(1, 0);
    }
}

/// Items are done: they count no longer.
pub(crate) fn settle(shared: &Shared, items: &[Item]) {
    if !items.is_empty() {
        shared.in_flight.sub(items.len() as u64, items.iter().map(weight).sum());
    }
}
