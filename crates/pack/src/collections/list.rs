//! What is written as a list and is no slice.

use crate::{Error, Form, Pack, Reader, Unpack, Writer};
use std::collections::{LinkedList, VecDeque};

/// C#'s `Queue<T>`.
impl<T: Pack> Pack for VecDeque<T> {
    const FORM: Form<Self> = Form::Counted;
    const MIN: usize = 4;

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
        let mut items = Vec::from(std::mem::take(self));
        let read = items.overwrite(reader);
        *self = items.into();
        read
    }
}

/// C#'s `LinkedList<T>`.
impl<T: Pack> Pack for LinkedList<T> {
    const FORM: Form<Self> = Form::Counted;
    const MIN: usize = 4;

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
