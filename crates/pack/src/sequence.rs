//! Lists and arrays: an i32 count, then the items, which take one copy where memory matches the wire.

use crate::prelude::*;
use crate::reader::null;
use crate::{Error, ErrorKind, Form, Invalid, Layout, Pack, Raw, Reader, Unpack, Writer};
use core::mem::MaybeUninit;
use core::{mem, ptr, slice};

impl Writer<'_> {
    /// Writes consecutive items, without their count.
    ///
    /// # Errors
    /// When there is no space left, or one of them cannot be written.
    #[inline]
    pub fn items<T: Pack>(&mut self, items: &[T]) -> Result<(), Error> {
        let Some(layout) = (const { T::FORM.layout() }) else {
            return items.iter().try_for_each(|item| item.pack(self));
        };
        let Some(len) = items.len().checked_mul(layout.size) else {
            return Err(self.too_long(usize::MAX));
        };
        if layout.writes_as_memory() {
            // SAFETY: `same` and `full` say that the items' memory is these bytes, all initialised.
            return self.bytes(unsafe { slice::from_raw_parts(items.as_ptr().cast(), len) });
        }
        let mut room = self.room(len)?;
        for item in items {
            // SAFETY: there is room for the layout's size for each item.
            unsafe {
                item.write_raw(room);
                room = room.add(layout.size);
            }
        }
        // SAFETY: all items were written.
        unsafe { self.written_to(room) };
        Ok(())
    }
}

impl<'a> Reader<'a> {
    /// Reads `count` consecutive items and appends them to `items`. The count is one that
    /// [`Reader::count`] has found possible.
    ///
    /// # Errors
    /// When the input ends before they do, or one of them cannot be read.
    #[inline]
    pub fn items<T: Unpack<'a>>(&mut self, count: usize, items: &mut Vec<T>) -> Result<(), Error> {
        match const { T::FORM.layout() } {
            Some(layout) => self.raw_items(layout, count, items),
            None => self.managed_items(count, items),
        }
    }

    /// A function of its own, whose frame is small: lists of lists call it recursively.
    #[inline]
    fn managed_items<T: Unpack<'a>>(&mut self, count: usize, items: &mut Vec<T>) -> Result<(), Error> {
        let room = self.promise::<T>(count);
        items.reserve(room);
        for _ in 0..count {
            items.push(T::unpack(self)?);
        }
        self.kept::<T>(room);
        Ok(())
    }

    #[inline]
    fn raw_items<T: Unpack<'a>>(
        &mut self,
        layout: Layout,
        count: usize,
        items: &mut Vec<T>,
    ) -> Result<(), Error> {
        self.raw_len(layout, count)?;
        items.reserve(count);
        // SAFETY: `T` is raw, and room for `count` more was just reserved, which `fill` fills or fails.
        unsafe {
            self.fill(items.spare_capacity_mut().as_mut_ptr().cast::<T>(), count)?;
            items.set_len(items.len() + count);
        }
        Ok(())
    }

    /// Reads `count` values of the raw type `T` to where `to` is. After an error there are none.
    ///
    /// # Safety
    /// - `T` is raw.
    /// - `to` must be valid for writes of `count` of them.
    #[inline]
    pub(crate) unsafe fn fill<T: Unpack<'a>>(&mut self, to: *mut T, count: usize) -> Result<(), Error> {
        let layout = const { T::FORM.layout_or_empty() };
        let len = self.raw_len(layout, count)?;
        if layout.same {
            let place = self.position();
            // SAFETY: there is room for `count` items, which have `layout.size` bytes each (`same`), and are items
            // if the check finds nothing.
            return unsafe {
                self.copy(to.cast(), len)?;
                check::<T>(to.cast(), count, place)
            };
        }
        let from = self.run(len)?;
        let mut made = Made { at: to, count: 0 };
        while made.count < count {
            let before = made.count * layout.size;
            // SAFETY: `run` found `layout.size` bytes for each item, and `to` has room for all of them.
            unsafe {
                let item = T::read_raw(from.add(before));
                to.add(made.count).write(item.map_err(|invalid| self.invalid(len - before, invalid))?);
            }
            made.count += 1;
        }
        mem::forget(made);
        Ok(())
    }

    /// Bytes of `count` raw values, which the input has.
    pub(crate) fn raw_len(&self, layout: Layout, count: usize) -> Result<usize, Error> {
        match count.checked_mul(layout.size) {
            Some(len) if len <= self.remaining() => Ok(len),
            _ => Err(self.beyond(self.position(), count, layout.size)),
        }
    }

    /// How many values of `size` bytes to make room for at once: a count is only a claim until its items have been
    /// read, and some take more memory than bytes. What the enclosing lists were promised is subtracted.
    #[inline]
    pub(crate) fn affordable(&self, size: usize) -> usize {
        const MEMORY_PER_BYTE: usize = 8;
        let bytes = MEMORY_PER_BYTE.saturating_mul(self.remaining()).saturating_sub(self.promised);
        bytes / size.max(1) + 4
    }

    /// How many of `count` values to make room for, until they have [`kept`](Self::kept) what is promised here.
    #[inline]
    pub(crate) fn promise<T>(&mut self, count: usize) -> usize {
        self.promise_of(size_of::<T>(), count)
    }

    /// The same for values of `size` bytes.
    #[inline]
    pub(crate) fn promise_of(&mut self, size: usize, count: usize) -> usize {
        let room = count.min(self.affordable(size));
        self.promised += room * size;
        room
    }

    /// Ends a [`promise`](Self::promise), as its items have been read.
    #[inline]
    pub(crate) fn kept<T>(&mut self, room: usize) {
        self.kept_of(size_of::<T>(), room);
    }

    /// The same for values of `size` bytes.
    #[inline]
    pub(crate) fn kept_of(&mut self, size: usize, room: usize) {
        self.promised -= room * size;
    }
}

macro_rules! written_as_list {
    ($([$($parameter:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($parameter)*> Pack for $type {
            const FORM: Form<Self> = Form::Counted;
            const MIN: usize = 4;

            fn describe(to: &mut crate::Describe) {
                to.of("list", &[T::describe]);
            }

            #[inline]
            fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
                writer.count(self.len())?;
                writer.items(self)
            }
        }
    )*};
}
written_as_list!([T: Pack] [T], [T: Pack] Vec<T>);

impl<'a, T: Unpack<'a>> Unpack<'a> for Vec<T> {
    #[inline]
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let count = reader.count_not_null(T::MIN)?;
        let mut items = Vec::new();
        reader.items(count, &mut items)?;
        Ok(items)
    }

    #[inline]
    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        let count = reader.count_not_null(T::MIN)?;
        if const { T::FORM.layout().is_some() } {
            self.clear();
        } else {
            self.truncate(count);
            self.iter_mut().try_for_each(|item| item.overwrite(reader))?;
        }
        reader.items(count - self.len(), self)
    }
}

/// Raw items lie side by side without a count, as in C#'s inline arrays; others are written as a list, which
/// must have as many when read.
///
/// C# has no inline array without items:
///
/// ```compile_fail,E0080
/// let _ = upcall_pack::to_vec(&vec![[0_u8; 0]; 3]);
/// ```
impl<T: Pack, const N: usize> Pack for [T; N] {
    const FORM: Form<Self> = match T::FORM {
        Form::Raw(_) if N == 0 => {
            panic!("an array without items takes no bytes, and C# has none: leave it out")
        }
        // SAFETY: an array is its items side by side, in memory as on the wire.
        Form::Raw(raw) => Form::Raw(unsafe { Raw::new(raw.layout().array(N)) }),
        _ => Form::Counted,
    };
    const MIN: usize = match T::FORM {
        Form::Raw(raw) => raw.layout().array(N).size,
        _ => 4,
    };

    fn describe(to: &mut crate::Describe) {
        to.counted("array", N, T::describe);
    }

    #[inline]
    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        if const { T::FORM.layout().is_some() } {
            return writer.raw(self);
        }
        writer.count(N)?;
        writer.items(self)
    }

    #[inline(always)]
    unsafe fn write_raw(&self, at: *mut u8) {
        let size = const { T::FORM.layout_or_empty().size };
        for (index, item) in self.iter().enumerate() {
            // SAFETY: the caller gives room for `N` items.
            unsafe { item.write_raw(at.add(index * size)) };
        }
    }
}

impl<'a, T: Unpack<'a>, const N: usize> Unpack<'a> for [T; N] {
    #[inline]
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        if const { T::FORM.layout().is_some() } {
            return reader.raw();
        }
        let place = reader.position();
        let count = reader.claimed()?.ok_or_else(|| null(place))?;
        if count != N {
            let message = format!("a list of {count} items, but the array has {N}: read a `Vec`");
            return Err(Error::new(ErrorKind::LengthInvalid, place, message));
        }
        reader.holds(place, count, T::MIN)?;
        try_array(|_| T::unpack(reader))
    }

    #[inline(always)]
    unsafe fn read_raw(at: *const u8) -> Result<Self, Invalid> {
        let size = const { T::FORM.layout_or_empty().size };
        try_array(|index| {
            // SAFETY: the caller gives the bytes of `N` items.
            unsafe { T::read_raw(at.add(index * size)) }.map_err(|invalid| invalid.within(index * size))
        })
    }
}

/// Checks the bytes of `count` values of the raw type `T`, which were read from `place` on.
///
/// # Safety
/// `at` must be valid for reads of `count` times the layout's size; it may be unaligned.
#[inline]
pub(crate) unsafe fn check<'a, T: Unpack<'a>>(
    at: *const u8,
    count: usize,
    place: usize,
) -> Result<(), Error> {
    if const { T::FORM.layout_or_empty().any } {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    unsafe { T::check_raw(at, count) }
        .map_err(|invalid| Error::new(ErrorKind::ValueInvalid, place + invalid.at, invalid.to_string()))
}

/// The items that `make` makes from their indices, or its first error.
fn try_array<T, E, const N: usize>(mut make: impl FnMut(usize) -> Result<T, E>) -> Result<[T; N], E> {
    let mut items = [const { MaybeUninit::<T>::uninit() }; N];
    let mut made = Made { at: items.as_mut_ptr().cast::<T>(), count: 0 };
    while made.count < N {
        let item = make(made.count)?;
        // SAFETY: there is room for `N` items.
        unsafe { made.at.add(made.count).write(item) };
        made.count += 1;
    }
    mem::forget(made);
    // SAFETY: all `N` items were made, and are read once, as none is dropped any more.
    Ok(unsafe { mem::transmute_copy(&items) })
}

/// Items that were made one after another, and are dropped should the next fail or panic.
struct Made<T> {
    at: *mut T,
    count: usize,
}

impl<T> Drop for Made<T> {
    fn drop(&mut self) {
        // SAFETY: the first `count` items were made, and nobody else has them.
        unsafe { ptr::slice_from_raw_parts_mut(self.at, self.count).drop_in_place() }
    }
}
