//! An epoch from one call to another.

use super::{Held, not_here};
use crate::ending::Hold;
use crate::error::{Error, ErrorKind};
use crate::request::Lent;
use crate::window::Window;
use crate::window::accumulate::Combining;
use crate::window::epoch::{Epoch, Reach};
use crate::window::passive::Passive;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What has begun, and how it ends.
#[derive(Debug)]
pub(super) enum Kind {
    Fence,
    Access(Vec<usize>),
    Lock(usize),
    LockAll,
    /// A rank's memory, in place.
    Memory(usize),
    Together,
}

/// As [`Epoch`], and [`Passive`] where it is one of locks; or memory in place. Elements are bytes, and places and counts those of
/// elements.
///
/// It ends by [`end`](OpenEpoch::end) alone: dropped before that it stays open, with what was lent to it, and MPI is not
/// finalized.
#[doc(hidden)]
pub struct OpenEpoch<K: Send + 'static>(pub(super) Arc<Open<K>>);

/// What is open, if it has not ended.
pub(super) type Open<K> = RwLock<Option<Opened<K>>>;

pub(super) struct Opened<K> {
    /// It borrows from what `held` has, and so is dropped first.
    pub(super) epoch: Epoch<'static, 'static, u8>,
    kind: Kind,
    lent: Mutex<Vec<K>>,
    held: Arc<Held<K>>,
}

impl<K> Opened<K> {
    fn window(&self) -> &Window<u8> {
        self.held.window()
    }

    /// The bytes of what is kept until the epoch has ended, also where MPI fails: it may have begun with some of them.
    fn kept(&self, lent: Lent<K>) -> *mut [u8] {
        let bytes = std::ptr::slice_from_raw_parts_mut(lent.elements(), lent.bytes());
        self.lent.lock().unwrap_or_else(PoisonError::into_inner).push(lent.into_keeper());
        bytes
    }

    /// The epoch, where it has operations that are complete when they return.
    pub(super) fn passive(&self, what: &str) -> Result<Passive<'_, 'static, 'static, u8>, Error> {
        match self.kind {
            Kind::Lock(_) | Kind::LockAll => Ok(Passive::of(&self.epoch)),
            _ => Err(not_here(what, "only an epoch of locks completes it before it ends")),
        }
    }
}

impl Kind {
    fn end<K>(&self, held: &Held<K>) -> Result<(), Error> {
        let window = held.window();
        match self {
            Kind::Fence => window.fence_ended(),
            Kind::Access(ranks) => window.access_ended(ranks),
            Kind::Lock(rank) => window.lock_ended(*rank),
            Kind::LockAll => window.lock_all_ended(),
            Kind::Memory(rank) => {
                let synchronized = window.synchronized();
                window.lock_ended(*rank).and(synchronized)
            }
            Kind::Together => held.shared("end an epoch")?.together_ended(),
        }
    }
}

impl<K: Send + 'static> OpenEpoch<K> {
    pub(super) fn new(held: Arc<Held<K>>, kind: Kind, hold: Hold) -> OpenEpoch<K> {
        let reach = match &kind {
            Kind::Fence | Kind::LockAll | Kind::Together => Reach::All,
            Kind::Access(ranks) => Reach::Some(ranks.clone()),
            Kind::Lock(rank) | Kind::Memory(rank) => Reach::One(*rank),
        };
        // SAFETY: the window is in memory that `held` keeps where it is, for longer than the epoch is there.
        let window = unsafe { &*std::ptr::from_ref(held.window()) };
        let epoch = Epoch::new(window, reach, hold);
        OpenEpoch(Arc::new(RwLock::new(Some(Opened { epoch, kind, lent: Mutex::default(), held }))))
    }

    /// What is open, for one call.
    fn with<R>(&self, what: &str, call: impl FnOnce(&Opened<K>) -> Result<R, Error>) -> Result<R, Error> {
        match &*self.0.read().unwrap_or_else(PoisonError::into_inner) {
            Some(opened) => call(opened),
            None => Err(not_here(what, "the epoch has ended")),
        }
    }

    /// The same, for a call about other ranks' memory with so many bytes.
    pub(super) fn on<R>(
        &self,
        what: &str,
        bytes: usize,
        call: impl FnOnce(&Opened<K>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.with(what, |opened| {
            if matches!(opened.kind, Kind::Memory(_) | Kind::Together) {
                return Err(not_here(what, "this is memory in place; it is read and written there"));
            }
            let element = opened.window().stride;
            if !bytes.is_multiple_of(element) {
                let message =
                    format!("{what} {bytes} bytes: they are no whole number of elements of {element}");
                return Err(Error::new(ErrorKind::Type, message));
            }
            call(opened)
        })
    }

    /// The same with an operator.
    pub(super) fn by<R>(
        &self,
        what: &str,
        bytes: usize,
        by: Combining,
        single: bool,
        call: impl FnOnce(&Opened<K>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.on(what, bytes, |opened| {
            let (element, size) = (opened.window().stride, by.size());
            if !element.is_multiple_of(size) || single && (element != size || bytes != size) {
                let message = format!(
                    "{what}: the operation is on numbers of {size} bytes, and the window has elements of {element}{}",
                    if single { ", of which one is combined" } else { "" }
                );
                return Err(Error::new(ErrorKind::Type, message));
            }
            call(opened)
        })
    }

    /// Writes a copy of elements at a rank.
    ///
    /// # Errors
    /// As [`Epoch::put`], the bytes are no whole elements, or the epoch has ended; so of those below.
    pub fn put(&self, data: &[u8], rank: usize, at: usize) -> Result<(), Error> {
        self.on("put", data.len(), |opened| opened.epoch.put_owned(data.to_vec(), rank, at))
    }

    /// As [`Epoch::put`], of elements that are kept until the epoch has ended.
    ///
    /// # Errors
    /// As there; the keeper is dropped when the epoch has ended.
    pub fn put_lent(&self, data: Lent<K>, rank: usize, at: usize) -> Result<(), Error> {
        self.on("put", data.bytes(), |opened| {
            let bytes = opened.kept(data);
            // SAFETY: the keeper is kept until the epoch has ended.
            unsafe { opened.epoch.put_from(&*bytes, rank, at) }
        })
    }

    /// As [`Epoch::get`].
    ///
    /// # Errors
    /// As there; the keeper is dropped when the epoch has ended.
    pub fn get_lent(&self, into: Lent<K>, rank: usize, at: usize) -> Result<(), Error> {
        self.on("get", into.bytes(), |opened| {
            let bytes = opened.kept(into);
            // SAFETY: as above.
            unsafe { opened.epoch.get_to(&mut *bytes, rank, at) }
        })
    }

    /// As [`Passive::fetch`].
    ///
    /// # Errors
    /// As there.
    pub fn fetch(&self, into: &mut [u8], rank: usize, at: usize) -> Result<(), Error> {
        self.on("fetch", into.len(), |opened| {
            let count = into.len() / opened.window().stride;
            into.copy_from_slice(&opened.passive("fetch")?.fetch(rank, at, count)?);
            Ok(())
        })
    }

    /// Combines a copy of elements into those of a rank's.
    ///
    /// # Errors
    /// As [`Epoch::accumulate`], or the operator's numbers do not make up the elements.
    pub fn accumulate(&self, data: &[u8], rank: usize, at: usize, by: Combining) -> Result<(), Error> {
        self.by("accumulate", data.len(), by, false, |opened| {
            let kept = opened.epoch.keep(data.to_vec());
            // SAFETY: so many bytes, which are kept until the epoch has ended.
            unsafe {
                opened.epoch.accumulate_from(std::slice::from_raw_parts(kept, data.len()), rank, at, by)
            }
        })
    }

    /// As [`Epoch::accumulate`], of elements that are kept until the epoch has ended.
    ///
    /// # Errors
    /// As there; the keeper is dropped when the epoch has ended.
    pub fn accumulate_lent(&self, data: Lent<K>, rank: usize, at: usize, by: Combining) -> Result<(), Error> {
        self.by("accumulate", data.bytes(), by, false, |opened| {
            let bytes = opened.kept(data);
            // SAFETY: the keeper is kept until the epoch has ended.
            unsafe { opened.epoch.accumulate_from(&*bytes, rank, at, by) }
        })
    }

    /// As [`Epoch::get_accumulate`], of a copy of elements.
    ///
    /// # Errors
    /// As there; the keeper is dropped when the epoch has ended.
    pub fn get_accumulate_lent(
        &self,
        data: &[u8],
        before: Lent<K>,
        rank: usize,
        at: usize,
        by: Combining,
    ) -> Result<(), Error> {
        self.by("get and accumulate", data.len(), by, false, |opened| {
            let kept = opened.epoch.keep(data.to_vec());
            let before = opened.kept(before);
            // SAFETY: both are kept until the epoch has ended.
            unsafe {
                let data = std::slice::from_raw_parts(kept, data.len());
                opened.epoch.get_accumulate_from(data, &mut *before, rank, at, by)
            }
        })
    }

    /// As [`Passive::fetch_and_accumulate`].
    ///
    /// # Errors
    /// As there.
    pub fn fetch_and_accumulate(
        &self,
        data: &[u8],
        before: &mut [u8],
        rank: usize,
        at: usize,
        by: Combining,
    ) -> Result<(), Error> {
        self.by("fetch and accumulate", data.len(), by, false, |opened| {
            let passive = opened.passive("fetch and accumulate")?;
            let mut both = Box::new((data.to_vec(), vec![0; before.len()]));
            let (data, was) = &mut *both;
            // SAFETY: they stay until they have been flushed.
            let begun = unsafe { passive.get_accumulate_from(data, was, rank, at, by) };
            before.copy_from_slice(&passive.complete(begun, rank, both)?.1);
            Ok(())
        })
    }

    /// As [`Passive::fetch_and_op`].
    ///
    /// # Errors
    /// As there.
    pub fn fetch_and_op(
        &self,
        value: &[u8],
        before: &mut [u8],
        rank: usize,
        at: usize,
        by: Combining,
    ) -> Result<(), Error> {
        self.by("fetch and combine", value.len(), by, true, |opened| {
            let passive = opened.passive("fetch and combine")?;
            same("fetch and combine a number", value.len(), before.len())?;
            let mut words = Box::new([word(value), 0]);
            let [value, was] = places(&mut words);
            // SAFETY: they stay until they have been flushed.
            let begun = unsafe { passive.fetch_and_op_from(value, was, rank, at, by) };
            give(passive.complete(begun, rank, words)?[1], before);
            Ok(())
        })
    }

    /// As [`Epoch::fetch_and_op_into`].
    ///
    /// # Errors
    /// As there; the keeper is dropped when the epoch has ended.
    pub fn fetch_and_op_lent(
        &self,
        value: &[u8],
        before: Lent<K>,
        rank: usize,
        at: usize,
        by: Combining,
    ) -> Result<(), Error> {
        self.by("fetch and combine", value.len(), by, true, |opened| {
            same("fetch and combine a number", value.len(), before.bytes())?;
            let value = opened.epoch.keep(value.to_vec());
            let before = opened.kept(before).cast();
            // SAFETY: both are kept until the epoch has ended.
            unsafe { opened.epoch.fetch_and_op_from(value, before, rank, at, by) }
        })
    }

    /// As [`Passive::compare_and_swap`], of integers as of the operator's.
    ///
    /// # Errors
    /// As there, or they are no integers.
    pub fn compare_and_swap(
        &self,
        expected: &[u8],
        value: &[u8],
        before: &mut [u8],
        rank: usize,
        at: usize,
        of: Combining,
    ) -> Result<(), Error> {
        self.by("compare and swap", value.len(), of, true, |opened| {
            let (passive, number) = (opened.passive("compare and swap")?, integer(of)?);
            same("compare and swap a number", value.len(), before.len())?;
            same("compare and swap a number", value.len(), expected.len())?;
            let mut words = Box::new([word(expected), word(value), 0]);
            let [expected, value, was] = places(&mut words);
            // SAFETY: they stay until they have been flushed.
            let begun = unsafe { passive.compare_and_swap_from(expected, value, was, rank, at, number) };
            give(passive.complete(begun, rank, words)?[2], before);
            Ok(())
        })
    }

    /// As [`Epoch::compare_and_swap_into`], of integers as of the operator's.
    ///
    /// # Errors
    /// As there, or they are no integers; the keeper is dropped when the epoch has ended.
    pub fn compare_and_swap_lent(
        &self,
        expected: &[u8],
        value: &[u8],
        before: Lent<K>,
        rank: usize,
        at: usize,
        of: Combining,
    ) -> Result<(), Error> {
        self.by("compare and swap", value.len(), of, true, |opened| {
            let number = integer(of)?;
            same("compare and swap a number", value.len(), before.bytes())?;
            same("compare and swap a number", value.len(), expected.len())?;
            let (expected, value) = (opened.epoch.keep(expected.to_vec()), opened.epoch.keep(value.to_vec()));
            let was = opened.kept(before).cast();
            // SAFETY: all are kept until the epoch has ended.
            unsafe { opened.epoch.compare_and_swap_from(expected, value, was, rank, at, number) }
        })
    }

    /// Completes what was begun with a rank, or with all; `local` on this side only.
    ///
    /// # Errors
    /// As [`Passive::flush`], or it is no epoch of locks.
    pub fn flush(&self, rank: Option<usize>, local: bool) -> Result<(), Error> {
        self.on("flush", 0, |opened| opened.passive("flush")?.flushed(rank, local))
    }

    /// A rank's memory, in place, in an epoch of such: its address, and its bytes. Whoever keeps the address beyond the epoch does
    /// so at the risk of reading what others write; once the window has been freed, what is there is nobody's.
    ///
    /// # Errors
    /// It is another epoch, or another rank's.
    pub fn memory(&self, rank: usize) -> Result<(*mut u8, usize), Error> {
        self.with("find a window's memory", |opened| match opened.kind {
            Kind::Memory(only) if only == rank => opened.held.memory(rank),
            Kind::Together => opened.held.memory(rank),
            Kind::Memory(only) => {
                let why = format!("it was locked at rank {only}, and not at {rank}");
                Err(not_here("find a window's memory", &why))
            }
            _ => Err(not_here("find a window's memory", "this epoch has none in place")),
        })
    }

    /// Whether it has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Ends it: what was begun is done, and what was lent is let go.
    ///
    /// # Errors
    /// It has ended already, or this thread may not call MPI: it is as it was then. Or what was begun has failed: it has ended.
    pub fn end(&self) -> Result<(), Error> {
        let what = "end an epoch";
        let mut place = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let Some(opened) = place.take() else { return Err(not_here(what, "the epoch has ended")) };
        if let Err(error) = opened.window().library.call(|_| 0, || what.to_owned()) {
            *place = Some(opened);
            return Err(error);
        }
        let Opened { epoch, kind, lent, held } = opened;
        let ended = epoch.finish(|| kind.end(&held));
        if ended.is_err() {
            // MPI may still read or fill it.
            std::mem::forget(lent);
        }
        ended
    }
}

impl<K: Send + 'static> Drop for OpenEpoch<K> {
    fn drop(&mut self) {
        // It stays open: ending it may wait for other ranks, and this may be a finaliser.
        if !self.has_ended() {
            std::mem::forget(Arc::clone(&self.0));
        }
    }
}

impl<K: Send + 'static> fmt::Debug for OpenEpoch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0.read().unwrap_or_else(PoisonError::into_inner) {
            Some(opened) => write!(f, "OpenEpoch of {:?}", opened.kind),
            None => f.write_str("OpenEpoch that has ended"),
        }
    }
}

fn integer(of: Combining) -> Result<crate::shim::Constant, Error> {
    of.integer().ok_or_else(|| {
        let why = "compare and swap: these are no integers, and MPI compares no others";
        Error::new(ErrorKind::Type, why)
    })
}

fn same(what: &str, here: usize, there: usize) -> Result<(), Error> {
    if here == there {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Usage, format!("{what} of {here} bytes: another argument has {there}")))
}

/// A number of at most 8 bytes, in memory that is aligned for it.
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_ne_bytes(word)
}

/// The number that a word begins with.
fn give(word: u64, to: &mut [u8]) {
    to.copy_from_slice(&word.to_ne_bytes()[..to.len()]);
}

/// Where words are.
fn places<const N: usize>(words: &mut [u64; N]) -> [*mut u8; N] {
    words.each_mut().map(|word| std::ptr::from_mut(word).cast())
}
