//! Lists that are read in place.

use crate::prelude::*;
use crate::sequence::check;
use crate::{Error, ErrorKind, Pack, Reader, Unpack};
use alloc::borrow::Cow;
use core::slice;

impl<'a> Reader<'a> {
    /// `count` raw values in place, checked.
    fn slice<T: Unpack<'a> + 'a>(&mut self, count: usize) -> Result<&'a [T], Error> {
        let place = self.position();
        let Some(layout) = (const { T::FORM.layout() }) else {
            return Err(self.error(ErrorKind::NotBorrowable, "only lists of raw values can be borrowed"));
        };
        let bytes = self.raw_bytes::<T>(count)?;
        let items = bytes.as_ptr().cast::<T>();
        if !layout.same || !items.is_aligned() {
            let message = if layout.same {
                "a list that does not lie at a multiple of its items' alignment cannot be a slice: the format \
                 aligns nothing, so read `Items`, a `Cow` or a `Vec`"
            } else {
                "the items are laid out differently in this machine's memory: read `Items` or a `Vec`"
            };
            return Err(Error::new(ErrorKind::NotBorrowable, place, message));
        }
        // SAFETY: there are `count` items of the layout's size in the input, which lives for `'a`; `same` and
        // `raw_bytes`, which checks them, say that their bytes are items in memory; they are aligned.
        Ok(unsafe { slice::from_raw_parts(items, count) })
    }

    /// The bytes of `count` raw values, checked to be valid.
    pub(crate) fn raw_bytes<'t, T: Unpack<'t>>(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let size = const { T::FORM.layout_or_empty().size };
        let place = self.position();
        let bytes = match count.checked_mul(size) {
            Some(len) => self.bytes(len)?,
            None => return Err(self.beyond(place, count, size)),
        };
        // SAFETY: `bytes` has the size of `count` values.
        unsafe { check::<T>(bytes.as_ptr(), count, place)? };
        Ok(bytes)
    }
}

/// Fails the build where a list of `T` can never be borrowed.
const fn borrowable<T: Pack>() {
    let layout = match T::FORM.layout() {
        Some(layout) => layout,
        None => panic!("`&[T]` borrows raw values; for others, read a `Vec<T>`"),
    };
    if cfg!(target_endian = "little") && !layout.same {
        panic!(
            "`&[T]` borrows values that lie in memory as on the wire, and these do not: read `Items<T>` or `Vec<T>`"
        );
    }
}

/// Borrows the items from the input.
///
/// # Errors
/// The format aligns nothing, so only a list of bytes can always be borrowed. One that is not aligned for its
/// items, or lies in two slices of the input, is an error: [`Items`](crate::Items), `Cow` and `Vec`
/// read it.
impl<'a: 't, 't, T: Unpack<'a> + 'a> Unpack<'a> for &'t [T] {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        const { borrowable::<T>() };
        let count = reader.count_not_null(T::MIN)?;
        reader.slice(count)
    }
}

/// Borrows the items from the input where that is possible, and copies them where it is not.
impl<'a: 't, 't, T: Unpack<'a> + Clone + 'a> Unpack<'a> for Cow<'t, [T]> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let count = reader.count_not_null(T::MIN)?;
        let layout = const { T::FORM.layout_or_empty() };
        let here = reader.here() >= count.saturating_mul(layout.size);
        let aligned = reader.at().cast::<T>().is_aligned();
        if const { T::FORM.layout().is_some() } && layout.same && here && aligned {
            return reader.slice(count).map(Cow::Borrowed);
        }
        let mut items = Vec::new();
        reader.items(count, &mut items)?;
        Ok(Cow::Owned(items))
    }
}
