//! What a reduction does with two values: MPI's own operations, by type, and closures.

mod handler;
pub(crate) mod ours;
mod places;
mod slots;

pub(crate) use handler::close_here;
pub use handler::{Combiner, Handler};
pub use places::{MaxWithPlace, MinWithPlace, Placed, Value};

use crate::datatype::{NumberType, number, numbers, whole};
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
    /// The bytes of one of the datatype's elements.
    pub(crate) size: usize,
}

/// An operation of a reduction on elements of type `T`: one of MPI's own ([`Sum`]), or an [`Operation`] by reference.
pub trait Operate<T: Blit>: sealed::Known<T> {}

impl<T: Blit, O: sealed::Known<T>> Operate<T> for O {}

/// What MPI and the reductions are told of an operation: nobody else has to know.
pub(crate) mod sealed {
    use super::{Constant, Error, Library, NumberType, Told};

    pub trait Numeric {
        const NUMBER: NumberType;
    }

    /// Numbers that are compared and have places: what MPI is told of pairs with them.
    pub trait Located: Copy + 'static {
        fn told(library: &Library, largest: bool) -> Result<Told, Error>;
    }

    /// The operators that MPI itself has, for the types that they take.
    pub trait Predefined<T> {
        const OPERATOR: Constant;
        const NUMBER: NumberType;
    }

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

/// Numbers that MPI's own operations take: those of Rust with 8 to 64 bits, and arrays of them.
pub trait Number: Blit + sealed::Numeric {}

impl<T: Blit + sealed::Numeric> Number for T {}

macro_rules! numbers {
    ($($type:ident)*) => {$(
        impl sealed::Numeric for $type {
            const NUMBER: NumberType = number(stringify!($type)).unwrap();
        }
    )*};
}
numbers!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
impl<T: sealed::Numeric, const N: usize> sealed::Numeric for [T; N] {
    const NUMBER: NumberType = T::NUMBER;
}

/// Numbers with bits of their own.
pub trait Integer: Number {}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Integer for $type {}
    )*};
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);
impl<T: Integer, const N: usize> Integer for [T; N] {}

/// What MPI is told of one of its own operations on numbers.
#[inline]
fn predefined(library: &Library, operator: Constant, number: NumberType) -> Result<Told, Error> {
    let op = match ours::op(library, operator, number.of) {
        Some(made) => made?,
        None => library.constant(operator),
    };
    Ok(Told { op, datatype: library.constant(number.of), size: number.size })
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident: $bound:ident = $constant:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name;

            impl<T: $bound> sealed::Predefined<T> for $name {
                const OPERATOR: Constant = Constant::$constant;
                const NUMBER: NumberType = <T as sealed::Numeric>::NUMBER;
            }

            impl<T: $bound> sealed::Known<T> for $name {
                #[inline]
                fn told(&self, library: &Library) -> Result<Told, Error> {
                    predefined(library, Constant::$constant, <T as sealed::Numeric>::NUMBER)
                }
            }
        )*

        /// MPI's own operations by their names, and whether they are for integers only.
        const OPERATORS: &[(&str, Constant, bool)] =
            &[$((stringify!($name), Constant::$constant, is_for_integers!($bound))),*];
    };
}

macro_rules! is_for_integers {
    (Number) => {
        false
    };
    (Integer) => {
        true
    };
}

operators! {
    /// `a + b`; of integers, modulo their size.
    Sum: Number = Sum;
    /// `a * b`; of integers, modulo their size.
    Product: Number = Prod;
    /// The smaller of two. Where one is NaN it is MPI's affair which is chosen: it may depend on the number of ranks.
    Min: Number = Min;
    /// The larger of two; of NaN as [`Min`].
    Max: Number = Max;
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

/// The operations on pairs by their names, that of the larger last.
const PAIRS: [&str; 2] = ["MinWithPlace", "MaxWithPlace"];

/// One of MPI's own operations on numbers that are known only when the program runs, as bytes: what a surface for another
/// language has. The bytes are whole numbers, wherever they lie.
#[derive(Clone, Copy, Debug)]
pub struct Named(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Number(Constant, NumberType),
    Pair { told: places::ToldOf, size: usize, largest: bool },
}

impl Named {
    /// The operation `operator`, by its name here (`Sum`, `BitXor`), on numbers by their name in Rust (`f64`); of
    /// `MinWithPlace` and `MaxWithPlace` the elements are [`Placed`] numbers of that name.
    ///
    /// # Errors
    /// There is no such operation or number, or it is for integers only and the number is none.
    pub fn new(operator: &str, of: &str) -> Result<Named, Error> {
        let wrong = |why: String| {
            Error::new(ErrorKind::Usage, format!("make the operation {operator} on {of}: {why}"))
        };
        let numbers = || wrong("the numbers are i8 to i64, u8 to u64, f32 and f64".to_owned());
        if let Some(largest) = PAIRS.iter().position(|name| *name == operator) {
            let (told, size) = places::told_by_name(of).ok_or_else(numbers)?;
            return Ok(Named(Kind::Pair { told, size, largest: largest == 1 }));
        }
        let Some(&(_, constant, integers)) = OPERATORS.iter().find(|(name, ..)| *name == operator) else {
            let names: Vec<&str> = OPERATORS.iter().map(|(name, ..)| *name).chain(PAIRS).collect();
            return Err(wrong(format!("the operations are {}", names.join(", "))));
        };
        let number = number(of).ok_or_else(numbers)?;
        if integers && matches!(number.of, Constant::Float | Constant::Double) {
            return Err(wrong("it is for integers".to_owned()));
        }
        Ok(Named(Kind::Number(constant, number)))
    }

    /// The operator, the number and its name, where it is not on pairs.
    pub(crate) fn on_numbers(self) -> Option<(Constant, NumberType, &'static str)> {
        match self.0 {
            Kind::Number(operator, number) => Some((operator, number, number.name())),
            Kind::Pair { .. } => None,
        }
    }

    /// The bytes of one of its elements.
    #[must_use]
    pub fn size(self) -> usize {
        match self.0 {
            Kind::Number(_, number) => number.size,
            Kind::Pair { size, .. } => size,
        }
    }
}

impl sealed::Known<u8> for Named {
    fn told(&self, library: &Library) -> Result<Told, Error> {
        match self.0 {
            Kind::Number(operator, number) => predefined(library, operator, number),
            Kind::Pair { told, largest, .. } => told(library, largest),
        }
    }
}

/// An operation that is a closure, called once per chunk of elements with two slices of the same length: it combines `from`
/// into `into`, element by element. Where the order matters, `from` is what lower ranks have.
///
/// It must be associative, and commutative unless it is said not to be, and must not call MPI: a call of the same
/// thread is [`ErrorKind::Usage`]. It is called on the threads that call the reduction, on several at once where they do; in
/// one that was begun, on any thread that calls MPI before it has ended. Where it panics, the reduction ends all the same, with
/// [`ErrorKind::Operation`] on the ranks where it did, and for every reduction by it that is under way there; what has been
/// combined is of no use then, on any rank.
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
    /// What MPI takes for one element: this many bytes, or a number.
    size: usize,
    number: Option<NumberType>,
    of: PhantomData<fn(&T)>,
}

impl<T: Blit> Operation<T> {
    /// One of a closure that combines slices.
    ///
    /// # Errors
    /// There are 64 of them already; or the type has padding, which the closure would leave unwritten, or an alignment of more
    /// than the 16 bytes that MPI's own buffers have.
    pub fn new(combine: impl Fn(&[T], &mut [T]) + Send + Sync + 'static) -> Result<Operation<T>, Error> {
        Operation::fallible(move |from, into| {
            combine(from, into);
            Ok(())
        })
    }

    /// The same of one that may fail: what it says is the error of the reduction, when that has ended.
    ///
    /// # Errors
    /// As [`new`](Operation::new).
    pub fn fallible(
        combine: impl Fn(&[T], &mut [T]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Result<Operation<T>, Error> {
        const MALLOC: usize = 16;
        if T::PADDED || align_of::<T>() > MALLOC {
            let why = if T::PADDED { "it has padding" } else { "it is aligned to more than 16 bytes" };
            let message = format!("make an operation on {}: {why}; reduce its fields as numbers", T::NAME);
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let (size, number) = (size_of::<T>(), const { numbers::<T>() });
        // An array is one element.
        let number = number.filter(|number| number.size == size);
        Ok(Operation { slot: Slot::take(1, combine)?, size, number, of: PhantomData })
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

impl Operation<u8> {
    /// An operation on elements of `size` bytes each, whose type is known only when the program runs. It is given whole
    /// elements, as bytes: those of the slices that are reduced, which lie where the caller has put them, and MPI's copies, which
    /// are aligned to 16 bytes or to the largest power of two that divides their size.
    ///
    /// # Errors
    /// There are 64 operations already, or an element has no bytes.
    pub fn of_size(
        size: usize,
        combine: impl Fn(&[u8], &mut [u8]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Result<Operation<u8>, Error> {
        if size == 0 {
            return Err(Error::new(ErrorKind::Usage, "make an operation: an element has a byte at least"));
        }
        Ok(Operation { slot: Slot::take(size, combine)?, size, number: None, of: PhantomData })
    }
}

impl<T: Blit> sealed::Known<T> for &Operation<T> {
    #[inline]
    fn told(&self, library: &Library) -> Result<Told, Error> {
        let datatype = match self.number {
            Some(number) => library.constant(number.of),
            None => whole(library, self.size)?,
        };
        Ok(Told { op: self.slot.op(library)?, datatype, size: self.size })
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
    Error::new(ErrorKind::Operation, format!("{what}: its operation {why}"))
}
