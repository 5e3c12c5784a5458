//! Values of any shape between two groups.

use super::{Intercommunicator, Root};
use crate::error::{Error, ErrorKind};
use crate::object::{Object, all, folded, packed, side_by_side, unpacked};

impl Intercommunicator {
    /// Gives all ranks of the other group the root's value; `None` in its own group.
    ///
    /// # Errors
    /// There is no such rank, the root gives none, the value has no form on the wire or another type, or MPI refuses.
    pub fn broadcast_object<T: Object>(&self, value: Option<&T>, root: Root) -> Result<Option<T>, Error> {
        let what = "broadcast an object to another group";
        let given = match (root, value) {
            (Root::Here, Some(value)) => packed(value, what),
            (Root::Here, None) => Err(Error::new(ErrorKind::Usage, format!("{what}: the root gives none"))),
            _ => Ok(Vec::new()),
        };
        // The other group waits for this number, whatever has happened.
        let mut length = [given.as_ref().map_or(u64::MAX, |bytes| bytes.len() as u64)];
        self.broadcast(&mut length, root)?;
        let mut bytes = given?;
        if length[0] == u64::MAX {
            return Err(Error::new(ErrorKind::Usage, format!("{what}: the root has failed to give one")));
        }
        if matches!(root, Root::Remote(_)) {
            bytes.resize(usize::try_from(length[0]).unwrap_or(usize::MAX), 0);
        }
        self.broadcast(&mut bytes, root)?;
        if matches!(root, Root::Remote(_)) { unpacked(&bytes, what).map(Some) } else { Ok(None) }
    }

    /// Gives the root the values of the other group's ranks. `value` counts there.
    ///
    /// # Errors
    /// As [`gather_parts`](Intercommunicator::gather_parts), or a rank of the other group gives none or one that has no form on the
    /// wire.
    pub fn gather_objects<T: Object>(&self, value: Option<&T>, root: Root) -> Result<Option<Vec<T>>, Error> {
        let what = "gather objects of another group";
        let given = match (root, value) {
            (Root::Remote(_), Some(value)) => packed(value, what),
            (Root::Remote(_), None) => {
                Err(Error::new(ErrorKind::Usage, format!("{what}: this rank gives none")))
            }
            _ => Ok(Vec::new()),
        };
        // The root waits for this rank's part, whatever has happened.
        let parts = self.gather_parts(given.as_deref().unwrap_or_default(), root)?;
        given?;
        parts.map(|parts| all(&parts, what)).transpose()
    }

    /// Gives each rank of the other group one of the root's values, of which there are as many; `None` in its own group.
    ///
    /// # Errors
    /// As [`scatter_parts`](Intercommunicator::scatter_parts), or a value has no form on the wire.
    pub fn scatter_objects<T: Object>(&self, values: &[T], root: Root) -> Result<Option<T>, Error> {
        let what = "scatter objects to another group";
        let given = if root == Root::Here { side_by_side(values, what) } else { Ok(Default::default()) };
        // Without counts, which is wrong, all are told so.
        let (data, counts) = given.as_ref().map_or((&[][..], &[][..]), |(data, counts)| (data, counts));
        let scattered = self.scatter_parts(data, counts, root);
        given?;
        let bytes = scattered?;
        if matches!(root, Root::Remote(_)) { unpacked(&bytes, what).map(Some) } else { Ok(None) }
    }

    /// Gives each group the values of all ranks of the other.
    ///
    /// # Errors
    /// As [`all_gather_parts`](Intercommunicator::all_gather_parts), or a value has no form on the wire.
    pub fn all_gather_objects<T: Object>(&self, value: &T) -> Result<Vec<T>, Error> {
        let what = "gather objects of two groups";
        let given = packed(value, what);
        let parts = self.all_gather_parts(given.as_deref().unwrap_or_default())?;
        given?;
        all(&parts, what)
    }

    /// Each rank has a value for each of the other group: what comes is what those had for this one.
    ///
    /// # Errors
    /// As [`all_to_all_parts`](Intercommunicator::all_to_all_parts), or a value has no form on the wire.
    pub fn all_to_all_objects<T: Object>(&self, values: &[T]) -> Result<Vec<T>, Error> {
        let what = "exchange objects with another group";
        let given = side_by_side(values, what);
        // Without counts, which is wrong, all are told so.
        let (data, counts) = given.as_ref().map_or((&[][..], &[][..]), |(data, counts)| (data, counts));
        let exchanged = self.all_to_all_parts(data, counts);
        given?;
        all(&exchanged?, what)
    }

    /// Combines the values of the other group's ranks, in their order, for the root. `value` counts there.
    ///
    /// # Errors
    /// As [`gather_objects`](Intercommunicator::gather_objects).
    pub fn reduce_object<T: Object>(
        &self,
        value: Option<&T>,
        combine: impl FnMut(T, T) -> T,
        root: Root,
    ) -> Result<Option<T>, Error> {
        self.gather_objects(value, root)?.map(|values| folded(values, combine)).transpose()
    }

    /// Combines the values of each group, in the order of its ranks, for all ranks of the other.
    ///
    /// # Errors
    /// As [`all_gather_objects`](Intercommunicator::all_gather_objects).
    pub fn all_reduce_object<T: Object>(
        &self,
        value: &T,
        combine: impl FnMut(T, T) -> T,
    ) -> Result<T, Error> {
        folded(self.all_gather_objects(value)?, combine)
    }
}
