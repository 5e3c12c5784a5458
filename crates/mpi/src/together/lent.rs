//! Calls of all ranks over memory that is not Rust's: another language keeps it where it is until they have ended. Elements are
//! bytes here, and what combines them says of how many each is.

use super::Plan;
use super::kept::{Behinds, words};
use crate::communicator::Communicator;
use crate::datatype::amount;
use crate::error::{Error, ErrorKind};
use crate::operation::{Named, Operate, Operation, Told};
use crate::persistent::Persistent;
use crate::request::{Begun, Behind, Lent, Request, Sort, sweep};
use crate::shim::Together;
use std::sync::Arc;

/// Which call of all ranks it is, and what it is given besides memory.
#[derive(Clone, Debug)]
pub struct LentCall<'c> {
    /// Which.
    pub what: Together,
    /// The rank that gives or gets alone, where there is one.
    pub root: usize,
    /// The bytes of an element, of which each rank has whole ones.
    pub element: usize,
    /// Of those in parts, and of a reduction in parts: how many bytes each rank gives or gets.
    pub counts: &'c [usize],
    /// Of an exchange in parts: how many bytes of each rank come.
    pub into_counts: &'c [usize],
    /// What a reduction combines by.
    pub operation: Option<LentOperation>,
}

/// What a reduction over lent memory combines by.
#[derive(Clone, Debug)]
pub enum LentOperation {
    /// An operation of MPI's.
    Named(Named),
    /// A function on bytes.
    Made(Arc<Operation<u8>>),
}

/// How many bytes go in and come out.
struct Sizes {
    data: usize,
    into: usize,
}

impl Communicator {
    /// Begins a call of all ranks that reads `data` and fills `into`; a broadcast has `into` alone, on all ranks. Where this rank
    /// gives or gets nothing, that memory is not looked at.
    ///
    /// # Errors
    /// There is no such rank, sizes and counts do not fit each other, both have memory in common, numbers do not lie where their
    /// type has them, or MPI refuses. The keepers are dropped then.
    pub fn start_together_lent<K: Send + 'static>(
        &self,
        call: LentCall<'_>,
        data: Lent<K>,
        into: Lent<K>,
    ) -> Result<Request<Lent<K>>, Error> {
        let plan = self.lent_plan(&call, &data, &into)?;
        sweep(self.library);
        let (handle, behind) = plan.begin_lent(false, &data, &into)?;
        let behind: Box<dyn Behind> = Box::new(Keeps { behind: Some(behind), memory: [Some(data), None] });
        let begun = Begun { handle, buffer: into, sort: Sort::Together, behind: Some(behind) };
        Ok(Request::begun(self.library, begun))
    }

    /// Makes the same ready, to be started again and again. The memory stays lent until the result is dropped, and MPI has ended
    /// with it; between rounds it is the lender's to use. The result's own buffers are empty.
    ///
    /// # Errors
    /// As [`start_together_lent`](Communicator::start_together_lent), or the MPI does not have it
    /// ([`ErrorKind::Unsupported`]).
    pub fn together_init_lent<K: Send + 'static>(
        &self,
        call: LentCall<'_>,
        data: Lent<K>,
        into: Lent<K>,
    ) -> Result<Persistent<u8>, Error> {
        let plan = self.lent_plan(&call, &data, &into)?;
        plan.needs_persistent()?;
        sweep(self.library);
        let (handle, behind) = plan.begin_lent(true, &data, &into)?;
        let behind = Box::new(Keeps { behind: Some(behind), memory: [Some(data), Some(into)] });
        Ok(Persistent::of_lent(self, handle, Sort::Together, behind))
    }

    fn lent_plan<K>(&self, call: &LentCall<'_>, data: &Lent<K>, into: &Lent<K>) -> Result<Plan<u8>, Error> {
        let what = || words(call.what, &said(data.bytes(), call.element), call.root);
        let wrong = |why: String| Error::new(ErrorKind::Usage, format!("{}: {why}", what()));
        let mut plan = self.plan::<u8>(call.what, call.root, Vec::new())?;
        let sizes = self.lent_sizes(call, data.bytes(), into.bytes())?;
        for (has, wants, said) in [
            (data.bytes(), sizes.data, "are sent"),
            (into.bytes(), sizes.into, "come, which there is room for"),
        ] {
            if has != wants {
                return Err(wrong(format!("{has} bytes {said}, and they are to be {wants}")));
            }
        }
        let (a, b) = (data.address(), into.address());
        if sizes.data > 0 && sizes.into > 0 && a < b + into.bytes() && b < a + data.bytes() {
            return Err(wrong(
                "what is sent and what comes are in the same memory; give two arrays".to_owned(),
            ));
        }
        match call.what {
            Together::Barrier => plan = plan.of(self, 0),
            Together::Broadcast | Together::Scatter => plan = plan.of(self, into.bytes()),
            Together::Gather | Together::AllGather => plan = plan.of(self, data.bytes()),
            Together::AllToAll => plan = plan.of(self, data.bytes() / self.size()),
            Together::GatherParts | Together::AllGatherParts => {
                plan = plan.parts(call.counts)?;
                plan.count(data.bytes());
            }
            Together::ScatterParts => {
                plan = plan.parts(call.counts)?;
                plan.count(into.bytes());
            }
            Together::AllToAllParts => plan = plan.parts(call.into_counts)?.into_parts(call.counts)?,
            _ => match call.operation.clone() {
                Some(LentOperation::Named(named)) => {
                    for lent in [data, into] {
                        // Of a pair of MPI's, its number is as wide as half of it, at most.
                        let align = if named.size().is_power_of_two() { named.size().min(8) } else { 4 };
                        if lent.bytes() > 0 && !lent.address().is_multiple_of(align) {
                            let why = "numbers lie at addresses that are multiples of their size; give an array of them";
                            return Err(wrong(why.to_owned()));
                        }
                    }
                    plan = self.lent_reduction(plan, call, data.bytes(), named)?;
                }
                Some(LentOperation::Made(made)) => {
                    plan = self.lent_reduction(plan, call, data.bytes(), made)?;
                }
                None => return Err(wrong("it combines by an operation, and none is given".to_owned())),
            },
        }
        Ok(plan)
    }

    fn lent_reduction(
        &self,
        mut plan: Plan<u8>,
        call: &LentCall<'_>,
        bytes: usize,
        operation: impl Operate<u8> + Send + 'static,
    ) -> Result<Plan<u8>, Error> {
        if call.what == Together::ReduceScatter {
            let Told { size, .. } = operation.told(self.library)?;
            plan = plan.parts(call.counts)?.in_numbers(call.counts, size)?;
        }
        plan.combines(operation, bytes)
    }

    /// How many bytes there are to be, here, of those that are there.
    fn lent_sizes(&self, call: &LentCall<'_>, data: usize, into: usize) -> Result<Sizes, Error> {
        let LentCall { what, root, element, counts, into_counts, .. } = call;
        let (ranks, at_root) = (self.size(), self.rank() == *root);
        let wrong = |why: String| {
            Error::new(ErrorKind::Usage, format!("{}: {why}", words(*what, &said(data, *element), *root)))
        };
        let all =
            |each: usize| each.checked_mul(ranks).ok_or_else(|| wrong("too many for memory".to_owned()));
        let if_root = |bytes: usize, there: usize| if at_root { bytes } else { there };
        let own = |counts: &[usize]| {
            let sum = counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count));
            match sum {
                Some(sum) if counts.len() == ranks => Ok((counts[self.rank()], sum)),
                _ => Err(wrong(format!("there are {} counts for {ranks} ranks", counts.len()))),
            }
        };
        Ok(match what {
            Together::Barrier => Sizes { data: 0, into: 0 },
            Together::Broadcast => Sizes { data: 0, into },
            Together::Gather => Sizes { data, into: if_root(all(data)?, into) },
            Together::AllGather => Sizes { data, into: all(data)? },
            Together::Scatter => Sizes { data: if_root(all(into)?, data), into },
            Together::AllToAll => {
                if !data.is_multiple_of(all((*element).max(1))?) {
                    return Err(wrong(format!("that is no multiple of the {ranks} ranks")));
                }
                Sizes { data, into: data }
            }
            Together::GatherParts => {
                let (own, sum) = own(counts)?;
                Sizes { data: own, into: if_root(sum, into) }
            }
            Together::AllGatherParts => {
                let (own, sum) = own(counts)?;
                Sizes { data: own, into: sum }
            }
            Together::ScatterParts => {
                let (own, sum) = own(counts)?;
                Sizes { data: if_root(sum, data), into: own }
            }
            Together::AllToAllParts => Sizes { data: own(counts)?.1, into: own(into_counts)?.1 },
            Together::Reduce => Sizes { data, into: if_root(data, into) },
            Together::AllReduce | Together::Scan | Together::ExclusiveScan => Sizes { data, into: data },
            Together::ReduceScatter => {
                let (own, sum) = own(counts)?;
                Sizes { data: sum, into: own }
            }
        })
    }
}

/// Keeps memory as long as MPI may use it.
pub(crate) struct Keeps<K> {
    behind: Option<Behinds<u8>>,
    memory: [Option<Lent<K>>; 2],
}

impl<K> Keeps<K> {
    /// That of a message.
    pub(crate) fn of_message(memory: Lent<K>) -> Keeps<K> {
        Keeps { behind: None, memory: [Some(memory), None] }
    }
}

impl<K: Send> Behind for Keeps<K> {
    fn outcome(&self) -> Result<(), Error> {
        self.behind.as_ref().map_or(Ok(()), Behind::outcome)
    }

    fn again(&mut self) {
        if let Some(behind) = &mut self.behind {
            behind.again();
        }
    }

    fn sent(&self) -> &[u8] {
        self.memory[0].as_ref().map_or(&[], Lent::as_slice)
    }
}

/// How much there is, in words.
fn said(bytes: usize, element: usize) -> String {
    if element > 1 { format!("{} elements", bytes / element) } else { amount::<u8>(bytes) }
}
