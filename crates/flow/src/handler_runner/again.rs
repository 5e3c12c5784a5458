//! Items that are tried again, because they have failed or because the guest has died with them.

use super::HandlerRunner;
use crate::dead::Cause;
use crate::retry::{self, Retry};
use crate::upcall::{self, Outcome};
use crate::worker_context::WorkerContext;
use upcall_abi::kind;

impl HandlerRunner<'_> {
    /// Tries an item again later. Meanwhile those behind it wait, and others go on.
    pub(super) fn wait(&mut self, worker: &WorkerContext<'_>, retry: Retry) {
        let item = retry.item();
        let seed = item.tag ^ item.version;
        self.hold(item.tag, true);
        self.shared.in_flight.set_aside(1);
        let wait = retry::wait(self.handler.plan.spec.retry_delay, retry.failures, seed);
        self.retries.push(worker.ended.saturating_add(wait), retry);
    }

    /// Tries one item again whose time has come.
    pub(super) fn retry(&mut self, worker: &mut WorkerContext<'_>, retry: Retry) {
        if !self.begin_call(retry.suspect) {
            return self.retries.push(worker.ended, retry);
        }
        self.spend(1);
        self.shared.in_flight.take_up(1);
        worker.begin_again(retry.delivery.times);
        let items = &retry.delivery.items;
        let outcome = worker.upcall(&mut self.handler, kind::FLOW, items, retry.tries() + 1);
        self.returned(&outcome);
        self.retried(worker, outcome, retry);
    }

    /// Does what the outcome of a later call says about its item.
    pub(super) fn retried(&mut self, worker: &mut WorkerContext<'_>, outcome: Outcome, retry: Retry) {
        let item = *retry.item();
        match outcome {
            Outcome::Done | Outcome::Failed { done: 1.., .. } | Outcome::Lost { done: 1.., .. } => {
                match worker.undecided.pop() {
                    Some(emitted) => {
                        self.ask_owner(worker, retry, emitted);
                        worker.send_asked();
                    }
                    None => {
                        worker.settle(&self.handler, &[item]);
                        self.handler.stats.waited(&retry.delivery.times, worker.ended, 1);
                        self.release(worker, item.tag);
                    }
                }
            }
            // It emits more than there is memory, and the flow has been stopped.
            Outcome::Cut { .. } => self.wait(worker, Retry { suspect: false, ..retry }),
            Outcome::Failed { cause, .. } => self.failed_again(worker, retry, cause),
            Outcome::Lost { cause, .. } => self.lost(worker, retry, self.later.alone(), cause),
            Outcome::Pending(call) => self.keep_retry(call, retry),
        }
    }

    /// An item has failed once more: it is tried again, or buried.
    pub(super) fn failed_again(&mut self, worker: &mut WorkerContext<'_>, mut retry: Retry, cause: Cause) {
        // The guest has lived through it.
        (retry.failures, retry.suspect) = (retry.failures + 1, false);
        if retry.failures <= self.handler.plan.spec.retry {
            return self.wait(worker, retry);
        }
        self.bury(worker, &retry, cause);
    }

    /// The guest has died with an item, which is delivered again, with nothing else beside it, unless the guest seems to
    /// die of it: `alone` says whether it had nothing else.
    pub(super) fn lost(
        &mut self,
        worker: &mut WorkerContext<'_>,
        mut retry: Retry,
        alone: bool,
        cause: Cause,
    ) {
        (retry.losses, retry.suspect) = (retry.losses + u32::from(alone), true);
        let most = self.handler.plan.restarts();
        if retry.losses < most {
            self.hold(retry.item().tag, true);
            self.shared.in_flight.set_aside(1);
            return self.suspects.push_back(retry);
        }
        let message = format!("the guest died {} with this item alone{}", times(most), said(&cause));
        self.bury(worker, &retry, upcall::cause("lost", message));
    }

    fn bury(&mut self, worker: &mut WorkerContext<'_>, retry: &Retry, cause: Cause) {
        worker.bury(&self.handler, retry.item(), retry.tries(), cause);
        self.release(worker, retry.item().tag);
    }
}

pub(super) fn times(count: u32) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

/// What a host has said of a guest's death, if anything.
pub(super) fn said(Cause { type_name, message, .. }: &Cause) -> String {
    if type_name.is_empty() && message.is_empty() {
        return String::new();
    }
    format!(": {type_name}: {message}")
}
