//! Windows whose epochs begin with one call and end with another, over elements whose type is known only when the program runs:
//! what a surface for another language has. The state of a window and the calls are those of [`Window`].

mod epoch;
mod exposure;
mod transfer;

pub use epoch::OpenEpoch;
pub use exposure::OpenExposure;
pub use transfer::OpenTransfer;

use super::make::NotMade;
use super::{Lock, SharedWindow, Window};
use crate::communicator::Communicator;
use crate::ending::{Hold, Unended};
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::request::Lent;
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, PoisonError};

/// A window of elements of so many bytes, for a language whose epochs are no closures.
///
/// It is ended by [`free`](OpenWindow::free) alone, which all ranks call: where it is dropped, as by a finaliser, it stays until
/// MPI is finalized. So does an epoch that is dropped before it has ended, and MPI is not finalized then. `K` keeps memory that
/// was lent.
#[doc(hidden)]
#[derive(Debug)]
pub struct OpenWindow<K: Send + 'static> {
    held: Mutex<Option<Arc<Held<K>>>>,
    rank: usize,
    lengths: Vec<usize>,
    element: usize,
}

/// A window, for as long as an epoch needs it. It is never dropped but by being freed.
#[derive(Debug)]
struct Held<K> {
    which: ManuallyDrop<Which>,
    /// Memory that it was made over.
    lent: ManuallyDrop<Option<Lent<K>>>,
    /// Whether it has a copy of that.
    copied: bool,
}

#[derive(Debug)]
enum Which {
    Own(Window<u8>),
    Shared(SharedWindow<u8>),
}

impl<K> Held<K> {
    fn window(&self) -> &Window<u8> {
        match &*self.which {
            Which::Own(window) => window,
            Which::Shared(shared) => shared.window(),
        }
    }

    fn shared(&self, what: &str) -> Result<&SharedWindow<u8>, Error> {
        match &*self.which {
            Which::Shared(shared) => Ok(shared),
            Which::Own(_) => {
                Err(Error::new(ErrorKind::Usage, format!("{what}: the window is not a shared one")))
            }
        }
    }

    fn own(&self, what: &str) -> Result<&Window<u8>, Error> {
        match &*self.which {
            Which::Own(window) => Ok(window),
            Which::Shared(_) => {
                let why = "a shared window has the epochs of locks only, as its memory is accessed in place";
                Err(Error::new(ErrorKind::Usage, format!("{what}: {why}")))
            }
        }
    }

    /// Where a rank's memory is in this process, and its bytes.
    fn memory(&self, rank: usize) -> Result<(*mut u8, usize), Error> {
        let window = self.window();
        window.peer(rank, || format!("find the memory of rank {rank}"))?;
        let base = match &*self.which {
            Which::Own(own) if rank == own.rank => own.base,
            Which::Shared(shared) => shared.base_of(rank).unwrap_or(window.base),
            Which::Own(_) => {
                let why = "it is another process's; only a shared window shows it";
                return Err(Error::new(ErrorKind::Usage, format!("find the memory of rank {rank}: {why}")));
            }
        };
        let bytes = window.room(rank);
        let is_lent = self.lent.is_some() && !self.copied;
        if !is_lent {
            super::ghost::shown(Unended::Window(window.handle), base.addr(), bytes);
        }
        Ok((base, bytes))
    }
}

impl<K: Send + 'static> OpenWindow<K> {
    fn new(which: Which, lent: Option<Lent<K>>, copied: bool) -> OpenWindow<K> {
        let held = Held { which: ManuallyDrop::new(which), lent: ManuallyDrop::new(lent), copied };
        let window = held.window();
        let (rank, lengths, element) = (window.rank, window.lengths.clone(), window.stride);
        OpenWindow { held: Mutex::new(Some(Arc::new(held))), rank, lengths, element }
    }

    /// As [`Window::allocate`].
    ///
    /// # Errors
    /// As there, or an element has no bytes.
    pub fn allocate(comm: &Communicator, count: usize, element: usize) -> Result<OpenWindow<K>, Error> {
        Ok(OpenWindow::new(Which::Own(Window::allocated_by(comm, count, element)?), None, false))
    }

    /// As [`Window::create`], over memory that `lent` keeps: that is the window's until it is freed, and has the window's
    /// elements then.
    ///
    /// # Errors
    /// As there, or a rank's memory is no whole number of elements, which all are told. The keeper is dropped then, but where some
    /// ranks have made the window and others have not.
    pub fn create(comm: &Communicator, lent: Lent<K>, element: usize) -> Result<OpenWindow<K>, Error> {
        // SAFETY: the keeper keeps them, and is kept until the window has been freed where that is not a copy.
        match unsafe { Window::create_over(comm, lent.elements(), lent.bytes(), element) } {
            Ok((window, copied)) => Ok(OpenWindow::new(Which::Own(window), Some(lent), copied)),
            Err(NotMade { error, is_reached }) => {
                if is_reached {
                    std::mem::forget(lent);
                }
                Err(error)
            }
        }
    }

    /// As [`SharedWindow::allocate`].
    ///
    /// # Errors
    /// As there, or an element has no bytes.
    pub fn shared(comm: &Communicator, count: usize, element: usize) -> Result<OpenWindow<K>, Error> {
        Ok(OpenWindow::new(Which::Shared(SharedWindow::allocated(comm, count, element)?), None, false))
    }

    /// As [`Window::rank`].
    #[must_use]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// As [`Window::size`].
    #[must_use]
    pub fn size(&self) -> usize {
        self.lengths.len()
    }

    /// As [`Window::length`].
    #[must_use]
    pub fn length(&self, rank: usize) -> Option<usize> {
        self.lengths.get(rank).copied()
    }

    /// The bytes of an element.
    #[must_use]
    pub fn element(&self) -> usize {
        self.element
    }

    /// As [`Window::is_unified`].
    ///
    /// # Errors
    /// As there, or the window has been freed.
    pub fn is_unified(&self) -> Result<bool, Error> {
        self.held("ask for a window's memory model")?.window().is_unified()
    }

    fn held(&self, what: &str) -> Result<Arc<Held<K>>, Error> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.clone().ok_or_else(|| gone(what))
    }

    /// As [`Window::fence`].
    ///
    /// # Errors
    /// As there, or it is a shared window.
    pub fn fence(&self) -> Result<OpenEpoch<K>, Error> {
        let held = self.held("begin a fence epoch")?;
        let hold = held.own("begin a fence epoch")?.fence_begun()?;
        Ok(OpenEpoch::new(held, epoch::Kind::Fence, hold))
    }

    /// As [`Window::access`].
    ///
    /// # Errors
    /// As there, or it is a shared window.
    pub fn access(&self, ranks: &[usize]) -> Result<OpenEpoch<K>, Error> {
        let held = self.held("access a window")?;
        let hold = held.own("access a window")?.access_begun(ranks)?;
        Ok(OpenEpoch::new(held, epoch::Kind::Access(ranks.to_vec()), hold))
    }

    /// As [`Window::expose`].
    ///
    /// # Errors
    /// As there, or it is a shared window.
    pub fn expose(&self, ranks: &[usize]) -> Result<OpenExposure<K>, Error> {
        let held = self.held("expose a window")?;
        held.own("expose a window")?.exposed(ranks)?;
        Ok(OpenExposure::new(held))
    }

    /// As [`Window::lock`].
    ///
    /// # Errors
    /// As there.
    pub fn lock(&self, lock: Lock, rank: usize) -> Result<OpenEpoch<K>, Error> {
        let (held, hold) = (self.held("lock a window")?, Hold::new());
        held.window().locked(lock, rank, None)?;
        Ok(OpenEpoch::new(held, epoch::Kind::Lock(rank), hold))
    }

    /// As [`Window::lock_all`].
    ///
    /// # Errors
    /// As there.
    pub fn lock_all(&self) -> Result<OpenEpoch<K>, Error> {
        let held = self.held("lock all ranks")?;
        let hold = held.window().lock_all_begun()?;
        Ok(OpenEpoch::new(held, epoch::Kind::LockAll, hold))
    }

    /// As [`Window::local`].
    ///
    /// # Errors
    /// As there.
    pub fn local(&self) -> Result<OpenEpoch<K>, Error> {
        self.in_place(self.rank)
    }

    /// As [`SharedWindow::memory_of`]; of this rank as [`local`](OpenWindow::local).
    ///
    /// # Errors
    /// As there, or it is not a shared window.
    pub fn memory_of(&self, rank: usize) -> Result<OpenEpoch<K>, Error> {
        self.in_place(rank)
    }

    fn in_place(&self, rank: usize) -> Result<OpenEpoch<K>, Error> {
        let (held, hold) = (self.held("lock a window's memory")?, Hold::new());
        held.memory(rank)?;
        held.window().locked(Lock::Exclusive, rank, None)?;
        if let Err(error) = held.window().synchronized() {
            let _ = held.window().lock_ended(rank);
            return Err(error);
        }
        Ok(OpenEpoch::new(held, epoch::Kind::Memory(rank), hold))
    }

    /// As [`SharedWindow::together`].
    ///
    /// # Errors
    /// As there, or it is not a shared window.
    pub fn together(&self) -> Result<OpenEpoch<K>, Error> {
        let held = self.held("read the memory of all ranks")?;
        let hold = held.shared("read the memory of all ranks")?.together_begun()?;
        Ok(OpenEpoch::new(held, epoch::Kind::Together, hold))
    }

    /// Ends it, when all ranks do, as [`Window::free`]; memory that was lent has its elements then, and its keeper is dropped. A
    /// second call does nothing.
    ///
    /// # Errors
    /// An epoch is open, which has to be ended first, or MPI refuses; or MPI has been finalized, and the window is no more: of one
    /// with a copy of its memory the elements are lost.
    pub fn free(&self) -> Result<(), Error> {
        let what = || "free a window".to_owned();
        let mut place = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(held) = place.take() else { return Ok(()) };
        if let Err(error) = held.window().state.idle(what) {
            *place = Some(held);
            return Err(error);
        }
        if Library::is_over() {
            // Finalizing has freed it: nobody uses the memory any more.
            if let Ok(held) = Arc::try_unwrap(held) {
                drop(ManuallyDrop::into_inner(held.lent));
            }
            let why = "MPI has been finalized, which has freed it; free it before that";
            return Err(Error::new(ErrorKind::Lifecycle, format!("free a window: {why}")));
        }
        // A thread that may not call MPI leaves it as it is.
        if let Err(error) = held.window().library.call(|_| 0, what) {
            *place = Some(held);
            return Err(error);
        }
        let held = match Arc::try_unwrap(held) {
            Ok(held) => held,
            Err(held) => {
                *place = Some(held);
                let why = "another thread is in a call about it; wait for that first";
                return Err(Error::new(ErrorKind::Synchronization, format!("free a window: {why}")));
            }
        };
        if let Some(lent) = &*held.lent {
            let window = held.window();
            let taken = window.all_here().and_then(|()| {
                if held.copied {
                    let local = window.local()?;
                    // SAFETY: there are as many bytes, which are the window's while it is there.
                    unsafe { lent.elements().copy_from_nonoverlapping(local.as_ptr(), local.len()) };
                }
                Ok(())
            });
            if let Err(error) = taken {
                *place = Some(Arc::new(held));
                return Err(error);
            }
        }
        let lent = ManuallyDrop::into_inner(held.lent);
        // What they do when they are dropped is what follows, and their failure is told.
        let freed = match ManuallyDrop::into_inner(held.which) {
            Which::Own(window) => window.closed(),
            Which::Shared(shared) => shared.closed(),
        };
        if freed.is_err() && !held.copied {
            // Others may still reach it.
            std::mem::forget(lent);
        }
        freed
    }
}

fn gone(what: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("{what}: the window has been freed"))
}

/// What cannot be done in an epoch of this kind.
fn not_here(what: &str, why: &str) -> Error {
    Error::new(ErrorKind::Synchronization, format!("{what}: {why}"))
}
