//! What has become of the items of a call, and what is to be done with them next.

use super::HandlerRunner;
use super::again::{said, times};
use crate::dead::Cause;
use crate::parcel::Delivery;
use crate::retry::Retry;
use crate::spec::Order;
use crate::upcall::Outcome;
use crate::worker_context::WorkerContext;
use std::sync::PoisonError;
use upcall_abi::Item;

/// What is left of a batch after a call.
pub(super) enum Left {
    Nothing,
    /// These are not to be handled yet.
    NotYet(Vec<Item>),
    /// Those from this one on are to be handed over again.
    From(usize),
}

impl Left {
    fn not_yet(back: Vec<Item>) -> Left {
        if back.is_empty() { Left::Nothing } else { Left::NotYet(back) }
    }
}

impl HandlerRunner<'_> {
    /// Does what the outcome of a first call says about its items, whose bytes are `held`.
    pub(super) fn called(
        &mut self,
        worker: &mut WorkerContext<'_>,
        outcome: Outcome,
        items: &[Item],
        held: &[Delivery],
    ) -> Left {
        match outcome {
            Outcome::Done => Left::not_yet(self.settle(worker, items, items.len())),
            Outcome::Cut { done } => {
                let back = self.settle(worker, items, done);
                Left::not_yet(if back.is_empty() { items[done..].to_vec() } else { back })
            }
            Outcome::Failed { done, alone, cause } => {
                let back = self.settle(worker, items, done);
                if !back.is_empty() {
                    return Left::NotYet(back);
                }
                match items.len() - done {
                    0 => {
                        // Each of them counts as done, so there is nothing to try again or to bury.
                        let (handler, Cause { type_name, message, .. }) =
                            (&self.handler.plan.spec.name, cause);
                        tracing::error!(target: "upcall::flow", handler, "failed when its batch was done: {type_name}: {message}");
                        Left::Nothing
                    }
                    left if left > 1 && !alone => {
                        Left::not_yet(self.one_by_one(worker, &items[done..], held))
                    }
                    _ => {
                        self.failed(worker, &items[done], cause);
                        Left::From(done + 1)
                    }
                }
            }
            Outcome::Lost { done, cause } => {
                let back = self.settle(worker, items, done);
                if !back.is_empty() {
                    return Left::NotYet(back);
                }
                let alone = items.len() == 1 && self.later.alone();
                for (index, item) in items.iter().enumerate().skip(done) {
                    self.left_open += 1;
                    // Of a key the first is tried, and the others behind it.
                    if self.waits(worker, item, worker.times) {
                        continue;
                    }
                    let delivery = worker.own(item, worker.times);
                    self.lost(worker, Retry::new(delivery), alone, cause.clone());
                    if self.single {
                        return Left::not_yet(items[index + 1..].to_vec());
                    }
                }
                Left::Nothing
            }
            Outcome::Pending(call) => {
                self.keep_call(call, worker.times, items, held);
                self.left_open += items.len();
                Left::Nothing
            }
        }
    }

    /// Counts out the first `done` of a call's items, but for those that have emitted on condition, whose owners are
    /// asked now, and those that wait behind them. Returns the items that are to be handled behind one that holds up all.
    fn settle(&mut self, worker: &mut WorkerContext<'_>, items: &[Item], done: usize) -> Vec<Item> {
        if worker.undecided.is_empty() && !self.one_at_a_time {
            worker.settle(&self.handler, &items[..done]);
            return Vec::new();
        }
        self.one_at_a_time = self.handler.plan.spec.order != Order::Any;
        let mut undecided = std::mem::take(&mut worker.undecided).into_iter().peekable();
        let times = worker.times;
        for (index, item) in items[..done].iter().enumerate() {
            if let Some(emitted) = undecided.next_if(|emitted| emitted.item as usize == index) {
                let delivery = worker.own(item, times);
                self.ask_owner(worker, Retry::new(delivery), emitted);
                self.left_open += 1;
                if self.single {
                    worker.send_asked();
                    return items[index + 1..].to_vec();
                }
            } else if self.waits(worker, item, times) {
                self.left_open += 1;
            } else {
                worker.settle(&self.handler, std::slice::from_ref(item));
                self.had_turn(worker, item);
            }
        }
        worker.send_asked();
        Vec::new()
    }

    /// An item is done or given up: if it was its turn, it is that of the next.
    fn had_turn(&mut self, worker: &WorkerContext<'_>, item: &Item) {
        if self.keys.has_turn(item) {
            self.release(worker, item.tag);
        }
    }

    /// Hands over once more what failed as a whole, so that the others do not share the culprit's fate. For each it counts
    /// as the first try.
    fn one_by_one(&mut self, worker: &mut WorkerContext<'_>, items: &[Item], held: &[Delivery]) -> Vec<Item> {
        for (index, item) in items.iter().enumerate() {
            if self.waits(worker, item, worker.times) {
                self.left_open += 1;
                continue;
            }
            let mut back = self.run(worker, std::slice::from_ref(item), held);
            if !back.is_empty() || self.held_up() {
                back.extend(&items[index + 1..]);
                return back;
            }
        }
        Vec::new()
    }

    /// An item has failed for the first time.
    fn failed(&mut self, worker: &mut WorkerContext<'_>, item: &Item, cause: Cause) {
        // Where it waits behind one of its own call, it is handed over again, and nothing has been tried.
        if self.waits(worker, item, worker.times) {
            self.left_open += 1;
            return;
        }
        if self.handler.plan.spec.retry == 0 {
            worker.bury(&self.handler, item, 1, cause);
            return self.had_turn(worker, item);
        }
        let delivery = worker.own(item, worker.times);
        self.left_open += 1;
        self.wait(worker, Retry { failures: 1, ..Retry::new(delivery) });
    }

    /// FLUSH has ended.
    pub(super) fn flushed(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Pending(call) => return self.keep_flush(call),
            Outcome::Failed { cause, .. } => self.flush_failed(&format!(
                "failed when the input had ended: {}: {}\n{}",
                cause.type_name, cause.message, cause.stack
            )),
            Outcome::Lost { cause, .. } => {
                self.flush_losses += 1;
                let (losses, most) = (self.flush_losses, self.handler.plan.restarts());
                if losses < most {
                    // The next one is told as well. Nothing counts of what this one has emitted.
                    self.flush = true;
                    return;
                }
                self.flush_failed(&format!(
                    "was lost when the input had ended: its guest died {}{}",
                    times(losses),
                    said(&cause)
                ));
            }
            Outcome::Done | Outcome::Cut { .. } => {}
        }
        self.flush_losses = 0;
        self.shared.in_flight.sub(1, 0);
    }

    fn flush_failed(&mut self, how: &str) {
        let message = format!("handler {} {how}", self.handler.plan.spec.name);
        let mut failures = self.shared.flush_failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.push(message.trim_end().to_owned());
    }
}
