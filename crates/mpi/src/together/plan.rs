//! A call of all ranks with all that it reads and fills, to be begun once or again and again.

use super::kept::{Behinds, ShimKept, Watched, watched, words};
use crate::collective::many;
use crate::communicator::{Communicator, Kept};
use crate::datatype::{amount, place, place_mut, whole, zeroed};
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::operation::{Operate, Told};
use crate::padding::{cleaned, may_travel};
use crate::point::counted;
use crate::reduce::whole_elements;
use crate::request::{Begun, Behind, Lent, Request, Sort, sweep};
use crate::shim::{Collective, Feature, Handle, Together};
use std::ffi::c_void;
use std::mem::take;
use std::ptr;
use std::sync::Arc;
use upcall_abi::Blit;

/// A call that was not begun yet. Where it has gone to MPI, `data` and `into` stay where they are.
pub(crate) struct Plan<T: Blit + Send> {
    pub(crate) library: &'static Library,
    pub(crate) kept: Arc<Kept>,
    call: Collective,
    /// How many ranks there are, and which this is.
    size: usize,
    rank: usize,
    /// What this rank sends; of a broadcast, what it sends or receives.
    pub(crate) data: Vec<T>,
    /// What it receives.
    pub(crate) into: Vec<T>,
    counts: Vec<i64>,
    into_counts: Vec<i64>,
    operation: Option<Box<dyn Watched>>,
}

impl Communicator {
    pub(super) fn plan<T: Blit + Send>(
        &self,
        what: Together,
        root: usize,
        data: Vec<T>,
    ) -> Result<Plan<T>, Error> {
        let root = self.peer(root, || words(what, &amount::<T>(data.len()), root))?;
        let call = Collective {
            what,
            root,
            persistent: 0,
            large: 0,
            data: ptr::null(),
            into: ptr::null_mut(),
            count: 0,
            counts: ptr::null(),
            into_counts: ptr::null(),
            datatype: 0,
            op: 0,
            comm: self.handle,
        };
        let data = cleaned(data)?;
        let (library, kept, size, rank) = (self.library, self.kept(), self.size(), self.rank());
        let (into, counts, into_counts) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Plan { library, kept, call, size, rank, data, into, counts, into_counts, operation: None })
    }

    pub(crate) fn barrier_plan(&self) -> Result<Plan<u8>, Error> {
        Ok(self.plan(Together::Barrier, 0, Vec::new())?.of(self, 0))
    }

    pub(crate) fn broadcast_plan<T: Blit + Send>(&self, data: Vec<T>, root: usize) -> Result<Plan<T>, Error> {
        let count = data.len();
        Ok(self.plan(Together::Broadcast, root, data)?.of(self, count))
    }

    pub(crate) fn gather_plan<T: Blit + Send>(&self, data: Vec<T>, root: usize) -> Result<Plan<T>, Error> {
        let count = data.len();
        let mut plan = self.plan(Together::Gather, root, data)?.of(self, count);
        if plan.rank == root {
            plan.into = zeroed(plan.all(count)?)?;
        }
        Ok(plan)
    }

    pub(crate) fn all_gather_plan<T: Blit + Send>(&self, data: Vec<T>) -> Result<Plan<T>, Error> {
        let count = data.len();
        let mut plan = self.plan(Together::AllGather, 0, data)?.of(self, count);
        plan.into = zeroed(plan.all(count)?)?;
        Ok(plan)
    }

    pub(crate) fn scatter_plan<T: Blit + Send>(
        &self,
        data: Vec<T>,
        each: usize,
        root: usize,
    ) -> Result<Plan<T>, Error> {
        let mut plan = self.plan(Together::Scatter, root, data)?.of(self, each);
        if plan.rank == root && plan.data.len() != plan.all(each)? {
            return Err(plan.wrong(&format!("{each} for each of {} ranks are others", plan.size)));
        }
        plan.into = zeroed(each)?;
        Ok(plan)
    }

    pub(crate) fn all_to_all_plan<T: Blit + Send>(&self, data: Vec<T>) -> Result<Plan<T>, Error> {
        let count = data.len();
        let plan = self.plan(Together::AllToAll, 0, data)?;
        if !count.is_multiple_of(plan.size) {
            return Err(plan.wrong(&format!("that is no multiple of the {} ranks", plan.size)));
        }
        let mut plan = plan.of(self, count / self.size());
        plan.into = zeroed(count)?;
        Ok(plan)
    }

    pub(crate) fn gather_parts_plan<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        root: usize,
    ) -> Result<Plan<T>, Error> {
        let mut plan = self.plan(Together::GatherParts, root, data)?.parts(counts)?;
        plan.is_part(counts[self.rank()])?;
        plan.call.count = plan.data.len() as i64;
        if plan.rank == root {
            plan.into = zeroed(counts.iter().sum())?;
        }
        Ok(plan)
    }

    pub(crate) fn all_gather_parts_plan<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
    ) -> Result<Plan<T>, Error> {
        let mut plan = self.plan(Together::AllGatherParts, 0, data)?.parts(counts)?;
        plan.is_part(counts[self.rank()])?;
        plan.call.count = plan.data.len() as i64;
        plan.into = zeroed(counts.iter().sum())?;
        Ok(plan)
    }

    pub(crate) fn scatter_parts_plan<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        root: usize,
    ) -> Result<Plan<T>, Error> {
        let mut plan = self.plan(Together::ScatterParts, root, data)?.parts(counts)?;
        if plan.rank == root {
            plan.is_part(counts.iter().sum())?;
        }
        plan.call.count = counts[self.rank()] as i64;
        plan.into = zeroed(counts[self.rank()])?;
        Ok(plan)
    }

    pub(crate) fn all_to_all_parts_plan<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        into_counts: &[usize],
    ) -> Result<Plan<T>, Error> {
        let mut plan = self.plan(Together::AllToAllParts, 0, data)?.parts(into_counts)?;
        plan.into = zeroed(into_counts.iter().sum())?;
        plan = plan.into_parts(counts)?;
        plan.is_part(counts.iter().sum())?;
        Ok(plan)
    }

    /// One that combines: what has come out of it is as long as what goes in.
    pub(crate) fn reduce_plan<T: Blit + Send>(
        &self,
        what: Together,
        data: Vec<T>,
        operation: impl Operate<T> + Send + 'static,
        root: usize,
    ) -> Result<Plan<T>, Error> {
        let mut plan = self.plan(what, root, data)?.by(operation)?;
        if what != Together::Reduce || plan.rank == root {
            plan.into = zeroed(plan.data.len())?;
        }
        Ok(plan)
    }

    pub(crate) fn reduce_scatter_plan<T: Blit + Send>(
        &self,
        data: Vec<T>,
        counts: &[usize],
        operation: impl Operate<T> + Send + 'static,
    ) -> Result<Plan<T>, Error> {
        let mut plan = self.plan(Together::ReduceScatter, 0, data)?.parts(counts)?;
        plan.is_part(counts.iter().sum())?;
        let Told { size, .. } = operation.told(self.library)?;
        plan = plan.in_numbers(counts, size)?.by(operation)?;
        plan.into = zeroed(counts[self.rank()])?;
        Ok(plan)
    }
}

impl<T: Blit + Send> Plan<T> {
    /// So many elements of each rank, as bytes.
    pub(super) fn of(mut self, comm: &Communicator, each: usize) -> Plan<T> {
        (self.call.count, self.call.datatype) = counted::<T>(comm, each);
        self
    }

    /// So many of each rank, or for each.
    pub(super) fn parts(mut self, counts: &[usize]) -> Result<Plan<T>, Error> {
        may_travel::<T>()?;
        let sum = counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count));
        if counts.len() != self.size || sum.is_none() {
            return Err(self.wrong(&format!("there are {} counts for {} ranks", counts.len(), self.size)));
        }
        self.call.datatype = whole(self.library, size_of::<T>())?;
        self.call.large = many(counts).into();
        self.counts = counts.iter().map(|count| *count as i64).collect();
        Ok(self)
    }

    /// Whether what this rank sends is as long as its count says.
    fn is_part(&self, count: usize) -> Result<(), Error> {
        if self.data.len() == count {
            return Ok(());
        }
        Err(self.wrong(&format!("the counts say {count}")))
    }

    /// So many numbers of each rank, where an element is an array of them.
    pub(super) fn in_numbers(mut self, counts: &[usize], size: usize) -> Result<Plan<T>, Error> {
        let numbers =
            counts.iter().map(|count| whole_elements(count * size_of::<T>(), size, || self.words()));
        self.counts = numbers.collect::<Result<_, _>>()?;
        Ok(self)
    }

    fn by(self, operation: impl Operate<T> + Send + 'static) -> Result<Plan<T>, Error> {
        let bytes = size_of_val(self.data.as_slice());
        self.combines(operation, bytes)
    }

    /// Combines so many bytes.
    pub(super) fn combines(
        mut self,
        operation: impl Operate<T> + Send + 'static,
        bytes: usize,
    ) -> Result<Plan<T>, Error> {
        let Told { op, datatype, size } = operation.told(self.library)?;
        (self.call.op, self.call.datatype) = (op, datatype);
        self.call.count = whole_elements(bytes, size, || self.words())?;
        if self.call.count > i64::from(i32::MAX) {
            let message = format!(
                "{}: MPI counts 2,147,483,647 numbers in one that is begun; begin several, or use the form that waits",
                self.words()
            );
            return Err(Error::new(ErrorKind::Count, message));
        }
        self.operation = Some(watched(operation));
        Ok(self)
    }

    /// Of those in parts, how many elements are this rank's.
    pub(super) fn count(&mut self, elements: usize) {
        self.call.count = elements as i64;
    }

    /// What has been said of parts is of those that come; these are sent.
    pub(super) fn into_parts(mut self, counts: &[usize]) -> Result<Plan<T>, Error> {
        self.into_counts = take(&mut self.counts);
        self.parts(counts)
    }

    /// So many elements of each rank.
    fn all(&self, each: usize) -> Result<usize, Error> {
        let all = each.checked_mul(self.size);
        all.ok_or_else(|| Error::new(ErrorKind::Count, format!("{}: too many for memory", self.words())))
    }

    fn wrong(&self, why: &str) -> Error {
        Error::new(ErrorKind::Usage, format!("{}: {why}", self.words()))
    }

    /// What it does, for errors.
    pub(crate) fn words(&self) -> String {
        words(self.call.what, &amount::<T>(self.data.len()), usize::try_from(self.call.root).unwrap_or(0))
    }

    /// Whether what comes out lies where what goes in did.
    pub(crate) fn is_in_place(&self) -> bool {
        self.call.what == Together::Broadcast
    }

    pub(crate) fn is_root(&self) -> bool {
        usize::try_from(self.call.root) == Ok(self.rank)
    }

    /// Begins it. What comes out has the shape that is made of the plan's buffers; the others stay behind.
    pub(super) fn start<B: Send + 'static>(
        mut self,
        shape: impl FnOnce(&mut Plan<T>) -> B,
    ) -> Result<Request<B>, Error> {
        sweep(self.library);
        if let Some(operation) = &mut self.operation {
            operation.again();
        }
        let (handle, kept) = self.begin(false)?;
        let (library, what, elements) = (self.library, self.call.what, self.data.len());
        let buffer = shape(&mut self);
        let operation = self.operation;
        let behind = Behinds { what, elements, _kept: kept, _data: self.data, operation, _comm: self.kept };
        let behind: Box<dyn Behind> = Box::new(behind);
        Ok(Request::begun(library, Begun { handle, buffer, sort: Sort::Together, behind: Some(behind) }))
    }

    /// Whether the MPI has persistent forms of it.
    pub(crate) fn needs_persistent(&self) -> Result<(), Error> {
        const INSTEAD: &str = "begin the call in each round";
        let what = "persistent collectives (MPI_Bcast_init and others)";
        self.library.needs(Feature::PersistentCollectives, what, INSTEAD, || self.words())
    }

    /// Makes a request of it that is started again and again: its handle, and what it needs besides the buffers.
    pub(crate) fn persistent(&mut self) -> Result<(Handle, Box<dyn Behind>), Error> {
        let (handle, kept) = self.begin(true)?;
        let (what, elements) = (self.call.what, self.data.len());
        let (operation, comm) = (self.operation.take(), Arc::clone(&self.kept));
        let behind = Behinds::<T> { what, elements, _kept: kept, _data: Vec::new(), operation, _comm: comm };
        Ok((handle, Box::new(behind)))
    }

    /// Begins it over lent memory, which whoever calls this keeps until it has ended.
    pub(super) fn begin_lent<K>(
        mut self,
        persistent: bool,
        data: &Lent<K>,
        into: &Lent<K>,
    ) -> Result<(Handle, Behinds<u8>), Error> {
        let (what, elements) = (self.call.what, data.bytes());
        if let Some(operation) = self.operation.as_mut().filter(|_| !persistent) {
            operation.again();
        }
        let (handle, kept) = self.called(persistent, data.place(), into.place())?;
        let (operation, comm) = (self.operation, self.kept);
        Ok((handle, Behinds { what, elements, _kept: kept, _data: Vec::new(), operation, _comm: comm }))
    }

    fn begin(&mut self, persistent: bool) -> Result<(Handle, ShimKept), Error> {
        let (data, in_place) = (place(&self.data), self.is_in_place());
        let into = if in_place { place_mut(&mut self.data) } else { place_mut(&mut self.into) };
        self.called(persistent, data, into)
    }

    /// Calls the shim with memory that is as long as the call says.
    fn called(
        &self,
        persistent: bool,
        data: *const c_void,
        into: *mut c_void,
    ) -> Result<(Handle, ShimKept), Error> {
        let (mut handle, mut kept) = (0, 0);
        let mut call = self.call;
        call.persistent = persistent.into();
        (call.data, call.into) = (data, into);
        for (at, counts) in [(&mut call.counts, &self.counts), (&mut call.into_counts, &self.into_counts)] {
            if !counts.is_empty() {
                *at = counts.as_ptr();
            }
        }
        self.library.call(
            // SAFETY: the buffers are as long as the call says, and stay where they are until it has ended; the counts are copied.
            |table| unsafe { (table.collective)(&call, &mut handle, &mut kept) },
            || self.words(),
        )?;
        Ok((handle, ShimKept { library: self.library, handle: kept }))
    }
}
