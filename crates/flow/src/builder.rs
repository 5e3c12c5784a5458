use crate::credit::InFlight;
use crate::flow::Flow;
use crate::plan::{Loaded, Plan};
use crate::shared::Shared;
use crate::spec::{Credit, DeadLetterLimit, FlowSpec, OnSpec, Pool};
use crate::{Error, ErrorKind, worker};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use upcall_handler::{Failure, IntoBody, Object, Out, closure};
use upcall_host::in_process::{InProcess, module};
use upcall_host::{Host, ISOLATED, Module, nearest};

/// Describes a flow and starts it.
#[must_use = "it describes a flow, which `start` starts"]
#[derive(Default)]
pub struct FlowBuilder {
    spec: FlowSpec,
    hosts: Vec<Arc<dyn Host>>,
    /// By handler: code of this program.
    modules: Vec<Option<Box<dyn Module>>>,
    /// Code of this program for handlers that are described elsewhere, by their names.
    given: Vec<(String, Loaded)>,
}

impl FlowBuilder {
    /// A builder that goes on from a description, as a flow's file gives it.
    pub fn from_spec(spec: FlowSpec) -> FlowBuilder {
        let modules = spec.handlers.iter().map(|_| None).collect();
        FlowBuilder { spec, modules, ..FlowBuilder::default() }
    }

    /// The flow's name, for messages.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.spec.name = name.into();
        self
    }

    /// Worker threads; one per core when not set.
    pub fn workers(mut self, workers: usize) -> Self {
        self.spec.workers = Some(workers);
        self
    }

    /// Bytes that the flow may hold before it stops with an error: [`FlowSpec::memory`].
    pub fn memory(mut self, bytes: u64) -> Self {
        self.spec.memory = bytes;
        self
    }

    /// What may be in flight before a put from outside waits.
    pub fn credit(mut self, credit: Credit) -> Self {
        self.spec.credit = credit;
        self
    }

    /// How long an object should wait for a handler; zero for as long as the credit lets it:
    /// [`FlowSpec::delay`].
    pub fn delay(mut self, delay: Duration) -> Self {
        self.spec.delay = delay;
        self
    }

    /// Items in a batch at most.
    pub fn batch(mut self, items: usize) -> Self {
        self.spec.batch = items;
        self
    }

    /// What each dead pool keeps.
    pub fn dead_letters(mut self, limit: DeadLetterLimit) -> Self {
        self.spec.dead_letters = limit;
        self
    }

    /// Adds a pool.
    pub fn pool(mut self, pool: Pool) -> Self {
        self.spec.pools.push(pool);
        self
    }

    /// Adds a closure on the objects of a pool, and of all pools below its path, that emits into another. It is cloned
    /// once per worker. Its name, for messages and the report, is `WATCHED to TO`, and the second of a name has a number.
    ///
    /// A handler with a name of its own, settings, retries, several pools, or one that is part of a cycle is a
    /// [`FlowBuilder::handler`].
    pub fn on<F>(self, watched: &str, to: &str, handle: F) -> Self
    where
        F: FnMut(Object<'_>, &mut Out<'_, '_>) -> Result<(), Failure> + Clone + Send + Sync + 'static,
    {
        let name = format!("{watched} to {to}");
        let same = |on: &&OnSpec| on.name == name || on.name.starts_with(&format!("{name}, "));
        let name = match self.spec.handlers.iter().filter(same).count() {
            0 => name,
            before => format!("{name}, {}", before + 1),
        };
        self.handler(OnSpec::new(name, watched).to(to), move || closure(handle.clone()))
    }

    /// Adds a handler of this program: a closure, a [`upcall_handler::Handler`], or what [`upcall_handler::batch`],
    /// [`upcall_handler::typed`] and `later` return. `make` is called once per worker, on its thread.
    pub fn handler<B: IntoBody>(mut self, on: OnSpec, make: impl Fn() -> B + Send + Sync + 'static) -> Self {
        self.spec.handlers.push(on);
        self.modules.push(Some(module(make)));
        self
    }

    /// Adds a handler whose [`OnSpec::code`] says which guest it is written for, and where it is. Its host is given to
    /// [`FlowBuilder::host`].
    pub fn on_guest(mut self, on: OnSpec) -> Self {
        self.spec.handlers.push(on);
        self.modules.push(None);
        self
    }

    /// Gives the code of a handler that the description has without any. The host is that of its guest.
    pub fn give(mut self, handler: &str, host: Arc<dyn Host>, module: Box<dyn Module>) -> Self {
        self.given.push((handler.to_owned(), (host, module)));
        self
    }

    /// The host of a guest, for the handlers that are written for it; or the one that runs handlers of any guest in processes
    /// of their own, for those with [`OnSpec::isolation`].
    pub fn host(mut self, host: Arc<dyn Host>) -> Self {
        self.hosts.push(host);
        self
    }

    /// Checks the description, loads and opens every handler, starts the workers. Returns when all handlers
    /// are open; fails, with nothing left running, when one is not.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::Invalid`] when something in the description makes no sense, which the message tells whole; of
    /// [`ErrorKind::Load`] when a handler could not be loaded, opened or warmed up, or its guest has no host; of
    /// [`ErrorKind::Internal`] when a thread could not be started.
    pub fn start(mut self) -> Result<Flow, Error> {
        let problems = crate::check::check(&self.spec);
        if !problems.is_empty() {
            let problems: Vec<String> = problems.iter().map(|problem| problem.to_string()).collect();
            return Err(Error::new(ErrorKind::Invalid, problems.join("\n")));
        }
        // Before a handler is missed whose code was given under another name.
        let described = |name: &String| self.spec.handlers.iter().any(|on| on.name == *name);
        if let Some((name, _)) = self.given.iter().find(|(name, _)| !described(name)) {
            return Err(Error::new(ErrorKind::Invalid, self.not_described(name)));
        }
        let in_process: Arc<dyn Host> = Arc::new(InProcess);
        let mut code = Vec::new();
        let (modules, mut given) = (std::mem::take(&mut self.modules), std::mem::take(&mut self.given));
        for (on, made) in self.spec.handlers.iter().zip(modules) {
            code.push(match made {
                Some(_) if on.isolated().is_some() => {
                    return Err(Error::new(ErrorKind::Invalid, crate::check::own_code_isolated(&on.name)));
                }
                Some(module) => (in_process.clone(), module),
                None => match given.iter().position(|(name, _)| *name == on.name) {
                    Some(_) if on.code.is_some() => {
                        let message = format!(
                            "give handler {}: it names code already; leave one of the two out",
                            on.name
                        );
                        return Err(Error::new(ErrorKind::Invalid, message));
                    }
                    Some(index) => given.swap_remove(index).1,
                    None => load(&self.hosts, on)?,
                },
            });
        }
        if let Some((name, _)) = given.first() {
            let message = format!("give handler {name}: it is given twice; give it once");
            return Err(Error::new(ErrorKind::Invalid, message));
        }
        let credit = self.spec.credit.within(self.spec.memory);
        let delay = self.spec.delay.as_nanos().min(u64::MAX.into()) as u64;
        let plan = Plan::new(self.spec, code);
        let in_flight = InFlight::new(credit, delay, plan.workers.len());
        let shared = Arc::new(Shared::new(plan, in_flight));
        let (ready, answers) = mpsc::channel();
        let mut flow = Flow::new(shared.clone());
        for index in 0..shared.plan.workers.len() {
            let (shared, ready) = (shared.clone(), ready.clone());
            let thread = std::thread::Builder::new()
                .name(format!("upcall-{index}"))
                .spawn(move || worker::thread(shared, index, ready));
            flow.threads.push(thread.map_err(|error| {
                Error::new(ErrorKind::Internal, format!("start worker {index}: {error}"))
            })?);
        }
        drop(ready);
        for _ in 0..shared.plan.workers.len() {
            // Each thread answers, even one that dies.
            answers.recv().unwrap_or_else(|_| Err(shared.why_stopped()))?;
        }
        Ok(flow)
    }
}

impl FlowBuilder {
    #[cold]
    fn not_described(&self, name: &str) -> String {
        let names = || self.spec.handlers.iter().map(|on| on.name.as_str());
        let known = names().collect::<Vec<_>>().join(", ");
        let known = if known.is_empty() { "it has none".to_owned() } else { format!("it has {known}") };
        let meant = nearest(name, names()).map_or(String::new(), |near| format!("; did you mean {near}?"));
        format!("give handler {name}: the flow has no such handler; {known}{meant}")
    }
}

fn load(hosts: &[Arc<dyn Host>], on: &OnSpec) -> Result<Loaded, Error> {
    let fail = |what: String| Error::new(ErrorKind::Load, what);
    let Some(code) = &on.code else {
        return Err(fail(format!(
            "load handler {}: it has no code; give its file and class, or the handler itself",
            on.name
        )));
    };
    let runs_in = if code.isolation.is_some() { ISOLATED } else { &code.guest };
    let host = hosts.iter().find(|host| host.guest() == runs_in).ok_or_else(|| {
        fail(match code.isolation {
            None => format!("load handler {}: no host for {runs_in}; pass one to `host`", on.name),
            Some(_) => format!(
                "load handler {}: no host for handlers in processes of their own; pass the one named {runs_in} to \
                 `host`, or leave `isolation` out",
                on.name
            ),
        })
    })?;
    let mut code = code.clone();
    if let Some(isolation) = &mut code.isolation {
        isolation.deadline = isolation.deadline.or(on.deadline);
        code.limits.deadline = code.limits.deadline.or(isolation.deadline);
        code.limits.memory = code.limits.memory.or(isolation.memory);
    }
    code.limits.deadline = code.limits.deadline.or(on.deadline);
    let module = host.load(&code);
    Ok((host.clone(), module.map_err(|error| fail(format!("load handler {}: {error}", on.name)))?))
}
