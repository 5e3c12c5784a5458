//! Rust's tuples are C#'s `ValueTuple`s: unmanaged where all items are, in the CLR's automatic layout; else the items
//! one after the other. C#'s have at most eight parts: from eight items on, the last is a tuple of the rest.

use crate::{Error, Form, Invalid, Layout, Pack, Raw, Reader, Unpack, Writer};
use core::mem::offset_of;
use core::ptr;

const MOST: usize = 12;

/// Where the CLR puts the items of a tuple: its layout, and an offset for each item.
type Places = Option<(Layout, [usize; MOST])>;

/// A tuple, which has a layout if all its items are unmanaged.
trait Automatic {
    const PLACES: Places;
}

/// Items without a rest.
const fn places<const N: usize>(items: [Option<Layout>; N]) -> Places {
    let mut layouts = [Layout::primitive(1); N];
    let mut at = 0;
    while at < N {
        match items[at] {
            Some(layout) => layouts[at] = layout,
            None => return None,
        }
        at += 1;
    }
    let (whole, found) = Layout::automatic(layouts);
    let mut offsets = [0; MOST];
    at = 0;
    while at < N {
        offsets[at] = found[at];
        at += 1;
    }
    Some((whole, offsets))
}

/// Seven items and a tuple of the rest.
const fn places_with_rest(items: [Option<Layout>; 7], rest: Places) -> Places {
    let Some((layout, inner)) = rest else { return None };
    let [a, b, c, d, e, f, g] = items;
    let Some((whole, mut offsets)) = places([a, b, c, d, e, f, g, Some(layout)]) else { return None };
    let (begin, mut at) = (offsets[7], 7);
    while at < MOST {
        offsets[at] = begin + inner[at - 7];
        at += 1;
    }
    Some((whole, offsets))
}

/// The same, saying whether the items lie at `here` in memory too.
const fn compared<const N: usize>(places: Places, size: usize, here: [usize; N]) -> Places {
    let Some((whole, offsets)) = places else { return None };
    let mut first = [0; N];
    first.copy_from_slice(offsets.split_at(N).0);
    Some((whole.compared(size, here, first), offsets))
}

/// The layout and offsets of a tuple that is known to be raw.
const fn raw<T: Automatic>() -> (Layout, [usize; MOST]) {
    match T::PLACES {
        Some(places) => places,
        None => (Layout::primitive(1), [0; MOST]),
    }
}

macro_rules! tuples {
    ($(($($item:ident $index:tt),+ $(; $($rest:ident $rest_index:tt),+)?))+) => {$(
        impl<$($item: Pack,)+ $($($rest: Pack),+)?> Automatic for ($($item,)+ $($($rest,)+)?) {
            const PLACES: Places = compared(
                tuples!(@places [$($item)+] $([$($rest)+])?),
                size_of::<Self>(),
                [$(offset_of!(Self, $index),)+ $($(offset_of!(Self, $rest_index)),+)?],
            );
        }

        impl<$($item: Pack,)+ $($($rest: Pack),+)?> Pack for ($($item,)+ $($($rest,)+)?) {
            const FORM: Form<Self> = match <Self as Automatic>::PLACES {
                // SAFETY: `write_raw` writes zero and then all items at their offsets; `same` is claimed only where they
                // lie so in memory, and the rest follows from the items' own promises.
                Some((layout, _)) => Form::Raw(unsafe { Raw::new(layout) }),
                None => Form::Struct,
            };
            const MIN: usize = match <Self as Automatic>::PLACES {
                Some((layout, _)) => layout.size,
                None => 0 $(+ $item::MIN)+ $(+ <($($rest,)+) as Pack>::MIN)?,
            };

            fn describe(to: &mut crate::Describe) {
                to.of("values", &[$($item::describe,)+ $($($rest::describe),+)?]);
            }

            #[inline]
            fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
                if const { <Self as Automatic>::PLACES.is_some() } {
                    return writer.raw(self);
                }
                $(self.$index.pack(writer)?;)+
                $(
                    // A tuple of references is written as the tuple.
                    ($(&self.$rest_index,)+).pack(writer)?;
                )?
                Ok(())
            }

            #[inline(always)]
            unsafe fn write_raw(&self, at: *mut u8) {
                let (layout, offsets) = const { raw::<Self>() };
                // SAFETY: the caller gives room for the layout's size, in which the items lie at these offsets.
                unsafe {
                    if !layout.full {
                        ptr::write_bytes(at, 0, layout.size);
                    }
                    $(self.$index.write_raw(at.add(offsets[$index]));)+
                    $($(self.$rest_index.write_raw(at.add(offsets[$rest_index]));)+)?
                }
            }
        }

        impl<'a, $($item: Unpack<'a>,)+ $($($rest: Unpack<'a>),+)?> Unpack<'a> for ($($item,)+ $($($rest,)+)?) {
            #[inline]
            #[allow(non_snake_case)]
            fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
                if const { <Self as Automatic>::PLACES.is_some() } {
                    return reader.raw();
                }
                $(let $item = $item::unpack(reader)?;)+
                $(let ($($rest,)+) = Unpack::unpack(reader)?;)?
                Ok(($($item,)+ $($($rest,)+)?))
            }

            #[inline]
            fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
                if const { <Self as Automatic>::PLACES.is_some() } {
                    *self = reader.raw()?;
                    return Ok(());
                }
                $(self.$index.overwrite(reader)?;)+
                $(($(self.$rest_index,)+) = Unpack::unpack(reader)?;)?
                Ok(())
            }

            #[inline(always)]
            unsafe fn read_raw(at: *const u8) -> Result<Self, Invalid> {
                let (_, offsets) = const { raw::<Self>() };
                // SAFETY: the caller gives bytes of the layout's size, in which the items lie at these offsets.
                unsafe {
                    Ok((
                        $($item::read_raw(at.add(offsets[$index])).map_err(|invalid| invalid.within(offsets[$index]))?,)+
                        $($($rest::read_raw(at.add(offsets[$rest_index])).map_err(|invalid| invalid.within(offsets[$rest_index]))?,)+)?
                    ))
                }
            }
        }
    )+};
    (@places [$($item:ident)+]) => { places([$($item::FORM.layout()),+]) };
    (@places [$($item:ident)+] [$($rest:ident)+]) => {
        places_with_rest([$($item::FORM.layout()),+], <($($rest,)+) as Automatic>::PLACES)
    };
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6; H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6; H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6; H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6; H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6; H 7, I 8, J 9, K 10, L 11)
}
