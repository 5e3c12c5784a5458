//! The body of each reduction, once for all vectors.
//!
//! All are `#[inline(always)]`: they become machine code in the functions of [`instantiate`], which are
//! compiled for the instructions that the vector needs.
//!
//! [`instantiate`]: super::table

use super::number::{Integer, Lanes};
use super::vector::{LoadFrom, Mask, Vector, Widen};
use std::mem::MaybeUninit;

/// The kernels for slices of one type on one kind of CPU. The CPU must have their instructions, which is why all
/// are unsafe; all of them accept an empty slice.
pub struct Kernels<T: Lanes> {
    /// The sum; integers wrap, floats are added in [`STRIPE`] bytes' worth of lanes.
    pub sum: unsafe fn(&[T]) -> T,
    /// The sum, of floats in lanes and blocks that are added in pairs; integers wrap.
    pub pairwise: unsafe fn(&[T]) -> T,
    /// The sum without overflow: floats as `f64`, integers in two halves.
    pub wide: unsafe fn(&[T]) -> T::Wide,
    /// The least number, `TOP` if there is none; and whether there is a NaN.
    pub min: unsafe fn(&[T]) -> (T, bool),
    /// The greatest number, `BOTTOM` if there is none; and whether there is a NaN.
    pub max: unsafe fn(&[T]) -> (T, bool),
    /// Both; and whether there is a NaN.
    pub min_max: unsafe fn(&[T]) -> (T, T, bool),
    /// The index of the first number that equals the given one.
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
        let sum = halved(&mut lanes(sum)[..V::LANES], V::Item::plus);
        blocks.remainder().iter().fold(sum, |sum, value| sum.plus(*value))
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
        // The rest is padded with numbers that count nothing once the bias is subtracted.
        let mut last = [V::Item::SIGN; MOST_LANES];
        last[..rest.len()].copy_from_slice(rest);
        let (first, second) = V::load(last.as_ptr()).widen();
        let total = |sum: V::Half| halved(&mut lanes(sum)[..V::Half::LANES], u64::plus);
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
    halved(&mut lanes[..width], V::Item::plus)
}

/// How many stripes are added one after the other before blocks are added in pairs.
const BLOCK: usize = 8;

/// Levels of pairs: more than there are blocks of 2 KiB in an address space.
const LEVELS: usize = 56;

/// The sum in the lanes of [`stripes`], of which blocks of [`BLOCK`] are added in pairs, then pairs of those and so on:
/// no element is part of more additions than seven, one for each level, and one for each halving of the lanes.
///
/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn pairwise<V: Vector>(values: &[V::Item]) -> V::Item {
    let width = STRIPE / size_of::<V::Item>();
    let mut blocks = values.chunks_exact(BLOCK * width);
    // Level `n` holds 2^n blocks where that bit of the number of blocks so far is set.
    let mut levels = [const { MaybeUninit::<[V::Item; MOST_LANES]>::uninit() }; LEVELS];
    let mut count = 0_usize;
    for block in &mut blocks {
        // SAFETY: the caller answers for the CPU; the block has whole stripes.
        let mut lanes = unsafe { stripe_sums::<V>(block, width) };
        for level in &levels[..count.trailing_ones() as usize] {
            // SAFETY: the bit of this level is set, so it was written; the caller answers for the CPU.
            unsafe { join::<V>(&mut lanes, level.assume_init_ref(), width) };
        }
        levels[count.trailing_ones() as usize].write(lanes);
        count += 1;
    }
    let rest = blocks.remainder();
    let (stripes, last) = rest.split_at(rest.len() - rest.len() % width);
    // SAFETY: as above.
    let mut lanes = unsafe { stripe_sums::<V>(stripes, width) };
    for (lane, value) in lanes.iter_mut().zip(last) {
        *lane = lane.plus(*value);
    }
    for (level, lower) in levels.iter().enumerate() {
        if count >> level == 0 {
            break;
        }
        if count >> level & 1 == 1 {
            // SAFETY: as above.
            unsafe { join::<V>(&mut lanes, lower.assume_init_ref(), width) };
        }
    }
    halved(&mut lanes[..width], V::Item::plus)
}

/// The sums of the lanes of whole stripes.
///
/// # Safety
/// As [`sum`]; the length is a multiple of `width`, the lanes of a stripe.
#[inline(always)]
unsafe fn stripe_sums<V: Vector>(values: &[V::Item], width: usize) -> [V::Item; MOST_LANES] {
    let mut lanes = [V::Item::ZERO; MOST_LANES];
    // SAFETY: the caller answers for the CPU; a stripe has `width` numbers.
    unsafe {
        let mut sums = [V::splat(V::Item::ZERO); 16];
        let sums = &mut sums[..width / V::LANES];
        for stripe in values.chunks_exact(width) {
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = sum.add(V::load(stripe.as_ptr().add(k * V::LANES)));
            }
        }
        for (k, sum) in sums.iter().enumerate() {
            sum.store(lanes.as_mut_ptr().add(k * V::LANES));
        }
    }
    lanes
}

/// Adds the lanes of earlier blocks to those of later ones.
///
/// # Safety
/// As [`sum`]; both have `width` lanes.
#[inline(always)]
unsafe fn join<V: Vector>(lanes: &mut [V::Item; MOST_LANES], earlier: &[V::Item; MOST_LANES], width: usize) {
    for k in (0..width).step_by(V::LANES) {
        // SAFETY: the caller answers for the CPU; a vector from `k` on is in the stripe.
        unsafe {
            let lane = lanes.as_mut_ptr().add(k);
            V::load(earlier.as_ptr().add(k)).add(V::load(lane)).store(lane);
        }
    }
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn min<V: Vector>(values: &[V::Item]) -> (V::Item, bool) {
    // SAFETY: the caller answers for the CPU.
    let (least, _, nan) = unsafe { extremes::<V, true, false>(values) };
    (least, nan)
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn max<V: Vector>(values: &[V::Item]) -> (V::Item, bool) {
    // SAFETY: the caller answers for the CPU.
    let (_, most, nan) = unsafe { extremes::<V, false, true>(values) };
    (most, nan)
}

/// # Safety
/// As [`sum`].
#[inline(always)]
pub unsafe fn min_max<V: Vector>(values: &[V::Item]) -> (V::Item, V::Item, bool) {
    // SAFETY: the caller answers for the CPU.
    unsafe { extremes::<V, true, true>(values) }
}

/// The least number if `LEAST`, the greatest if `MOST`, and whether there is a NaN.
///
/// # Safety
/// As [`sum`].
#[inline(always)]
unsafe fn extremes<V: Vector, const LEAST: bool, const MOST: bool>(
    values: &[V::Item],
) -> (V::Item, V::Item, bool) {
    if values.len() < V::LANES {
        return values.iter().fold((V::Item::TOP, V::Item::BOTTOM, false), |(least, most, nan), value| {
            (lesser(*value, least), greater(*value, most), nan | value.is_nan())
        });
    }
    let mut blocks = values.chunks_exact(4 * V::LANES);
    // SAFETY: the caller answers for the CPU; a block has four vectors, the slice at least one.
    unsafe {
        let mut least = [V::splat(V::Item::TOP); 4];
        let mut most = [V::splat(V::Item::BOTTOM); 4];
        let mut unordered = [least[0].unordered(least[0]); 2];
        // The new vector is asked first, so that a NaN in it loses.
        let mut look = |k: usize, vector: V| {
            if LEAST {
                least[k] = vector.min(least[k]);
            }
            if MOST {
                most[k] = vector.max(most[k]);
            }
        };
        for block in &mut blocks {
            for (pair, unordered) in unordered.iter_mut().enumerate() {
                let one = V::load(block.as_ptr().add(2 * pair * V::LANES));
                let other = V::load(block.as_ptr().add((2 * pair + 1) * V::LANES));
                look(2 * pair, one);
                look(2 * pair + 1, other);
                if V::Item::FLOAT {
                    *unordered = unordered.or(one.unordered(other));
                }
            }
        }
        let mut left = blocks.remainder();
        while !left.is_empty() {
            // The last vector ends with the slice, and overlaps what was seen already.
            let (from, next) = match left.split_at_checked(V::LANES) {
                Some((vector, next)) => (vector.as_ptr(), next),
                None => (values.as_ptr_range().end.sub(V::LANES), &left[..0]),
            };
            let vector = V::load(from);
            look(0, vector);
            unordered[0] = unordered[0].or(vector.unordered(vector));
            left = next;
        }
        let least = least[0].min(least[1]).min(least[2].min(least[3]));
        let most = most[0].max(most[1]).max(most[2].max(most[3]));
        (
            halved(&mut lanes(least)[..V::LANES], lesser),
            halved(&mut lanes(most)[..V::LANES], greater),
            unordered[0].or(unordered[1]).bits() != 0,
        )
    }
}

/// `other` where the first is NaN.
#[inline(always)]
fn lesser<T: Lanes>(one: T, other: T) -> T {
    if one < other { one } else { other }
}

/// `other` where the first is NaN.
#[inline(always)]
fn greater<T: Lanes>(one: T, other: T) -> T {
    if one > other { one } else { other }
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

/// The numbers of a vector, followed by others.
#[inline(always)]
fn lanes<V: Vector>(vector: V) -> [V::Item; MOST_LANES] {
    let mut lanes = [V::Item::ZERO; MOST_LANES];
    const { assert!(V::LANES <= MOST_LANES) };
    // SAFETY: there is room for the most lanes that a vector has.
    unsafe { vector.store(lanes.as_mut_ptr()) };
    lanes
}

/// Folds a power of two of lanes to one, by joining the upper half to the lower again and again.
#[inline(always)]
fn halved<T: Copy>(lanes: &mut [T], join: impl Fn(T, T) -> T) -> T {
    debug_assert!(lanes.len().is_power_of_two());
    let mut half = lanes.len() / 2;
    while half > 0 {
        let (low, high) = lanes.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low = join(*low, *high);
        }
        half /= 2;
    }
    lanes[0]
}
