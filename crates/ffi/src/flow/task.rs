use super::failure::{FlowFailure, UPCALL_IN_HANDLER, UPCALL_NOT_NOW};
use super::running::UpcallFlow;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// What has come of a task.
pub(super) enum Outcome {
    /// Nothing more to say.
    Done,
    /// The version that a put has become.
    Version(u64),
    /// A flow that has started.
    Started(UpcallFlow),
}

/// Whether this thread may wait for the task: the workers of its flow may not.
pub(super) type MayWait = Box<dyn Fn() -> bool + Send + Sync>;

type Running = Pin<Box<dyn Future<Output = Result<Outcome, FlowFailure>> + Send>>;

enum State {
    Running(Running),
    Ended(Result<Outcome, FlowFailure>),
}

/// Something that takes a while: a start, a put that needs its version, a drain, a stop. One thread waits for it, or one event
/// loop is woken; whoever asked last. Released before its end, it is no longer waited for: a put or a stop goes on.
pub struct UpcallTask {
    state: Mutex<State>,
    may_wait: MayWait,
}

impl UpcallTask {
    pub(super) fn new(
        running: impl Future<Output = Result<Outcome, FlowFailure>> + Send + 'static,
        may_wait: MayWait,
    ) -> UpcallTask {
        UpcallTask { state: Mutex::new(State::Running(Box::pin(running))), may_wait }
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

    /// Waits until it has ended, so many milliseconds at most; for ever with a negative number. Returns whether it has.
    pub fn wait(&self, milliseconds: i64) -> Result<bool, FlowFailure> {
        let waker = Waker::from(Arc::new(Parked(std::thread::current())));
        let until = u64::try_from(milliseconds).ok().map(Duration::from_millis);
        let until = until.and_then(|patience| Instant::now().checked_add(patience));
        while !self.ended(&waker) {
            if !(self.may_wait)() {
                let message = "wait for a task from inside a handler of the same flow: it would wait for itself; let \
                               another thread wait";
                return Err(FlowFailure::new(UPCALL_IN_HANDLER, message));
            }
            match until {
                None => std::thread::park(),
                Some(until) => match until.checked_duration_since(Instant::now()) {
                    Some(left) if !left.is_zero() => std::thread::park_timeout(left),
                    _ => return Ok(false),
                },
            }
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

struct Parked(Thread);

impl Wake for Parked {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
