//! Types that MPI knows field by field.

use super::checked::UpcallMpiElementType;
use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use super::{UpcallMpiStatus, rank, source, tell};
use upcall_mpi::{Datatype, FieldAt};

/// A struct as MPI knows it: its fields, each a number at its place. What C programs make with `MPI_Type_create_struct` matches it
/// where their numbers do, in the order of the fields. Padding does not travel.
pub struct UpcallMpiDatatype(Datatype);

#[upcall::export]
impl UpcallMpiDatatype {
    /// That of a type whose fields are numbers, or of a number.
    pub fn new(comm: &UpcallMpiCommunicator, of: &UpcallMpiElementType) -> Result<Self, MpiFailure> {
        let own = FieldAt { type_name: &of.name, offset: 0, size: of.of.size() };
        let fields = of.fields.iter().map(|field| FieldAt {
            type_name: &field.type_name,
            offset: field.offset,
            size: field.size,
        });
        let fields: Vec<FieldAt<'_>> = if of.fields.is_empty() { vec![own] } else { fields.collect() };
        let made = Datatype::of_table(comm.peers()?, &of.name, of.of.size(), &fields, &[])?;
        Ok(UpcallMpiDatatype(made))
    }

    /// Bytes from one element to the next.
    pub fn extent(&self) -> usize {
        self.0.extent()
    }
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Sends elements field by field.
    pub fn send_typed(
        &self,
        data: &[u8],
        of: &UpcallMpiDatatype,
        to: i32,
        tag: i32,
    ) -> Result<(), MpiFailure> {
        Ok(self.peers()?.send_typed(data, &of.0, rank(to, "send")?, tag)?)
    }

    /// Receives elements field by field, of which there may be fewer than there is room for, and returns how many there were.
    /// Padding stays as it was.
    pub fn receive_typed_into(
        &self,
        into: &mut [u8],
        of: &UpcallMpiDatatype,
        from: i32,
        tag: i32,
        status: Option<&mut UpcallMpiStatus>,
    ) -> Result<u64, MpiFailure> {
        let from = source(from, "receive")?;
        let received = self.peers()?.receive_typed_into(into, &of.0, from, super::tag(tag))?;
        let count = of.0.count(&received)?;
        tell(&received, status)?;
        Ok(count as u64)
    }

    /// Receives elements field by field, however many there are. Padding is zero.
    pub fn receive_typed(
        &self,
        of: &UpcallMpiDatatype,
        from: i32,
        tag: i32,
        status: Option<&mut UpcallMpiStatus>,
    ) -> Result<Vec<u8>, MpiFailure> {
        let from = source(from, "receive")?;
        let (data, received) = self.peers()?.receive_typed::<u8>(&of.0, from, super::tag(tag))?;
        tell(&received, status)?;
        Ok(data)
    }

    /// Gives all ranks the elements of one, of which all have as many, field by field.
    pub fn broadcast_typed(
        &self,
        data: &mut [u8],
        of: &UpcallMpiDatatype,
        root: i32,
    ) -> Result<(), MpiFailure> {
        Ok(self.get()?.broadcast_typed(data, &of.0, rank(root, "broadcast")?)?)
    }
}
