//! What the code that `#[derive(Pack)]` writes is made of: the members of an object, where a run of those of
//! a fixed size is checked for room once.

use crate::prelude::*;
use crate::{Error, ErrorKind, Form, Invalid, Layout, Pack, Reader, Unpack, Writer};
use core::marker::PhantomData;

/// The most members that an object can have; larger header bytes mean something else.
pub const MOST: usize = 249;
/// The header byte of null.
pub const NULL: u8 = 255;

/// Bytes of the raw members from `from` on, up to the first that is not raw.
#[must_use]
pub const fn run<const N: usize>(sizes: [Option<usize>; N], from: usize) -> usize {
    let (mut at, mut bytes) = (from, 0);
    while at < N {
        match sizes[at] {
            Some(size) => bytes += size,
            None => break,
        }
        at += 1;
    }
    bytes
}

/// The raw members that come next, which are checked for room at once.
#[derive(Debug)]
pub struct Run {
    bytes: usize,
    /// Of these members, and of those after them.
    sizes: &'static [Option<usize>],
    names: &'static [&'static str],
}

impl Run {
    /// None.
    pub const NONE: Run = Run { bytes: 0, sizes: &[], names: &[] };

    /// Those of the members from `from` on, up to the first that is not raw.
    #[must_use]
    pub const fn of<const N: usize>(
        sizes: &'static [Option<usize>; N],
        names: &'static [&'static str; N],
        from: usize,
    ) -> Run {
        Run { bytes: run(*sizes, from), sizes: sizes.split_at(from).1, names: names.split_at(from).1 }
    }
}

/// The size of a raw type; `None` of another.
#[must_use]
pub const fn size<T: Pack + ?Sized>() -> Option<usize> {
    match T::FORM.layout() {
        Some(layout) => Some(layout.size),
        None => None,
    }
}

/// The layout of a raw field; `why` is what a build says where it is not raw.
#[must_use]
pub const fn part<T: Pack + ?Sized>(why: &'static str) -> Layout {
    match T::FORM.layout() {
        Some(layout) => layout,
        None => panic!("{}", why),
    }
}

/// Checks `count` numbers of an enum without leaving the loop early, so that many are compared at once.
///
/// # Safety
/// `at` must be valid for reads of `count` numbers; it may be unaligned.
pub unsafe fn check_numbers<'a, T: Unpack<'a>>(
    at: *const u8,
    count: usize,
    is_variant: impl Fn(&T) -> bool,
    invalid: impl Fn(T) -> Invalid,
) -> Result<(), Invalid> {
    let size = const { T::FORM.layout_or_empty().size };
    // SAFETY: the caller's promise, for each index below `count`.
    let number = |index: usize| unsafe { T::read_raw(at.add(index * size)) };
    let right =
        (0..count).fold(true, |right, index| right & number(index).is_ok_and(|number| is_variant(&number)));
    if right {
        return Ok(());
    }
    for index in 0..count {
        let number = number(index)?;
        if !is_variant(&number) {
            return Err(invalid(number).within(index * size));
        }
    }
    Ok(())
}

/// Fails the build with `why` where `T` is not a class.
pub const fn class<T: Pack + ?Sized>(why: &'static str) {
    if !matches!(T::FORM, Form::Object) {
        panic!("{}", why);
    }
}

/// Writes the members of one object.
pub struct WriteMembers<'w, 's> {
    writer: &'w mut Writer<'s>,
    at: *mut u8,
    /// Bytes there is room for from `at` on.
    room: usize,
}

impl<'w, 's> WriteMembers<'w, 's> {
    /// Writes the header of an object of `count` members, the first of which are raw and take `run` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn begin(writer: &'w mut Writer<'s>, count: u8, run: usize) -> Result<WriteMembers<'w, 's>, Error> {
        writer.enter()?;
        let at = writer.room(run.saturating_add(1))?;
        // SAFETY: there is room for this byte and `run` more.
        unsafe { at.write(count) };
        Ok(WriteMembers { writer, at: at.wrapping_add(1), room: run })
    }

    /// Writes a member, after which come raw ones of `run` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn put<T: Pack + ?Sized>(&mut self, member: &T, run: usize) -> Result<(), Error> {
        if let Some(size) = const { size::<T>() } {
            if self.room < size {
                self.refill(size)?;
            }
            // SAFETY: there is room for the size of this raw type.
            unsafe { member.write_raw(self.at) };
            self.at = self.at.wrapping_add(size);
            self.room -= size;
            Ok(())
        } else {
            self.put_with(run, |writer| member.pack(writer))
        }
    }

    /// Writes a member by a function of its own, after which come raw ones of `run` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn put_with(
        &mut self,
        run: usize,
        write: impl FnOnce(&mut Writer<'s>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // SAFETY: `at` lies in the room that was asked for last, and all before it was written.
        unsafe { self.writer.written_to(self.at) };
        write(self.writer)?;
        self.at = self.writer.room(run)?;
        self.room = run;
        Ok(())
    }

    /// Ends the object.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn end(self) {
        // SAFETY: as in `put_with`.
        unsafe { self.writer.written_to(self.at) };
        self.writer.leave();
    }

    #[inline(never)]
    fn refill(&mut self, size: usize) -> Result<(), Error> {
        // SAFETY: as in `put_with`.
        unsafe { self.writer.written_to(self.at) };
        self.at = self.writer.room(size)?;
        self.room = size;
        Ok(())
    }
}

/// Reads the members of one object.
pub struct ReadMembers<'r, 'a> {
    reader: &'r mut Reader<'a>,
    at: *const u8,
    /// Bytes that were found from `at` on.
    found: usize,
    count: u8,
}

impl<'r, 'a> ReadMembers<'r, 'a> {
    /// Reads the header of an object of at most `known` members.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn begin(
        reader: &'r mut Reader<'a>,
        known: u8,
        name: &'static str,
    ) -> Result<ReadMembers<'r, 'a>, Error> {
        let count = reader.u8()?;
        if count > known {
            return Err(too_many(reader, count, known, name));
        }
        reader.enter()?;
        let at = reader.at();
        Ok(ReadMembers { reader, at, found: 0, count })
    }

    /// Whether the input has the member of this index.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub fn has(&self, index: u8) -> bool {
        index < self.count
    }

    /// Whether the input has all members that the type has.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub fn has_all(&self, known: u8) -> bool {
        self.count == known
    }

    /// Whether a member that the input does not have stays as it is.
    #[cold]
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.reader.keeps()
    }

    /// Finds the raw members that come next.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn find(&mut self, run: &'static Run) -> Result<(), Error> {
        match self.reader.run(run.bytes) {
            Ok(at) => {
                (self.at, self.found) = (at, run.bytes);
                Ok(())
            }
            Err(error) => Err(cut(self.reader, run, error)),
        }
    }

    /// Reads a member, after which comes a run of raw ones.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn take<T: Unpack<'a>>(&mut self, run: &'static Run, name: &'static str) -> Result<T, Error> {
        match const { size::<T>() } {
            Some(size) => self.take_raw(size, name),
            None => self.take_with(run, name, T::unpack),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_raw<T: Unpack<'a>>(&mut self, size: usize, name: &'static str) -> Result<T, Error> {
        if self.found < size {
            match self.reader.run(size) {
                Ok(at) => (self.at, self.found) = (at, size),
                Err(error) => return Err(error.inside(name)),
            }
        }
        // SAFETY: bytes of this raw type's size were found.
        let member = unsafe { T::read_raw(self.at) };
        self.at = self.at.wrapping_add(size);
        self.found -= size;
        member.map_err(|invalid| self.reader.invalid(self.found + size, invalid).inside(name))
    }

    /// Reads a member by a function of its own, after which comes a run of raw ones.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn take_with<T>(
        &mut self,
        run: &'static Run,
        name: &'static str,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let member = match read(self.reader) {
            Ok(member) => member,
            Err(error) => return Err(error.inside(name)),
        };
        self.find(run)?;
        Ok(member)
    }

    /// Reads into an existing member, after which comes a run of raw ones.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn over<T: Unpack<'a>>(
        &mut self,
        member: &mut T,
        run: &'static Run,
        name: &'static str,
    ) -> Result<(), Error> {
        if const { size::<T>().is_some() } {
            *member = self.take(run, name)?;
            Ok(())
        } else {
            self.take_with(run, name, |reader| member.overwrite(reader))
        }
    }

    /// Ends the object.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn end(self) {
        self.reader.leave();
    }

    /// The error for a member that the input does not have and that has no default.
    #[cold]
    #[must_use]
    pub fn missing(&self, name: &'static str) -> Error {
        no_default(self.reader, name)
    }
}

/// The error for a run that the input ends in, at the member that it ends in. All that the run lacks is missing.
#[cold]
#[inline(never)]
fn cut(reader: &mut Reader<'_>, run: &Run, whole: Error) -> Error {
    for (size, name) in run.sizes.iter().zip(run.names) {
        if let Some(Err(error)) = size.map(|size| reader.run(size)) {
            return error.missing(whole.missing_bytes()).inside(name);
        }
    }
    whole
}

#[cold]
pub(crate) fn no_default(reader: &Reader<'_>, name: &'static str) -> Error {
    let message = format!(
        "the object has no member for `{name}`, and its type has no `Default`: implement that, or make it an \
         `Option`"
    );
    reader.error(ErrorKind::MembersInvalid, message)
}

#[cold]
#[inline(never)]
pub(crate) fn too_many(reader: &Reader<'_>, count: u8, known: u8, name: &'static str) -> Error {
    let place = reader.position() - 1;
    if usize::from(count) > MOST {
        return no_object(place, count);
    }
    let message = format!(
        "an object of {count} members, but `{name}` knows {known}: the writer's type is another, or newer, which \
         `version_tolerant` types may be"
    );
    Error::new(ErrorKind::MembersInvalid, place, message)
}

/// The error for a header byte that is not a count.
#[cold]
pub(crate) fn no_object(place: usize, header: u8) -> Error {
    if header == NULL {
        return crate::reader::null(place);
    }
    let message = format!("{header} begins no object: objects have 0 to {MOST} members, null is 255");
    Error::new(ErrorKind::ValueInvalid, place, message)
}

/// Chooses `Default` for a missing member where its type has one: `(&&Missing::<T>::new()).member()` finds the
/// method of [`FromDefault`] first.
pub struct Missing<T>(PhantomData<T>);

impl<T> Missing<T> {
    /// Of the type `T`.
    #[expect(clippy::new_without_default, reason = "generated code alone makes it")]
    #[must_use]
    pub const fn new() -> Missing<T> {
        Missing(PhantomData)
    }
}

/// Where the type has a default.
pub trait FromDefault<T> {
    /// That default.
    fn member(&self) -> Option<T>;
}

impl<T: Default> FromDefault<T> for &Missing<T> {
    fn member(&self) -> Option<T> {
        Some(T::default())
    }
}

/// Where it has none.
pub trait FromNothing<T> {
    /// Nothing.
    fn member(&self) -> Option<T>;
}

impl<T> FromNothing<T> for Missing<T> {
    fn member(&self) -> Option<T> {
        None
    }
}
