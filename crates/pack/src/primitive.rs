//! Integers, floats, `bool` and `char`: their own bytes, little-endian.

use crate::{Invalid, Layout};

/// Implements both traits for a raw type from its layout, how its bytes are written, and how they are read.
macro_rules! raw {
    ($type:ty, $layout:expr, |$value:ident, $to:ident| $write:expr, |$from:ident| $read:expr $(, $check:item)?) => {
        impl $crate::Pack for $type {
            // SAFETY: see the invocation: the layout is the type's, and all of its bytes are written.
            const FORM: $crate::Form<Self> = $crate::Form::Raw(unsafe { $crate::Raw::new($layout) });
            const MIN: usize = const { $layout.size };

            fn describe(to: &mut $crate::Describe) {
                to.plain(stringify!($type));
            }

            #[inline]
            fn pack(&self, writer: &mut $crate::Writer<'_>) -> Result<(), $crate::Error> {
                writer.raw(self)
            }

            #[inline(always)]
            unsafe fn write_raw(&self, $to: *mut u8) {
                let $value = *self;
                // SAFETY: the caller gives room for the layout's size.
                unsafe { $write }
            }
        }

        impl<'a> $crate::Unpack<'a> for $type {
            #[inline]
            fn unpack(reader: &mut $crate::Reader<'a>) -> Result<Self, $crate::Error> {
                reader.raw()
            }

            #[inline(always)]
            unsafe fn read_raw($from: *const u8) -> Result<Self, $crate::Invalid> {
                // SAFETY: the caller gives bytes of the layout's size.
                unsafe { $read }
            }

            $($check)?
        }
    };
}
pub(crate) use raw;

macro_rules! numbers {
    ($($type:ident: $align:literal)*) => {$(
        raw!(
            $type,
            // In memory it has no padding, and any bytes are a value; the alignment is C#'s.
            Layout { align: $align, ..Layout::primitive(size_of::<$type>()) },
            |value, to| to.cast::<[u8; size_of::<$type>()]>().write(value.to_le_bytes()),
            |from| Ok($type::from_le_bytes(from.cast::<[u8; size_of::<$type>()]>().read()))
        );
    )*};
}
numbers!(i8: 1 u8: 1 i16: 2 u16: 2 i32: 4 u32: 4 i64: 8 u64: 8 f32: 4 f64: 8);

/// C#'s `Int128` and `UInt128` are structs, and so come after the primitives in a tuple.
macro_rules! wide {
    ($($type:ident)*) => {$(
        raw!(
            $type,
            Layout { kind: crate::Kind::Sequential, ..Layout::primitive(16) },
            |value, to| to.cast::<[u8; 16]>().write(value.to_le_bytes()),
            |from| Ok($type::from_le_bytes(from.cast::<[u8; 16]>().read()))
        );
    )*};
}
wide!(i128 u128);

raw!(
    bool,
    Layout::primitive(1).checked(),
    |value, to| to.write(value.into()),
    |from| match from.read() {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Invalid::new(other.into(), "a bool is 0 or 1")),
    },
    unsafe fn check_raw(at: *const u8, count: usize) -> Result<(), Invalid> {
        // SAFETY: the caller gives `count` bytes.
        let bytes = unsafe { core::slice::from_raw_parts(at, count) };
        // Without an early exit, the loop takes a few instructions for 16 of them.
        if bytes.iter().fold(0, |all, byte| all | byte) <= 1 {
            return Ok(());
        }
        let place = bytes.iter().position(|byte| *byte > 1).unwrap_or(0);
        Err(Invalid::new(bytes[place].into(), "a bool is 0 or 1").within(place))
    }
);

raw!(
    char,
    // C#'s `Rune` is a struct: `(new Rune('a'), 'b')` is 6200 0000 61000000 on .NET 8.
    Layout { kind: crate::Kind::Sequential, ..Layout::primitive(4) }.checked(),
    |value, to| to.cast::<[u8; 4]>().write(u32::from(value).to_le_bytes()),
    |from| {
        let number = u32::from_le_bytes(from.cast::<[u8; 4]>().read());
        let rule = "a char is a Unicode scalar value: 0 to D7FF, or E000 to 10FFFF";
        char::from_u32(number).ok_or(Invalid::new(number.into(), rule))
    }
);
