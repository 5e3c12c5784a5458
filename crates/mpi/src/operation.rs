//! What a reduction does with two values: MPI's own operations, by type, and closures.

mod ends;
mod slots;

use crate::datatype::{is_number, layout, whole};
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::shim::{Constant, Handle};
use slots::Slot;
use std::marker::PhantomData;
use upcall_abi::Blit;

/// What MPI is told of an operation for elements of a type.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    pub(crate) op: Handle,
    pub(crate) datatype: Handle,
    /// Elements of the datatype in one of Rust's.
    pub(crate) each: usize,
}

/// An operation of a reduction on elements of type `T`: one of MPI's own ([`Sum`]), or an [`Operation`] by reference.
pub trait Operate<T: Blit>: sealed::Known<T> {}

impl<T: Blit, O: sealed::Known<T>> Operate<T> for O {}

/// What MPI and the reductions are told of an operation: nobody else has to know.
pub(crate) mod sealed {
    use super::{Error, Library, Told};

    pub trait Known<T> {
        fn told(&self, library: &Library) -> Result<Told, Error>;

        /// How often it has failed so far: a reduction compares what it was before and after.
        fn failures(&self) -> u64 {
            0
        }

        /// What it has failed with last.
        fn why(&self) -> String {
            String::new()
        }
    }
}

/// Numbers that MPI's own operations take.
pub trait Number: Blit {}

macro_rules! numbers {
    ($($type:ident)*) => {$(
        impl Number for $type {}
    )*};
}
numbers!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
impl<T: Number, const N: usize> Number for [T; N] {}

/// Numbers with bits of their own.
pub trait Integer: Number {}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Integer for $type {}
    )*};
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);
impl<T: Integer, const N: usize> Integer for [T; N] {}

macro_rules! predefined {
    ($($(#[$doc:meta])* $name:ident: $bound:ident = $constant:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl<T: $bound> sealed::Known<T> for $name {
            #[inline]
            fn told(&self, library: &Library) -> Result<Told, Error> {
                let layout = const { layout::<T>() };
                Ok(Told {
                    op: library.constant(Constant::$constant),
                    datatype: library.constant(layout.of),
                    each: layout.each,
                })
            }
        }
    )*};
}

predefined! {
    /// `a + b`; of integers, modulo their size.
    Sum: Number = Sum;
    /// `a * b`; of integers, modulo their size.
    Product: Number = Prod;
    /// 1 where both are not 0.
    LogicalAnd: Integer = Land;
    /// 1 where one of them is not 0.
    LogicalOr: Integer = Lor;
    /// 1 where exactly one of them is not 0.
    LogicalXor: Integer = Lxor;
    /// `a & b`
    BitAnd: Integer = Band;
    /// `a | b`
    BitOr: Integer = Bor;
    /// `a ^ b`
    BitXor: Integer = Bxor;
}

macro_rules! ends {
    ($($(#[$doc:meta])* $name:ident: $constant:ident, $end:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl<T: Number> sealed::Known<T> for $name {
            #[inline]
            fn told(&self, library: &Library) -> Result<Told, Error> {
                let layout = const { layout::<T>() };
                let op = match ends::unsigned(layout.of) {
                    Some(width) => ends::op(library, width, $end)?,
                    None => library.constant(Constant::$constant),
                };
                Ok(Told { op, datatype: library.constant(layout.of), each: layout.each })
            }
        }
    )*};
}

ends! {
    /// The smaller of two.
    Min: Min, ends::End::Smaller;
    /// The larger of two.
    Max: Max, ends::End::Larger;
}

/// An operation that is a closure, called once per chunk of elements with two slices of the same length: it combines `from`
/// into `into`, element by element. Where the order matters, `from` is what lower ranks have.
///
/// It must be associative, and commutative unless it is said not to be. It is called on the threads that call the reduction,
/// on several at once where they do. Where it panics, the reduction ends all the same, with [`ErrorKind::Operation`] on the
/// ranks where it did, and for every reduction by it that is under way there; what has been combined is of no use then, on any
/// rank.
///
/// ```no_run
/// # use upcall_mpi::{Environment, Operation, Threads};
/// let mpi = Environment::start(Threads::Funneled)?;
/// let larger = Operation::new(|from: &[f64], into: &mut [f64]| {
///     for (into, from) in into.iter_mut().zip(from) {
///         *into = into.max(*from);
///     }
/// })?;
/// let largest = mpi.world().all_reduce(&[mpi.world().rank() as f64], &larger)?;
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
#[derive(Debug)]
pub struct Operation<T> {
    slot: Slot,
    of: PhantomData<fn(&T)>,
}

impl<T: Blit> Operation<T> {
    /// One of a closure that combines slices.
    ///
    /// # Errors
    /// There are 64 of them already; or the type has padding, which the closure would leave unwritten, or an alignment of more
    /// than the 16 bytes that MPI's own buffers have.
    pub fn new(combine: impl Fn(&[T], &mut [T]) + Send + Sync + 'static) -> Result<Operation<T>, Error> {
        const MALLOC: usize = 16;
        if T::PADDED || align_of::<T>() > MALLOC {
            let why = if T::PADDED { "it has padding" } else { "it is aligned to more than 16 bytes" };
            let message = format!("make an operation on {}: {why}; reduce its fields as numbers", T::NAME);
            return Err(Error::new(ErrorKind::Usage, message));
        }
        Ok(Operation { slot: Slot::take(combine)?, of: PhantomData })
    }

    /// One of a closure that combines two elements; the loop around it is compiled with it.
    ///
    /// # Errors
    /// As [`new`](Operation::new).
    pub fn each(combine: impl Fn(T, T) -> T + Send + Sync + 'static) -> Result<Operation<T>, Error> {
        Operation::new(move |from: &[T], into: &mut [T]| {
            for (into, from) in into.iter_mut().zip(from) {
                *into = combine(*from, *into);
            }
        })
    }

    /// The same, whose elements are combined in the order of the ranks.
    #[must_use]
    pub fn not_commutative(mut self) -> Operation<T> {
        self.slot.commutes = false;
        self
    }
}

impl<T: Blit + std::ops::Add<Output = T>> Operation<T> {
    /// The type's own `+`.
    ///
    /// # Errors
    /// As [`new`](Operation::new).
    pub fn add() -> Result<Operation<T>, Error> {
        Operation::each(|from, into| from + into)
    }
}

impl<T: Blit> sealed::Known<T> for &Operation<T> {
    #[inline]
    fn told(&self, library: &Library) -> Result<Told, Error> {
        let datatype = if const { is_number::<T>() } {
            library.constant(const { layout::<T>() }.of)
        } else {
            whole::<T>(library)?
        };
        Ok(Told { op: self.slot.op(library)?, datatype, each: 1 })
    }

    #[inline]
    fn failures(&self) -> u64 {
        self.slot.failures()
    }

    fn why(&self) -> String {
        self.slot.why()
    }
}

/// The error of an operation that has failed.
#[cold]
pub(crate) fn failure(what: &str, why: &str) -> Error {
    Error::new(ErrorKind::Operation, format!("{what}: its operation panicked: {why}"))
}
