//! What a call of all ranks needs until it has ended, besides what it fills.

use crate::communicator::Kept;
use crate::datatype::amount;
use crate::error::Error;
use crate::library::Library;
use crate::operation::{Operate, Operation, Told, failure, sealed::Known};
use crate::request::Behind;
use crate::shim::{Handle, Together};
use std::marker::PhantomData;
use std::sync::Arc;
use upcall_abi::Blit;

/// What the shim keeps for a call that goes on.
pub(super) struct ShimKept {
    pub(super) library: &'static Library,
    pub(super) handle: Handle,
}

impl Drop for ShimKept {
    fn drop(&mut self) {
        let (library, kept) = (self.library, self.handle);
        // Where MPI has been finalized it is freed with the process.
        // SAFETY: the call has ended, or was never begun.
        Library::free(move || library.call(|table| unsafe { (table.kept_free)(kept) }, String::new));
    }
}

/// What a request of it has.
pub(super) struct Behinds<T: Blit + Send> {
    pub(super) what: Together,
    pub(super) elements: usize,
    pub(super) _kept: ShimKept,
    /// What is sent, where it is not given back.
    pub(super) _data: Vec<T>,
    pub(super) operation: Option<Box<dyn Watched>>,
    pub(super) _comm: Arc<Kept>,
}

impl<T: Blit + Send> Behind for Behinds<T> {
    fn outcome(&self) -> Result<(), Error> {
        match self.operation.as_ref().and_then(|operation| operation.failed()) {
            None => Ok(()),
            Some(why) => Err(failure(&words(self.what, &amount::<T>(self.elements), 0), &why)),
        }
    }

    fn again(&mut self) {
        if let Some(operation) = &mut self.operation {
            operation.again();
        }
    }
}

/// An operation that a call goes on with.
pub(super) trait Watched: Send {
    /// A call begins.
    fn again(&mut self);

    /// What it has failed with since.
    fn failed(&self) -> Option<String>;
}

struct Watch<T, O> {
    operation: O,
    before: u64,
    of: PhantomData<fn(T)>,
}

pub(super) fn watched<T: Blit>(operation: impl Operate<T> + Send + 'static) -> Box<dyn Watched> {
    Box::new(Watch { operation, before: 0, of: PhantomData })
}

impl<T: Blit, O: Operate<T> + Send> Watched for Watch<T, O> {
    fn again(&mut self) {
        self.before = self.operation.failures();
    }

    fn failed(&self) -> Option<String> {
        (self.operation.failures() != self.before).then(|| self.operation.why())
    }
}

/// An operation that a request owns, or shares.
fn borrowed<T>(operation: &Operation<T>) -> &Operation<T> {
    operation
}

macro_rules! operations {
    ($($owner:ty),*) => {$(
        impl<T: Blit> Known<T> for $owner {
            fn told(&self, library: &Library) -> Result<Told, Error> {
                <&Operation<T> as Known<T>>::told(&borrowed(self), library)
            }

            fn failures(&self) -> u64 {
                <&Operation<T> as Known<T>>::failures(&borrowed(self))
            }

            fn why(&self) -> String {
                <&Operation<T> as Known<T>>::why(&borrowed(self))
            }
        }
    )*};
}
operations!(Operation<T>, Arc<Operation<T>>);

/// What a call does with so many elements, for errors.
pub(super) fn words(what: Together, of: &str, root: usize) -> String {
    match what {
        Together::Barrier => "begin to wait for all ranks".to_owned(),
        Together::Broadcast => format!("begin to broadcast {of} of rank {root}"),
        Together::Gather | Together::GatherParts => {
            format!("begin to gather {of} of this rank at rank {root}")
        }
        Together::Scatter | Together::ScatterParts => {
            format!("begin to scatter {of} of rank {root}")
        }
        Together::AllGather | Together::AllGatherParts => {
            format!("begin to gather {of} of this rank everywhere")
        }
        Together::AllToAll | Together::AllToAllParts => {
            format!("begin to exchange {of} with all ranks")
        }
        Together::Reduce => format!("begin to reduce {of} of each rank at rank {root}"),
        Together::AllReduce => format!("begin to reduce {of} of each rank everywhere"),
        Together::ReduceScatter => format!("begin to reduce {of} of each rank in parts"),
        Together::Scan | Together::ExclusiveScan => {
            format!("begin to scan {of} of each rank")
        }
    }
}
