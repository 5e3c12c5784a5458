//! What points to a value is written as the value.

use crate::prelude::*;
use crate::{Error, Form, Invalid, Pack, Raw, Reader, Unpack, Writer};
use alloc::borrow::Cow;
use alloc::rc::Rc;
use alloc::sync::Arc;

macro_rules! pointers {
    ($([$($parameter:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($parameter)*> Pack for $type {
            const FORM: Form<Self> = match (T::FORM.managed(), T::FORM.layout()) {
                (Some(form), _) => form,
                // SAFETY: it writes what it points to; its own memory has nothing in common with that.
                (_, Some(layout)) => Form::Raw(unsafe { Raw::new(layout.elsewhere()) }),
                _ => unreachable!(),
            };
            const MIN: usize = T::MIN;

            fn describe(to: &mut crate::Describe) {
                T::describe(to);
            }

            #[inline]
            fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
                (**self).pack(writer)
            }

            #[inline(always)]
            unsafe fn write_raw(&self, at: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { (**self).write_raw(at) }
            }
        }
    )*};
}
pointers!(['p, T: Pack + ?Sized] &'p T, [T: Pack + ?Sized] Box<T>, [T: Pack + ?Sized] Rc<T>, [T: Pack + ?Sized] Arc<T>,
    ['p, T: Pack + ToOwned + ?Sized] Cow<'p, T>);

macro_rules! owning {
    ($($type:ident)*) => {$(
        impl<'a, T: Unpack<'a>> Unpack<'a> for $type<T> {
            #[inline]
            fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
                T::unpack(reader).map($type::new)
            }

            #[inline]
            fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
                match owning!(@mut $type self) {
                    Some(value) => value.overwrite(reader),
                    None => {
                        *self = Self::unpack(reader)?;
                        Ok(())
                    }
                }
            }

            #[inline(always)]
            unsafe fn read_raw(at: *const u8) -> Result<Self, Invalid> {
                // SAFETY: the caller's promise.
                unsafe { T::read_raw(at) }.map($type::new)
            }
        }
    )*};
    (@mut Box $value:ident) => { Some(&mut **$value) };
    (@mut $type:ident $value:ident) => { $type::get_mut($value) };
}
owning!(Box Rc Arc);

/// Text and slices, which are read before they are moved to where they stay.
macro_rules! unsized_in {
    ($($type:ident)*) => {$(
        impl<'a> Unpack<'a> for $type<str> {
            fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
                Cow::<str>::unpack(reader).map($type::from)
            }
        }

        impl<'a, T: Unpack<'a>> Unpack<'a> for $type<[T]> {
            #[inline]
            fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
                Vec::unpack(reader).map($type::from)
            }
        }
    )*};
}
unsized_in!(Box Rc Arc);
