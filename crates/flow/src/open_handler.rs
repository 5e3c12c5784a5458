//! A handler on a worker that can be called: its instance, and what the engine keeps for it there.

use crate::pace::Pace;
use crate::plan::HandlerPlan;
use crate::services::{Context, Lent};
use crate::shared::Shared;
use crate::state::HandlerState;
use crate::stats::Stats;
use std::sync::Arc;
use upcall_abi::{PoolServices, Services};
use upcall_host::{Description, Instance};

pub(crate) struct OpenHandler<'s> {
    pub(crate) index: usize,
    pub(crate) plan: &'s HandlerPlan,
    pub(crate) state: &'s HandlerState,
    /// Those of this worker.
    pub(crate) stats: &'s Stats,
    pub(crate) pace: Pace,
    /// Whether it may answer a call later: it has said so when it was asked what it is.
    pub(crate) answers_later: bool,
    /// Whether a frame has one item, so that each has its own answer.
    pub(crate) one_at_a_time: bool,
    /// Calls and emissions that have been numbered, so that an answer finds what it is about.
    numbered: u64,
    // Dropped before what it may still point to.
    pub(crate) instance: Instance,
    pub(crate) services: Box<Services>,
    pub(crate) pool_services: Box<PoolServices>,
    /// Behind the services: views that the handler has of pools end with the upcall.
    pub(crate) context: Box<Context>,
}

impl<'s> OpenHandler<'s> {
    pub(crate) fn new(
        shared: &'s Arc<Shared>,
        worker: usize,
        index: usize,
        instance: Instance,
        described: &Description,
    ) -> OpenHandler<'s> {
        let (plan, state) = (&shared.plan.handlers[index], &shared.handlers[index]);
        let answers_later = described.answers_later;
        let lent = if answers_later || plan.crosses { Lent::UntilAsked } else { Lent::ForTheCall };
        let context = Context::new(shared.clone(), index, lent);
        OpenHandler {
            index,
            plan,
            state,
            stats: &state.stats[worker],
            pace: Pace::new(plan.batch),
            answers_later,
            one_at_a_time: answers_later && described.form == "object",
            numbered: 0,
            instance,
            services: Box::new(context.services()),
            pool_services: Box::new(context.pool_services()),
            context,
        }
    }

    /// Its id as who puts: 0 is whoever puts from outside.
    pub(crate) fn sender(&self) -> u32 {
        self.index as u32 + 1
    }

    /// A number that no call and no emission of this handler on this worker has had.
    pub(crate) fn number(&mut self) -> u64 {
        self.numbered += 1;
        self.numbered
    }
}
