use super::failure::{FlowFailure, UPCALL_INTERNAL, UPCALL_STOPPED};
use super::line::Line;
use super::pool::UpcallPool;
use super::stopping::{Stopping, Stops};
use super::task::{MayWait, Outcome, UpcallTask, in_handler};
use super::thread;
use super::watch::UpcallWatch;
use std::sync::{Arc, Mutex, PoisonError};
use upcall_flow::Flow;

const NO_REPORT: &str = "read the report of a flow: it has been stopped, and its report went with it; read it before the flow is closed";
const NO_LETTERS: &str = "read the dead letters of a flow: it has been stopped, and they went with it; read them before the flow is closed";

const STOP: &str = "stop a flow";

/// A running flow. Released before it was stopped, it stops on a thread of its own, so that whoever releases it never waits
/// for a handler: what is in flight is lost.
pub struct UpcallFlow {
    state: Mutex<State>,
    line: Arc<Line>,
}

enum State {
    Running(Flow),
    /// It is being stopped, or has been.
    Stopping(Arc<Stopping>),
}

impl UpcallFlow {
    pub(super) fn new(flow: Flow) -> UpcallFlow {
        UpcallFlow { state: Mutex::new(State::Running(flow)), line: Arc::default() }
    }

    /// Asks the running flow something that takes no time: a stop waits for it.
    fn with<T>(&self, ask: impl FnOnce(&Flow) -> T) -> Result<T, FlowFailure> {
        self.with_else("use a flow: it has been stopped", ask)
    }

    /// Or fails with this, where it has been stopped.
    fn with_else<T>(&self, stopped: &str, ask: impl FnOnce(&Flow) -> T) -> Result<T, FlowFailure> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Running(flow) => Ok(ask(flow)),
            State::Stopping(_) => Err(FlowFailure::new(UPCALL_STOPPED, stopped)),
        }
    }

    /// Takes the flow to stop it, or says where to wait for who does.
    fn take(&self) -> Result<(Flow, Stops), Arc<Stopping>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let workers = match &*state {
            State::Running(flow) => flow.workers(),
            State::Stopping(stopping) => return Err(stopping.clone()),
        };
        let (stopping, stops) = Stopping::new(workers);
        match std::mem::replace(&mut *state, State::Stopping(stopping)) {
            State::Running(flow) => Ok((flow, stops)),
            State::Stopping(stopping) => Err(stopping),
        }
    }
}

#[upcall::export]
impl UpcallFlow {
    /// The pool with this path.
    pub fn pool(&self, path: &str) -> Result<UpcallPool, FlowFailure> {
        Ok(UpcallPool::new(self.with(|flow| flow.pool(path))??, self.line.clone()))
    }

    /// The paths of its pools, one per line.
    pub fn pools(&self) -> Result<String, FlowFailure> {
        self.with(|flow| flow.pools().collect::<Vec<_>>().join("\n"))
    }

    /// Watches the pool of this path and all below it, from now on, with room for so many events.
    pub fn watch(&self, prefix: &str, events: u64) -> Result<UpcallWatch, FlowFailure> {
        let events = usize::try_from(events).unwrap_or(usize::MAX);
        Ok(UpcallWatch::new(self.with(|flow| flow.watch_with_buffer(prefix, events))??))
    }

    /// Until nothing is in flight and every handler knows that its input has ended.
    pub fn drain(&self) -> Result<UpcallTask, FlowFailure> {
        self.with(|flow| {
            let drained = flow.drained();
            UpcallTask::new(
                async { Ok(drained.await.map(|()| Outcome::Done)?) },
                elsewhere(flow, "drain a flow"),
            )
        })
    }

    /// Until nothing is in flight.
    pub fn settle(&self) -> Result<UpcallTask, FlowFailure> {
        self.with(|flow| {
            let settled = flow.settled();
            UpcallTask::new(
                async { Ok(settled.await.map(|()| Outcome::Done)?) },
                elsewhere(flow, "wait for a flow"),
            )
        })
    }

    /// Lets nothing wait for a retry any more, and no call for longer than five seconds.
    pub fn hurry(&self) -> Result<(), FlowFailure> {
        self.with(|flow| flow.hurry())
    }

    /// What the flow has done so far, as JSON. A flow that has been stopped has none any more.
    pub fn report(&self) -> Result<String, FlowFailure> {
        let report = self.with_else(NO_REPORT, |flow| flow.report())?;
        serde_json::to_string(&report).map_err(|error| FlowFailure::new(UPCALL_INTERNAL, error))
    }

    /// The dead letters about items of a pool that are kept, oldest first, as a list in JSON. A flow that has been stopped
    /// has none any more.
    pub fn dead_letters(&self, pool: &str) -> Result<String, FlowFailure> {
        // Read when the flow is let go: they may be many, and a stop waits for it.
        let letters = self.with_else(NO_LETTERS, |flow| flow.dead_pool(pool))??.letters()?;
        serde_json::to_string(&letters).map_err(|error| FlowFailure::new(UPCALL_INTERNAL, error))
    }

    /// Objects in flight.
    pub fn in_flight(&self) -> Result<u64, FlowFailure> {
        self.with(|flow| flow.in_flight())
    }

    /// Fails with what has stopped the flow, if anything has.
    pub fn check(&self) -> Result<(), FlowFailure> {
        self.with(|flow| flow.failure())?.map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// Stops the workers and closes every handler; what is in flight is lost. Its handlers may ask for that too. Who asks again
    /// waits for the same, which then has ended well.
    pub fn stop(&self) -> UpcallTask {
        match self.take() {
            Ok((flow, stops)) => {
                let may_wait = elsewhere(&flow, STOP);
                UpcallTask::on_its_own("upcall-stop", move || end(flow, stops), may_wait)
            }
            Err(stopping) => {
                let (over, may_wait) = (stopping.over(), stopping.may_wait(STOP));
                UpcallTask::new(
                    async {
                        over.await;
                        Ok(Outcome::Done)
                    },
                    may_wait,
                )
            }
        }
    }
}

impl Drop for UpcallFlow {
    fn drop(&mut self) {
        if let Ok((flow, stops)) = self.take() {
            drop(thread::on_its_own("upcall-stop", move || end(flow, stops)));
        }
    }
}

/// Refuses the flow's workers to wait for this.
fn elsewhere(flow: &Flow, what: &'static str) -> MayWait {
    let workers = flow.workers();
    Box::new(move || if workers.are_here() { Err(in_handler(what)) } else { Ok(()) })
}

fn end(flow: Flow, stops: Stops) -> Result<Outcome, FlowFailure> {
    let stopped = flow.stop();
    drop(stops);
    Ok(stopped.map(|()| Outcome::Done)?)
}
