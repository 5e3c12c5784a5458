use super::list::list;
use crate::prelude::*;
use crate::{Error, Form, Pack, Reader, Unpack, Writer, header};

/// A key and all that belongs to it, C#'s `IGrouping<K, V>`: an object, so an `Option` of it may be null.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grouping<K, V> {
    /// The key.
    pub key: K,
    /// What belongs to it.
    pub values: Vec<V>,
}

/// Groups by key, C#'s `ILookup<K, V>`. Nothing prevents duplicate keys, which .NET refuses to read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lookup<K, V>(pub Vec<Grouping<K, V>>);

list!(Lookup<K, V>, Grouping<K, V>);

impl<K: Pack, V: Pack> Pack for Grouping<K, V> {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 1 + K::MIN + 4;

    fn describe(to: &mut crate::Describe) {
        to.of("group", &[K::describe, V::describe]);
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.u8(2)?;
        self.key.pack(writer)?;
        self.values.pack(writer)
    }
}

impl<'a, K: Unpack<'a>, V: Unpack<'a>> Unpack<'a> for Grouping<K, V> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        header::exactly(reader, 2, "Grouping")?;
        let key = K::unpack(reader)?;
        Ok(Grouping { key, values: Vec::unpack(reader)? })
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        header::exactly(reader, 2, "Grouping")?;
        self.key.overwrite(reader)?;
        self.values.overwrite(reader)
    }
}
