//! What a handler says of itself before it is opened.

use crate::py::{self, Kind, Outcome, Ref};
use crate::support;
use upcall_abi::{Writer, about};

/// Writes what is said into the output of a DESCRIBE frame.
pub struct Describe<'a> {
    writer: &'a mut Writer,
}

impl<'a> Describe<'a> {
    /// Into the frame of this writer.
    pub fn new(writer: &'a mut Writer) -> Describe<'a> {
        Describe { writer }
    }

    /// One thing, of [`about`].
    pub fn say(&mut self, what: u32, key: &str, value: &str) -> Outcome<()> {
        let written = self.writer.put(what, 0, key.as_bytes(), value.as_bytes());
        written.ok_or_else(|| py::raise(Kind::Memory, "the engine gives no room for the description"))
    }

    /// The type of the values it takes, and the bytes of one where all have as many.
    pub fn takes(&mut self, name: &str, size: Option<usize>) -> Outcome<()> {
        self.say(about::TAKES, name, &size.map_or(String::new(), |size| size.to_string()))
    }

    /// A type of the values it gives; as [`Describe::takes`].
    pub fn gives(&mut self, name: &str, size: Option<usize>) -> Outcome<()> {
        self.say(about::GIVES, name, &size.map_or(String::new(), |size| size.to_string()))
    }

    /// The settings that the handler understands, which its class lists.
    pub fn parameters(&mut self, handler: &Ref) -> Outcome<()> {
        let parameters = support::call(c"parameters", &[handler])?;
        for index in 0..py::len(&parameters)? {
            let parameter = py::item(&parameters, index)?;
            let (name, text) = (py::item(&parameter, 0)?, py::item(&parameter, 1)?);
            self.say(about::PARAMETER, name.text()?, text.text()?)?;
        }
        Ok(())
    }
}
