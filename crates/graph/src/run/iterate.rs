//! One iteration: its intervals one after the other, each as often as the program says.

use super::block::Tally;
use super::jobs::Jobs;
use super::kernel::Kernel;
use super::{Job, Running, Worker, unpanicked};
use crate::error::{Error, ErrorKind};
use crate::file::Id;
use crate::program::Interval;
use crate::vertex::Context;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// Updates all vertices that are scheduled. How many were updated, and how many edges they had, besides those that each block
    /// has counted last.
    pub(super) fn iterate(
        &self,
        worker: &mut Worker<'_, K::Worker, I>,
        context: Context,
        jobs: &Jobs<Job>,
        stop: Option<&AtomicBool>,
    ) -> Result<Tally, Error> {
        unpanicked(|| {
            self.kernel.before(context);
            Ok(())
        })?;
        self.ahead.begin();
        let mut besides = Tally::default();
        for interval in 0..self.intervals.count() {
            self.intervals.begin(interval);
            let blocks = self.intervals.blocks(&self.chunks);
            let (iteration, vertices) = (context.iteration, self.vertices_in(&blocks));
            let mut about = Interval { iteration, vertices, ..Interval::default() };
            loop {
                unpanicked(|| {
                    self.kernel.before_interval(&about);
                    Ok(())
                })?;
                self.all(worker, Job::Update(context), jobs, stop)?;
                // SAFETY: no worker is at work.
                let tallies = unsafe { &self.tallies.whole()[blocks.clone()] };
                let tally = tallies.iter().fold(Tally::default(), |all, block| all.and(block));
                (about.updated, about.residual, about.total) = (tally.updated, tally.residual, tally.total);
                let again = self.repeats(worker, &about)? && self.schedules_again(&blocks, context);
                if again || interval + 1 < self.intervals.count() {
                    self.all(worker, Job::Publish(context), jobs, stop)?;
                }
                if !again {
                    break;
                }
                besides = besides.and(&tally);
                self.intervals.again();
                about =
                    Interval { pass: self.intervals.pass(), updated: 0, residual: 0.0, total: 0.0, ..about };
            }
        }
        Ok(besides)
    }

    /// Tells the program that an interval was updated: whether that is to be repeated.
    fn repeats(&self, worker: &mut Worker<'_, K::Worker, I>, about: &Interval) -> Result<bool, Error> {
        self.tell(worker)?;
        let asked = unpanicked(|| self.kernel.after_interval(self, worker.own, about))?;
        if asked && self.needs.writes {
            let (name, _) = self.kernel.identity();
            let why = format!(
                "run the program: {name} sets values of edges, which are seen in the next iteration only: its updates are not \
                 repeated; have `repeat_updates` return false"
            );
            return Err(Error::new(ErrorKind::Usage, why));
        }
        Ok(asked)
    }

    /// Of a selective program, has those vertices of these blocks updated in this iteration that were to be in the next one. False
    /// where there are none.
    fn schedules_again(&self, blocks: &Range<usize>, context: Context) -> bool {
        let (read, written) = self.now(context);
        let moved = blocks.clone().filter(|block| self.active[written].hand_over(*block, &self.active[read]));
        !self.needs.selective || moved.count() > 0
    }
}
