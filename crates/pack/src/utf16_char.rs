use crate::Layout;
use crate::primitive::raw;

/// C#'s `char`: one UTF-16 unit, which may be half of a pair. Rust's own `char` is C#'s `Rune`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Utf16Char(pub u16);

impl Utf16Char {
    /// The character's unit. `None` when it takes two.
    ///
    /// ```
    /// use upcall_pack::Utf16Char;
    ///
    /// assert_eq!(Utf16Char::from_char('あ'), Some(Utf16Char(0x3042)));
    /// assert_eq!(Utf16Char::from_char('😀'), None);
    /// ```
    pub fn from_char(character: char) -> Option<Utf16Char> {
        u16::try_from(u32::from(character)).ok().map(Utf16Char)
    }

    /// The character. `None` for a surrogate, which is half of one.
    #[must_use]
    pub fn to_char(self) -> Option<char> {
        char::from_u32(u32::from(self.0))
    }
}

raw!(
    Utf16Char,
    Layout::primitive(2),
    |value, to| to.cast::<[u8; 2]>().write(value.0.to_le_bytes()),
    |from| Ok(Utf16Char(u16::from_le_bytes(from.cast::<[u8; 2]>().read())))
);
