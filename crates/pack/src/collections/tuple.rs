use crate::{Error, Form, Pack, Reader, Unpack, Writer, header};

/// C#'s class `Tuple` around a tuple of one to twelve items: an object, so an `Option` of it may be null. Rust's own
/// tuples are C#'s `ValueTuple`.
///
/// C#'s have at most eight parts: from eight items on, the last is a `Tuple` of the rest.
///
/// ```
/// use upcall_pack::Tuple;
///
/// assert_eq!(upcall_pack::to_vec(&Tuple((1_u8, 2_u8)))?, [2, 1, 2]);
/// # Ok::<(), upcall_pack::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tuple<T>(pub T);

macro_rules! tuples {
    ($(($parts:literal: $($item:ident $index:tt),+ $(; $more:literal: $($rest:ident $rest_index:tt),+)?))+) => {$(
        impl<$($item: Pack,)+ $($($rest: Pack),+)?> Pack for Tuple<($($item,)+ $($($rest,)+)?)> {
            const FORM: Form<Self> = Form::Object;
            const MIN: usize = 1 $(+ $item::MIN)+ $(+ 1 $(+ $rest::MIN)+)?;

            fn describe(to: &mut crate::Describe) {
                to.of("tuple", &[$($item::describe,)+ $($($rest::describe),+)?]);
            }

            fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
                writer.u8($parts)?;
                $(self.0.$index.pack(writer)?;)+
                $(
                    writer.u8($more)?;
                    $(self.0.$rest_index.pack(writer)?;)+
                )?
                Ok(())
            }
        }

        impl<'a, $($item: Unpack<'a>,)+ $($($rest: Unpack<'a>),+)?> Unpack<'a>
            for Tuple<($($item,)+ $($($rest,)+)?)>
        {
            #[allow(non_snake_case)]
            fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
                header::exactly(reader, $parts, "Tuple")?;
                $(let $item = $item::unpack(reader)?;)+
                $(
                    header::exactly(reader, $more, "Tuple")?;
                    $(let $rest = $rest::unpack(reader)?;)+
                )?
                Ok(Tuple(($($item,)+ $($($rest,)+)?)))
            }

            fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
                header::exactly(reader, $parts, "Tuple")?;
                $(self.0.$index.overwrite(reader)?;)+
                $(
                    header::exactly(reader, $more, "Tuple")?;
                    $(self.0.$rest_index.overwrite(reader)?;)+
                )?
                Ok(())
            }
        }
    )+};
}

tuples! {
    (1: A 0)
    (2: A 0, B 1)
    (3: A 0, B 1, C 2)
    (4: A 0, B 1, C 2, D 3)
    (5: A 0, B 1, C 2, D 3, E 4)
    (6: A 0, B 1, C 2, D 3, E 4, F 5)
    (7: A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (8: A 0, B 1, C 2, D 3, E 4, F 5, G 6; 1: H 7)
    (8: A 0, B 1, C 2, D 3, E 4, F 5, G 6; 2: H 7, I 8)
    (8: A 0, B 1, C 2, D 3, E 4, F 5, G 6; 3: H 7, I 8, J 9)
    (8: A 0, B 1, C 2, D 3, E 4, F 5, G 6; 4: H 7, I 8, J 9, K 10)
    (8: A 0, B 1, C 2, D 3, E 4, F 5, G 6; 5: H 7, I 8, J 9, K 10, L 11)
}
