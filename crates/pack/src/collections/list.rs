//! What is written as a list and is not a slice.

use crate::prelude::*;
use crate::{Error, Form, Pack, Reader, Unpack, Writer};
use alloc::collections::{LinkedList, VecDeque};

/// C#'s `Queue<T>`.
impl<T: Pack> Pack for VecDeque<T> {
    const FORM: Form<Self> = Form::Counted;
    const MIN: usize = 4;

    fn describe(to: &mut crate::Describe) {
        to.of("list", &[T::describe]);
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.count(self.len())?;
        let (front, back) = self.as_slices();
        writer.items(front)?;
        writer.items(back)
    }
}

impl<'a, T: Unpack<'a>> Unpack<'a> for VecDeque<T> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Vec::unpack(reader).map(VecDeque::from)
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        // Neither conversion copies, once the items begin at the front.
        let mut items = Vec::from(core::mem::take(self));
        let read = items.overwrite(reader);
        *self = items.into();
        read
    }
}

/// C#'s `LinkedList<T>`.
impl<T: Pack> Pack for LinkedList<T> {
    const FORM: Form<Self> = Form::Counted;
    const MIN: usize = 4;

    fn describe(to: &mut crate::Describe) {
        to.of("list", &[T::describe]);
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.count(self.len())?;
        self.iter().try_for_each(|item| item.pack(writer))
    }
}

impl<'a, T: Unpack<'a>> Unpack<'a> for LinkedList<T> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let count = reader.count_not_null(T::MIN)?;
        (0..count).map(|_| T::unpack(reader)).collect()
    }
}

/// Implements everything for a type that is a `Vec` by another name.
macro_rules! list {
    ($type:ident<$($parameter:ident),+>, $item:ty) => {
        impl<$($parameter),+> Default for $type<$($parameter),+> {
            /// An empty one.
            fn default() -> Self {
                $type(Vec::new())
            }
        }

        impl<$($parameter),+> FromIterator<$item> for $type<$($parameter),+> {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                $type(items.into_iter().collect())
            }
        }

        impl<$($parameter: Pack),+> Pack for $type<$($parameter),+> {
            const FORM: Form<Self> = Form::Counted;
            const MIN: usize = 4;

            fn describe(to: &mut crate::Describe) {
                to.of("list", &[<$item as Pack>::describe]);
            }

            fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
                self.0.pack(writer)
            }
        }

        impl<'a, $($parameter: Unpack<'a>),+> Unpack<'a> for $type<$($parameter),+> {
            fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
                Vec::unpack(reader).map($type)
            }

            fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
                self.0.overwrite(reader)
            }
        }
    };
}
pub(super) use list;
