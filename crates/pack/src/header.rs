use crate::members::NULL;
use crate::{Error, ErrorKind, Reader};

/// Consumes the header of an object that always has `count` members.
pub(crate) fn exactly(reader: &mut Reader<'_>, count: u8, name: &'static str) -> Result<(), Error> {
    let place = reader.position();
    match reader.u8()? {
        found if found == count => Ok(()),
        NULL => Err(crate::reader::null(place)),
        found => {
            let message = format!("`{name}` has {count} members, here are {found}");
            Err(Error::new(ErrorKind::MembersInvalid, place, message))
        }
    }
}
