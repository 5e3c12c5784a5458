//! Protocol Buffers, by prost. Its times do not include conversion between the messages and the shape's types.

mod log;
mod mesh;
mod minecraft;
mod mk48;

use super::BUFFER;
use crate::rounds::Cases;
use crate::shapes;
use prost::Message;
use std::hint::black_box;

const NAME: &str = "prost";

/// A shape that has a message.
pub trait Known {
    /// The message.
    type Message: Message + Default + PartialEq + for<'a> From<&'a Self> + 'static;
}

impl Known for shapes::log::Logs {
    type Message = log::Logs;
}

impl Known for shapes::mesh::Mesh {
    type Message = mesh::Mesh;
}

impl Known for shapes::minecraft::Players {
    type Message = minecraft::Players;
}

impl Known for shapes::mk48::Updates {
    type Message = mk48::Updates;
}

pub fn add<T: Known>(cases: &mut Cases<'_>, value: &T) {
    let message = T::Message::from(value);
    let bytes: &'static [u8] = message.encode_to_vec().leak();
    assert!(T::Message::decode(bytes).is_ok_and(|read| read == message));
    cases.size(NAME, bytes.len());
    let mut buffer = Vec::with_capacity(BUFFER);
    cases.add("write", NAME, move || {
        buffer.clear();
        black_box(&message).encode(black_box(&mut buffer))
    });
    cases.add("read", NAME, move || T::Message::decode(black_box(bytes)));
}
