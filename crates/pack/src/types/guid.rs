use crate::primitive::raw;
use crate::{Kind, Layout};
use core::fmt;
use core::str::FromStr;

/// A Guid in C#'s memory order: the first three groups of its text are little-endian numbers.
///
/// ```
/// use upcall_pack::Guid;
///
/// let id: Guid = "00112233-4455-6677-8899-aabbccddeeff".parse().unwrap();
/// assert_eq!(id.to_bytes_le()[..4], [0x33, 0x22, 0x11, 0x00]);
/// assert_eq!(id, Guid::from_u128(0x00112233_44556677_8899aabb_ccddeeff));
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid {
    a: u32,
    b: u16,
    c: u16,
    d: [u8; 8],
}

/// The text is not 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuidTextError;

impl fmt::Display for GuidTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a Guid is 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12 with `-` between them")
    }
}

impl core::error::Error for GuidTextError {}

impl Guid {
    /// All zeros.
    pub const EMPTY: Guid = Guid { a: 0, b: 0, c: 0, d: [0; 8] };

    /// The number that its text reads as.
    #[must_use]
    pub const fn from_u128(value: u128) -> Guid {
        Guid {
            a: (value >> 96) as u32,
            b: (value >> 80) as u16,
            c: (value >> 64) as u16,
            d: (value as u64).to_be_bytes(),
        }
    }

    /// The number that its text reads as.
    #[must_use]
    pub const fn to_u128(self) -> u128 {
        (self.a as u128) << 96
            | (self.b as u128) << 80
            | (self.c as u128) << 64
            | u64::from_be_bytes(self.d) as u128
    }

    /// From the bytes that C# holds in memory, and that travel.
    #[must_use]
    pub const fn from_bytes_le(bytes: [u8; 16]) -> Guid {
        let [a0, a1, a2, a3, b0, b1, c0, c1, d @ ..] = bytes;
        Guid {
            a: u32::from_le_bytes([a0, a1, a2, a3]),
            b: u16::from_le_bytes([b0, b1]),
            c: u16::from_le_bytes([c0, c1]),
            d,
        }
    }

    /// The bytes that C# holds in memory, and that travel.
    #[must_use]
    pub const fn to_bytes_le(self) -> [u8; 16] {
        let ([a0, a1, a2, a3], [b0, b1], [c0, c1]) =
            (self.a.to_le_bytes(), self.b.to_le_bytes(), self.c.to_le_bytes());
        let [d0, d1, d2, d3, d4, d5, d6, d7] = self.d;
        [a0, a1, a2, a3, b0, b1, c0, c1, d0, d1, d2, d3, d4, d5, d6, d7]
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = u64::from_be_bytes(self.d);
        write!(
            f,
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            self.a,
            self.b,
            self.c,
            d >> 48,
            d & 0xffff_ffff_ffff
        )
    }
}

impl FromStr for Guid {
    type Err = GuidTextError;

    fn from_str(text: &str) -> Result<Guid, GuidTextError> {
        let mut value = 0;
        if text.len() != 36 {
            return Err(GuidTextError);
        }
        for (index, character) in text.chars().enumerate() {
            match (matches!(index, 8 | 13 | 18 | 23), character.to_digit(16)) {
                (true, None) if character == '-' => {}
                (false, Some(digit)) => value = value << 4 | u128::from(digit),
                _ => return Err(GuidTextError),
            }
        }
        Ok(Guid::from_u128(value))
    }
}

#[cfg(feature = "uuid")]
impl From<uuid::Uuid> for Guid {
    fn from(id: uuid::Uuid) -> Guid {
        Guid::from_u128(id.as_u128())
    }
}

#[cfg(feature = "uuid")]
impl From<Guid> for uuid::Uuid {
    fn from(id: Guid) -> uuid::Uuid {
        uuid::Uuid::from_u128(id.to_u128())
    }
}

/// An int, two shorts and eight bytes, as C# declares it.
const LAYOUT: Layout = Layout { align: 4, kind: Kind::Sequential, ..Layout::primitive(16) };

raw!(Guid, LAYOUT, |value, to| to.cast::<[u8; 16]>().write(value.to_bytes_le()), |from| Ok(
    Guid::from_bytes_le(from.cast::<[u8; 16]>().read())
));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    const TEXT: &str = "00112233-4455-6677-8899-aabbccddeeff";

    #[test]
    fn text_number_and_bytes_are_one_guid() {
        let id: Guid = TEXT.parse().unwrap();
        assert_eq!(id.to_string(), TEXT);
        assert_eq!(TEXT.to_uppercase().parse(), Ok(id));
        assert_eq!(Guid::from_u128(id.to_u128()), id);
        assert_eq!(Guid::from_bytes_le(id.to_bytes_le()), id);
        assert_eq!(Guid::EMPTY.to_string(), "00000000-0000-0000-0000-000000000000");
    }

    #[test]
    fn text_in_another_shape_is_an_error() {
        for text in [
            "",
            "00112233445566778899aabbccddeeff",
            &TEXT[1..],
            &TEXT.replace('-', "0"),
            &TEXT.replace('f', "g"),
            "ääääääääääääääääää",
        ] {
            assert_eq!(text.parse::<Guid>(), Err(GuidTextError), "{text}");
        }
    }

    #[cfg(feature = "uuid")]
    #[test]
    fn a_uuid_has_the_same_text() {
        let id: Guid = TEXT.parse().unwrap();
        let uuid = uuid::Uuid::from(id);
        assert_eq!(uuid.to_string(), TEXT);
        assert_eq!(uuid.to_bytes_le(), id.to_bytes_le());
        assert_eq!(Guid::from(uuid), id);
    }
}
