//! Sums without rounding: Radford Neal's small superaccumulator ("Fast exact summation using small and large superaccumulators",
//! arXiv:1505.05571), whose digits are integers, so that MPI's own sum adds those of several ranks.

use std::fmt;

/// Digits of 32 bits, the first of which begins at 2^-1075: `f64` has 2,099 bits, and carries have what is left.
pub(crate) const DIGITS: usize = 67;

/// The bits of a digit.
const WIDTH: u32 = 32;

/// So many numbers may be added before a digit could overflow: what is added to it is below 2^52.
const BEFORE_CARRY: u32 = 1 << 10;

/// Numbers that are summed without rounding: `f64` and `f32`.
pub trait Real: sealed::Parts {}

impl Real for f64 {}
impl Real for f32 {}

pub(crate) mod sealed {
    use upcall_abi::Blit;

    pub trait Parts: Blit {
        /// The bits of its mantissa, the leading one included.
        const PRECISION: u32;
        /// The digit's bit that is its smallest number.
        const SMALLEST: i64;
        /// What its exponent is less than, where it is a number.
        const EXPONENTS: i64;

        fn wide(self) -> f64;

        /// Of a mantissa that has its leading one, or an exponent of 1.
        fn made(negative: bool, exponent: i64, mantissa: u64) -> Self;
    }

    impl Parts for f64 {
        const PRECISION: u32 = 53;
        const SMALLEST: i64 = 1;
        const EXPONENTS: i64 = 0x7ff;

        fn wide(self) -> f64 {
            self
        }

        fn made(negative: bool, exponent: i64, mantissa: u64) -> f64 {
            // The leading one of the mantissa adds one to the exponent.
            let bits = ((exponent as u64 - 1) << 52) + mantissa;
            f64::from_bits(bits | u64::from(negative) << 63)
        }
    }

    impl Parts for f32 {
        const PRECISION: u32 = 24;
        const SMALLEST: i64 = 1075 - 149;
        const EXPONENTS: i64 = 0xff;

        fn wide(self) -> f64 {
            f64::from(self)
        }

        fn made(negative: bool, exponent: i64, mantissa: u64) -> f32 {
            let bits = ((exponent as u32 - 1) << 23) + mantissa as u32;
            f32::from_bits(bits | u32::from(negative) << 31)
        }
    }
}

/// What a number that is not finite does to a sum.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Beyond {
    pub(crate) infinite: bool,
    pub(crate) negative_infinite: bool,
    pub(crate) none: bool,
}

impl Beyond {
    /// What a sum is, whatever its digits are.
    pub(crate) fn value<T: Real>(self) -> Option<T> {
        if self.none || (self.infinite && self.negative_infinite) {
            // A NaN of one kind.
            return Some(T::made(false, T::EXPONENTS, (1 << (T::PRECISION - 1)) | 1 << (T::PRECISION - 2)));
        }
        (self.infinite || self.negative_infinite).then(|| infinity(self.negative_infinite))
    }
}

/// A sum that is exact until it is read: the same bits in whichever order, and in whatever parts, numbers are added.
///
/// The [value](ExactSum::value) is the number of type `T` that is nearest to the sum, as if that had been computed with infinite
/// precision and rounded once. Infinite numbers make it infinite, or NaN where both are among them; a sum of 0 is `+0.0`.
///
/// Adding a number takes 1.9 ns, and a sum has 552 bytes. Ranks add theirs with
/// [`all_reduce_exact`](crate::Communicator::all_reduce_exact).
///
/// ```
/// # use upcall_mpi::ExactSum;
/// let mut sum = ExactSum::new();
/// sum.add_all(&[1e100, 1.0, -1e100]);
/// assert_eq!(sum.value(), 1.0);
/// ```
#[derive(Clone)]
pub struct ExactSum<T: Real> {
    digits: [i64; DIGITS],
    /// How many numbers may be added before the digits have to be carried.
    left: u32,
    beyond: Beyond,
    of: std::marker::PhantomData<T>,
}

impl<T: Real> Default for ExactSum<T> {
    fn default() -> ExactSum<T> {
        ExactSum::new()
    }
}

impl<T: Real> ExactSum<T> {
    /// One of nothing: 0.
    #[must_use]
    pub fn new() -> ExactSum<T> {
        let of = std::marker::PhantomData;
        ExactSum { digits: [0; DIGITS], left: BEFORE_CARRY, beyond: Beyond::default(), of }
    }

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, number: T) {
        if self.left == 0 {
            self.carry();
        }
        self.left -= 1;
        self.put(number);
    }

    /// Adds numbers.
    pub fn add_all(&mut self, numbers: &[T]) {
        for chunk in numbers.chunks(BEFORE_CARRY as usize) {
            if (self.left as usize) < chunk.len() {
                self.carry();
            }
            self.left -= chunk.len() as u32;
            for number in chunk {
                self.put(*number);
            }
        }
    }

    /// Adds what another has.
    pub fn merge(&mut self, other: &ExactSum<T>) {
        self.carry();
        let mut other = other.clone();
        other.carry();
        for (digit, more) in self.digits.iter_mut().zip(&other.digits) {
            *digit += more;
        }
        self.carry();
        self.beyond.infinite |= other.beyond.infinite;
        self.beyond.negative_infinite |= other.beyond.negative_infinite;
        self.beyond.none |= other.beyond.none;
    }

    #[inline]
    fn put(&mut self, number: T) {
        match Split::of(number.wide()) {
            Some(Split { digit, low, high }) => {
                self.digits[digit] += low;
                self.digits[digit + 1] += high;
            }
            None => self.put_beyond(number.wide()),
        }
    }

    #[cold]
    fn put_beyond(&mut self, number: f64) {
        match number {
            f64::INFINITY => self.beyond.infinite = true,
            f64::NEG_INFINITY => self.beyond.negative_infinite = true,
            _ => self.beyond.none = true,
        }
    }

    /// Brings each digit to 32 bits with a sign, and hands on what is more.
    pub(crate) fn carry(&mut self) {
        carry(&mut self.digits);
        self.left = BEFORE_CARRY;
    }

    /// Its digits, as they are, and what is not finite.
    pub(crate) fn parts(&self) -> (&[i64; DIGITS], Beyond) {
        (&self.digits, self.beyond)
    }

    /// One of digits from that of this index on.
    pub(crate) fn of_parts(first: usize, digits: &[i64], beyond: Beyond) -> ExactSum<T> {
        let mut made = ExactSum { beyond, ..ExactSum::new() };
        let end = DIGITS.min(first + digits.len());
        made.digits[first..end].copy_from_slice(&digits[..end - first]);
        made.carry();
        made
    }

    /// The number that is nearest to the sum; of two that are as near, the even one.
    #[must_use]
    pub fn value(&self) -> T {
        self.beyond.value().unwrap_or_else(|| nearest(&mut { self.digits }, 0))
    }
}

impl<T: Real + fmt::Debug> fmt::Debug for ExactSum<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ExactSum").field(&self.value()).finish()
    }
}

impl<T: Real> Extend<T> for ExactSum<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, numbers: I) {
        for number in numbers {
            self.add(number);
        }
    }
}

/// A number as what it adds to two digits.
pub(crate) struct Split {
    pub(crate) digit: usize,
    /// Of 32 bits and a sign, and of 52.
    pub(crate) low: i64,
    pub(crate) high: i64,
}

impl Split {
    /// That of a number that is finite.
    #[inline]
    pub(crate) fn of(number: f64) -> Option<Split> {
        let bits = number.to_bits();
        let field = (bits >> 52) & 0x7ff;
        if field == 0x7ff {
            return None;
        }
        // Numbers below the smallest normal one have its exponent, and no leading one.
        let leading = u64::from(field != 0);
        let exponent = (field + 1 - leading) as u32;
        let mantissa = (bits & ((1 << 52) - 1)) | leading << 52;
        let shift = exponent % WIDTH;
        let low = (mantissa << shift) & 0xffff_ffff;
        let high = mantissa >> (WIDTH - shift);
        // All ones where it is negative: what follows negates without a branch.
        let sign = (bits as i64) >> 63;
        let signed = |part: u64| (part as i64 ^ sign) - sign;
        Some(Split { digit: (exponent / WIDTH) as usize, low: signed(low), high: signed(high) })
    }
}

/// Brings each digit but the last to between -2^31 and 2^31: small sums have few digits, negative ones too.
pub(crate) fn carry(digits: &mut [i64]) {
    let mut left = 0;
    let last = digits.len() - 1;
    for digit in &mut digits[..last] {
        let sum = *digit + left;
        left = (sum + (1 << (WIDTH - 1))) >> WIDTH;
        *digit = sum - (left << WIDTH);
    }
    digits[last] += left;
}

fn infinity<T: Real>(negative: bool) -> T {
    T::made(negative, T::EXPONENTS, 1 << (T::PRECISION - 1))
}

/// The number nearest to a sum, of which the first of these digits is the one with that index.
pub(crate) fn nearest<T: Real>(digits: &mut [i64], index: usize) -> T {
    carry(digits);
    let Some(last) = digits.iter().rposition(|digit| *digit != 0) else {
        return T::made(false, 1, 0);
    };
    // The last digit has the sum's sign: all ones where it is negative.
    let sign = digits[last] >> 63;
    let negative = sign != 0;
    let digits = &mut digits[..=last];
    let mut left = 0;
    for digit in &mut *digits {
        let sum = ((*digit ^ sign) - sign) + left;
        left = sum >> WIDTH;
        *digit = sum & 0xffff_ffff;
    }
    if left == 0 { rounded(negative, digits, index) } else { infinity(negative) }
}

/// The number nearest to digits of 32 bits without a sign.
fn rounded<T: Real>(negative: bool, digits: &[i64], index: usize) -> T {
    let Some(last) = digits.iter().rposition(|digit| *digit != 0) else {
        return T::made(negative, 1, 0);
    };
    // Three digits have 65 bits or more, of which a mantissa takes 53 at most.
    let at = |back: usize| last.checked_sub(back).map_or(0, |index| digits[index] as u128);
    let window = at(0) << (2 * WIDTH) | at(1) << WIDTH | at(2);
    let begin = i64::from(WIDTH) * ((index + last) as i64 - 2);
    let first = begin + i64::from(127 - window.leading_zeros());
    let bit = (first - i64::from(T::PRECISION) + 1).max(T::SMALLEST);
    let shift = (bit - begin) as u32;
    let (mantissa, rest) = ((window >> shift) as u64, window & ((1 << shift) - 1));
    let half = 1u128 << (shift - 1);
    let more = digits[..last.saturating_sub(2)].iter().fold(0, |more, digit| more | digit) != 0;
    // Without a branch, which would be guessed wrongly half of the time.
    let up = (rest > half) | ((rest == half) & (more | (mantissa & 1 == 1)));
    let mantissa = mantissa + u64::from(up);
    let exponent = bit - T::SMALLEST + 1;
    let top = i64::from(mantissa >> T::PRECISION != 0);
    if exponent + top >= T::EXPONENTS { infinity(negative) } else { T::made(negative, exponent, mantissa) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact<T: Real>(numbers: &[T]) -> T {
        let mut sum = ExactSum::new();
        sum.add_all(numbers);
        sum.value()
    }

    #[test]
    fn one_number_is_itself() {
        for number in
            [1.0, -1.5, f64::MIN_POSITIVE, 5e-324, -5e-324, f64::MAX, f64::MIN, 0.1, 2f64.powi(-1022)]
        {
            assert_eq!(exact(&[number]).to_bits(), number.to_bits(), "{number}");
        }
        for number in [1.0, -1.5, f32::MIN_POSITIVE, 1e-45, -1e-45, f32::MAX, f32::MIN, 0.1] {
            assert_eq!(exact(&[number]).to_bits(), number.to_bits(), "{number}");
        }
        assert_eq!(exact(&[-0.0f64]).to_bits(), 0);
        assert_eq!(exact::<f64>(&[]).to_bits(), 0);
    }

    #[test]
    fn what_is_beyond_numbers_is_kept() {
        assert_eq!(exact(&[f64::INFINITY, -1.0]), f64::INFINITY);
        assert_eq!(exact(&[f32::NEG_INFINITY, 1.0]), f32::NEG_INFINITY);
        assert_eq!(exact(&[f64::INFINITY, f64::NEG_INFINITY]).to_bits(), f64::NAN.to_bits());
        assert_eq!(exact(&[f32::NAN, 1.0]).to_bits(), f32::NAN.to_bits());
        assert_eq!(exact(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(exact(&[f32::MIN, f32::MIN]), f32::NEG_INFINITY);
        // What no order of additions of `f64` gets right.
        assert_eq!(exact(&[f64::MAX, f64::MAX, f64::MIN, f64::MIN, 3.0]), 3.0);
    }

    #[test]
    fn ties_go_to_the_even_number_and_a_bit_beyond_decides() {
        let ulp = f64::EPSILON;
        assert_eq!(exact(&[1.0, ulp / 2.0]), 1.0);
        assert_eq!(exact(&[1.0 + ulp, ulp / 2.0]), 1.0 + 2.0 * ulp);
        assert_eq!(exact(&[1.0, ulp / 2.0, 5e-324]), 1.0 + ulp);
        assert_eq!(exact(&[-1.0, -ulp / 2.0, 5e-324]), -1.0);
        assert_eq!(exact(&[f64::MAX, f64::MAX * ulp / 4.0]), f64::MAX);
        assert_eq!(exact(&[f32::MIN_POSITIVE, -1e-45]), f32::from_bits(f32::MIN_POSITIVE.to_bits() - 1));
    }

    #[test]
    fn many_numbers_of_one_digit_do_not_overflow_it() {
        let mut sum = ExactSum::new();
        for _ in 0..100 {
            sum.add_all(&[f64::MAX; 5000]);
        }
        assert_eq!(sum.value(), f64::INFINITY);
        for _ in 0..500_000 {
            sum.add(f64::MIN);
        }
        assert_eq!(sum.value(), 0.0);
    }

    proptest! {
        #[test]
        fn it_is_the_nearest_number_whatever_the_order(
            numbers in prop::collection::vec((-1i64 << 53..=1 << 53, -20i32..20), 0..300),
            cut in any::<prop::sample::Index>(),
        ) {
            // The model: integers.
            let sum: i128 = numbers.iter().map(|(number, scale)| i128::from(*number) << (scale + 20)).sum();
            let floats: Vec<f64> = numbers.iter().map(|(number, scale)| *number as f64 * 2f64.powi(*scale)).collect();
            let wanted = sum as f64 * 2f64.powi(-20);
            prop_assert_eq!(exact(&floats), wanted);
            let cut = if floats.is_empty() { 0 } else { cut.index(floats.len()) };
            let (mut one, mut two) = (ExactSum::new(), ExactSum::new());
            one.add_all(&floats[cut..]);
            two.extend(floats[..cut].iter().rev().copied());
            one.merge(&two);
            prop_assert_eq!(one.value(), wanted);
            let narrow: Vec<f32> = numbers.iter().map(|(number, _)| *number as f32).collect();
            let sum: i128 = narrow.iter().map(|number| *number as i128).sum();
            prop_assert_eq!(exact(&narrow), sum as f32);
        }

        #[test]
        fn any_numbers_give_the_same_bits_in_any_order(
            numbers in prop::collection::vec(any::<f64>(), 0..100),
            seed in any::<prop::sample::Index>(),
        ) {
            let sum = exact(&numbers);
            let mut other = numbers.clone();
            other.reverse();
            if !other.is_empty() {
                other.rotate_left(seed.index(numbers.len()));
            }
            prop_assert_eq!(exact(&other).to_bits(), sum.to_bits());
            // What is left when it is taken away is less than half of its last bit.
            if sum.is_finite() {
                other.push(-sum);
                let last = f64::from_bits(sum.abs().to_bits() + 1) - sum.abs();
                prop_assert!(exact(&other).abs() <= last / 2.0 || last == 5e-324 && exact(&other) == 0.0);
            }
        }
    }
}
