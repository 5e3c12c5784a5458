use crate::prelude::*;
use crate::{Error, Form, Pack, Reader, Unpack, Writer, header};
use core::fmt;

/// The text of a URI, C#'s `Uri`: a class, so an `Option` of it may be null. The text is not checked; .NET
/// refuses what is not a URI when it reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uri(pub String);

/// Text that travels as UTF-16 whatever the options say, C#'s `StringBuilder`: a class, so an `Option` of it may
/// be null.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StringBuilder(pub String);

macro_rules! of_string {
    ($($type:ident)*) => {$(
        impl From<&str> for $type {
            fn from(text: &str) -> $type {
                $type(text.to_owned())
            }
        }

        impl From<String> for $type {
            fn from(text: String) -> $type {
                $type(text)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}
of_string!(Uri StringBuilder);

/// A value that C# computes when it is first asked for, C#'s `Lazy<T>`: a class, so an `Option` of it may be
/// null. Here it exists already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lazy<T>(pub T);

impl Pack for Uri {
    const FORM: Form<Self> = Form::Counted;
    const MIN: usize = 4;

    fn describe(to: &mut crate::Describe) {
        to.plain("text");
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.string(&self.0)
    }
}

impl<'a> Unpack<'a> for Uri {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        String::unpack(reader).map(Uri)
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        self.0.overwrite(reader)
    }
}

impl Pack for StringBuilder {
    const FORM: Form<Self> = Form::Counted;
    const MIN: usize = 4;

    fn describe(to: &mut crate::Describe) {
        to.plain("text");
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.string_utf16(&self.0)
    }
}

impl<'a> Unpack<'a> for StringBuilder {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        String::unpack(reader).map(StringBuilder)
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        self.0.overwrite(reader)
    }
}

impl<T: Pack> Pack for Lazy<T> {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 1 + T::MIN;

    fn describe(to: &mut crate::Describe) {
        to.of("lazy", &[T::describe]);
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.u8(1)?;
        self.0.pack(writer)
    }
}

impl<'a, T: Unpack<'a>> Unpack<'a> for Lazy<T> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        header::exactly(reader, 1, "Lazy")?;
        T::unpack(reader).map(Lazy)
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        header::exactly(reader, 1, "Lazy")?;
        self.0.overwrite(reader)
    }
}
