//! What a kernel asks of a vector register.

use super::number::Lanes;

/// Some numbers in one register.
///
/// A value of such a type exists only where the CPU has the instructions for it: whoever makes the first one,
/// by [`load`](Vector::load) or [`splat`](Vector::splat), answers for that, and the other methods are safe.
/// All are inlined into a function that is compiled for these instructions.
pub trait Vector: Copy {
    /// What it holds.
    type Item: Lanes;
    /// One answer per lane.
    type Mask: Mask;
    /// How many it holds.
    const LANES: usize;
    /// How many bits of [`bits`](Mask::bits) a lane has: 1, or the bytes of the item, or more.
    const MASK_BITS: usize;

    /// The numbers at `from`, which need not be aligned.
    ///
    /// # Safety
    /// - `LANES` numbers can be read there.
    /// - The CPU has the instructions.
    unsafe fn load(from: *const Self::Item) -> Self;
    /// The same number in all lanes.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn splat(value: Self::Item) -> Self;
    /// Writes the numbers to `to`, which need not be aligned.
    ///
    /// # Safety
    /// There is room for `LANES` numbers.
    unsafe fn store(self, to: *mut Self::Item);
    /// The sums; integers wrap.
    fn add(self, other: Self) -> Self;
    /// The lesser ones; `other` where `self` is NaN.
    fn min(self, other: Self) -> Self;
    /// The greater ones; `other` where `self` is NaN.
    fn max(self, other: Self) -> Self;
    /// Where the two are equal; NaN never is.
    fn equal(self, other: Self) -> Self::Mask;
    /// Where one of the two is NaN; nowhere for integers.
    fn unordered(self, other: Self) -> Self::Mask;
    /// The bits where every lane is set.
    const ALL: u64 = u64::MAX >> (64 - Self::LANES * Self::MASK_BITS);
}

/// A yes or no for each lane of a vector.
pub trait Mask: Copy {
    /// Where both are set.
    fn and(self, other: Self) -> Self;
    /// Where one is set.
    fn or(self, other: Self) -> Self;
    /// [`MASK_BITS`](Vector::MASK_BITS) equal bits per lane, the first lane lowest.
    fn bits(self) -> u64;
}

/// A vector of integers, whose exact sum can be gathered.
pub trait Widen: Vector {
    /// Integers of 64 bits in a register of the same size.
    type Half: Vector<Item = u64>;

    /// Two vectors whose sums make up the sum of these numbers, biased; see
    /// [`Integer`](super::number::Integer).
    fn widen(self) -> (Self::Half, Self::Half);
}

/// A vector of floats, read from memory that may hold narrower ones.
pub trait LoadFrom<T>: Vector {
    /// The numbers at `from`, which need not be aligned.
    ///
    /// # Safety
    /// As [`load`](Vector::load).
    unsafe fn load_from(from: *const T) -> Self;
}
