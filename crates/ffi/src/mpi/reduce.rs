use super::communicator::{Held, UpcallMpiCommunicator};
use super::failure::MpiFailure;
use super::operation::{UpcallMpiOperation, What, made};
use super::parts::sizes;
use super::rank;
use std::mem::transmute;
use upcall_mpi::Error;

/// Which reduction [`UpcallMpiCommunicator::reduce_by`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiReduction {
    /// For one rank.
    Reduce,
    /// For all ranks.
    AllReduce,
    /// Over the ranks up to each, itself included.
    Scan,
    /// Over the ranks below each.
    ExclusiveScan,
}

/// Calls a reduction with an operation of either kind.
macro_rules! by {
    ($operation:expr, |$by:ident| $call:expr) => {
        match &$operation.what {
            What::Named(named) => {
                let $by = *named;
                $call
            }
            What::Made(made) => {
                let $by = &**made;
                $call
            }
        }
    };
}

pub(super) use by;

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Combines the elements of all ranks, of which all have as many, for one of them. `into` counts at the root.
    pub fn reduce(
        &self,
        data: &[u8],
        into: &mut [u8],
        operation: &UpcallMpiOperation,
        root: i32,
    ) -> Result<(), MpiFailure> {
        let (comm, root) = (self.get()?, rank(root, "reduce")?);
        let into = if comm.rank() == root { into } else { &mut [] };
        reduced(data, into, operation, |data, into| {
            by!(operation, |by| comm.reduce_into(data, into, by, root))
        })
    }

    /// As `reduce`, for all ranks.
    pub fn all_reduce(
        &self,
        data: &[u8],
        into: &mut [u8],
        operation: &UpcallMpiOperation,
    ) -> Result<(), MpiFailure> {
        let comm = self.get()?;
        reduced(data, into, operation, |data, into| by!(operation, |by| comm.all_reduce_into(data, into, by)))
    }

    /// As `all_reduce`, where what is combined is replaced by what comes of it.
    pub fn all_reduce_in_place(
        &self,
        data: &mut [u8],
        operation: &UpcallMpiOperation,
    ) -> Result<(), MpiFailure> {
        let comm = self.get()?;
        reduced(&[], data, operation, |_, data| by!(operation, |by| comm.all_reduce_in_place(data, by)))
    }

    /// As `all_reduce`; where the operation failed on one rank it is a failure on all of them, for one small exchange more.
    pub fn all_reduce_checked(
        &self,
        data: &[u8],
        into: &mut [u8],
        operation: &UpcallMpiOperation,
    ) -> Result<(), MpiFailure> {
        let comm = self.get()?;
        if data.len() != into.len() {
            return Err(MpiFailure::usage(format!(
                "reduce {} bytes of each rank everywhere: there is room for {}",
                data.len(),
                into.len()
            )));
        }
        reduced(data, into, operation, |data, into| {
            into.copy_from_slice(&by!(operation, |by| comm.all_reduce_checked(data, by))?);
            Ok(())
        })
    }

    /// Combines the elements of all ranks and gives each its part: `counts[r]` bytes for rank `r`. `into` has room for this
    /// rank's.
    pub fn reduce_scatter(
        &self,
        data: &[u8],
        into: &mut [u8],
        counts: &[u64],
        operation: &UpcallMpiOperation,
    ) -> Result<(), MpiFailure> {
        let (comm, sizes) = (self.get()?, sizes(counts));
        if let Some(part) = sizes.iter().find(|size| !size.is_multiple_of(operation.size)) {
            return Err(uneven(*part, operation.size));
        }
        reduced(data, into, operation, |data, into| {
            by!(operation, |by| comm.reduce_scatter_into(data, into, &sizes, by))
        })
    }

    /// Combines the elements of the ranks up to this one, itself included.
    pub fn scan(
        &self,
        data: &[u8],
        into: &mut [u8],
        operation: &UpcallMpiOperation,
    ) -> Result<(), MpiFailure> {
        let comm = self.get()?;
        reduced(data, into, operation, |data, into| by!(operation, |by| comm.scan_into(data, into, by)))
    }

    /// As `scan`, without this rank: `into` stays as it is at rank 0.
    pub fn exclusive_scan(
        &self,
        data: &[u8],
        into: &mut [u8],
        operation: &UpcallMpiOperation,
    ) -> Result<(), MpiFailure> {
        let comm = self.get()?;
        reduced(data, into, operation, |data, into| {
            by!(operation, |by| comm.exclusive_scan_into(data, into, by))
        })
    }

    /// A reduction by a function that ends with the call, and so may be one of a language that has a single thread: as
    /// `UpcallMpiOperation`'s, on elements of so many bytes.
    #[expect(clippy::too_many_arguments, reason = "they are those of an operation and of a reduction")]
    pub fn reduce_by(
        &self,
        what: UpcallMpiReduction,
        data: &[u8],
        into: &mut [u8],
        root: i32,
        element: usize,
        commutes: bool,
        combine: &dyn Fn(&[u8], &mut [u8]) -> i32,
    ) -> Result<(), MpiFailure> {
        let (comm, root): (&Held, usize) = (self.get()?, rank(root, "reduce")?);
        // SAFETY: the operation is dropped before this returns. MPI calls it on this thread, inside of the reduction.
        let lent = unsafe {
            transmute::<&dyn Fn(&[u8], &mut [u8]) -> i32, &'static dyn Fn(&[u8], &mut [u8]) -> i32>(combine)
        };
        let lent = Here(lent);
        let counts = what != UpcallMpiReduction::Reduce || comm.rank() == root;
        let into = if counts { into } else { &mut [] };
        let operation = &made(element, commutes, move |from, into| lent.call(from, into))?;
        reduced(data, into, operation, |data, into| {
            by!(operation, |by| match what {
                UpcallMpiReduction::Reduce => comm.reduce_into(data, into, by, root),
                UpcallMpiReduction::AllReduce => comm.all_reduce_into(data, into, by),
                UpcallMpiReduction::Scan => comm.scan_into(data, into, by),
                UpcallMpiReduction::ExclusiveScan => comm.exclusive_scan_into(data, into, by),
            })
        })
    }
}

/// A function that is called on the thread that has it.
struct Here(&'static dyn Fn(&[u8], &mut [u8]) -> i32);

// SAFETY: a reduction that waits calls it on its own thread, which is that of the function.
unsafe impl Send for Here {}
// SAFETY: as above.
unsafe impl Sync for Here {}

impl Here {
    fn call(&self, from: &[u8], into: &mut [u8]) -> i32 {
        (self.0)(from, into)
    }
}

/// Calls a reduction with whole elements, where numbers of their type may lie: the caller's memory, or copies.
#[inline]
pub(super) fn reduced(
    data: &[u8],
    into: &mut [u8],
    operation: &UpcallMpiOperation,
    reduce: impl FnOnce(&[u8], &mut [u8]) -> Result<(), Error>,
) -> Result<(), MpiFailure> {
    let size = operation.size;
    for bytes in [data.len(), into.len()] {
        if !bytes.is_multiple_of(size) {
            return Err(uneven(bytes, size));
        }
    }
    // What numbers ask for; what a function asks for is its own affair.
    let align = if matches!(operation.what, What::Named(_)) { size } else { 1 };
    let lies = |bytes: &[u8]| bytes.is_empty() || bytes.as_ptr().addr().is_multiple_of(align);
    if lies(data) && lies(into) {
        return Ok(reduce(data, into)?);
    }
    let (mut aligned, mut target) = (vec![0u64; data.len().div_ceil(8)], vec![0u64; into.len().div_ceil(8)]);
    let (aligned, target) = (bytes(&mut aligned, data.len()), bytes(&mut target, into.len()));
    aligned.copy_from_slice(data);
    target.copy_from_slice(into);
    reduce(aligned, target)?;
    into.copy_from_slice(target);
    Ok(())
}

/// The first bytes of aligned memory.
fn bytes(of: &mut [u64], len: usize) -> &mut [u8] {
    // SAFETY: any bytes are numbers, and there are as many.
    unsafe { std::slice::from_raw_parts_mut(of.as_mut_ptr().cast::<u8>(), len.min(size_of_val(of))) }
}

#[cold]
fn uneven(bytes: usize, size: usize) -> MpiFailure {
    MpiFailure::usage(format!("reduce {bytes} bytes: they are no whole number of elements of {size}"))
}
