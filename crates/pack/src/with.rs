//! Formatters: how a member is written where its type alone does not say it.

mod bit_pack;
#[cfg(feature = "brotli")]
mod brotli;

pub use bit_pack::BitPack;
#[cfg(feature = "brotli")]
pub use brotli::{Brotli, BrotliString};

use crate::{Error, Pack, Reader, Text, Unpack, Writer};

/// Writes a `T` in a way of its own. `#[pack(with = Formatter)]` on a field names the type that implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a formatter that writes `{T}`",
    label = "does not implement `PackWith<{T}>`"
)]
pub trait PackWith<T: ?Sized> {
    /// Writes the value.
    ///
    /// # Errors
    /// When there is no space left, or the value has no form on the wire.
    fn pack(value: &T, writer: &mut Writer<'_>) -> Result<(), Error>;
}

/// Reads what a [`PackWith`] has written.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a formatter that reads `{T}`",
    label = "does not implement `UnpackWith<{T}>`"
)]
pub trait UnpackWith<'a, T>: PackWith<T> {
    /// Reads a value.
    ///
    /// # Errors
    /// When the bytes are not a valid value.
    fn unpack(reader: &mut Reader<'a>) -> Result<T, Error>;

    /// Reads into an existing value.
    ///
    /// # Errors
    /// As [`UnpackWith::unpack`].
    fn overwrite(value: &mut T, reader: &mut Reader<'a>) -> Result<(), Error> {
        *value = Self::unpack(reader)?;
        Ok(())
    }
}

/// Strings of this member are written as UTF-8, whatever the options say: `#[pack(utf8)]`.
#[derive(Clone, Copy, Debug)]
pub enum Utf8 {}

/// Strings of this member are written as UTF-16, whatever the options say: `#[pack(utf16)]`.
#[derive(Clone, Copy, Debug)]
pub enum Utf16 {}

macro_rules! encodings {
    ($($formatter:ident: $already:pat,)*) => {$(
        impl<T: Pack + ?Sized> PackWith<T> for $formatter {
            fn pack(value: &T, writer: &mut Writer<'_>) -> Result<(), Error> {
                if matches!(writer.text(), $already) {
                    return value.pack(writer);
                }
                let before = writer.set_text(Text::$formatter);
                let written = value.pack(writer);
                writer.set_text(before);
                written
            }
        }

        impl<'a, T: Unpack<'a>> UnpackWith<'a, T> for $formatter {
            fn unpack(reader: &mut Reader<'a>) -> Result<T, Error> {
                T::unpack(reader)
            }

            fn overwrite(value: &mut T, reader: &mut Reader<'a>) -> Result<(), Error> {
                value.overwrite(reader)
            }
        }
    )*};
}
encodings! {
    Utf8: Text::Utf8 | Text::Utf8WithoutLength,
    Utf16: Text::Utf16,
}
