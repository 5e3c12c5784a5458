//! The guest's end of a segment.

use crate::lending;
use crate::protocol::{ARENA, LENT_VARIABLE, SCRATCH, SEGMENT_VARIABLE, to_guest};
use std::cell::RefCell;
use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::process;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread::{self, ThreadId};
use upcall_segment::{Message, Patience, Segment, Side, Turn, Waited};

/// The guest's end of the segment that its process was started with.
#[derive(Debug)]
pub struct Connection {
    segment: Segment,
    turn: RefCell<Turn>,
    /// Who serves it. A child of the process has a thread of the same name.
    served_by: (u32, ThreadId),
}

/// The only one of this process, for what a driver calls without saying from where.
static ONLY: AtomicPtr<Connection> = AtomicPtr::new(std::ptr::null_mut());

impl Connection {
    /// That of this process, once. What it starts itself does not get the segment.
    ///
    /// # Errors
    /// The process was not started by a host, or what that has given it is no segment.
    pub fn inherited() -> io::Result<Connection> {
        let none = || {
            io::Error::other(
                "this command is for Upcall itself: it runs a handler that has `isolation = \"process\"`",
            )
        };
        let number = std::env::var(SEGMENT_VARIABLE).map_err(|_| none())?;
        let number: RawFd = number.parse().map_err(|_| none())?;
        // SAFETY: nothing else of this process runs yet that would look at its environment.
        unsafe { std::env::remove_var(SEGMENT_VARIABLE) };
        let lent = std::env::var(LENT_VARIABLE).unwrap_or_default();
        // SAFETY: as above.
        unsafe { std::env::remove_var(LENT_VARIABLE) };
        // SAFETY: a number that the host has opened for us, and nobody else here has looked for yet.
        let file = unsafe { OwnedFd::from_raw_fd(number) };
        rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::CLOEXEC)?;
        let (segment, turn) = (Segment::open(file)?, RefCell::new(Turn::new(Side::Guest)));
        lending::map(&segment, &lent)?;
        Ok(Connection { segment, turn, served_by: (process::id(), thread::current().id()) })
    }

    /// Lets [`Connection::only`] find it.
    pub(super) fn publish(&'static self) {
        ONLY.store((&raw const *self).cast_mut(), Release);
    }

    /// The one that was published; `None` on another thread than its own, which never has the turn, and in a child of the
    /// process, which has no part in it.
    pub(super) fn only() -> Option<&'static Connection> {
        // SAFETY: null, or published: it is still there, and nobody has more than a shared reference.
        let only = unsafe { ONLY.load(Acquire).as_ref() }?;
        (only.served_by == (process::id(), thread::current().id())).then_some(only)
    }

    /// The address of offset 0 of the segment, which may be used as long as this lives.
    #[must_use]
    pub fn base(&self) -> u64 {
        self.segment.base()
    }

    /// The segment, which stays where it is for as long as this lives.
    #[must_use]
    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    /// Bytes of the segment.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.segment.bytes()
    }

    /// The address of an offset that the host has named.
    pub(super) fn place(&self, offset: u64) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut((self.base() + offset) as usize)
    }

    /// Waits for the turn, the first or after [`Connection::pass`]. False when there will be none.
    #[must_use]
    pub fn wait(&self) -> bool {
        self.wait_with(Patience::Endless)
    }

    /// Waits for the turn no longer than a spin takes that has paid off before: some microseconds, or nothing. Whether it
    /// is this side's.
    #[must_use]
    pub fn spin(&self) -> bool {
        self.wait_with(Patience::Until(std::time::Instant::now()))
    }

    fn wait_with(&self, patience: Patience) -> bool {
        let mine = self.turn.borrow_mut().wait(&self.segment, patience) == Waited::Mine;
        if mine && let Message { what: to_guest::CALL, with: [_, _, from, to, _] } = self.segment.message() {
            self.fetch(from, to);
        }
        mine
    }

    /// Fetches what the host has put there into this core's cache, all lines at once: one after the other, as the handler
    /// comes to them, each would be waited for until the other core has given it. 28 ns an item became 7.
    pub(super) fn fetch(&self, from: u64, to: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
            const LINE: usize = 64;
            // More than a cache holds would push out what comes first.
            const MOST: u64 = 256 << 10;
            let first = self.place(from);
            let bytes = to.saturating_sub(from).min(MOST) as usize;
            for line in (0..bytes).step_by(LINE) {
                // SAFETY: a hint, which touches nothing.
                unsafe { _mm_prefetch::<_MM_HINT_T1>(first.wrapping_add(line).cast()) };
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (from, to);
    }

    /// Passes the turn, with what lies at [`upcall_segment::MESSAGE`]. Only who has the turn may.
    pub fn pass(&self) {
        self.turn.borrow().pass(&self.segment);
    }

    /// Tells the host something, and waits for what it says to that.
    pub(super) fn ask(&self, what: u64, [a, b, c]: [u64; 3]) -> Message {
        self.segment.leave(Message { what, with: [a, b, c, 0, 0] });
        self.pass();
        if self.wait() {
            self.segment.message()
        } else {
            Message { what: to_guest::END, ..Message::default() }
        }
    }
}

/// Leaves a text where the host looks for it, cut where it is longer than what fits. Its bytes.
pub(super) fn say(segment: &Segment, text: &str) -> u64 {
    let room = ARENA - SCRATCH;
    leave(segment, &text.as_bytes()[..text.floor_char_boundary(room as usize)]).unwrap_or(0)
}

/// Leaves bytes where the host looks for them. `None` where they do not fit.
pub(super) fn leave(segment: &Segment, bytes: &[u8]) -> Option<u64> {
    let len = bytes.len() as u64;
    let to = segment.place(SCRATCH, len).filter(|_| len <= ARENA - SCRATCH)?;
    // SAFETY: inside the segment; the scratch is ours.
    unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Some(len)
}
