//! Why an item that is answered later is over, and the exception for each reason.

use crate::failure;
use crate::py::{self, Kind, Outcome, Raised, Ref};
use crate::support;
use std::ffi::CStr;
use upcall_abi::cancelled;

/// Why it is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// Its handler's method has ended.
    Answered,
    /// It has taken longer than the handler's deadline.
    TimedOut,
    /// The flow is being stopped.
    Cancelled,
    /// The handler has been closed.
    Closed,
}

impl Over {
    /// For one of [`cancelled`].
    pub fn because(why: u32) -> Over {
        if why == cancelled::TIMED_OUT { Over::TimedOut } else { Over::Cancelled }
    }

    /// The name of its exception.
    fn class(self) -> &'static CStr {
        match self {
            Over::Answered | Over::Closed => c"Closed",
            Over::TimedOut => c"TimedOut",
            Over::Cancelled => c"Cancelled",
        }
    }

    /// What has become of it.
    fn told(self) -> &'static str {
        match self {
            Over::Answered => "the object is closed: it was answered already",
            Over::TimedOut => "the object timed out",
            Over::Cancelled => "the object was cancelled: the flow is being stopped",
            Over::Closed => "the object is closed: its handler is being closed",
        }
    }

    /// After what something of it was used.
    fn before(self) -> &'static str {
        match self {
            Over::Answered => "was answered: await whatever uses it before your method returns",
            Over::TimedOut => "timed out",
            Over::Cancelled => "was cancelled: the flow is being stopped",
            Over::Closed => "was closed: its handler is being closed",
        }
    }

    /// Its exception.
    pub fn exception(self) -> Outcome<Ref> {
        support::get(self.class())?.call(&[&py::text(self.told().as_bytes())?])
    }

    /// Raises its exception: something of the item was used.
    #[cold]
    pub fn raise(self, used: &str) -> Raised {
        let message = format!("{used} was used after its item {}", self.before());
        let made = support::get(self.class()).and_then(|class| class.call(&[&py::text(message.as_bytes())?]));
        match made {
            Ok(exception) => failure::raise(&exception),
            Err(raised) => {
                failure::forget(raised);
                py::raise(Kind::Runtime, message)
            }
        }
    }
}
