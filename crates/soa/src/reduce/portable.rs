//! A vector of 16 bytes in plain Rust, for machines that no kernel is written for.

use super::number::{Integer, Lanes};
use super::vector::{LoadFrom, Mask, Vector, Widen};

/// `N` numbers.
#[derive(Clone, Copy)]
pub struct Portable<T, const N: usize>([T; N]);

impl<T: Lanes, const N: usize> Portable<T, N> {
    #[inline(always)]
    fn zip(mut self, other: Self, operation: impl Fn(T, T) -> T) -> Self {
        for (one, other) in self.0.iter_mut().zip(other.0) {
            *one = operation(*one, other);
        }
        self
    }

    #[inline(always)]
    fn mask(self, other: Self, holds: impl Fn(T, T) -> bool) -> u64 {
        let pairs = self.0.into_iter().zip(other.0).enumerate();
        pairs.fold(0, |mask, (lane, (one, other))| mask | u64::from(holds(one, other)) << lane)
    }
}

impl<T: Lanes, const N: usize> Vector for Portable<T, N> {
    type Item = T;
    type Mask = u64;
    const LANES: usize = N;
    const MASK_BITS: usize = 1;

    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller answers for N numbers there.
        unsafe { from.cast::<Self>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn splat(value: T) -> Self {
        Self([value; N])
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller answers for the room of N numbers.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, T::plus)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |one, other| if one < other { one } else { other })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |one, other| if one > other { one } else { other })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u64 {
        self.mask(other, |one, other| one == other)
    }

    #[inline(always)]
    fn unordered(self, other: Self) -> u64 {
        self.mask(other, |one, other| one.partial_cmp(&other).is_none())
    }
}

impl Mask for u64 {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self
    }
}

impl<T: Integer + Into<i128>, const N: usize> Widen for Portable<T, N> {
    type Half = Portable<u64, 2>;

    #[inline(always)]
    fn widen(self) -> (Self::Half, Self::Half) {
        // As the biased numbers are not negative, `SECOND` parts them; where it is 0 or 1 all are in the first.
        let biased = self.0.into_iter().map(|value| (value.into() + T::BIAS) as u64);
        let parts = T::SECOND.max(1) as u64;
        let (first, second) = biased.fold((0, 0), |(first, second), value| {
            if parts == 1 { (first + value, second) } else { (first + value % parts, second + value / parts) }
        });
        (Portable([first, 0]), Portable([second, 0]))
    }
}

impl<T: Lanes + Into<F>, F: Lanes, const N: usize> LoadFrom<T> for Portable<F, N> {
    #[inline(always)]
    unsafe fn load_from(from: *const T) -> Self {
        // SAFETY: the caller answers for N numbers there.
        Self(unsafe { from.cast::<[T; N]>().read_unaligned() }.map(T::into))
    }
}
