//! Values of edges: their types, as text and back, and put together.

use std::cmp::Ordering;
use std::fmt;

/// What the values of edges are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ValueType {
    /// An integer from 0 to 2^32 - 1.
    U32,
    /// An integer of 32 bits with a sign.
    I32,
    /// An integer from 0 to 2^64 - 1.
    U64,
    /// An integer of 64 bits with a sign.
    I64,
    /// A floating-point number of 32 bits.
    F32,
    /// A floating-point number of 64 bits.
    F64,
}

/// A value of any type: its little-endian bytes, and zeroes behind those of four.
pub(crate) type Bits = u64;

macro_rules! value_types {
    ($($type:ident $variant:ident $order:ident $add:ident $negate:ident),+) => {
        impl ValueType {
            /// All of them.
            pub const ALL: [ValueType; 6] = [$(ValueType::$variant),+];

            /// Its name, as a file's columns have it: `f32`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(ValueType::$variant => stringify!($type),)+
                }
            }

            /// How many bytes a value has: 4 or 8.
            #[must_use]
            pub fn size(self) -> usize {
                match self {
                    $(ValueType::$variant => size_of::<$type>(),)+
                }
            }

            /// A value from its text, if it is one: its little-endian bytes, and zeroes behind those of four.
            #[must_use]
            pub fn parse(self, text: &[u8]) -> Option<u64> {
                let text = std::str::from_utf8(text).ok()?;
                match self {
                    $(ValueType::$variant => text.parse::<$type>().ok().map($type::bits),)+
                }
            }

            /// Writes a value's text, from which [`parse`](ValueType::parse) makes the same value.
            pub(crate) fn print(self, bits: Bits, text: &mut Vec<u8>) {
                use std::io::Write;
                // Writing into memory does not fail.
                let _ = match self {
                    $(ValueType::$variant => write!(text, "{}", $type::of(bits)),)+
                };
            }

            /// The nearest f64.
            pub(crate) fn number(self, bits: Bits) -> f64 {
                match self {
                    $(ValueType::$variant => $type::of(bits) as f64,)+
                }
            }

            /// The sum, if the type has it.
            pub(crate) fn add(self, one: Bits, other: Bits) -> Option<Bits> {
                match self {
                    $(ValueType::$variant => $type::of(one).$add($type::of(other)).map($type::bits),)+
                }
            }

            /// The same with the other sign, if the type has it.
            pub(crate) fn negated(self, bits: Bits) -> Option<Bits> {
                match self {
                    $(ValueType::$variant => $type::of(bits).$negate().map($type::bits),)+
                }
            }

            /// Which is less; of floating-point numbers by IEEE 754's total order.
            pub(crate) fn order(self, one: Bits, other: Bits) -> Ordering {
                match self {
                    $(ValueType::$variant => $type::of(one).$order(&$type::of(other)),)+
                }
            }
        }

        $(impl Number for $type {
            fn bits(self) -> Bits {
                let mut bits = [0; 8];
                bits[..size_of::<$type>()].copy_from_slice(&self.to_le_bytes());
                Bits::from_le_bytes(bits)
            }

            fn of(bits: Bits) -> $type {
                let bytes = bits.to_le_bytes();
                $type::from_le_bytes(*bytes.first_chunk().expect("eight bytes are enough"))
            }
        })+
    };
}
value_types!(
    u32 U32 cmp checked_add checked_neg,
    i32 I32 cmp checked_add checked_neg,
    u64 U64 cmp checked_add checked_neg,
    i64 I64 cmp checked_add checked_neg,
    f32 F32 total_cmp added negative,
    f64 F64 total_cmp added negative
);

trait Number {
    fn bits(self) -> Bits;
    fn of(bits: Bits) -> Self;
}

/// What has no end where it overflows.
trait Floating: Sized {
    fn added(self, other: Self) -> Option<Self>;
    fn negative(self) -> Option<Self>;
}

impl Floating for f32 {
    fn added(self, other: f32) -> Option<f32> {
        Some(self + other)
    }

    fn negative(self) -> Option<f32> {
        Some(-self)
    }
}

impl Floating for f64 {
    fn added(self, other: f64) -> Option<f64> {
        Some(self + other)
    }

    fn negative(self) -> Option<f64> {
        Some(-self)
    }
}

impl ValueType {
    /// The type of this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<ValueType> {
        ValueType::ALL.into_iter().find(|value| value.name() == name)
    }

    /// A value from its bytes in a file.
    pub(crate) fn at(self, column: &[u8], index: usize) -> Bits {
        let mut bits = [0; 8];
        let size = self.size();
        bits[..size].copy_from_slice(&column[index * size..(index + 1) * size]);
        Bits::from_le_bytes(bits)
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_the_same_once_it_was_printed_and_parsed() {
        for (value, text) in [
            (ValueType::U32, "4294967295"),
            (ValueType::I32, "-2147483648"),
            (ValueType::U64, "18446744073709551615"),
            (ValueType::I64, "-9223372036854775808"),
            (ValueType::F32, "0.1"),
            (ValueType::F64, "-inf"),
        ] {
            let mut printed = Vec::new();
            value.print(value.parse(text.as_bytes()).unwrap(), &mut printed);
            assert_eq!(printed, text.as_bytes());
            assert_eq!(ValueType::named(value.name()), Some(value));
        }
        assert_eq!(ValueType::U32.parse(b"-1"), None);
        assert_eq!(ValueType::I32.parse(b"1.0"), None);
        assert_eq!(ValueType::F64.parse(b"\xff"), None);
    }

    #[test]
    fn sums_that_have_no_room_are_none() {
        let of = |value: ValueType, text: &str| value.parse(text.as_bytes()).unwrap();
        assert_eq!(ValueType::I32.add(of(ValueType::I32, "2147483647"), of(ValueType::I32, "1")), None);
        assert_eq!(
            ValueType::F32.add(of(ValueType::F32, "1.5"), of(ValueType::F32, "-2")),
            Some(of(ValueType::F32, "-0.5"))
        );
        assert_eq!(ValueType::U64.negated(of(ValueType::U64, "1")), None);
        assert_eq!(ValueType::F32.order(of(ValueType::F32, "-2"), of(ValueType::F32, "1")), Ordering::Less);
    }
}
