//! Lists and arrays: an i32 count, then the items, which are one copy where memory is what the wire has.

use crate::{Error, ErrorKind, Form, Invalid, Layout, Pack, Raw, Reader, Unpack, Writer};
use std::mem::MaybeUninit;
use std::{mem, slice};

impl Writer<'_> {
    /// Writes items that follow one another, without their count.
    ///
    /// # Errors
    /// When there is no more room, or one of them cannot be written.
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
    /// Reads `count` items that follow one another to the end of `items`. The count is one that
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

    /// A function of its own, whose frame is small: lists of lists call it again and again.
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
        let len = self.raw_len(layout, count)?;
        if layout.same {
            items.reserve(count);
            let before = self.position();
            let to = items.spare_capacity_mut().as_mut_ptr();
            // SAFETY: room for `count` items was just reserved, which have `layout.size` bytes each (`same`).
            unsafe { self.copy(to.cast(), len)? };
            if !layout.any {
                // SAFETY: these bytes were just written; they are not items yet.
                unsafe { T::check_raw(to.cast(), count) }.map_err(|invalid| {
                    Error::new(ErrorKind::ValueInvalid, before + invalid.at, invalid.to_string())
                })?;
            }
            // SAFETY: `same` and either `any` or the check say that these bytes are items.
            unsafe { items.set_len(items.len() + count) };
            return Ok(());
        }
        let room = self.promise::<T>(count);
        items.reserve(room);
        self.kept::<T>(room);
        let mut at = self.run(len)?;
        for index in 0..count {
            // SAFETY: `run` found `layout.size` bytes for each item.
            let item = unsafe { T::read_raw(at) };
            items.push(item.map_err(|invalid| self.invalid(len - index * layout.size, invalid))?);
            at = at.wrapping_add(layout.size);
        }
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
    /// read, and some take more memory than bytes. What the lists around this one were promised is taken off.
    #[inline]
    pub(crate) fn affordable(&self, size: usize) -> usize {
        const MEMORY_PER_BYTE: usize = 8;
        let bytes = MEMORY_PER_BYTE.saturating_mul(self.remaining()).saturating_sub(self.promised);
        bytes / size.max(1) + 4
    }

    /// How many of `count` values to make room for, until they have [`kept`](Self::kept) what is promised here.
    #[inline]
    pub(crate) fn promise<T>(&mut self, count: usize) -> usize {
        let room = count.min(self.affordable(size_of::<T>()));
        self.promised += room * size_of::<T>();
        room
    }

    /// Ends a [`promise`](Self::promise), as its items have been read.
    #[inline]
    pub(crate) fn kept<T>(&mut self, room: usize) {
        self.promised -= room * size_of::<T>();
    }
}

macro_rules! written_as_list {
    ($([$($parameter:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($parameter)*> Pack for $type {
            const FORM: Form<Self> = Form::Counted;
            const MIN: usize = 4;

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

impl<'a, T: Unpack<'a>> Unpack<'a> for Box<[T]> {
    #[inline]
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Vec::unpack(reader).map(Vec::into_boxed_slice)
    }
}

/// Raw items lie side by side without a count, as in C#'s inline arrays; others are written as a list, which
/// must have as many when read.
impl<T: Pack, const N: usize> Pack for [T; N] {
    const FORM: Form<Self> = match T::FORM {
        // SAFETY: an array is its items side by side, in memory as on the wire.
        Form::Raw(raw) => Form::Raw(unsafe { Raw::new(raw.layout().array(N)) }),
        _ => Form::Counted,
    };
    const MIN: usize = match T::FORM {
        Form::Raw(raw) => raw.layout().array(N).size,
        _ => 4,
    };

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
        let size = const { size_or_zero::<T>() };
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
        let count = reader.count_not_null(T::MIN)?;
        if count != N {
            let message = format!("a list of {count} items, but the array has {N}: read a `Vec`");
            return Err(Error::new(ErrorKind::LengthInvalid, place, message));
        }
        try_array(|_| T::unpack(reader))
    }

    #[inline(always)]
    unsafe fn read_raw(at: *const u8) -> Result<Self, Invalid> {
        let size = const { size_or_zero::<T>() };
        try_array(|index| {
            // SAFETY: the caller gives the bytes of `N` items.
            unsafe { T::read_raw(at.add(index * size)) }.map_err(|invalid| invalid.within(index * size))
        })
    }
}

/// The items that `make` makes of their indices, or its first error.
fn try_array<T, E, const N: usize>(mut make: impl FnMut(usize) -> Result<T, E>) -> Result<[T; N], E> {
    /// Drops what was made, should `make` fail or panic.
    struct Made<T, const N: usize> {
        items: [MaybeUninit<T>; N],
        count: usize,
    }
    impl<T, const N: usize> Drop for Made<T, N> {
        fn drop(&mut self) {
            for item in &mut self.items[..self.count] {
                // SAFETY: the first `count` items were made.
                unsafe { item.assume_init_drop() };
            }
        }
    }

    let mut made = Made { items: [const { MaybeUninit::uninit() }; N], count: 0 };
    while made.count < N {
        made.items[made.count].write(make(made.count)?);
        made.count += 1;
    }
    made.count = 0;
    // SAFETY: all `N` items were made, and are read once, as none is dropped any more.
    Ok(unsafe { mem::transmute_copy(&made.items) })
}

/// The size of a raw type. Also named in code that is never run for other types, where it is 0.
pub(crate) const fn size_or_zero<T: Pack + ?Sized>() -> usize {
    match T::FORM.layout() {
        Some(layout) => layout.size,
        None => 0,
    }
}
