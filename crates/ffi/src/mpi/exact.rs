//! Sums of floating-point numbers that have the same bits whatever the number of ranks.

use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use super::rank;
use upcall::Blit;
use upcall_mpi::{ExactSum, Real};

/// Which floating-point numbers bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiReal {
    /// Of 4 bytes.
    Single,
    /// Of 8 bytes.
    Double,
}

/// Calls a function with the type of the numbers.
macro_rules! of {
    ($real:expr, $function:ident($($argument:expr),*)) => {
        match $real {
            UpcallMpiReal::Single => $function::<f32>($($argument),*),
            UpcallMpiReal::Double => $function::<f64>($($argument),*),
        }
    };
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Sums the elements of all ranks, of which all have as many, element by element, without rounding but that of each result:
    /// the same bits whatever the number of ranks. It takes longer than a sum of MPI's: of a thousand elements and more 10 to 35
    /// times. Where each rank has many numbers for one sum, `sum_reproducible` costs next to nothing.
    pub fn all_reduce_reproducible(
        &self,
        data: &[u8],
        into: &mut [u8],
        of: UpcallMpiReal,
    ) -> Result<(), MpiFailure> {
        of!(of, all_reduced(self, data, into))
    }

    /// As `all_reduce_reproducible`, for one rank. `into` counts at the root.
    pub fn reduce_reproducible(
        &self,
        data: &[u8],
        into: &mut [u8],
        of: UpcallMpiReal,
        root: i32,
    ) -> Result<(), MpiFailure> {
        of!(of, reduced(self, data, into, root))
    }

    /// The sum of all elements of all ranks, which may have different numbers of them: the same bits whatever the number of
    /// ranks, and however the elements are cut among them. Of numbers of 4 bytes it is one of those.
    pub fn sum_reproducible(&self, data: &[u8], of: UpcallMpiReal) -> Result<f64, MpiFailure> {
        of!(of, summed(self, data))
    }
}

/// Numbers, where they lie or in a copy that is aligned as they are.
fn numbers<T: Blit>(data: &[u8]) -> Result<std::borrow::Cow<'_, [T]>, MpiFailure> {
    let size = size_of::<T>();
    if !data.len().is_multiple_of(size) {
        let bytes = data.len();
        let message =
            format!("sum {bytes} bytes reproducibly: they are no whole number of elements of {size}");
        return Err(MpiFailure::usage(message));
    }
    // SAFETY: any bytes are numbers.
    let (before, aligned, _) = unsafe { data.align_to::<T>() };
    if before.is_empty() && aligned.len() == data.len() / size {
        return Ok(aligned.into());
    }
    // SAFETY: as many bytes as a number has, wherever they lie.
    let each = data.chunks_exact(size).map(|bytes| unsafe { bytes.as_ptr().cast::<T>().read_unaligned() });
    Ok(each.collect::<Vec<T>>().into())
}

fn put<T: Blit>(numbers: &[T], into: &mut [u8]) {
    // SAFETY: the numbers' bytes.
    let bytes = unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), size_of_val(numbers)) };
    into.copy_from_slice(bytes);
}

fn has_room(data: &[u8], into: &[u8]) -> Result<(), MpiFailure> {
    if data.len() == into.len() {
        return Ok(());
    }
    let (bytes, room) = (data.len(), into.len());
    Err(MpiFailure::usage(format!("sum {bytes} bytes of each rank reproducibly: there is room for {room}")))
}

fn all_reduced<T: Real>(
    comm: &UpcallMpiCommunicator,
    data: &[u8],
    into: &mut [u8],
) -> Result<(), MpiFailure> {
    has_room(data, into)?;
    put(&comm.get()?.all_reduce_reproducible(&numbers::<T>(data)?)?, into);
    Ok(())
}

fn reduced<T: Real>(
    comm: &UpcallMpiCommunicator,
    data: &[u8],
    into: &mut [u8],
    root: i32,
) -> Result<(), MpiFailure> {
    let (comm, root) = (comm.get()?, rank(root, "sum reproducibly")?);
    if comm.rank() == root {
        has_room(data, into)?;
    }
    if let Some(sums) = comm.reduce_reproducible(&numbers::<T>(data)?, root)? {
        put(&sums, into);
    }
    Ok(())
}

fn summed<T: Real + Into<f64>>(comm: &UpcallMpiCommunicator, data: &[u8]) -> Result<f64, MpiFailure> {
    Ok(comm.get()?.sum_reproducible(&numbers::<T>(data)?)?.into())
}

/// A sum that is exact until it is read: the same bits in whichever order, and in whatever parts, numbers are added. Its value is
/// the number that is nearest to it, as if it had been computed with infinite precision and rounded once.
pub struct UpcallMpiExactSum(Kept);

enum Kept {
    Single(ExactSum<f32>),
    Double(ExactSum<f64>),
}

#[upcall::export]
impl UpcallMpiExactSum {
    /// One of nothing: 0.
    pub fn new(of: UpcallMpiReal) -> Self {
        UpcallMpiExactSum(match of {
            UpcallMpiReal::Single => Kept::Single(ExactSum::new()),
            UpcallMpiReal::Double => Kept::Double(ExactSum::new()),
        })
    }

    /// Adds a number, as one of the sum's own.
    pub fn add(&mut self, number: f64) {
        match &mut self.0 {
            Kept::Single(sum) => sum.add(number as f32),
            Kept::Double(sum) => sum.add(number),
        }
    }

    /// Adds numbers of the sum's own.
    pub fn add_all(&mut self, data: &[u8]) -> Result<(), MpiFailure> {
        match &mut self.0 {
            Kept::Single(sum) => sum.add_all(&numbers::<f32>(data)?),
            Kept::Double(sum) => sum.add_all(&numbers::<f64>(data)?),
        }
        Ok(())
    }

    /// Adds what another of the same numbers has.
    pub fn merge(&mut self, other: &UpcallMpiExactSum) -> Result<(), MpiFailure> {
        match (&mut self.0, &other.0) {
            (Kept::Single(sum), Kept::Single(other)) => sum.merge(other),
            (Kept::Double(sum), Kept::Double(other)) => sum.merge(other),
            _ => {
                let message = "merge exact sums: one is of numbers of 4 bytes, and the other of 8";
                return Err(MpiFailure::usage(message));
            }
        }
        Ok(())
    }

    /// The number that is nearest to the sum; of two that are as near, the even one.
    pub fn value(&self) -> f64 {
        match &self.0 {
            Kept::Single(sum) => sum.value().into(),
            Kept::Double(sum) => sum.value(),
        }
    }

    /// Adds up the sums of all ranks: afterwards each has that of all. Collective.
    pub fn all_reduce(&mut self, comm: &UpcallMpiCommunicator) -> Result<(), MpiFailure> {
        let comm = comm.get()?;
        match &mut self.0 {
            Kept::Single(sum) => comm.all_reduce_exact(std::slice::from_mut(sum))?,
            Kept::Double(sum) => comm.all_reduce_exact(std::slice::from_mut(sum))?,
        }
        Ok(())
    }
}
