use crate::primitive::raw;
use crate::{Kind, Layout};

/// Sixteen bits of a floating-point number, C#'s `Half`: it holds them but does no arithmetic.
///
/// The feature `half` converts from and to `half::f16`. Equality is that of the bits, so it tells the two zeros
/// apart and finds a NaN equal to itself.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Half(u16);

impl Half {
    /// From the bits of IEEE 754's binary16.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Half {
        Half(bits)
    }

    /// The bits of IEEE 754's binary16.
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }
}

raw!(
    Half,
    Layout { kind: Kind::Sequential, ..Layout::primitive(2) },
    |value, to| to.cast::<[u8; 2]>().write(value.0.to_le_bytes()),
    |from| Ok(Half(u16::from_le_bytes(from.cast::<[u8; 2]>().read())))
);

#[cfg(feature = "half")]
impl From<half::f16> for Half {
    fn from(value: half::f16) -> Half {
        Half(value.to_bits())
    }
}

#[cfg(feature = "half")]
impl From<Half> for half::f16 {
    fn from(value: Half) -> half::f16 {
        half::f16::from_bits(value.0)
    }
}

#[cfg(all(test, feature = "half"))]
mod tests {
    use super::*;

    #[test]
    fn one_is_one() {
        assert_eq!(Half::from(half::f16::ONE), Half::from_bits(0x3c00));
        assert_eq!(half::f16::from(Half::from_bits(0xc000)).to_f32(), -2.0);
    }
}
