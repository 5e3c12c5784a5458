//! What a checked message says of its elements, where their type is known only when the program runs.

use super::head::Head;
use crate::error::{Error, ErrorKind};
use upcall_abi::Blit;

/// The type of elements that are bytes to Rust, as checked messages name it: what a surface for another language has. It is the
/// same as that of a `Blit` type with this name and these fields, in this order.
#[derive(Clone, Copy, Debug)]
pub struct ElementType {
    pub(super) head: Head,
    size: usize,
}

impl ElementType {
    /// That of a type of Rust's.
    #[must_use]
    pub fn of<T: Blit>() -> ElementType {
        ElementType { head: Head::of::<T>(), size: size_of::<T>() }
    }

    /// One by its name, a number's in Rust (`f64`) or a struct's, with so many bytes. Its first 48 bytes count.
    ///
    /// # Errors
    /// It has no name or no bytes.
    pub fn named(name: &str, size: usize) -> Result<ElementType, Error> {
        if name.is_empty() || size == 0 || u32::try_from(size).is_err() {
            let message = format!(
                "name a type of elements: it is called {name:?} and has {size} bytes; give it a name, and 1 to 4,294,967,295 bytes"
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        Ok(ElementType { head: Head::named(name, size), size })
    }

    /// The same with the next field of its table: its name, the name of its type (of an array, of the array's elements), its
    /// place and its bytes.
    ///
    /// # Errors
    /// It lies outside.
    pub fn field(
        mut self,
        name: &str,
        type_name: &str,
        offset: usize,
        size: usize,
    ) -> Result<ElementType, Error> {
        if offset.checked_add(size).is_none_or(|end| end > self.size) {
            let of = self.head.told();
            let message = format!("name a type of elements, {of}: its field {name} has {size} at {offset}");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        self.head.add(name, type_name, offset, size);
        Ok(self)
    }

    /// The bytes of an element.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Fails where bytes are no whole number of elements.
    pub(super) fn whole(&self, bytes: usize, what: &str) -> Result<(), Error> {
        if bytes.is_multiple_of(self.size) {
            return Ok(());
        }
        let message = format!("{what} {bytes} bytes: they are no whole number of {}", self.head.told());
        Err(Error::new(ErrorKind::Usage, message))
    }

    /// The same of what has arrived.
    pub(super) fn whole_arrived(&self, bytes: usize) -> Result<(), Error> {
        if bytes.is_multiple_of(self.size) {
            return Ok(());
        }
        let message = format!(
            "receive {}: the checked message has {bytes} bytes, no whole number of them",
            self.head.told()
        );
        Err(Error::new(ErrorKind::Type, message))
    }
}
