//! What workers write goes to the files where values are, chunk by chunk, in a run that may take so much memory, and what they look at
//! comes from there: in a memory cgroup there is as little for files as for the run, and what the system fetches around a page that is
//! missing, up to 8 MiB on some machines, would take the place of what others look at.

use super::kernel::Kernel;
use super::{Job, Running, Worker};
use crate::error::Error;
use crate::file::{Graph, Id};
use crate::write_back::{Until, WINDOW, WriteBack as _};
use std::ops::Range;

/// A chunk that is on its way to the disk, and what was done with it.
pub(super) type OnItsWay = (Job, Range<usize>);

/// As long as it is there, pages of a graph's file are fetched alone.
pub(super) struct Alone<'g>(&'g Graph);

impl<'g> Alone<'g> {
    pub(super) fn new(graph: &'g Graph) -> Alone<'g> {
        graph.fetches_around(false);
        Alone(graph)
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        self.0.fetches_around(true);
    }
}

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// A worker begins with these blocks: what it looks at in order is fetched at once. Their neighbours are read [ahead](super::ahead),
    /// or block by block where not all are read.
    pub(super) fn expects(&self, job: Job, blocks: &Range<usize>) {
        if self.memory.is_none() || matches!(job, Job::Publish(_)) {
            return;
        }
        // Where nobody is scheduled, little is looked at.
        if let Job::Update(context) = job
            && self.needs.selective
            && !self.active[self.now(context).0].any(blocks)
        {
            return;
        }
        let vertices = self.vertices_in(blocks);
        self.own.will_need(vertices.clone());
        self.shown.iter().for_each(|shown| shown.will_need(vertices.clone()));
        self.graph.will_need(&self.graph.out_degrees()[vertices.clone()]);
        let sides = [Some(&self.incoming), self.outgoing.as_ref()];
        sides.into_iter().flatten().for_each(|side| {
            self.graph.will_need(&side.offsets[vertices.start..=vertices.end]);
        });
        if let (Some(edges), Some(side), Job::Update(_)) = (&self.edges, &self.outgoing, job) {
            edges.values.iter().for_each(|values| values.will_need(side.of_all(vertices.clone())));
            edges.will_need_places(self.incoming.of_all(vertices));
        }
    }

    /// The same for the neighbours of a block that is updated, of those that nobody reads ahead.
    pub(super) fn expects_neighbours(&self, block: usize) {
        if self.memory.is_some() && !self.reads_ahead() {
            self.was_there(&(block..block + 1));
        }
    }

    /// A worker has written the values of these blocks. They go to the disk while it writes the next ones; it waits for those before,
    /// and for these too where they are many.
    pub(super) fn written(
        &self,
        worker: &mut Worker<'_, K::Worker, I>,
        job: Job,
        blocks: &Range<usize>,
    ) -> Result<(), Error> {
        if self.memory.is_none() {
            return Ok(());
        }
        let bytes = self.write_back(job, blocks, Until::Begun)?;
        if let Some((job, blocks)) = worker.on_its_way.replace((job, blocks.clone())) {
            self.write_back(job, &blocks, Until::Done)?;
        }
        if bytes > WINDOW
            && let Some((job, blocks)) = worker.on_its_way.take()
        {
            self.write_back(job, &blocks, Until::Done)?;
        }
        Ok(())
    }

    /// How many bytes that are.
    fn write_back(&self, job: Job, blocks: &Range<usize>, until: Until) -> Result<usize, Error> {
        let vertices = self.vertices_in(blocks);
        let shown = |array: usize| self.shown[array].write_back(vertices.clone(), until);
        let own = || self.own.write_back(vertices.clone(), until);
        match job {
            Job::Start => Ok(own()? + shown(0)?),
            Job::Publish(context) => shown(self.now(context).0),
            Job::Update(context) => {
                let (_, written) = self.now(context);
                let edges = match (&self.edges, &self.outgoing) {
                    (Some(edges), Some(side)) => {
                        edges.values[written].write_back(side.of_all(vertices.clone()), until)?
                    }
                    _ => 0,
                };
                Ok(own()? + shown(written)? + edges)
            }
        }
    }
}
