use crate::depth::{Depth, too_deep};
use crate::graph::{Mark, Met};
use crate::prelude::*;
use crate::slots::{InPlace, Lengths};
use crate::{Error, ErrorKind, Options, Pack, Sink, Text};
use core::marker::PhantomData;
use core::ptr;

/// How far a writer had come before an object.
pub(crate) struct Before {
    at: *mut u8,
    depth: Depth,
    mark: Mark,
}

/// Writes values into a [`Sink`].
///
/// It holds the sink's current window as two addresses, so that writing a run of members is one comparison
/// and then plain stores.
pub struct Writer<'s> {
    at: *mut u8,
    end: *mut u8,
    start: *mut u8,
    /// Bytes before the window.
    before: usize,
    depth: Depth,
    text: Text,
    measuring: bool,
    pub(crate) lengths: Lengths,
    pub(crate) in_place: InPlace,
    met: Option<Box<Met>>,
    sink: *mut (dyn Sink + 's),
    borrow: PhantomData<&'s mut dyn Sink>,
}

impl<'s> Writer<'s> {
    /// A writer into `sink` with default options.
    pub fn new(sink: &'s mut dyn Sink) -> Writer<'s> {
        Writer::with(sink, Options::new())
    }

    /// A writer into `sink`.
    pub fn with(sink: &'s mut dyn Sink, options: Options) -> Writer<'s> {
        let nowhere = ptr::null_mut();
        Writer {
            at: nowhere,
            end: nowhere,
            start: nowhere,
            before: 0,
            depth: Depth::new(options),
            text: options.text,
            measuring: false,
            lengths: Lengths::default(),
            in_place: InPlace::default(),
            met: None,
            sink,
            borrow: PhantomData,
        }
    }

    /// The same, but only to count the bytes: `sink` is written over and over.
    pub(crate) fn measure(sink: &'s mut dyn Sink, options: Options) -> Writer<'s> {
        Writer { measuring: true, ..Writer::with(sink, options) }
    }

    /// A writer that only counts what this one is about to write.
    pub(crate) fn measuring<'m>(&mut self, sink: &'m mut dyn Sink) -> (Writer<'m>, Mark) {
        let mark = self.met.as_ref().map(|met| met.mark()).unwrap_or_default();
        let measuring = Writer::measure(sink, Options::new().text(self.text));
        (Writer { met: self.met.take(), depth: self.depth, ..measuring }, mark)
    }

    /// Takes back what `measuring` was lent, and forgets the objects that it has met.
    pub(crate) fn end_measuring(&mut self, measuring: Writer<'_>, mark: Mark) {
        self.met = measuring.met;
        if let Some(met) = &mut self.met {
            met.forget(mark);
        }
    }

    /// Where to go back to, as long as the window is the same.
    pub(crate) fn before_object(&self) -> Before {
        let mark = self.met.as_ref().map(|met| met.mark()).unwrap_or_default();
        Before { at: self.at, depth: self.depth, mark }
    }

    /// Undoes what was written since.
    pub(crate) fn back_to(&mut self, before: Before) {
        (self.at, self.depth) = (before.at, before.depth);
        if let Some(met) = &mut self.met {
            met.forget(before.mark);
        }
    }

    pub(crate) fn is_measuring(&self) -> bool {
        self.measuring
    }

    /// Counts bytes that are not written, as a writer that measures does.
    pub(crate) fn count_only(&mut self, bytes: usize) {
        self.before += bytes;
    }

    /// Which objects of a graph were written.
    pub(crate) fn met(&mut self) -> &mut Met {
        self.met.get_or_insert_default()
    }

    /// Hands what was written to the sink and returns how many bytes it was. A writer that is dropped instead
    /// leaves the sink with a part of them.
    #[expect(clippy::must_use_candidate, reason = "it is called for what it does")]
    pub fn finish(mut self) -> usize {
        self.commit();
        self.before
    }

    /// Bytes written so far.
    #[inline]
    #[must_use]
    pub fn position(&self) -> usize {
        self.before + (self.at.addr() - self.start.addr())
    }

    /// How strings are written.
    #[inline]
    #[must_use]
    pub fn text(&self) -> Text {
        self.text
    }

    /// Changes how strings are written, and returns how they were before.
    #[inline]
    pub fn set_text(&mut self, text: Text) -> Text {
        core::mem::replace(&mut self.text, text)
    }

    /// An error at the writer's position.
    #[cold]
    pub fn error(&self, kind: ErrorKind, message: impl Into<alloc::borrow::Cow<'static, str>>) -> Error {
        Error::new(kind, self.position(), message)
    }

    /// Room for `count` bytes, taken as written. The caller fills all of them before it does anything else
    /// with the writer.
    #[inline]
    pub(crate) fn reserve(&mut self, count: usize) -> Result<*mut u8, Error> {
        if self.left() < count {
            self.grow(count)?;
        }
        Ok(self.take_room(count))
    }

    /// Bytes that there is room for in the window.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.end.addr() - self.at.addr()
    }

    /// Room for `count` bytes that the window has, taken as written.
    #[inline]
    pub(crate) fn take_room(&mut self, count: usize) -> *mut u8 {
        debug_assert!(count <= self.left());
        let room = self.at;
        self.at = room.wrapping_add(count);
        room
    }

    /// Room for `count` bytes, of which none is taken as written yet.
    #[inline]
    pub(crate) fn room(&mut self, count: usize) -> Result<*mut u8, Error> {
        if self.left() < count {
            self.grow(count)?;
        }
        Ok(self.at)
    }

    /// Takes the bytes before `at` as written.
    ///
    /// # Safety
    /// `at` must lie in what [`Writer::room`] last gave, and all before it must have been written.
    #[inline]
    pub(crate) unsafe fn written_to(&mut self, at: *mut u8) {
        debug_assert!(self.at <= at && at <= self.end);
        self.at = at;
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// When there is no space left.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.measuring && self.left() < bytes.len() {
            self.commit();
            self.count_only(bytes.len());
            return Ok(());
        }
        let room = self.reserve(bytes.len())?;
        // SAFETY: `reserve` gave room for them, which is nobody else's.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), room, bytes.len()) };
        Ok(())
    }

    /// Writes one byte.
    ///
    /// # Errors
    /// When there is no space left.
    #[inline]
    pub fn u8(&mut self, value: u8) -> Result<(), Error> {
        self.bytes(&[value])
    }

    /// Writes a little-endian i32.
    ///
    /// # Errors
    /// When there is no space left.
    #[inline]
    pub fn i32(&mut self, value: i32) -> Result<(), Error> {
        self.bytes(&value.to_le_bytes())
    }

    /// Writes how many items of a collection follow.
    ///
    /// # Errors
    /// When there is no space left, or the count exceeds an i32.
    #[inline]
    pub fn count(&mut self, count: usize) -> Result<(), Error> {
        match i32::try_from(count) {
            Ok(count) => self.i32(count),
            Err(_) => Err(self.too_long(count)),
        }
    }

    /// Writes a raw value, without anything before it.
    ///
    /// # Errors
    /// When there is no space left, or `T` is not raw.
    #[inline]
    pub fn raw<T: Pack>(&mut self, value: &T) -> Result<(), Error> {
        let Some(layout) = (const { T::FORM.layout() }) else {
            return Err(self.error(ErrorKind::Unsupported, "the type is not raw, so it has no raw bytes"));
        };
        let room = self.room(layout.size)?;
        // SAFETY: there is room for the layout's size, and the form is raw, so all of it is written. Should that
        // panic, it was not taken yet.
        unsafe {
            value.write_raw(room);
            self.written_to(room.add(layout.size));
        }
        Ok(())
    }

    /// Begins an object inside what is being written; [`Writer::leave`] ends it.
    ///
    /// # Errors
    /// When the objects are nested deeper than allowed.
    #[inline]
    pub fn enter(&mut self) -> Result<(), Error> {
        if self.depth.enter() { Ok(()) } else { Err(too_deep(self.position())) }
    }

    /// Begins a list inside a list: none of them counts, but they take stack.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn check_stack(&mut self) -> Result<(), Error> {
        if self.depth.has_stack() { Ok(()) } else { Err(too_deep(self.position())) }
    }

    /// Ends what [`Writer::enter`] began.
    #[inline]
    pub fn leave(&mut self) {
        self.depth.leave();
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) -> Result<(), Error> {
        if self.in_place.depth > 0 {
            self.in_place.failed = true;
            return Err(
                self.error(ErrorKind::Full, "the window ends inside an object that is written in place")
            );
        }
        self.commit();
        // SAFETY: `sink` is borrowed for `'s` by this writer alone, and the last window is no longer used; this one
        // is only ever filled with bytes.
        let window = unsafe { (*self.sink).window(count) }.map_err(|error| {
            // The sink counts from where it stood when the writer began with it.
            Error::new(error.kind(), self.before, error.message().to_owned())
        })?;
        if window.len() < count {
            return Err(Error::new(
                ErrorKind::Full,
                self.before,
                "the sink's window is smaller than asked for",
            ));
        }
        self.start = window.as_mut_ptr().cast();
        self.at = self.start;
        self.end = self.start.wrapping_add(window.len());
        Ok(())
    }

    /// Which window it writes into. It stays the same while an object is written in place.
    pub(crate) fn window(&self) -> (*mut u8, *mut u8) {
        (self.start, self.end)
    }

    fn commit(&mut self) {
        let written = self.at.addr() - self.start.addr();
        self.before += written;
        // Forgotten first: a sink that panics may have moved it.
        self.start = ptr::null_mut();
        self.at = self.start;
        self.end = self.start;
        if written > 0 {
            // SAFETY: `sink` is borrowed by this writer alone; that many bytes at the start of its window were
            // written, as whoever reserves must.
            unsafe { (*self.sink).advance(written) };
        }
    }

    #[cold]
    pub(crate) fn too_long(&self, count: usize) -> Error {
        self.error(ErrorKind::Unsupported, format!("{count} items or bytes exceed an i32: split the value"))
    }
}
