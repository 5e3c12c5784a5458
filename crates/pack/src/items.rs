use crate::{Error, Form, Pack, Reader, Unpack, Writer, members};
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

/// A list of raw values that is read in place, aligned or not.
///
/// The format aligns nothing, so a `&[f32]` can be borrowed only by chance. Each value is loaded when it is asked
/// for, which for most types costs nothing extra; all of them were checked when the list was read.
///
/// ```
/// use upcall_pack::{Items, from_slice, to_vec};
///
/// let bytes = to_vec(&vec![1.5f32, 2.5])?;
/// let items: Items<'_, f32> = from_slice(&bytes)?;
/// assert_eq!((items.len(), items.get(1), items.iter().sum::<f32>()), (2, Some(2.5), 4.0));
/// # Ok::<(), upcall_pack::Error>(())
/// ```
pub struct Items<'a, T> {
    bytes: &'a [u8],
    count: usize,
    of: PhantomData<fn() -> T>,
}

impl<'a, T: Unpack<'a>> Items<'a, T> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Their bytes on the wire.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// One of them.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        if index >= self.count {
            return None;
        }
        let at = self.bytes[index * const { T::FORM.layout_or_empty().size }..].as_ptr();
        // SAFETY: `bytes` has the bytes of `count` raw values, of which this is one.
        unsafe { T::read_raw(at) }.ok()
    }

    /// All of them, in order.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> ItemsIter<'a, T> {
        ItemsIter { items: *self, at: 0 }
    }
}

impl<'a, T: Unpack<'a>> IntoIterator for Items<'a, T> {
    type Item = T;
    type IntoIter = ItemsIter<'a, T>;

    fn into_iter(self) -> ItemsIter<'a, T> {
        self.iter()
    }
}

/// Goes over [`Items`].
#[derive(Clone, Debug)]
pub struct ItemsIter<'a, T> {
    items: Items<'a, T>,
    at: usize,
}

impl<'a, T: Unpack<'a>> Iterator for ItemsIter<'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let item = self.items.get(self.at)?;
        self.at += 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.items.count - self.at;
        (left, Some(left))
    }
}

impl<'a, T: Unpack<'a>> ExactSizeIterator for ItemsIter<'a, T> {}

impl<'a, T: Unpack<'a>> FusedIterator for ItemsIter<'a, T> {}

impl<'a, T: Unpack<'a>> Pack for Items<'a, T> {
    const FORM: Form<Self> = Form::Counted;
    const MIN: usize = 4;

    fn describe(to: &mut crate::Describe) {
        to.of("list", &[T::describe]);
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.count(self.count)?;
        if const { T::FORM.layout_or_empty().full } {
            return writer.bytes(self.bytes);
        }
        // Padding in the input may be anything; it is written as zero.
        self.iter().try_for_each(|item| writer.raw(&item))
    }
}

impl<'a: 't, 't, T: Unpack<'t>> Unpack<'a> for Items<'t, T> {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        const { members::part::<T>("`Items<T>` views raw values; for others, read a `Vec<T>`") };
        let count = reader.count_not_null(<T as Pack>::MIN)?;
        let bytes = reader.raw_bytes::<T>(count)?;
        Ok(Items { bytes, count, of: PhantomData })
    }
}

impl<T> Clone for Items<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Items<'_, T> {}

impl<'a, T: Unpack<'a> + PartialEq> PartialEq for Items<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T> fmt::Debug for Items<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("count", &self.count).finish_non_exhaustive()
    }
}

/// No items.
impl<T> Default for Items<'_, T> {
    fn default() -> Self {
        Items { bytes: &[], count: 0, of: PhantomData }
    }
}
