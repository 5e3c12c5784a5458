//! The operators that MPI itself has, as one-sided operations take no others.

use crate::datatype::NumberType;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::operation::sealed::{Numeric, Predefined};
use crate::operation::{Named, Number, ours};
use crate::shim::{Constant, Handle};
use std::ffi::c_int;
use std::sync::atomic::{AtomicU8, Ordering};
use upcall_abi::Blit;

/// One number, of which an array is none.
pub trait Scalar: Number {}

macro_rules! scalars {
    ($($type:ident)*) => {$(
        impl Scalar for $type {}
    )*};
}
scalars!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

/// What is there is replaced.
#[derive(Clone, Copy, Debug)]
pub struct Replace;

/// An operator of MPI's own, which one-sided operations take: [`Sum`](crate::Sum) and the like, or [`Replace`]. A closure is none, as the
/// rank whose memory it is does not run it.
///
/// MPICH 4.0.2 compares unsigned numbers as if they had a sign, and Open MPI 4.1.4 some: where the MPI in use does, `Min` and
/// `Max` of them are [`ErrorKind::Unsupported`]. Open MPI 4.1.4 adds integers of 8 and 16 bits up to the largest: where the MPI in
/// use does, they are added one by one.
pub trait Accumulate<T>: Predefined<T> {}

impl<T, O: Predefined<T>> Accumulate<T> for O {}

/// An operator on numbers that may be known only when the program runs, as a surface for another language has it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Combining {
    operator: Constant,
    number: NumberType,
    name: &'static str,
}

impl Combining {
    pub(super) fn by<T: Blit, O: Accumulate<T>>(_: &O) -> Combining {
        Combining { operator: O::OPERATOR, number: O::NUMBER, name: T::NAME }
    }

    /// One by its name, as of [`Named`]; or `Replace`, or `Nothing`, which leaves what is there.
    ///
    /// # Errors
    /// As [`Named::new`], or it is an operation on pairs.
    pub fn named(operator: &str, of: &str) -> Result<Combining, Error> {
        // Any integer's does.
        let stands_for = if matches!(operator, "Replace" | "Nothing") { "Sum" } else { operator };
        let (constant, number, name) = Named::new(stands_for, of)?.on_numbers().ok_or_else(|| {
            let message = format!(
                "make the operation {operator} on {of}: windows combine numbers, not pairs with places"
            );
            Error::new(ErrorKind::Usage, message)
        })?;
        let operator = match operator {
            "Replace" => Constant::Replace,
            "Nothing" => Constant::NoOp,
            _ => constant,
        };
        Ok(Combining { operator, number, name })
    }

    /// The bytes of a number.
    #[must_use]
    pub fn size(self) -> usize {
        self.number.size
    }

    /// The number, if it has bits of its own.
    pub(super) fn integer(self) -> Option<Constant> {
        (!matches!(self.number.of, Constant::Float | Constant::Double)).then_some(self.number.of)
    }
}

/// What MPI is told of an operator on elements of a type.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    pub(super) op: Handle,
    pub(super) datatype: Handle,
    /// The bytes of one of the datatype's elements.
    pub(super) size: usize,
    /// How many of them at once: 0 for any number.
    pub(super) most: c_int,
}

/// Nothing is changed: what is there is read at once.
pub(super) struct Nothing;

impl<T: Number> Predefined<T> for Nothing {
    const OPERATOR: Constant = Constant::NoOp;
    const NUMBER: NumberType = <T as Numeric>::NUMBER;
}

impl<T: Number> Predefined<T> for Replace {
    const OPERATOR: Constant = Constant::Replace;
    const NUMBER: NumberType = <T as Numeric>::NUMBER;
}

/// What MPI is told of an operator, where it can be used.
pub(super) fn told(by: Combining, library: &Library) -> Result<Told, Error> {
    let Combining { operator, number, name } = by;
    let right = !ours::is_suspect(operator, number.of)
        || tried(library, operator == Constant::Sum, number.of, number.size)?;
    if !right && operator != Constant::Sum {
        let message = format!(
            "compare {name} in another rank's memory: {} compares them as if they had a sign; use signed numbers, or fetch and \
             compare_and_swap",
            library.name()
        );
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    // One by one they are added rightly.
    let most = c_int::from(!right);
    Ok(Told {
        op: library.constant(operator),
        datatype: library.constant(number.of),
        size: number.size,
        most,
    })
}

/// Whether MPI adds or compares numbers of a type rightly: it is tried, once.
fn tried(library: &Library, sum: bool, of: Constant, size: usize) -> Result<bool, Error> {
    const UNKNOWN: u8 = 2;
    static KNOWN: [[AtomicU8; Constant::COUNT]; 2] =
        [const { [const { AtomicU8::new(UNKNOWN) }; Constant::COUNT] }; 2];
    let known = &KNOWN[usize::from(sum)][of as usize];
    let mut right = c_int::from(known.load(Ordering::Relaxed));
    if right == c_int::from(UNKNOWN) {
        library.call(
            // SAFETY: a number's type and size.
            |table| unsafe {
                let call = if sum { table.win_sums } else { table.win_compares };
                call(library.constant(of), size as c_int, &mut right)
            },
            || "try how numbers are combined".to_owned(),
        )?;
        known.store(u8::from(right != 0), Ordering::Relaxed);
    }
    Ok(right != 0)
}
