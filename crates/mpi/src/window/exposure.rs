//! The other side of an access: this rank's memory, for some ranks and for some time.

use super::Window;
use crate::ending::Hold;
use crate::error::Error;
use std::ffi::c_int;
use std::fmt;
use std::marker::PhantomData;
use upcall_abi::Blit;

/// This rank's memory, which others access until it is waited for: see [`expose`](Window::expose).
#[must_use = "it ends when it is waited for, or dropped"]
pub struct Exposure<'w, T: Blit> {
    window: &'w Window<T>,
    ended: bool,
    /// As of a lock.
    here: PhantomData<*const ()>,
}

impl<T: Blit> Window<T> {
    /// Lets some ranks [access](Window::access) this rank's memory, each once, until the guard is waited for.
    ///
    /// # Errors
    /// There is no such rank, this rank's memory is locked or exposed already, or MPI refuses.
    pub fn expose(&self, ranks: &[usize]) -> Result<Exposure<'_, T>, Error> {
        self.exposed(ranks)?;
        Ok(Exposure { window: self, ended: false, here: PhantomData })
    }

    pub(super) fn exposed(&self, ranks: &[usize]) -> Result<(), Error> {
        let what = || format!("expose a window to ranks {ranks:?}");
        let peers = self.peers(ranks, what)?;
        self.state.expose(Hold::new(), what)?;
        let begun = self.library.call(
            // SAFETY: as above, and so many ranks of its.
            |table| unsafe { (table.win_post)(self.handle, peers.as_ptr(), peers.len() as c_int) },
            what,
        );
        begun.inspect_err(|_| self.state.hide())
    }

    /// Whether the ranks that it is exposed to have ended their access, and with that the exposure; whether it has ended also
    /// where that fails.
    pub(super) fn exposure_ended(&self, wait: bool) -> (bool, Result<(), Error>) {
        let mut done = 0;
        let said = self.library.end(
            // SAFETY: a window of this MPI's that is exposed.
            |table| unsafe { (table.win_wait)(self.handle, c_int::from(wait), &mut done) },
            || "wait for those that access a window".to_owned(),
        );
        // What has failed is not tried again.
        let ended = said.is_err() || done != 0;
        if ended {
            self.state.hide();
        }
        (ended, said)
    }
}

impl<T: Blit> Exposure<'_, T> {
    /// Waits until all ranks that it is for have ended their access.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn wait(mut self) -> Result<(), Error> {
        self.end(true).map(drop)
    }

    /// Whether they have; the guard, where they have not.
    ///
    /// # Errors
    /// As [`wait`](Exposure::wait).
    pub fn test(mut self) -> Result<Option<Self>, Error> {
        Ok(if self.end(false)? { None } else { Some(self) })
    }

    fn end(&mut self, wait: bool) -> Result<bool, Error> {
        let (ended, said) = self.window.exposure_ended(wait);
        self.ended = ended;
        said.map(|()| self.ended)
    }
}

impl<T: Blit> Drop for Exposure<'_, T> {
    fn drop(&mut self) {
        if !self.ended && !std::thread::panicking() {
            // Nobody could be told.
            let _ = self.end(true);
        }
    }
}

impl<T: Blit> fmt::Debug for Exposure<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Exposure of rank {}", self.window.rank)
    }
}
