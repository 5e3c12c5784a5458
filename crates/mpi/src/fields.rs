//! Types that MPI knows field by field, for programs that describe their structs to it too, for machines that differ, and for
//! files. Between ranks of one kind nothing needs them, and bytes are faster: structs with padding 5 to 30 times.

use crate::communicator::Communicator;
use crate::datatype::{amount, number, place, place_mut, zeroed};
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::point::{Source, Tag, sender, tagged};
use crate::shim::{Handle, Mode};
use crate::status::Status;
use std::ffi::c_int;
use upcall_abi::Blit;

/// One field of a struct: what a [`Datatype`] is made of where the struct is known only when the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldAt<'a> {
    /// The name of its type: a number's in Rust (`f64`), or that of another [`Datatype`]. Of an array, its elements'.
    pub type_name: &'a str,
    /// Bytes from the start of the struct.
    pub offset: usize,
    /// Its bytes: those of its type, or of so many.
    pub size: usize,
}

/// A struct as MPI knows it: its fields, each a number at its place, and the extent that it has in memory. Two of them match where
/// their numbers do, in the order of the fields, wherever these lie; what C programs make with `MPI_Type_create_struct` are such.
///
/// Padding does not travel: at the receiver it stays as it was.
///
/// ```no_run
/// use upcall::Blit;
/// use upcall_mpi::{Datatype, Environment, Threads};
///
/// #[repr(C)]
/// #[derive(Blit, Clone, Copy)]
/// struct Reading {
///     sensor: u32,
///     value: f64,
/// }
///
/// let mpi = Environment::start(Threads::Funneled)?;
/// let world = mpi.world();
/// let reading = Datatype::of_fields::<Reading>(world)?;
/// if world.rank() == 0 {
///     world.send_typed(&[Reading { sensor: 7, value: 1.5 }], &reading, 1, 0)?;
/// } else if world.rank() == 1 {
///     let (readings, _) = world.receive_typed::<Reading>(&reading, 0, 0)?;
///     assert_eq!(readings[0].sensor, 7);
/// }
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
pub struct Datatype {
    library: &'static Library,
    handle: Handle,
    name: String,
    /// From one element to the next.
    extent: usize,
    /// What its fields have together.
    bytes: usize,
}

impl Datatype {
    /// That of a struct, from its own table of fields, or of a number.
    ///
    /// # Errors
    /// One of its fields is a struct: [`of_fields_with`](Datatype::of_fields_with); or MPI refuses.
    pub fn of_fields<T: Blit>(comm: &Communicator) -> Result<Datatype, Error> {
        Datatype::of_fields_with::<T>(comm, &[])
    }

    /// The same of a struct with fields that are structs, whose datatypes are given.
    ///
    /// # Errors
    /// One of its fields is a struct that is not among them, or MPI refuses.
    pub fn of_fields_with<T: Blit>(comm: &Communicator, inner: &[&Datatype]) -> Result<Datatype, Error> {
        let own = [FieldAt { type_name: T::NAME, offset: 0, size: size_of::<T>() }];
        let of = |field: &upcall_abi::Field| FieldAt {
            type_name: field.type_name,
            offset: field.offset,
            size: field.size,
        };
        let fields: Vec<FieldAt<'_>> = T::FIELDS.iter().map(of).collect();
        let fields = if fields.is_empty() { own.as_slice() } else { &fields };
        Datatype::of_table(comm, T::NAME, size_of::<T>(), fields, inner)
    }

    /// That of a struct which is known only when the program runs: its name, its bytes, and its fields. Its elements are bytes to
    /// Rust, so many for each.
    ///
    /// # Errors
    /// A field lies outside, on another one, or is of a type that is neither a number nor among `inner`; or MPI refuses.
    pub fn of_table(
        comm: &Communicator,
        name: &str,
        size: usize,
        fields: &[FieldAt<'_>],
        inner: &[&Datatype],
    ) -> Result<Datatype, Error> {
        let what = || format!("make a datatype of the fields of {name}");
        let wrong = |why: String| Error::new(ErrorKind::Usage, format!("{}: {why}", what()));
        let library = comm.library;
        let (mut counts, mut places, mut types, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for FieldAt { type_name, offset, size: length } in fields.iter().copied() {
            let known = inner.iter().find(|known| known.name == type_name);
            let (handle, each, own) = match (number(type_name), known) {
                (Some(number), _) => (library.constant(number.of), number.size, number.size),
                (None, Some(known)) => (known.handle, known.extent, known.bytes),
                (None, None) => {
                    return Err(wrong(format!(
                        "the field at {offset} is of type {type_name}, which is no number; make its datatype first and give it"
                    )));
                }
            };
            if !length.is_multiple_of(each) || length == 0 {
                let why = format!(
                    "the field at {offset} has {length} bytes, no whole number of {type_name}, of {each} each"
                );
                return Err(wrong(why));
            }
            if offset.checked_add(length).is_none_or(|end| end > size) {
                let why = format!("the field at {offset} has {length} bytes, and the struct ends at {size}");
                return Err(wrong(why));
            }
            counts.push((length / each) as i64);
            places.push(offset as i64);
            types.push(handle);
            bytes += length / each * own;
        }
        if fields.is_empty() {
            return Err(wrong("there are none".to_owned()));
        }
        let mut ends: Vec<(usize, usize)> =
            fields.iter().map(|field| (field.offset, field.offset + field.size)).collect();
        ends.sort_unstable();
        if let Some(pair) = ends.windows(2).find(|pair| pair[0].1 > pair[1].0) {
            return Err(wrong(format!("the fields at {} and {} overlap", pair[0].0, pair[1].0)));
        }
        let count = c_int::try_from(fields.len()).map_err(|_| wrong("there are too many".to_owned()))?;
        let extent =
            i64::try_from(size).map_err(|_| wrong(format!("{size} bytes are more than memory has")))?;
        let mut handle = 0;
        library.call(
            // SAFETY: as many counts, places and types of this MPI's.
            |table| unsafe {
                let (counts, places, types) = (counts.as_ptr(), places.as_ptr(), types.as_ptr());
                (table.type_fields)(count, counts, places, types, extent, &mut handle)
            },
            what,
        )?;
        Ok(Datatype { library, handle, name: name.to_owned(), extent: size, bytes })
    }

    /// Bytes from one element to the next.
    #[must_use]
    pub fn extent(&self) -> usize {
        self.extent
    }

    /// How many elements a message has.
    ///
    /// # Errors
    /// It is no whole number of them, or MPI has been finalized.
    pub fn count(&self, status: &Status) -> Result<usize, Error> {
        let bytes = status.bytes()?;
        if !bytes.is_multiple_of(self.bytes) {
            let message = format!(
                "receive {}, of {} bytes without padding: the message has {bytes} bytes, no whole number of them",
                self.name, self.bytes
            );
            return Err(Error::new(ErrorKind::Type, message));
        }
        Ok(bytes / self.bytes)
    }

    /// Its elements in a slice: of its own type, or bytes.
    fn elements<T: Blit>(&self, data: &[T], what: impl FnOnce() -> String) -> Result<i64, Error> {
        let own = T::NAME == self.name && size_of::<T>() == self.extent;
        let bytes = size_of_val(data);
        if !own && (T::NAME != "u8" || size_of::<T>() != 1 || !bytes.is_multiple_of(self.extent)) {
            let message = format!(
                "{}: the elements are {} of {} bytes, {bytes} in all, and the datatype is of {} of {}",
                what(),
                T::NAME,
                size_of::<T>(),
                self.name,
                self.extent
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        Ok((bytes / self.extent) as i64)
    }
}

impl Drop for Datatype {
    fn drop(&mut self) {
        let (library, mut handle) = (self.library, self.handle);
        // Nobody could be told; MPI keeps it for what is under way. It fails where MPI has been finalized.
        Library::free(move || {
            // SAFETY: a type of this MPI's, which is used no more.
            library.call(|table| unsafe { (table.type_free)(&mut handle) }, String::new)
        });
    }
}

impl std::fmt::Debug for Datatype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Datatype")
            .field("name", &self.name)
            .field("extent", &self.extent)
            .finish_non_exhaustive()
    }
}

impl Communicator {
    /// As [`send`](Communicator::send), field by field.
    ///
    /// # Errors
    /// There is no such rank or tag, the datatype is of other elements, or MPI refuses.
    pub fn send_typed<T: Blit>(&self, data: &[T], of: &Datatype, to: usize, tag: i32) -> Result<(), Error> {
        let what = || format!("send {} as {} to rank {to} with tag {tag}", amount::<T>(data.len()), of.name);
        let (peer, tag) = (self.peer(to, what)?, self.tag(Tag::Is(tag), what)?);
        let count = of.elements(data, what)?;
        self.library.call(
            // SAFETY: so many elements lie there, of whose fields alone MPI reads.
            |table| unsafe {
                (table.send)(place(data), count, of.handle, peer, tag, self.handle, Mode::Standard as c_int)
            },
            what,
        )
    }

    /// As [`receive_into`](Communicator::receive_into), field by field; [`Datatype::count`] counts the elements.
    ///
    /// # Errors
    /// As there, or the datatype is of other elements.
    pub fn receive_typed_into<T: Blit>(
        &self,
        into: &mut [T],
        of: &Datatype,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Status, Error> {
        let (from, tag, room) = (from.into(), tag.into(), into.len());
        let what = || {
            let (from, tag) = (sender(from), tagged(tag));
            format!("receive {} at most as {} from {from} with {tag}", amount::<T>(room), of.name)
        };
        let (peer, number) = (self.source(from, what)?, self.tag(tag, what)?);
        let (count, mut status) = (of.elements(into, what)?, Status::EMPTY);
        self.library.call(
            // SAFETY: there is room for so many elements, of which any bytes are values.
            |table| unsafe {
                (table.recv)(place_mut(into), count, of.handle, peer, number, self.handle, &mut status)
            },
            what,
        )?;
        Ok(Status::new(status, self.library))
    }

    /// As [`receive`](Communicator::receive), field by field. Padding is zero.
    ///
    /// # Errors
    /// As there, or the datatype is of other elements.
    pub fn receive_typed<T: Blit>(
        &self,
        of: &Datatype,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<(Vec<T>, Status), Error> {
        let message = self.matched(from, tag)?;
        let elements = of.count(message.status())?;
        let what = || format!("receive {elements} elements as {}", of.name);
        let bytes = elements.checked_mul(of.extent);
        let bytes =
            bytes.ok_or_else(|| Error::new(ErrorKind::Count, format!("{}: too many for memory", what())))?;
        let mut data = zeroed::<T>(bytes / size_of::<T>().max(1))?;
        let count = of.elements(&data, what)?;
        // SAFETY: there is room for so many elements, of which any bytes are values.
        let status = unsafe { message.receive_as(place_mut(&mut data), count, of.handle)? };
        Ok((data, status))
    }

    /// As [`broadcast`](Communicator::broadcast), field by field.
    ///
    /// # Errors
    /// As there, or the datatype is of other elements.
    pub fn broadcast_typed<T: Blit>(&self, data: &mut [T], of: &Datatype, root: usize) -> Result<(), Error> {
        let elements = data.len();
        let what = || format!("broadcast {} of rank {root} as {}", amount::<T>(elements), of.name);
        let (peer, count) = (self.peer(root, what)?, of.elements(data, what)?);
        self.library.call(
            // SAFETY: there are so many elements, of which any bytes are values.
            |table| unsafe { (table.bcast)(place_mut(data), count, of.handle, peer, self.handle) },
            what,
        )
    }
}
