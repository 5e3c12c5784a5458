use std::error::Error;
use std::fmt;

/// Why an item failed: what lands in the dead pool as its cause.
///
/// Every error converts into it, so `?` works in a handler.
#[derive(Debug)]
pub struct Failure {
    pub(crate) type_name: String,
    pub(crate) message: String,
    pub(crate) stack: String,
}

impl Failure {
    /// A failure with a message and nothing more.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { type_name: "failure".into(), message: message.into(), stack: String::new() }
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.type_name, self.message)
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
        Failure { type_name: std::any::type_name::<E>().into(), message: error.to_string(), stack }
    }
}
