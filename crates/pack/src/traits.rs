use crate::{Describe, Error, Form, Invalid, Reader, Writer};

/// A value that can be written. `#[derive(Pack)]` implements it and [`Unpack`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no wire form",
    label = "cannot be packed",
    note = "`#[derive(Pack)]` gives a struct or an enum one; `#[pack(with = …)]` names a formatter for one field; `#[pack(ignore)]` leaves it out",
    note = "an object of a `#[pack(circular)]` type is held by a `Ref` to it"
)]
pub trait Pack {
    /// What the type is in C#.
    const FORM: Form<Self>;

    /// The fewest bytes that a value of it takes, by which a count is checked before memory is asked for.
    const MIN: usize;

    /// Writes the value.
    ///
    /// # Errors
    /// When there is no space left, when the value is nested too deeply, or has no form on the wire.
    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error>;

    /// Says what its bytes are, for a [`Schema`](crate::Schema). `#[derive(Pack)]` does it.
    fn describe(to: &mut Describe) {
        to.unknown(core::any::type_name::<Self>());
    }

    /// Writes the bytes of a raw value, zero for its padding. Called only where [`Pack::FORM`] is
    /// [`Form::Raw`].
    ///
    /// # Safety
    /// `at` must be valid for writes of the layout's size; it may be unaligned.
    unsafe fn write_raw(&self, at: *mut u8) {
        let _ = at;
        unreachable!("only raw types are written raw");
    }
}

/// A value that can be read from bytes that live for `'a`, from which it may borrow.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from packed bytes",
    label = "cannot be unpacked",
    note = "`#[derive(Pack)]` makes a struct or an enum readable; `#[pack(with = …)]` names a formatter for one field; `#[pack(ignore)]` leaves it out",
    note = "an object of a `#[pack(circular)]` type is held by a `Ref` to it"
)]
pub trait Unpack<'a>: Pack + Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// When the bytes are not a valid value, or end too early.
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error>;

    /// Reads into an existing value, reusing its memory where it can. Members that the bytes do not have become
    /// their `Default`, as in [`Unpack::unpack`], unless [`Reader::keeps`] says that they stay.
    ///
    /// # Errors
    /// As [`Unpack::unpack`]; the value is then partly the old one, partly the new.
    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        *self = Self::unpack(reader)?;
        Ok(())
    }

    /// Reads a raw value. Called only where [`Pack::FORM`] is [`Form::Raw`].
    ///
    /// # Errors
    /// When the bytes are not a value of the type.
    ///
    /// # Safety
    /// `at` must be valid for reads of the layout's size; it may be unaligned.
    unsafe fn read_raw(at: *const u8) -> Result<Self, Invalid> {
        let _ = at;
        unreachable!("only raw types are read raw");
    }

    /// The first of `count` raw values that is not valid, with `at` counted from the first. Called only where
    /// [`Pack::FORM`] is [`Form::Raw`].
    ///
    /// # Errors
    /// When one of them is not a value of the type.
    ///
    /// # Safety
    /// `at` must be valid for reads of `count` times the layout's size; it may be unaligned.
    unsafe fn check_raw(at: *const u8, count: usize) -> Result<(), Invalid> {
        let size = const { Self::FORM.layout_or_empty().size };
        for index in 0..count {
            // SAFETY: the caller's promise.
            unsafe { Self::read_raw(at.add(index * size)) }
                .map_err(|invalid| invalid.within(index * size))?;
        }
        Ok(())
    }
}
