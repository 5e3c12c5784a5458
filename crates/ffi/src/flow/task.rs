use super::failure::{FlowFailure, UPCALL_IN_HANDLER, UPCALL_NOT_NOW};
use super::running::UpcallFlow;
use super::thread;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What has come of a task.
pub(crate) enum Outcome {
    /// Nothing more to say.
    Done,
    /// The version that a put has become.
    Version(u64),
    /// A flow that has started.
    Started(UpcallFlow),
}

/// Refuses this thread a wait for the task, where it is a worker of its flow: [`in_handler`].
pub(crate) type MayWait = Box<dyn Fn() -> Result<(), FlowFailure> + Send + Sync>;

/// Why a worker of a flow does not wait for this.
#[cold]
pub(super) fn in_handler(what: &str) -> FlowFailure {
    let message = format!(
        "{what} from inside a handler of the same flow: it would wait for itself; let another thread wait"
    );
    FlowFailure::new(UPCALL_IN_HANDLER, message)
}

type Running = Pin<Box<dyn Future<Output = Result<Outcome, FlowFailure>> + Send>>;

enum State {
    Running(Running),
    Ended(Result<Outcome, FlowFailure>),
}

/// Something that takes a while: a start, a put that needs its version, a drain, a stop. One thread waits for it, or one event
/// loop is woken; whoever asked last. Released before its end, it is no longer waited for: a start, a put or a stop goes on.
pub struct UpcallTask {
    state: Mutex<State>,
    may_wait: MayWait,
    /// Its own thread, if it has one. Joined by who waits, not by who asks: the thread may be calling the waker, which may need
    /// what the asking thread holds.
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Whether a wait has slept: who waits in slices may find it ended between two of them.
    slept: AtomicBool,
}

impl UpcallTask {
    pub(super) fn new(
        running: impl Future<Output = Result<Outcome, FlowFailure>> + Send + 'static,
        may_wait: MayWait,
    ) -> UpcallTask {
        UpcallTask::with(running, may_wait, None)
    }

    /// One that a thread of its own does, whether anybody waits or not.
    pub(crate) fn on_its_own(
        name: &'static str,
        work: impl FnOnce() -> Result<Outcome, FlowFailure> + Send + 'static,
        may_wait: MayWait,
    ) -> UpcallTask {
        let (ended, thread) = thread::on_its_own(name, work);
        UpcallTask::with(ended, may_wait, thread)
    }

    fn with(
        running: impl Future<Output = Result<Outcome, FlowFailure>> + Send + 'static,
        may_wait: MayWait,
        thread: Option<JoinHandle<()>>,
    ) -> UpcallTask {
        let (state, thread) = (Mutex::new(State::Running(Box::pin(running))), Mutex::new(thread));
        UpcallTask { state, may_wait, thread, slept: AtomicBool::new(false) }
    }

    fn ended(&self, waker: &Waker) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State::Running(running) = &mut *state else { return true };
        match running.as_mut().poll(&mut Context::from_waker(waker)) {
            Poll::Pending => false,
            Poll::Ready(outcome) => {
                *state = State::Ended(outcome);
                true
            }
        }
    }

    fn outcome<T>(&self, take: impl FnOnce(&mut Outcome) -> Option<T>) -> Result<T, FlowFailure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let not_now =
            |why: &str| FlowFailure::new(UPCALL_NOT_NOW, format!("read the result of a task: {why}"));
        match &mut *state {
            State::Running(_) => Err(not_now("it has not ended; wait for it, or be woken")),
            State::Ended(Err(failure)) => Err(failure.clone()),
            State::Ended(Ok(outcome)) => {
                take(outcome).ok_or_else(|| not_now("it has none of this kind, or it was taken before"))
            }
        }
    }
}

#[upcall::export]
impl UpcallTask {
    /// Whether it has ended. If not, `wake` is called once it may have, on any thread, and must only pass that on: asking
    /// again is for another moment. A later call replaces it.
    pub fn poll(&self, wake: Box<dyn Fn() + Send + Sync>) -> bool {
        self.ended(&Waker::from(Arc::new(Wakes(wake))))
    }

    /// Waits until it has ended, so many milliseconds at most; for ever with a negative number. Returns whether it has. Behind a
    /// wait for ever, or one that really waited, no thread of the task's is left.
    pub fn wait(&self, milliseconds: i64) -> Result<bool, FlowFailure> {
        let bell = Arc::new(Bell::default());
        let waker = Waker::from(bell.clone());
        let until = u64::try_from(milliseconds).ok().map(Duration::from_millis);
        let until = until.and_then(|patience| Instant::now().checked_add(patience));
        while !self.ended(&waker) {
            (self.may_wait)()?;
            self.slept.fetch_or(milliseconds != 0, Ordering::Relaxed);
            if !bell.wait(until) {
                return Ok(false);
            }
        }
        let joins = milliseconds < 0 || (milliseconds > 0 && self.slept.load(Ordering::Relaxed));
        // Else the thread may be calling the waker of somebody else, for longer than this call may wait. Or it is this very one.
        let thread = (joins && !thread::is_here())
            .then(|| self.thread.lock().unwrap_or_else(PoisonError::into_inner).take());
        if let Some(thread) = thread.flatten() {
            // It has told its outcome, so it did not panic.
            let _ = thread.join();
        }
        Ok(true)
    }

    /// Ends well, or says why it failed.
    pub fn check(&self) -> Result<(), FlowFailure> {
        self.outcome(|_| Some(()))
    }

    /// The version that a put or a removal has become.
    pub fn version(&self) -> Result<u64, FlowFailure> {
        self.outcome(|outcome| if let Outcome::Version(version) = outcome { Some(*version) } else { None })
    }

    /// The flow that has started. Taken once.
    pub fn flow(&self) -> Result<UpcallFlow, FlowFailure> {
        self.outcome(|outcome| match std::mem::replace(outcome, Outcome::Done) {
            Outcome::Started(flow) => Some(flow),
            other => {
                *outcome = other;
                None
            }
        })
    }
}

/// A waker that the caller has given.
pub(super) struct Wakes(pub(super) Box<dyn Fn() + Send + Sync>);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        (self.0)();
    }
}

/// Where a thread waits for its task. Not [`std::thread::park`]: it would leave a handle behind on each thread that is not
/// Rust's own.
#[derive(Default)]
struct Bell {
    rung: Mutex<bool>,
    changed: Condvar,
}

impl Bell {
    /// Waits until it has rung, or until a time. Returns whether it has.
    fn wait(&self, until: Option<Instant>) -> bool {
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        while !std::mem::take(&mut *rung) {
            rung = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => self.changed.wait(rung).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return false,
                Some(left) => self.changed.wait_timeout(rung, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
        true
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_one();
    }
}
