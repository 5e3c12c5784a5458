use crate::builder::FlowBuilder;
use crate::dead::{self, DeadLetter};
use crate::pool::PoolHandle;
use crate::report::{Report, report};
use crate::shared::Shared;
use crate::watch::Watch;
use crate::{Error, ErrorKind, tasks};
use std::sync::Arc;
use std::thread::JoinHandle;
use upcall_host::nearest;

/// A running flow. Dropping it stops it: what is in flight is lost; [`Flow::drain`] first keeps it.
#[must_use = "a flow that is dropped stops"]
pub struct Flow {
    shared: Arc<Shared>,
    pub(crate) threads: Vec<JoinHandle<()>>,
}

impl Flow {
    /// Describes a flow.
    pub fn builder() -> FlowBuilder {
        FlowBuilder::default()
    }

    pub(crate) fn new(shared: Arc<Shared>) -> Flow {
        Flow { shared, threads: Vec::new() }
    }

    /// The pool with this path. The route is resolved here, once.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::NoPool`] when the flow has no such pool; the message lists those that it has.
    pub fn pool(&self, path: &str) -> Result<PoolHandle, Error> {
        let id = self.shared.plan.pool(path).ok_or_else(|| {
            let all = self.shared.plan.pools.iter().map(|pool| pool.path.as_str());
            self.no_pool(&format!("open pool {path}: there is no such pool"), nearest(path, all))
        })?;
        Ok(PoolHandle { shared: self.shared.clone(), id })
    }

    /// Lets nothing wait for a `retry_delay` any more: what waits for a retry is tried at once, as often as its handler's
    /// `retry` says, and then buried. A call that a handler answers later is cancelled when it has been open for five seconds
    /// from now on, and counts as failed with the cause `cancelled`. For a program that is to end soon, before it drains the
    /// flow.
    pub fn hurry(&self) {
        self.shared.hurry();
    }

    /// Says which pools there are, and which of them was probably meant.
    #[cold]
    fn no_pool(&self, what: &str, meant: Option<&str>) -> Error {
        let known: Vec<&str> = self.pools().collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let meant = meant.map_or(String::new(), |path| format!("; did you mean {path}?"));
        Error::new(ErrorKind::NoPool, format!("{what}; the flow has {known}{meant}"))
    }

    /// Waits until nothing is in flight, then tells every handler, upstream first, that its input has ended
    /// (FLUSH), and waits for what that leads to. The flow goes on: more may be put afterwards.
    ///
    /// # Errors
    ///
    /// As [`Flow::settle`]; of kind [`ErrorKind::Flush`] when a handler failed at its FLUSH.
    pub fn drain(&self) -> Result<(), Error> {
        self.shared.refuse_in_handler("drain a flow", "`flush`, which is called when the input has ended")?;
        pollster::block_on(self.drained())
    }

    /// As [`Flow::drain`], for a task. A handler that answers later must not await it in an item of the same flow, for which
    /// it would wait. Dropped before its end, it has told some of the handlers.
    ///
    /// # Errors
    ///
    /// As [`Flow::drain`].
    pub fn drained(&self) -> impl Future<Output = Result<(), Error>> + Send + use<> {
        tasks::drained(self.shared.clone())
    }

    /// Waits until nothing is in flight: all that was put so far is handled.
    ///
    /// # Errors
    ///
    /// The failure that has stopped the flow, or [`ErrorKind::Stopped`] when somebody stops it meanwhile; of kind
    /// [`ErrorKind::InHandler`] on a worker of the flow, which would wait for itself.
    pub fn settle(&self) -> Result<(), Error> {
        let shared = &self.shared;
        shared.refuse_in_handler("wait for a flow", "`flush`, which is called when the input has ended")?;
        pollster::block_on(self.settled())
    }

    /// As [`Flow::settle`], for a task; see [`Flow::drained`].
    ///
    /// # Errors
    ///
    /// As [`Flow::settle`].
    pub fn settled(&self) -> impl Future<Output = Result<(), Error>> + Send + use<> {
        let shared = self.shared.clone();
        async move { tasks::settled(&shared).await }
    }

    /// Watches the pool of this path and all below it, from now on; `/` is all pools but the dead ones, which `/dead` is. A
    /// watch that is [`Watch::BUFFER`] events behind is told how many it missed, and never stalls the flow.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::NoPool`] when no pool is there or below, and for an empty path.
    pub fn watch(&self, prefix: &str) -> Result<Watch, Error> {
        self.watch_with_buffer(prefix, Watch::BUFFER)
    }

    /// As [`Flow::watch`], with room for so many events. Each takes memory when it comes, not before, and what that is
    /// [`Watch`] says.
    ///
    /// With room for none nothing is copied: the watch hears only that something happened, as one [`Event::Missed`] per
    /// pool since it last asked.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use upcall_flow::{Event, Flow, Pool};
    /// # let flow = Flow::builder().pool(Pool::new("/p")).start()?;
    /// let (all, changes) = (flow.watch_with_buffer("/p", 100_000)?, flow.watch_with_buffer("/p", 0)?);
    /// for number in 1..=5000 {
    ///     flow.pool("/p")?.put(number.to_string(), "")?;
    /// }
    /// let events = std::iter::from_fn(|| all.next(Duration::ZERO));
    /// assert_eq!(events.filter(|event| matches!(event, Event::Put { .. })).count(), 5000);
    /// assert!(matches!(changes.next(Duration::ZERO), Some(Event::Missed { count: 5000, .. })));
    /// # Ok::<(), upcall_flow::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Flow::watch`].
    ///
    /// [`Event::Missed`]: crate::Event::Missed
    pub fn watch_with_buffer(&self, prefix: &str, events: usize) -> Result<Watch, Error> {
        if prefix.is_empty() {
            return Err(self.no_pool("watch an empty path: `/` is all pools", None));
        }
        let all = || self.shared.plan.pools.iter().zip(&self.shared.pools);
        let pools = || all().filter(|(plan, _)| crate::graph::covers(prefix, &plan.path));
        if pools().next().is_none() {
            let what = format!("watch {prefix}: no pool is there or below");
            return Err(self.no_pool(&what, nearest(prefix, self.pools())));
        }
        let mut watch = Watch::new(events);
        pools().for_each(|(plan, pool)| watch.add(&plan.path, &plan.value, &pool.watchers));
        if self.shared.stopped() {
            watch.end();
        }
        Ok(watch)
    }

    /// The dead letters about items of this pool that are kept ([`FlowSpec::dead_letters`](crate::FlowSpec)),
    /// oldest first. [`PoolHandle::remove`] from `/dead/<pool>` clears those of a key.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::NoPool`] when the flow has no such pool, or it is a dead pool itself.
    pub fn dead_letters(&self, pool: &str) -> Result<Vec<DeadLetter>, Error> {
        self.dead_pool(pool)?.letters()
    }

    /// The dead pool of this pool, for whoever reads its letters without the flow: [`PoolHandle::letters`].
    ///
    /// # Errors
    ///
    /// As [`Flow::dead_letters`].
    pub fn dead_pool(&self, pool: &str) -> Result<PoolHandle, Error> {
        let id = self.shared.plan.pool(&format!("{}{pool}", dead::ROOT)).ok_or_else(|| {
            let alive = pool.strip_prefix(dead::ROOT).unwrap_or(pool);
            let why = match self.shared.plan.pool(pool) {
                Some(_) => "it is a dead pool itself, so name the pool that the items were put into",
                None => "there is no such pool",
            };
            self.no_pool(&format!("read dead letters of {pool}: {why}"), nearest(alive, self.pools()))
        })?;
        Ok(PoolHandle { shared: self.shared.clone(), id })
    }

    /// What the flow has done so far.
    #[must_use]
    pub fn report(&self) -> Report {
        report(&self.shared)
    }

    /// Objects in flight: put or emitted, and not yet handled.
    #[must_use]
    pub fn in_flight(&self) -> u64 {
        self.shared.count_all()
    }

    /// The failure that has stopped the flow.
    #[must_use]
    pub fn failure(&self) -> Option<Error> {
        self.shared.failure()
    }

    /// Its workers, for code that must not wait for the flow on one of them.
    #[must_use]
    pub fn workers(&self) -> Workers {
        Workers::of(&self.shared)
    }

    /// Paths of the declared pools.
    pub fn pools(&self) -> impl Iterator<Item = &str> {
        self.shared.plan.pools.iter().filter(|pool| pool.dead.is_some()).map(|pool| pool.path.as_str())
    }

    /// Stops the workers and closes every handler.
    ///
    /// # Errors
    ///
    /// The failure that had stopped the flow before; of kind [`ErrorKind::Internal`] when a worker panicked.
    pub fn stop(mut self) -> Result<(), Error> {
        let died = self.end().then(|| {
            let message =
                format!("stop flow {}: a worker's thread panicked meanwhile", self.shared.plan.name);
            Error::new(ErrorKind::Internal, message)
        });
        self.shared.failure().or(died).map_or(Ok(()), Err)
    }

    /// Returns whether a worker's thread has panicked.
    fn end(&mut self) -> bool {
        self.shared.stop(None);
        // A handler may end its own flow; its worker goes when the handler has returned.
        let me = std::thread::current().id();
        let others = self.threads.drain(..).filter(|thread| thread.thread().id() != me);
        others.filter_map(|thread| thread.join().err()).count() > 0
    }
}

/// The workers of a flow. From [`Flow::workers`].
#[derive(Clone)]
pub struct Workers(Arc<Shared>);

impl Workers {
    pub(crate) fn of(shared: &Arc<Shared>) -> Workers {
        Workers(shared.clone())
    }

    /// Whether this thread is one of them: a handler of the flow is running here.
    #[must_use]
    pub fn are_here(&self) -> bool {
        self.0.is_here()
    }
}

impl Drop for Flow {
    fn drop(&mut self) {
        self.end();
    }
}
