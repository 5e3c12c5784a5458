use std::error::Error;
use std::fmt;

/// Why an item failed: what lands in the dead pool as its cause.
///
/// Every error converts into it, so `?` works in a handler.
// One word, because every object's result has room for it.
#[derive(Debug)]
pub struct Failure(Box<Told>);

/// What a failure says.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) type_name: String,
    pub(crate) message: String,
    pub(crate) stack: String,
}

impl Failure {
    /// A failure with a message and nothing more.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure::told("failure", message.into(), String::new())
    }

    #[cold]
    pub(crate) fn told(type_name: &str, message: String, stack: String) -> Failure {
        Failure(Box::new(Told { type_name: type_name.into(), message, stack }))
    }

    /// All of it.
    pub(crate) fn parts(&self) -> &Told {
        &self.0
    }

    /// What went wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.type_name, self.0.message)
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        let mut stack = String::new();
        let mut cause = error.source();
        while let Some(error) = cause {
            stack += &format!("caused by: {error}\n");
            cause = error.source();
        }
        Failure::told(std::any::type_name::<E>(), error.to_string(), stack)
    }
}
