use crate::prelude::*;
use crate::primitive::raw;
use crate::{Invalid, Layout};
use core::fmt;

/// A decimal number, C#'s `decimal`: a sign, 96 bits, and the number of digits after the point (0 to 28).
///
/// It holds what C# holds: `1.0` and `1.00` are two values that are not equal here, as their bytes differ.
/// Arithmetic is another crate's business; the feature `rust_decimal` converts.
///
/// ```
/// use upcall_pack::Decimal;
///
/// let price = Decimal::new(-1_250, 2).unwrap();
/// assert_eq!(price.to_string(), "-12.50");
/// assert_eq!((price.mantissa(), price.scale()), (-1_250, 2));
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decimal {
    flags: u32,
    high: u32,
    low: u64,
}

const NEGATIVE: u32 = 1 << 31;
const SCALE: u32 = 0xff << 16;
const MOST_DIGITS: u32 = 28;

impl Decimal {
    /// `mantissa` divided by 10 to the power of `scale`. `None` when the mantissa has more than 96 bits or the
    /// scale is above 28.
    #[must_use]
    pub const fn new(mantissa: i128, scale: u32) -> Option<Decimal> {
        let sign = if mantissa < 0 { NEGATIVE } else { 0 };
        let bits = mantissa.unsigned_abs();
        if bits >> 96 != 0 || scale > MOST_DIGITS {
            return None;
        }
        Some(Decimal { flags: sign | scale << 16, high: (bits >> 64) as u32, low: bits as u64 })
    }

    /// From what C# holds in memory: sign (bit 31) and scale (bits 16 to 23), then the 96 bits. `None` when the
    /// scale is above 28 or another bit of `flags` is set.
    #[must_use]
    pub const fn from_parts(flags: u32, high: u32, low: u64) -> Option<Decimal> {
        if flags & !(NEGATIVE | SCALE) != 0 || (flags & SCALE) >> 16 > MOST_DIGITS {
            return None;
        }
        Some(Decimal { flags, high, low })
    }

    /// What C# holds in memory: flags, the high 32 bits, the low 64.
    #[must_use]
    pub const fn to_parts(self) -> (u32, u32, u64) {
        (self.flags, self.high, self.low)
    }

    /// Digits after the point.
    #[must_use]
    pub const fn scale(self) -> u32 {
        (self.flags & SCALE) >> 16
    }

    /// Whether it has a minus sign; zero may have one too.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.flags & NEGATIVE != 0
    }

    /// The number without its point. A negative zero's is 0.
    #[must_use]
    pub const fn mantissa(self) -> i128 {
        let bits = (self.high as i128) << 64 | self.low as i128;
        if self.is_negative() { -bits } else { bits }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = self.scale() as usize;
        let digits = format!("{:0width$}", self.mantissa().unsigned_abs(), width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let (sign, point) = (if self.is_negative() { "-" } else { "" }, if scale > 0 { "." } else { "" });
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}

#[cfg(feature = "rust_decimal")]
impl From<rust_decimal::Decimal> for Decimal {
    fn from(value: rust_decimal::Decimal) -> Decimal {
        let sign = if value.is_sign_negative() { NEGATIVE } else { 0 };
        let bits = value.mantissa().unsigned_abs();
        Decimal { flags: sign | value.scale() << 16, high: (bits >> 64) as u32, low: bits as u64 }
    }
}

#[cfg(feature = "rust_decimal")]
impl From<Decimal> for rust_decimal::Decimal {
    fn from(value: Decimal) -> rust_decimal::Decimal {
        let (low, middle) = (value.low as u32, (value.low >> 32) as u32);
        rust_decimal::Decimal::from_parts(low, middle, value.high, value.is_negative(), value.scale())
    }
}

/// Flags, high and low, as C# declares it.
const LAYOUT: Layout = {
    let (int, long) = (Layout::primitive(4), Layout::primitive(8));
    Layout::sequential([int, int, long], usize::MAX).0.checked()
};

raw!(
    Decimal,
    LAYOUT,
    |value, to| {
        to.cast::<[u8; 4]>().write(value.flags.to_le_bytes());
        to.add(4).cast::<[u8; 4]>().write(value.high.to_le_bytes());
        to.add(8).cast::<[u8; 8]>().write(value.low.to_le_bytes());
    },
    |from| {
        let flags = u32::from_le_bytes(from.cast::<[u8; 4]>().read());
        let high = u32::from_le_bytes(from.add(4).cast::<[u8; 4]>().read());
        let low = u64::from_le_bytes(from.add(8).cast::<[u8; 8]>().read());
        let rule = "a decimal's flags are its sign (bit 31) and its scale of 0 to 28 (bits 16 to 23)";
        Decimal::from_parts(flags, high, low).ok_or(Invalid::new(flags.into(), rule))
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: i128 = (1 << 96) - 1;

    #[test]
    fn mantissa_and_scale_come_back() {
        for (mantissa, scale) in [(0, 0), (15, 1), (-15, 28), (MOST, 0), (-MOST, 28)] {
            let value = Decimal::new(mantissa, scale).unwrap();
            assert_eq!(
                (value.mantissa(), value.scale(), value.is_negative()),
                (mantissa, scale, mantissa < 0)
            );
            let (flags, high, low) = value.to_parts();
            assert_eq!(Decimal::from_parts(flags, high, low), Some(value));
        }
        assert_eq!(Decimal::new(MOST + 1, 0), None);
        assert_eq!(Decimal::new(i128::MIN, 0), None);
        assert_eq!(Decimal::new(0, 29), None);
    }

    #[test]
    fn flags_that_csharp_never_sets_are_refused() {
        for bit in (0..16).chain(24..31) {
            assert_eq!(Decimal::from_parts(1 << bit, 0, 0), None, "bit {bit}");
        }
        assert_eq!(Decimal::from_parts(29 << 16, 0, 0), None);
        assert_eq!(Decimal::from_parts(NEGATIVE, 0, 0).map(Decimal::mantissa), Some(0));
    }

    #[test]
    fn its_text_has_all_its_digits() {
        let shown = |mantissa, scale| Decimal::new(mantissa, scale).unwrap().to_string();
        assert_eq!(shown(5, 3), "0.005");
        assert_eq!(shown(-100, 2), "-1.00");
        assert_eq!(shown(100, 0), "100");
        assert_eq!(shown(1, 28), "0.0000000000000000000000000001");
    }

    #[cfg(feature = "rust_decimal")]
    #[test]
    fn rust_decimal_holds_the_same_numbers() {
        for (mantissa, scale) in [(0, 0), (15, 1), (-15, 28), (MOST, 0), (-MOST, 28)] {
            let value = Decimal::new(mantissa, scale).unwrap();
            let other = rust_decimal::Decimal::from(value);
            assert_eq!(other.to_string(), value.to_string());
            assert_eq!(Decimal::from(other), value);
        }
    }
}
