//! Frames and cancellations on their way from the engine's worker to a handler's event loop. Nothing here is Python's: the
//! worker hands them over without the interpreter's lock, which the loop's thread may hold for long.

use crate::flow::over::Over;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use upcall_abi::{FlowFrame, FrameHead, Status, base, kind};

/// What the loop of one instance has not taken yet.
pub struct Mailbox {
    waiting: Mutex<Waiting>,
    /// What wakes the loop, and what it watches.
    wakes: UnixStream,
    watched: UnixStream,
    /// Whether FLUSH goes to the loop, too.
    flushes: bool,
}

#[derive(Default)]
struct Waiting {
    letters: VecDeque<Letter>,
    cancellations: VecDeque<Cancellation>,
    /// Whether the loop has been woken, and has not looked since.
    woken: bool,
    open: bool,
}

/// A frame, and where its answer goes.
pub struct Letter {
    pub frame: *mut FlowFrame,
    pub answer: Answer,
    /// Why the engine no longer waits for it.
    pub cancelled: Option<Over>,
}

// SAFETY: until it is answered the frame belongs to the call, on whichever thread.
unsafe impl Send for Letter {}

/// That the engine no longer waits for a frame which the loop has taken.
pub struct Cancellation {
    /// The frame's address: it may have been answered meanwhile, and is not looked at.
    pub frame: usize,
    pub why: Over,
}

/// What the loop takes.
pub enum Post {
    Letter(Letter),
    Cancellation(Cancellation),
}

/// Where the answer to a frame goes.
pub enum Answer {
    /// To the engine, later.
    Later(unsafe extern "C" fn(*mut FrameHead, Status)),
    /// To the worker, which waits for it.
    AtOnce(Arc<Reply>),
}

/// What a worker waits for.
#[derive(Default)]
pub struct Reply {
    status: Mutex<Option<Status>>,
    there: Condvar,
}

impl Reply {
    fn wait(&self) -> Status {
        let mut status = locked(&self.status);
        loop {
            match *status {
                Some(status) => return status,
                None => status = self.there.wait(status).unwrap_or_else(|poisoned| poisoned.into_inner()),
            }
        }
    }
}

impl Letter {
    /// Answers it: from now on the frame is the engine's.
    ///
    /// # Safety
    /// Whatever has looked at the frame must have ended.
    pub unsafe fn answer(self, status: Status) {
        match self.answer {
            // SAFETY: the engine takes an answer from any thread; a letter is answered once, as this takes it.
            Answer::Later(complete) => unsafe { complete(self.frame.cast(), status) },
            Answer::AtOnce(reply) => {
                *locked(&reply.status) = Some(status);
                reply.there.notify_one();
            }
        }
    }
}

impl Mailbox {
    /// Empty, and closed.
    pub fn new(flushes: bool) -> io::Result<Mailbox> {
        let (wakes, watched) = UnixStream::pair()?;
        wakes.set_nonblocking(true)?;
        watched.set_nonblocking(true)?;
        Ok(Mailbox { waiting: Mutex::default(), wakes, watched, flushes })
    }

    /// Whether frames of this kind go to the loop.
    pub fn takes(&self, kind: u16) -> bool {
        kind == kind::FLOW || (self.flushes && kind == kind::FLUSH)
    }

    /// Opens it.
    pub fn open(&self) {
        locked(&self.waiting).open = true;
    }

    /// Closes it. Returns what is in it.
    pub fn close(&self) -> (VecDeque<Letter>, VecDeque<Cancellation>) {
        let mut waiting = locked(&self.waiting);
        waiting.open = false;
        (std::mem::take(&mut waiting.letters), std::mem::take(&mut waiting.cancellations))
    }

    /// Hands a frame over. Waits for the answer where the engine does not take it later.
    ///
    /// # Safety
    /// It must be a valid flow frame until it has been answered.
    pub unsafe fn hand_over(&self, frame: *mut FlowFrame) -> Status {
        // SAFETY: the caller's promise.
        let complete = unsafe {
            let one = (*frame).head.kind == kind::FLUSH || (*frame).items.len == 1;
            if !one {
                return refused(frame, "a handler that answers later is handed one object at a time");
            }
            (*frame).head.complete
        };
        let (answer, reply) = match complete {
            Some(complete) => (Answer::Later(complete), None),
            None => {
                let reply = Arc::new(Reply::default());
                (Answer::AtOnce(reply.clone()), Some(reply))
            }
        };
        let mut waiting = locked(&self.waiting);
        if !waiting.open {
            drop(waiting);
            // SAFETY: the caller's promise.
            return unsafe { refused(frame, "the handler is not open") };
        }
        waiting.letters.push_back(Letter { frame, answer, cancelled: None });
        self.wake(waiting);
        reply.map_or(Status::PENDING, |reply| reply.wait())
    }

    /// Has the loop give up a frame, if it is still open then.
    pub fn cancel(&self, frame: *mut FrameHead, why: Over) {
        let mut waiting = locked(&self.waiting);
        if !waiting.open {
            return;
        }
        match waiting.letters.iter_mut().find(|letter| letter.frame.cast() == frame) {
            Some(letter) => _ = letter.cancelled.get_or_insert(why),
            None => waiting.cancellations.push_back(Cancellation { frame: frame.addr(), why }),
        }
        self.wake(waiting);
    }

    fn wake(&self, mut waiting: MutexGuard<'_, Waiting>) {
        let wake = !std::mem::replace(&mut waiting.woken, true);
        drop(waiting);
        if wake {
            // It fails only when as many wakes are there already as the loop could ever need.
            let _ = (&self.wakes).write(&[1]);
        }
    }

    /// What the loop watches: it can be read when there is something to take.
    pub fn watched(&self) -> RawFd {
        self.watched.as_raw_fd()
    }

    /// The loop looks now: whatever is handed over from here on wakes it again.
    pub fn looked(&self) {
        // In this order: a wake that is taken away here must be one for what is seen next.
        let mut wakes = [0; 8];
        let _ = (&self.watched).read(&mut wakes);
        locked(&self.waiting).woken = false;
    }

    /// The next for the loop. Cancellations come first: the one of a call that was answered meanwhile is gone before the next
    /// call in the same frame begins.
    pub fn take(&self) -> Option<Post> {
        let mut waiting = locked(&self.waiting);
        match waiting.cancellations.pop_front() {
            Some(cancellation) => Some(Post::Cancellation(cancellation)),
            None => waiting.letters.pop_front().map(Post::Letter),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// # Safety
/// As [`Mailbox::hand_over`].
#[cold]
unsafe fn refused(frame: *mut FlowFrame, why: &str) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        let head = &raw mut (*frame).head;
        let output = (*head).base[base::OUTPUT];
        (*head).error.write(output, upcall_abi::ErrorSlot::NO_ITEM, "RuntimeError", why, "");
    }
    Status::FAILED
}
