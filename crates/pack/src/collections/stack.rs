use crate::{Error, Form, Pack, Reader, Unpack, Writer};

/// A stack, C#'s `Stack<T>`: its last item is the top. On the wire the bottom comes first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stack<T>(pub Vec<T>);

/// Elements with their priorities in no order, C#'s `PriorityQueue<E, P>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PriorityQueue<E, P>(pub Vec<(E, P)>);

/// Implements everything for a type that is a `Vec` by another name.
macro_rules! list {
    ($type:ident<$($parameter:ident),+>, $item:ty) => {
        impl<$($parameter),+> Default for $type<$($parameter),+> {
            /// Nothing in it.
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

list!(Stack<T>, T);
list!(PriorityQueue<E, P>, (E, P));
