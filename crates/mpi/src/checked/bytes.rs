//! Checked messages of elements that are bytes to Rust.

use super::element::ElementType;
use super::{Arrived, Checked, has_room, with_head};
use crate::communicator::Communicator;
use crate::error::Error;
use crate::point::{Source, Tag};
use std::sync::Arc;

impl Checked {
    /// As [`send`](Checked::send), of whole elements of a type, as bytes.
    ///
    /// # Errors
    /// As there, or they are no whole elements.
    pub fn send_as(&self, data: &[u8], of: &ElementType, to: usize, tag: i32) -> Result<(), Error> {
        of.whole(data.len(), "send")?;
        if self.on {
            self.messages.send(&with_head(&of.head, data), to, tag)
        } else {
            self.messages.send(data, to, tag)
        }
    }

    /// As [`receive`](Checked::receive), of elements of a type, as bytes.
    ///
    /// # Errors
    /// As there.
    pub fn receive_as(
        &self,
        of: &ElementType,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<(Vec<u8>, Arrived), Error> {
        let (data, arrived) = if self.on {
            self.received(&of.head, from.into(), tag.into())?
        } else {
            let (data, status) = self.messages.receive::<u8>(from, tag)?;
            (data, Arrived { status, head: 0 })
        };
        of.whole_arrived(data.len())?;
        Ok((data, arrived))
    }

    /// As [`receive_into`](Checked::receive_into), of elements of a type, as bytes.
    ///
    /// # Errors
    /// As there.
    pub fn receive_into_as(
        &self,
        into: &mut [u8],
        of: &ElementType,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Arrived, Error> {
        if !self.on {
            let status = self.messages.receive_into(into, from, tag)?;
            of.whole_arrived(status.bytes()?)?;
            return Ok(Arrived { status, head: 0 });
        }
        let (bytes, arrived) = self.received(&of.head, from.into(), tag.into())?;
        of.whole_arrived(bytes.len())?;
        has_room(bytes.len(), into.len())?;
        into[..bytes.len()].copy_from_slice(&bytes);
        Ok(arrived)
    }

    /// As [`send_receive`](Checked::send_receive), of elements of a type each, as bytes: what is sent, as what, to whom and with
    /// which tag; and the room for what is received, as what, from whom and with which tag.
    ///
    /// # Errors
    /// As there.
    pub fn send_receive_as(
        &self,
        (data, of, to, tag): (&[u8], &ElementType, usize, i32),
        (into, into_of, from, from_tag): (&mut [u8], &ElementType, Source, Tag),
    ) -> Result<Arrived, Error> {
        of.whole(data.len(), "send")?;
        if !self.on {
            let status = self.messages.send_receive(data, to, tag, into, from, from_tag)?;
            into_of.whole_arrived(status.bytes()?)?;
            return Ok(Arrived { status, head: 0 });
        }
        let what = || "send to one rank and receive from another".to_owned();
        // Before anything is under way.
        self.messages.source(from, what)?;
        self.messages.tag(from_tag, what)?;
        let sent = self.messages.start_send(with_head(&of.head, data), to, tag)?;
        let received = self.receive_into_as(into, into_of, from, from_tag);
        sent.wait()?;
        received
    }

    /// As [`together`](Checked::together), of a type that is known only when the program runs; the communicator may outlive this
    /// one.
    ///
    /// # Errors
    /// As there.
    pub fn together_as(&self, of: &ElementType) -> Result<Arc<Communicator>, Error> {
        self.agree(&of.head)?;
        Ok(Arc::clone(&self.together))
    }
}
