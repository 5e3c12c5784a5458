//! The calls of all ranks that are begun and waited for. Each request owns what it sends, until it has ended, and gives what has
//! come.

use super::Plan;
use crate::collective::Parts;
use crate::communicator::Communicator;
use crate::error::Error;
use crate::operation::Operate;
use crate::request::Request;
use crate::shim::Together;
use std::mem::take;
use upcall_abi::Blit;

/// What has come to the root.
fn at_root<T: Blit + Send>(plan: &mut Plan<T>) -> Option<Vec<T>> {
    plan.is_root().then(|| take(&mut plan.into))
}

fn everywhere<T: Blit + Send>(plan: &mut Plan<T>) -> Vec<T> {
    take(&mut plan.into)
}

impl Communicator {
    /// Begins to wait for all ranks: it ends when all have begun it.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn start_barrier(&self) -> Result<Request<()>, Error> {
        self.barrier_plan()?.start(|_| ())
    }

    /// Begins a [broadcast](Communicator::broadcast): all ranks have as many elements, and get those of `root`.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses.
    pub fn start_broadcast<T: Blit + Send>(
        &self,
        data: Vec<T>,
        root: usize,
    ) -> Result<Request<Vec<T>>, Error> {
        self.broadcast_plan(data, root)?.start(|plan| take(&mut plan.data))
    }

    /// Begins to [gather](Communicator::gather): all ranks have as many elements.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses.
    pub fn start_gather<T: Blit + Send>(
        &self,
        data: Vec<T>,
        root: usize,
    ) -> Result<Request<Option<Vec<T>>>, Error> {
        self.gather_plan(data, root)?.start(at_root)
    }

    /// Begins to [gather for all ranks](Communicator::all_gather).
    ///
    /// # Errors
    /// MPI refuses.
    pub fn start_all_gather<T: Blit + Send>(&self, data: Vec<T>) -> Result<Request<Vec<T>>, Error> {
        self.all_gather_plan(data)?.start(everywhere)
    }

    /// Begins to [scatter](Communicator::scatter): `each` elements for each rank, which all say; `data` counts at the root.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses. Where the root has another number of elements it alone is told so, while the
    /// others wait for it.
    pub fn start_scatter<T: Blit + Send>(
        &self,
        data: Vec<T>,
        each: usize,
        root: usize,
    ) -> Result<Request<Vec<T>>, Error> {
        self.scatter_plan(data, each, root)?.start(everywhere)
    }

    /// Begins an [exchange](Communicator::all_to_all) of as many elements with each rank.
    ///
    /// # Errors
    /// The elements cannot be shared evenly, or MPI refuses.
    pub fn start_all_to_all<T: Blit + Send>(&self, data: Vec<T>) -> Result<Request<Vec<T>>, Error> {
        self.all_to_all_plan(data)?.start(everywhere)
    }

    /// Begins to [gather in parts](Communicator::gather_parts): `counts[r]` elements of rank `r`, the same counts on all ranks.
    /// One that does not know them gets them by [`start_all_gather`](Communicator::start_all_gather).
    ///
    /// # Errors
    /// There is no such rank, there is not one count for each rank, or it is not this rank's; or MPI refuses.
    pub fn start_gather_parts<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        root: usize,
    ) -> Result<Request<Option<Parts<T>>>, Error> {
        let parts = |data| Parts { data, counts: counts.to_vec() };
        self.gather_parts_plan(data, counts, root)?.start(|plan| at_root(plan).map(parts))
    }

    /// As [`start_gather_parts`](Communicator::start_gather_parts), for all ranks.
    ///
    /// # Errors
    /// As there.
    pub fn start_all_gather_parts<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
    ) -> Result<Request<Parts<T>>, Error> {
        let counts = counts.to_vec();
        self.all_gather_parts_plan(data, &counts)?.start(|plan| Parts { data: everywhere(plan), counts })
    }

    /// Begins to [scatter in parts](Communicator::scatter_parts): `counts[r]` elements for rank `r`, the same counts on all
    /// ranks; `data` counts at the root.
    ///
    /// # Errors
    /// There is no such rank, there is not one count for each rank, or together they are not the root's elements; or MPI
    /// refuses.
    pub fn start_scatter_parts<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        root: usize,
    ) -> Result<Request<Vec<T>>, Error> {
        self.scatter_parts_plan(data, counts, root)?.start(everywhere)
    }

    /// Begins an [exchange in parts](Communicator::all_to_all_parts): `counts[r]` elements for rank `r`, which has
    /// `into_counts[r]` for this one. One that does not know these gets them by
    /// [`start_all_to_all`](Communicator::start_all_to_all).
    ///
    /// # Errors
    /// There is not one count for each rank, or together they are not this rank's elements; or MPI refuses.
    pub fn start_all_to_all_parts<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        into_counts: &[usize],
    ) -> Result<Request<Parts<T>>, Error> {
        let plan = self.all_to_all_parts_plan(data, counts, into_counts)?;
        plan.start(|plan| Parts { data: everywhere(plan), counts: into_counts.to_vec() })
    }

    /// Begins to [reduce](Communicator::reduce). The request keeps the operation: one of MPI's own, an
    /// [`Operation`](crate::Operation), or an [`Arc`](std::sync::Arc) of one.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses. That the operation fails on this rank is an error of the request.
    pub fn start_reduce<T: Blit + Send>(
        &self,
        data: Vec<T>,
        operation: impl Operate<T> + Send + 'static,
        root: usize,
    ) -> Result<Request<Option<Vec<T>>>, Error> {
        self.reduce_plan(Together::Reduce, data, operation, root)?.start(at_root)
    }

    /// Begins to [reduce for all ranks](Communicator::all_reduce).
    ///
    /// # Errors
    /// As [`start_reduce`](Communicator::start_reduce).
    pub fn start_all_reduce<T: Blit + Send>(
        &self,
        data: Vec<T>,
        operation: impl Operate<T> + Send + 'static,
    ) -> Result<Request<Vec<T>>, Error> {
        self.reduce_plan(Together::AllReduce, data, operation, 0)?.start(everywhere)
    }

    /// Begins to [reduce in parts](Communicator::reduce_scatter), of which each rank gets its own.
    ///
    /// # Errors
    /// As [`start_reduce`](Communicator::start_reduce), or the counts are not those of the elements or ranks.
    pub fn start_reduce_scatter<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        operation: impl Operate<T> + Send + 'static,
    ) -> Result<Request<Vec<T>>, Error> {
        self.reduce_scatter_plan(data, counts, operation)?.start(everywhere)
    }

    /// Begins to [combine](Communicator::scan) what the ranks up to this one have.
    ///
    /// # Errors
    /// As [`start_reduce`](Communicator::start_reduce).
    pub fn start_scan<T: Blit + Send>(
        &self,
        data: Vec<T>,
        operation: impl Operate<T> + Send + 'static,
    ) -> Result<Request<Vec<T>>, Error> {
        self.reduce_plan(Together::Scan, data, operation, 0)?.start(everywhere)
    }

    /// Begins to [combine](Communicator::exclusive_scan) what the ranks before this one have; `None` at rank 0.
    ///
    /// # Errors
    /// As [`start_reduce`](Communicator::start_reduce).
    pub fn start_exclusive_scan<T: Blit + Send>(
        &self,
        data: Vec<T>,
        operation: impl Operate<T> + Send + 'static,
    ) -> Result<Request<Option<Vec<T>>>, Error> {
        let first = self.rank() == 0;
        let plan = self.reduce_plan(Together::ExclusiveScan, data, operation, 0)?;
        plan.start(|plan| (!first).then(|| everywhere(plan)))
    }
}
