use crate::primitive::raw;
use crate::{Kind, Layout};

/// A complex number, C#'s `System.Numerics.Complex`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// The real part.
    pub real: f64,
    /// The imaginary part.
    pub imaginary: f64,
}

raw!(
    Complex,
    Layout { align: 8, kind: Kind::Sequential, ..Layout::primitive(16) },
    |value, to| {
        to.cast::<[u8; 8]>().write(value.real.to_le_bytes());
        to.add(8).cast::<[u8; 8]>().write(value.imaginary.to_le_bytes());
    },
    |from| Ok(Complex {
        real: f64::from_le_bytes(from.cast::<[u8; 8]>().read()),
        imaginary: f64::from_le_bytes(from.add(8).cast::<[u8; 8]>().read()),
    })
);
