use std::cell::Cell;
use std::error::Error;
use std::fmt;
use upcall_abi::cancelled;

/// Why an item ended before its handler had answered it. What the handler's own code cancels is none of these, but an
/// ordinary failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Ended {
    /// It took longer than the handler's deadline.
    TimedOut,
    /// Somebody outside the handler has cancelled it: the flow is being stopped.
    Cancelled,
    /// The handler was closed.
    Closed,
}

thread_local! {
    static REASON: Cell<Option<Ended>> = const { Cell::new(None) };
}

impl Ended {
    /// By its number at the boundary. A number of a newer engine came from outside in any case.
    pub(crate) fn from_why(why: u32) -> Ended {
        if why == cancelled::TIMED_OUT { Ended::TimedOut } else { Ended::Cancelled }
    }

    /// Why the future is being dropped in which this is asked: for destructors, as [`std::thread::panicking`] is. `None`
    /// where it has come to its end by itself, and everywhere else.
    ///
    /// ```
    /// # #[cfg(feature = "async")] {
    /// use std::time::Duration;
    /// use upcall::{Emit, Ended, Failure, Harness, Object, later};
    ///
    /// struct Request;
    ///
    /// impl Drop for Request {
    ///     fn drop(&mut self) {
    ///         if Ended::reason() == Some(Ended::TimedOut) {
    ///             // Tell the service that nobody waits any more.
    ///         }
    ///     }
    /// }
    ///
    /// let handler = async |_: Object<'_>, _: &mut Emit<'_>| -> Result<(), Failure> {
    ///     let _request = Request;
    ///     tokio::time::sleep(Duration::from_secs(60)).await;
    ///     Ok(())
    /// };
    /// let mut harness = Harness::new(later(handler)).deadline(Duration::from_millis(5));
    /// assert_eq!(harness.put(b"key", b"").unwrap_err().ended, Some(Ended::TimedOut));
    /// # }
    /// ```
    #[must_use]
    pub fn reason() -> Option<Ended> {
        REASON.get()
    }

    /// Runs what drops a future that has ended for this reason.
    #[cfg(feature = "async")]
    pub(crate) fn while_dropping(why: Option<Ended>, drop: impl FnOnce()) {
        let outer = REASON.replace(why);
        upcall_abi::caught::quietly(drop);
        REASON.set(outer);
    }

    /// The failure of an item that has ended so.
    #[cfg(feature = "async")]
    #[cold]
    pub(crate) fn failure(self) -> crate::Failure {
        crate::Failure::told(&format!("upcall::Ended::{self:?}"), self.to_string(), String::new())
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ended::TimedOut => "the handler has not answered within its deadline",
            Ended::Cancelled => "the item was cancelled from outside before the handler answered",
            Ended::Closed => "the handler was closed before it answered",
        })
    }
}

impl Error for Ended {}
