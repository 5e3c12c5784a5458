use crate::members::{MOST, NULL, no_object};
use crate::prelude::*;
use crate::{Error, ErrorKind, Reader};

/// Consumes the header of an object that always has `count` members.
pub(crate) fn exactly(reader: &mut Reader<'_>, count: u8, name: &'static str) -> Result<(), Error> {
    let place = reader.position();
    match reader.u8()? {
        found if found == count => Ok(()),
        NULL => Err(crate::reader::null(place)),
        found if usize::from(found) > MOST => Err(no_object(place, found)),
        found => {
            let message =
                format!("`{name}` has {count} members, the bytes have {found}: the writer's type is another");
            Err(Error::new(ErrorKind::MembersInvalid, place, message))
        }
    }
}
