//! The body of each reduction, once for all vectors.
//!
//! All are `#[inline(always)]`: they become machine code in the functions of [`instantiate`], which are
//! compiled for the instructions that the vector needs.
//!
//! [`instantiate`]: super::table

use super::number::{Integer, Lanes};
use super::vector::{LoadFrom, Mask, Vector, Widen};

/// The kernels for slices of one type on one kind of CPU. None takes a CPU that has not its instructions, which
/// is why all are unsafe; an empty slice is taken by all.
pub struct Kernels<T: Lanes> {
    /// The sum; integers wrap, floats are added in [`STRIPE`] bytes' worth of lanes.
    pub sum: unsafe fn(&[T]) -> T,
    /// The sum without overflow: floats as `f64`, integers in two halves.
    pub wide: unsafe fn(&[T]) -> T::Wide,
    /// The least number, `TOP` if there is none; and whether there is a NaN.
    pub min: unsafe fn(&[T]) -> (T, bool),
    /// The greatest number, `BOTTOM` if there is none; and whether there is a NaN.
    pub max: unsafe fn(&[T]) -> (T, bool),
    /// Both; and whether there is a NaN.
    pub min_max: unsafe fn(&[T]) -> (T, T, bool),
    /// Where the first number is that equals the given one.
    pub find: unsafe fn(&[T], T) -> Option<usize>,
    /// How many numbers equal the given one.
    pub count: unsafe fn(&[T], T) -> usize,
    /// Whether two slices of the same length hold equal numbers.
    pub equal: unsafe fn(&[T], &[T]) -> bool,
}

/// The bytes of floats that are added side by side, on every CPU: 16 registers of 16 bytes, 4 of 64. So a sum
/// has the same bits everywhere. With fewer, the latency of an addition shows.
const STRIPE: usize = 256;

/// The lanes of the widest vector of bytes.
const MOST_LANES: usize = 64;

/// # Safety
/// The CPU has the instructions of `V`. The same goes for all of these functions.
#[inline(always)]
pub unsafe fn sum<V: Vector>(values: &[V::Item]) -> V::Item {
    let mut blocks = values.chunks_exact(4 * V::LANES);
    // SAFETY: the caller answers for the CPU; a block has four vectors.
    unsafe {
        let mut sums = [V::splat(V::Item::ZERO); 4];
        for block in &mut blocks {
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = sum.add(V::load(block.as_ptr().add(k * V::LANES)));
            }
        }
        let sum = sums[0].add(sums[1]).add(sums[2].add(sums[3]));
        lanes(sum).as_slice::<V>().iter().chain(blocks.remainder()).fold(V::Item::ZERO, |a, b| a.plus(*b))
    }
}

/// The two halves of an exact sum. See [`kernels`](self) for the contract of all.
///
/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn wide<V: Widen>(values: &[V::Item]) -> (u64, u64)
where
    V::Item: Integer,
{
    let mut vectors = values.chunks_exact(V::LANES);
    // SAFETY: the caller answers for the CPU; a chunk is one vector.
    unsafe {
        let mut sums = [V::Half::splat(0); 2];
        for vector in &mut vectors {
            let (first, second) = V::load(vector.as_ptr()).widen();
            sums = [sums[0].add(first), sums[1].add(second)];
        }
        let rest = vectors.remainder();
        // What is left is put behind numbers that count nothing once the bias is taken off.
        let mut last = [V::Item::SIGN; MOST_LANES];
        last[..rest.len()].copy_from_slice(rest);
        let (first, second) = V::load(last.as_ptr()).widen();
        let total = |sum: V::Half| lanes(sum).as_slice::<V::Half>().iter().sum::<u64>();
        (total(sums[0].add(first)), total(sums[1].add(second)))
    }
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn stripes<V: LoadFrom<T>, T: Copy>(values: &[T]) -> V::Item
where
    V::Item: From<T>,
{
    let width = STRIPE / size_of::<V::Item>();
    let mut blocks = values.chunks_exact(width);
    let mut lanes = [V::Item::ZERO; MOST_LANES];
    // SAFETY: the caller answers for the CPU; a block has as many numbers as a stripe.
    unsafe {
        let mut sums = [V::splat(V::Item::ZERO); 16];
        let sums = &mut sums[..width / V::LANES];
        for block in &mut blocks {
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = sum.add(V::load_from(block.as_ptr().add(k * V::LANES)));
            }
        }
        for (k, sum) in sums.iter().enumerate() {
            sum.store(lanes.as_mut_ptr().add(k * V::LANES));
        }
    }
    for (lane, value) in lanes.iter_mut().zip(blocks.remainder()) {
        *lane = lane.plus(V::Item::from(*value));
    }
    let mut half = width / 2;
    while half > 0 {
        let (low, high) = lanes.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low = low.plus(*high);
        }
        half /= 2;
    }
    lanes[0]
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn min<V: Vector>(values: &[V::Item]) -> (V::Item, bool) {
    // SAFETY: the caller answers for the CPU.
    unsafe { extreme::<V, 4>(values, V::Item::TOP, V::min, |one, other| one < other) }
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn max<V: Vector>(values: &[V::Item]) -> (V::Item, bool) {
    // SAFETY: the caller answers for the CPU.
    unsafe { extreme::<V, 4>(values, V::Item::BOTTOM, V::max, |one, other| one > other) }
}

/// The number before all others. `wins` takes the new vector first, so that a NaN in it loses.
///
/// # Safety
/// As [`sum`].
#[inline(always)]
unsafe fn extreme<V: Vector, const N: usize>(
    values: &[V::Item],
    start: V::Item,
    wins: impl Fn(V, V) -> V,
    before: impl Fn(V::Item, V::Item) -> bool,
) -> (V::Item, bool) {
    let mut nan = false;
    let mut found = start;
    let mut scalar = |value: V::Item| {
        nan |= value.is_nan();
        if before(value, found) {
            found = value;
        }
    };
    if values.len() < V::LANES {
        values.iter().for_each(|value| scalar(*value));
        return (found, nan);
    }
    let mut blocks = values.chunks_exact(N * V::LANES);
    // SAFETY: the caller answers for the CPU; a block has N vectors, the slice at least one.
    let (best, unordered) = unsafe {
        let mut best = [V::splat(start); N];
        let mut unordered = [best[0].unordered(best[0]); N];
        for block in &mut blocks {
            for k in (0..N).step_by(2) {
                let one = V::load(block.as_ptr().add(k * V::LANES));
                let other = V::load(block.as_ptr().add((k + 1) * V::LANES));
                best[k] = wins(one, best[k]);
                best[k + 1] = wins(other, best[k + 1]);
                if V::Item::FLOAT {
                    unordered[k] = unordered[k].or(one.unordered(other));
                }
            }
        }
        let end = values.as_ptr_range().end;
        let mut rest = blocks.remainder();
        while !rest.is_empty() {
            // The last vector ends with the slice, and looks again at what was seen already.
            let (from, next) = match rest.split_at_checked(V::LANES) {
                Some((vector, next)) => (vector.as_ptr(), next),
                None => (end.sub(V::LANES), &rest[..0]),
            };
            let vector = V::load(from);
            best[0] = wins(vector, best[0]);
            unordered[0] = unordered[0].or(vector.unordered(vector));
            rest = next;
        }
        for k in 1..N {
            best[0] = wins(best[k], best[0]);
            unordered[0] = unordered[0].or(unordered[k]);
        }
        (lanes(best[0]), unordered[0].bits() != 0)
    };
    best.as_slice::<V>().iter().for_each(|value| scalar(*value));
    (found, nan | unordered)
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn min_max<V: Vector>(values: &[V::Item]) -> (V::Item, V::Item, bool) {
    let (mut least, mut most, mut nan) = (V::Item::TOP, V::Item::BOTTOM, false);
    let mut blocks = values.chunks_exact(2 * V::LANES);
    // SAFETY: the caller answers for the CPU; a block has two vectors.
    let (lows, highs) = unsafe {
        let (mut lows, mut highs) = ([V::splat(least); 2], [V::splat(most); 2]);
        let mut unordered = lows[0].unordered(lows[0]);
        for block in &mut blocks {
            let one = V::load(block.as_ptr());
            let other = V::load(block.as_ptr().add(V::LANES));
            lows = [one.min(lows[0]), other.min(lows[1])];
            highs = [one.max(highs[0]), other.max(highs[1])];
            if V::Item::FLOAT {
                unordered = unordered.or(one.unordered(other));
            }
        }
        nan |= unordered.bits() != 0;
        (lanes(lows[0].min(lows[1])), lanes(highs[0].max(highs[1])))
    };
    for value in lows.as_slice::<V>().iter().chain(blocks.remainder()) {
        nan |= value.is_nan();
        least = if *value < least { *value } else { least };
    }
    for value in highs.as_slice::<V>().iter().chain(blocks.remainder()) {
        most = if *value > most { *value } else { most };
    }
    (least, most, nan)
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn find<V: Vector>(values: &[V::Item], wanted: V::Item) -> Option<usize> {
    let mut blocks = values.chunks_exact(4 * V::LANES);
    // SAFETY: the caller answers for the CPU; a block has four vectors, a chunk one.
    unsafe {
        let needle = V::splat(wanted);
        let equal = |from: *const V::Item, k: usize| V::load(from.add(k * V::LANES)).equal(needle);
        let first = |mask: V::Mask| mask.bits().trailing_zeros() as usize / V::MASK_BITS;
        for (index, block) in (&mut blocks).enumerate() {
            let from = block.as_ptr();
            let masks = [equal(from, 0), equal(from, 1), equal(from, 2), equal(from, 3)];
            if masks[0].or(masks[1]).or(masks[2].or(masks[3])).bits() != 0 {
                let k = (0..3).find(|k| masks[*k].bits() != 0).unwrap_or(3);
                return Some((4 * index + k) * V::LANES + first(masks[k]));
            }
        }
        let mut seen = values.len() - blocks.remainder().len();
        let mut vectors = blocks.remainder().chunks_exact(V::LANES);
        for vector in &mut vectors {
            let mask = equal(vector.as_ptr(), 0);
            if mask.bits() != 0 {
                return Some(seen + first(mask));
            }
            seen += V::LANES;
        }
        vectors.remainder().iter().position(|value| *value == wanted).map(|index| seen + index)
    }
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn count<V: Vector>(values: &[V::Item], wanted: V::Item) -> usize {
    // As many masks as fit into 64 bits are counted at once: an SSE2 machine has no instruction for it.
    let width = V::LANES * V::MASK_BITS;
    let group = (64 / width).min(4);
    let mut blocks = values.chunks_exact(group * V::LANES);
    let mut bits = 0;
    // SAFETY: the caller answers for the CPU; a block has `group` vectors.
    unsafe {
        let needle = V::splat(wanted);
        for block in &mut blocks {
            let mut masks = 0;
            for k in 0..group {
                masks |= V::load(block.as_ptr().add(k * V::LANES)).equal(needle).bits() << (k * width);
            }
            bits += masks.count_ones() as usize;
        }
    }
    bits / V::MASK_BITS + blocks.remainder().iter().filter(|value| **value == wanted).count()
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn equal<V: Vector>(one: &[V::Item], other: &[V::Item]) -> bool {
    let (mut ones, mut others) = (one.chunks_exact(4 * V::LANES), other.chunks_exact(4 * V::LANES));
    // SAFETY: the caller answers for the CPU; a block has four vectors, a chunk one.
    unsafe {
        let same = |one: *const V::Item, other: *const V::Item, k: usize| {
            V::load(one.add(k * V::LANES)).equal(V::load(other.add(k * V::LANES)))
        };
        for (one, other) in (&mut ones).zip(&mut others) {
            let (one, other) = (one.as_ptr(), other.as_ptr());
            let first = same(one, other, 0).and(same(one, other, 1));
            let second = same(one, other, 2).and(same(one, other, 3));
            if first.and(second).bits() != V::ALL {
                return false;
            }
        }
        let (mut ones, mut others) =
            (ones.remainder().chunks_exact(V::LANES), others.remainder().chunks_exact(V::LANES));
        (&mut ones)
            .zip(&mut others)
            .all(|(one, other)| same(one.as_ptr(), other.as_ptr(), 0).bits() == V::ALL)
            && ones.remainder() == others.remainder()
    }
}

/// The numbers of a vector in memory.
struct InMemory<T>([T; MOST_LANES]);

impl<T> InMemory<T> {
    #[inline(always)]
    fn as_slice<V: Vector<Item = T>>(&self) -> &[T] {
        &self.0[..V::LANES]
    }
}

#[inline(always)]
fn lanes<V: Vector>(vector: V) -> InMemory<V::Item> {
    let mut lanes = [V::Item::ZERO; MOST_LANES];
    const { assert!(V::LANES <= MOST_LANES) };
    // SAFETY: there is room for the most lanes that a vector has.
    unsafe { vector.store(lanes.as_mut_ptr()) };
    InMemory(lanes)
}
