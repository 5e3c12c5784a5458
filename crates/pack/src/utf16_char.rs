use crate::primitive::raw;
use crate::{Error, Form, Invalid, Layout, Pack, Raw, Reader, Unpack, Writer};

/// C#'s `char`: one UTF-16 unit, which may be half of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Utf16Char(pub u16);

raw!(
    Utf16Char,
    Layout::primitive(2),
    |value, to| to.cast::<[u8; 2]>().write(value.0.to_le_bytes()),
    |from| Ok(Utf16Char(u16::from_le_bytes(from.cast::<[u8; 2]>().read())))
);
