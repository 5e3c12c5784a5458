//! Values of any shape, in pack's form: one message each, of any size.

use crate::collective::Parts;
use crate::communicator::Communicator;
use crate::error::{Error, ErrorKind};
use crate::point::{Source, Tag};
use crate::status::Status;
use upcall_pack::{Pack, Unpack, from_slice, overwrite, to_vec};

/// Values that own all that they are made of, so that they outlive the message.
pub trait Object: Pack + for<'a> Unpack<'a> {}

impl<T: Pack + for<'a> Unpack<'a>> Object for T {}

pub(crate) fn packed<T: Object>(value: &T, what: &str) -> Result<Vec<u8>, Error> {
    to_vec(value).map_err(|error| Error::new(ErrorKind::Type, format!("{what}: {error}")))
}

pub(crate) fn unpacked<T: Object>(bytes: &[u8], what: &str) -> Result<T, Error> {
    from_slice(bytes).map_err(|error| no_value(what, &error))
}

#[cold]
fn no_value(what: &str, error: &upcall_pack::Error) -> Error {
    Error::new(ErrorKind::Type, format!("{what}: it is no value of the type: {error}"))
}

pub(crate) fn all<T: Object>(parts: &Parts<u8>, what: &str) -> Result<Vec<T>, Error> {
    let values = parts.iter().enumerate();
    values.map(|(rank, bytes)| unpacked(bytes, &format!("{what}, that of rank {rank}"))).collect()
}

/// Values in the order of the ranks, combined from the left.
pub(crate) fn folded<T>(values: Vec<T>, combine: impl FnMut(T, T) -> T) -> Result<T, Error> {
    let none = || Error::new(ErrorKind::Usage, "combine objects: there are none");
    values.into_iter().reduce(combine).ok_or_else(none)
}

impl Communicator {
    /// Sends a value.
    ///
    /// # Errors
    /// As [`send`](Communicator::send), or it has no form on the wire.
    pub fn send_object<T: Object>(&self, value: &T, to: usize, tag: i32) -> Result<(), Error> {
        self.send(&packed(value, "send an object")?, to, tag)
    }

    /// Receives a value, of whatever size, safely from many threads.
    ///
    /// # Errors
    /// As [`receive`](Communicator::receive), or what has arrived is no value of the type.
    pub fn receive_object<T: Object>(
        &self,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<(T, Status), Error> {
        let (bytes, status) = self.receive::<u8>(from, tag)?;
        Ok((unpacked(&bytes, "receive an object")?, status))
    }

    /// As [`receive_object`](Communicator::receive_object), into a value that is there already: what it has allocated is used
    /// again, which takes less than half the time where there is much of it.
    ///
    /// # Errors
    /// As there; the value may have parts of the new one then.
    pub fn receive_object_into<T: Object>(
        &self,
        value: &mut T,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Status, Error> {
        let (bytes, status) = self.receive::<u8>(from, tag)?;
        overwrite(value, &bytes).map_err(|error| no_value("receive an object", &error))?;
        Ok(status)
    }

    /// Gives all ranks the value of one; what the others give does not count.
    ///
    /// # Errors
    /// There is no such rank, the value has no form on the wire or another type, or MPI refuses.
    pub fn broadcast_object<T: Object>(&self, value: Option<&T>, root: usize) -> Result<T, Error> {
        let what = "broadcast an object";
        let bytes = match (self.rank() == root, value) {
            (true, Some(value)) => packed(value, what),
            (true, None) => Err(Error::new(ErrorKind::Usage, format!("{what}: rank {root} gives none"))),
            (false, _) => Ok(Vec::new()),
        };
        // The others wait for this number, whatever has happened.
        let mut length = [bytes.as_ref().map_or(u64::MAX, |bytes| bytes.len() as u64)];
        self.broadcast(&mut length, root)?;
        let mut bytes = bytes?;
        if length[0] == u64::MAX {
            return Err(Error::new(ErrorKind::Usage, format!("{what}: rank {root} has failed to give one")));
        }
        bytes.resize(usize::try_from(length[0]).unwrap_or(usize::MAX), 0);
        self.broadcast(&mut bytes, root)?;
        unpacked(&bytes, what)
    }

    /// Gives one rank the values of all.
    ///
    /// # Errors
    /// As [`gather_parts`](Communicator::gather_parts), or the value of any rank has no form on the wire, which all are told.
    pub fn gather_objects<T: Object>(&self, value: &T, root: usize) -> Result<Option<Vec<T>>, Error> {
        let what = "gather objects";
        let bytes = packed(value, what);
        // The others wait for this rank's part, whatever has happened.
        let parts = self.gather_given(bytes.as_deref().ok(), root);
        bytes?;
        parts?.map(|parts| all(&parts, what)).transpose()
    }

    /// Gives all ranks the values of all.
    ///
    /// # Errors
    /// As [`gather_objects`](Communicator::gather_objects).
    pub fn all_gather_objects<T: Object>(&self, value: &T) -> Result<Vec<T>, Error> {
        let what = "gather objects everywhere";
        let bytes = packed(value, what);
        let parts = self.all_gather_given(bytes.as_deref().ok());
        bytes?;
        all(&parts?, what)
    }

    /// Gives each rank one of the values of one rank, which has as many as there are ranks.
    ///
    /// # Errors
    /// As [`scatter_parts`](Communicator::scatter_parts), or a value has no form on the wire.
    pub fn scatter_objects<T: Object>(&self, values: &[T], root: usize) -> Result<T, Error> {
        let what = "scatter objects";
        let given = if self.rank() == root { side_by_side(values, what) } else { Ok(Default::default()) };
        // Without counts, which is wrong, all are told so.
        let (data, counts) = given.as_ref().map_or((&[][..], &[][..]), |(data, counts)| (data, counts));
        let scattered = self.scatter_parts(data, counts, root);
        given?;
        unpacked(&scattered?, what)
    }

    /// Each rank has a value for each other: what comes back is what all had for this one.
    ///
    /// # Errors
    /// As [`all_to_all_parts`](Communicator::all_to_all_parts), or a value has no form on the wire.
    pub fn all_to_all_objects<T: Object>(&self, values: &[T]) -> Result<Vec<T>, Error> {
        let what = "exchange objects";
        let given = side_by_side(values, what);
        // As above.
        let (data, counts) = given.as_ref().map_or((&[][..], &[][..]), |(data, counts)| (data, counts));
        let exchanged = self.all_to_all_parts(data, counts);
        given?;
        all(&exchanged?, what)
    }

    /// Combines the values of all ranks, in the order of the ranks, for one of them.
    ///
    /// # Errors
    /// As [`gather_objects`](Communicator::gather_objects).
    pub fn reduce_object<T: Object>(
        &self,
        value: &T,
        combine: impl FnMut(T, T) -> T,
        root: usize,
    ) -> Result<Option<T>, Error> {
        self.gather_objects(value, root)?.map(|values| folded(values, combine)).transpose()
    }

    /// The same for all ranks: `all_reduce_object(&name, |a, b| a + &b)`.
    ///
    /// # Errors
    /// As [`all_gather_objects`](Communicator::all_gather_objects).
    pub fn all_reduce_object<T: Object>(
        &self,
        value: &T,
        combine: impl FnMut(T, T) -> T,
    ) -> Result<T, Error> {
        folded(self.all_gather_objects(value)?, combine)
    }

    /// Combines the values of the ranks up to this one, itself included.
    ///
    /// # Errors
    /// As [`all_gather_objects`](Communicator::all_gather_objects).
    pub fn scan_object<T: Object>(&self, value: &T, combine: impl FnMut(T, T) -> T) -> Result<T, Error> {
        let mut values = self.all_gather_objects(value)?;
        values.truncate(self.rank() + 1);
        folded(values, combine)
    }
}

pub(crate) fn side_by_side<T: Object>(values: &[T], what: &str) -> Result<(Vec<u8>, Vec<usize>), Error> {
    let (mut data, mut counts) = (Vec::new(), Vec::with_capacity(values.len()));
    for value in values {
        let bytes = packed(value, what)?;
        counts.push(bytes.len());
        data.extend_from_slice(&bytes);
    }
    Ok((data, counts))
}
