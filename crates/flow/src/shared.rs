//! What the workers and the handles of a flow share.

use crate::credit::InFlight;
use crate::inbox::Inbox;
use crate::memory::Memory;
use crate::plan::Plan;
use crate::state::{HandlerState, PoolState};
use crate::waiters::Waiters;
use crate::wakeup::Wakeup;
use crate::{Error, ErrorKind};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

pub(crate) struct Shared {
    pub(crate) plan: Plan,
    /// By id, as in the plan.
    pub(crate) pools: Vec<PoolState>,
    /// By index, as in the plan.
    pub(crate) handlers: Vec<HandlerState>,
    pub(crate) in_flight: InFlight,
    pub(crate) memory: Arc<Memory>,
    /// Workers that sleep with work to do, because the flow is crowded.
    pub(crate) held_back: AtomicUsize,
    /// Those who wait for a ticket.
    pub(crate) tickets: Waiters,
    /// Tasks that are to know when the flow stops.
    pub(crate) stops: Waiters,
    /// Whether somebody drains the flow, and those who wait to be next.
    pub(crate) draining: AtomicBool,
    pub(crate) drainers: Waiters,
    pub(crate) inboxes: Vec<Inbox>,
    pub(crate) started: Instant,
    stopped: AtomicBool,
    /// Since when what waits for a retry is tried at once, in nanoseconds since the start; 0 where it is not.
    hurried: AtomicU64,
    why: Mutex<Option<Error>>,
    /// Flushes that failed: the flow goes on, its drain tells.
    pub(crate) flush_failures: Mutex<Vec<String>>,
}

thread_local! {
    /// On a worker: where the state of its flow is, which outlives the thread.
    static WORKER_OF: Cell<*const Shared> = const { Cell::new(std::ptr::null()) };
}

impl Shared {
    pub(crate) fn new(plan: Plan, in_flight: InFlight) -> Shared {
        let memory = Arc::default();
        Shared {
            pools: plan.pools.iter().map(|pool| PoolState::new(&plan, pool, &memory)).collect(),
            handlers: plan.handlers.iter().map(|handler| HandlerState::new(&plan, handler)).collect(),
            inboxes: plan.workers.iter().map(|_| Inbox::new(&memory)).collect(),
            plan,
            in_flight,
            memory,
            held_back: AtomicUsize::new(0),
            tickets: Waiters::new(),
            stops: Waiters::new(),
            draining: AtomicBool::new(false),
            drainers: Waiters::new(),
            started: Instant::now(),
            stopped: AtomicBool::new(false),
            hurried: AtomicU64::new(0),
            why: Mutex::new(None),
            flush_failures: Mutex::new(Vec::new()),
        }
    }

    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stopped.load(SeqCst)
    }

    /// Stops all workers as soon as their current upcall returns. The first reason is kept.
    pub(crate) fn stop(&self, why: Option<Error>) {
        let mut first = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        let why = why.filter(|_| !self.stopped());
        if why.is_some() {
            first.clone_from(&why);
        }
        self.stopped.store(true, SeqCst);
        drop(first);
        self.wake_workers();
        self.in_flight.waiters.wake();
        self.tickets.wake();
        self.drainers.wake();
        self.stops.wake();
        self.pools.iter().for_each(|pool| pool.watchers.end());
        // Last, as a log is foreign code.
        if let Some(why) = why {
            tracing::error!(target: "upcall::flow", flow = self.plan.name, "{why}");
        }
    }

    /// From now on what waits for a retry waits no longer.
    pub(crate) fn hurry(&self) {
        let _ = self.hurried.compare_exchange(0, self.elapsed().max(1), SeqCst, SeqCst);
        self.wake_workers();
    }

    /// Since when there is a hurry.
    pub(crate) fn hurried(&self) -> Option<u64> {
        Some(self.hurried.load(SeqCst)).filter(|since| *since > 0)
    }

    /// The time for what waits until it is due: in a hurry everything is.
    pub(crate) fn due_by(&self) -> u64 {
        if self.hurried().is_some() { u64::MAX } else { self.elapsed() }
    }

    /// Whether what waits for the handlers now takes them no longer than this, as far as they are known.
    pub(crate) fn queues_are_short(&self, nanos: u64) -> bool {
        self.plan.handlers.iter().zip(&self.handlers).all(|(plan, handler)| {
            let (queued, each) = (handler.queue.now(), handler.nanos.load(Relaxed));
            let at_once = plan.workers().count as u64;
            queued == 0 || each > 0 && queued.saturating_mul(each) / at_once <= nanos
        })
    }

    /// Objects in flight, those in the inboxes that were not counted before among them. With all inboxes locked, as what is
    /// counted out of one may have led to a put into another.
    pub(crate) fn count_all(&self) -> u64 {
        let mut queues: Vec<_> = self.inboxes.iter().map(|inbox| inbox.lock()).collect();
        queues.iter_mut().for_each(|queue| queue.count(self));
        self.in_flight.items()
    }

    fn wake_workers(&self) {
        self.inboxes.iter().for_each(|inbox| inbox.wakeup.wake());
    }

    /// Lets workers look again that have held something back. What was in their way has been counted out.
    #[inline]
    pub(crate) fn wake_held_back(&self) {
        if self.held_back.load(SeqCst) > 0 {
            self.wake_workers();
        }
    }

    /// Wakes all workers of a handler.
    pub(crate) fn wake_all(&self, handler: usize) {
        let workers = self.plan.handlers[handler].workers().all();
        self.inboxes[workers].iter().for_each(|inbox| inbox.wakeup.wake());
    }

    /// Wakes a worker of a handler that sleeps, other than `me`, for what any of them may take.
    pub(crate) fn wake_one(&self, me: usize, handler: usize) {
        let others = self.plan.handlers[handler].workers().all().filter(|worker| *worker != me);
        let mut others = others.map(|worker| &self.inboxes[worker].wakeup);
        others.any(Wakeup::wake_sleeper);
    }

    /// The failure that stopped the flow.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn why_stopped(&self) -> Error {
        let stopped = || Error::new(ErrorKind::Stopped, format!("flow {} has been stopped", self.plan.name));
        self.failure().unwrap_or_else(stopped)
    }

    /// Nanoseconds since the start.
    pub(crate) fn elapsed(&self) -> u64 {
        self.started.elapsed().as_nanos() as u64
    }

    /// Says that this thread is a worker of the flow.
    pub(crate) fn on_worker(&self) {
        WORKER_OF.set(self);
    }

    /// Whether this thread is a worker of the flow.
    #[inline]
    pub(crate) fn is_here(&self) -> bool {
        std::ptr::eq(WORKER_OF.get(), self)
    }

    /// A worker that waits for its own flow would wait for ever.
    #[inline]
    pub(crate) fn refuse_in_handler(&self, what: &str, instead: &str) -> Result<(), Error> {
        if self.is_here() { Err(in_handler(what, instead)) } else { Ok(()) }
    }
}

#[cold]
pub(crate) fn in_handler(what: &str, instead: &str) -> Error {
    let message =
        format!("{what} from inside a handler of the same flow: it would wait for itself; use {instead}");
    Error::new(ErrorKind::InHandler, message)
}
