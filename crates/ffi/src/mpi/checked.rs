//! Messages that say which type their elements have.

use super::communicator::{Held, UpcallMpiCommunicator};
use super::failure::MpiFailure;
use super::{UpcallMpiStatus, rank, source, tag};
use upcall_mpi::{Arrived, Checked, ElementType};

/// A type of elements as checked messages name it, and as MPI is told its fields.
pub struct UpcallMpiElementType {
    pub(super) name: String,
    pub(super) of: ElementType,
    pub(super) fields: Vec<Field>,
}

/// One of its fields.
pub(super) struct Field {
    pub(super) type_name: String,
    pub(super) offset: usize,
    pub(super) size: usize,
}

#[upcall::export]
impl UpcallMpiElementType {
    /// One by its name, a number's as in Rust (`f64`) or a struct's, with so many bytes.
    pub fn new(name: &str, size: usize) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiElementType {
            name: name.to_owned(),
            of: ElementType::named(name, size)?,
            fields: Vec::new(),
        })
    }

    /// Adds the next field of a struct: its name, the name of its type (of an array, of the array's elements), its place and its
    /// bytes. Types are the same where their names, sizes and fields are.
    pub fn field(
        &mut self,
        name: &str,
        type_name: &str,
        offset: usize,
        size: usize,
    ) -> Result<(), MpiFailure> {
        self.of = self.of.field(name, type_name, offset, size)?;
        self.fields.push(Field { type_name: type_name.to_owned(), offset, size });
        Ok(())
    }
}

/// A communicator whose messages say which type their elements have.
pub struct UpcallMpiChecked(Checked);

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// The same processes, whose messages say which type their elements have, where all of them want it: unless the environment
    /// says so (`UPCALL_MPI_CHECK_TYPES`, `1` or `0`), where each has given `wanted`. Collective.
    pub fn checked(&self, wanted: bool) -> Result<UpcallMpiChecked, MpiFailure> {
        Ok(UpcallMpiChecked(self.get()?.checked_where(wanted)?))
    }
}

#[upcall::export]
impl UpcallMpiChecked {
    /// Whether types are checked.
    pub fn is_on(&self) -> bool {
        self.0.is_on()
    }

    /// Sends elements of a type, as bytes.
    pub fn send(&self, data: &[u8], of: &UpcallMpiElementType, to: i32, tag: i32) -> Result<(), MpiFailure> {
        Ok(self.0.send_as(data, &of.of, rank(to, "send")?, tag)?)
    }

    /// Receives elements of a type, of which there may be fewer than there is room for. Where the sender's type is another the
    /// message is gone.
    pub fn receive_into(
        &self,
        into: &mut [u8],
        of: &UpcallMpiElementType,
        from: i32,
        tag: i32,
        status: Option<&mut UpcallMpiStatus>,
    ) -> Result<(), MpiFailure> {
        tell(&self.0.receive_into_as(into, &of.of, source(from, "receive")?, super::tag(tag))?, status)
    }

    /// Receives elements of a type, however many there are.
    pub fn receive(
        &self,
        of: &UpcallMpiElementType,
        from: i32,
        tag: i32,
        status: Option<&mut UpcallMpiStatus>,
    ) -> Result<Vec<u8>, MpiFailure> {
        let (data, arrived) = self.0.receive_as(&of.of, source(from, "receive")?, super::tag(tag))?;
        tell(&arrived, status)?;
        Ok(data)
    }

    /// Sends elements of one type to one rank and receives some of another from another, which cannot block each other.
    #[expect(clippy::too_many_arguments, reason = "they are MPI's, and the types")]
    pub fn send_receive(
        &self,
        data: &[u8],
        of: &UpcallMpiElementType,
        to: i32,
        send_tag: i32,
        into: &mut [u8],
        into_of: &UpcallMpiElementType,
        from: i32,
        receive_tag: i32,
        status: Option<&mut UpcallMpiStatus>,
    ) -> Result<(), MpiFailure> {
        let what = "send and receive";
        let (to, from) = (rank(to, what)?, source(from, what)?);
        let (sent, received) = ((data, &of.of, to, send_tag), (into, &into_of.of, from, tag(receive_tag)));
        tell(&self.0.send_receive_as(sent, received)?, status)
    }

    /// The communicator for what all ranks do together with elements of a type, which they compare: one small exchange, where
    /// types are checked. What is sent from rank to rank on it is not checked. It may be used for longer than this one.
    pub fn together(&self, of: &UpcallMpiElementType) -> Result<UpcallMpiCommunicator, MpiFailure> {
        Ok(UpcallMpiCommunicator::perhaps(Some(Held::Made(self.0.together_as(&of.of)?))))
    }
}

/// Says what is known of a message to whom wants to hear of it.
fn tell(arrived: &Arrived, to: Option<&mut UpcallMpiStatus>) -> Result<(), MpiFailure> {
    if let Some(to) = to {
        *to = UpcallMpiStatus {
            source: i32::try_from(arrived.source()?).unwrap_or(-1),
            tag: arrived.tag()?,
            bytes: arrived.bytes()? as u64,
            cancelled: 0,
        };
    }
    Ok(())
}
