//! Receives of messages whose size nobody has said: the message is looked for whenever the request is asked, and is received when
//! it is there.

use super::{Begun, Request, Sort};
use crate::communicator::{Communicator, Kept};
use crate::datatype::{place_mut, zeroed};
use crate::error::Error;
use crate::library::Library;
use crate::object::{Object, unpacked};
use crate::point::{Source, Tag, sender, tagged};
use crate::shim::{Constant, Handle};
use crate::status::{Status, counted, elements};
use std::any::Any;
use std::ffi::c_int;
use std::sync::Arc;
use upcall_abi::Blit;

/// A receive that has to find its message first.
pub(super) trait Look<B>: Send {
    /// What has come, if it has; or, where it is to `wait`, when it has.
    fn look(&mut self, wait: bool) -> Result<Option<(B, Status)>, Error>;

    /// Whether a message is its own by now.
    fn has_found(&self) -> bool;
}

/// One whose value is put into a box.
pub(super) struct Erased<B>(pub(super) Box<dyn Look<B>>);

impl<B: Send + 'static> Look<Box<dyn Any + Send>> for Erased<B> {
    fn look(&mut self, wait: bool) -> Result<Option<(Box<dyn Any + Send>, Status)>, Error> {
        let found = self.0.look(wait)?;
        Ok(found.map(|(value, status)| (Box::new(value) as Box<dyn Any + Send>, status)))
    }

    fn has_found(&self) -> bool {
        self.0.has_found()
    }
}

struct Looked<T: Blit + Send, B> {
    library: &'static Library,
    comm: Handle,
    /// The communicator is there as long as it is looked at.
    _kept: Arc<Kept>,
    from: (Source, c_int),
    tag: (Tag, c_int),
    /// The message, when it was found.
    found: Option<Request<Vec<T>>>,
    read: fn(Vec<T>) -> Result<B, Error>,
}

impl Communicator {
    /// Begins to receive a message of any size.
    ///
    /// It is matched when the request is asked, not when it is begun: of several such requests and other receives, the first
    /// that is asked gets the first message that fits, and a sender that waits for its receiver waits until then. It is safe
    /// from many threads, and one that is dropped before has taken no message.
    ///
    /// # Errors
    /// There is no such rank or tag; that the message is no whole number of elements is an error of the request, and it is
    /// thrown away then.
    pub fn start_receive_any_size<T: Blit + Send>(
        &self,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Request<Vec<T>>, Error> {
        self.looked(from.into(), tag.into(), Ok)
    }

    /// Begins to receive a value of whatever size, as [`start_receive_any_size`](Communicator::start_receive_any_size).
    ///
    /// # Errors
    /// As there; that what has arrived is no value of the type is an error of the request.
    pub fn start_receive_object<T: Object + Send + 'static>(
        &self,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Request<T>, Error> {
        self.looked(from.into(), tag.into(), |bytes: Vec<u8>| unpacked(&bytes, "receive an object"))
    }

    fn looked<T: Blit + Send, B: Send + 'static>(
        &self,
        from: Source,
        tag: Tag,
        read: fn(Vec<T>) -> Result<B, Error>,
    ) -> Result<Request<B>, Error> {
        let what = || format!("begin to look for a message from {} with {}", sender(from), tagged(tag));
        let (from, tag) = ((from, self.source(from, what)?), (tag, self.tag(tag, what)?));
        let (library, comm, kept) = (self.library, self.handle, self.kept());
        let looked = Looked { library, comm, _kept: kept, from, tag, found: None, read };
        Ok(Request { library, stage: super::Stage::Looking(Box::new(looked)) })
    }
}

impl<T: Blit + Send, B> Looked<T, B> {
    /// The message, which is received from now on.
    fn matched(&self, wait: bool) -> Result<Option<Request<Vec<T>>>, Error> {
        let (mut found, mut message, mut bytes, mut status) = (0, 0, 0, Status::EMPTY);
        self.library.call(
            // SAFETY: a communicator of this MPI's, and what is written is here.
            |table| unsafe {
                let ((_, from), (_, tag)) = (self.from, self.tag);
                let wait = c_int::from(wait);
                (table.mprobe)(from, tag, self.comm, wait, &mut found, &mut message, &mut bytes, &mut status)
            },
            || format!("look for a message from {} with {}", sender(self.from.0), tagged(self.tag.0)),
        )?;
        if found == 0 {
            return Ok(None);
        }
        let bytes = counted(bytes)?;
        match elements::<T>(bytes).and_then(zeroed::<T>) {
            Ok(room) => received(self.library, message, room).map(Some),
            Err(error) => {
                // It was matched, so that nobody else can receive it.
                if let Ok(room) = zeroed::<u8>(bytes) {
                    drop(received(self.library, message, room)?);
                }
                Err(error)
            }
        }
    }
}

impl<T: Blit + Send, B: Send> Look<B> for Looked<T, B> {
    fn look(&mut self, wait: bool) -> Result<Option<(B, Status)>, Error> {
        if self.found.is_none() {
            self.found = self.matched(wait)?;
        }
        let Some(request) = self.found.take() else { return Ok(None) };
        let (elements, status) = if wait {
            request.wait()?
        } else {
            match request.test()? {
                Ok(ended) => ended,
                Err(goes_on) => {
                    self.found = Some(goes_on);
                    return Ok(None);
                }
            }
        };
        Ok(Some(((self.read)(elements)?, status)))
    }

    fn has_found(&self) -> bool {
        self.found.is_some()
    }
}

/// Begins to receive a message that was matched.
fn received<T: Blit + Send>(
    library: &'static Library,
    mut message: Handle,
    mut room: Vec<T>,
) -> Result<Request<Vec<T>>, Error> {
    let mut handle = 0;
    let bytes = size_of_val(room.as_slice());
    library.call(
        // SAFETY: there is room for so many bytes, which the request keeps where they are until MPI has filled them.
        |table| unsafe {
            let byte = library.constant(Constant::Byte);
            (table.imrecv)(place_mut(&mut room), bytes as i64, byte, &mut message, &mut handle)
        },
        || format!("begin to receive a message of {bytes} bytes that was matched"),
    )?;
    Ok(Request::begun(library, Begun { handle, buffer: room, sort: Sort::Matched, behind: None }))
}
