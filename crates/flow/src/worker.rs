//! A worker: one thread that owns some keys and runs handlers on what arrives for them.

use crate::apply::apply;
use crate::clock;
use crate::handler_runner::HandlerRunner;
use crate::inbox::Message;
use crate::open;
use crate::parcel::{Delivery, Parcel};
use crate::plan::{Home, Place, WorkerRange};
use crate::shared::Shared;
use crate::worker_context::WorkerContext;
use crate::{Error, ErrorKind};
use std::hint::spin_loop;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// Looks at an empty inbox before sleeping. Longer makes it worse where cores are shared (5 ms p90).
const SPINS: usize = 50;

pub(crate) struct Worker<'s> {
    shared: &'s Shared,
    context: WorkerContext<'s>,
    /// Downstream first, so that what is in flight gets less before it gets more.
    runners: Vec<HandlerRunner<'s>>,
    /// By handler.
    runner_of: Vec<Option<usize>>,
    messages: Vec<Message>,
}

/// A worker's thread: opens its handlers, says so, works until the flow is stopped, closes them.
pub(crate) fn thread(shared: Arc<Shared>, me: usize, ready: Sender<Result<(), Error>>) {
    shared.on_worker();
    shared.inboxes[me].wakeup.register();
    let hosts = shared.plan.workers[me].clone();
    let life = Life { shared, me, ready };
    inside(&hosts, &mut || match Worker::open(&life.shared, me) {
        Ok(mut worker) => {
            // The flow waits for this answer; if it is gone, it has failed and stops us.
            let _ = life.ready.send(Ok(()));
            worker.work();
            worker.close();
        }
        Err(error) => {
            let _ = life.ready.send(Err(error));
            life.shared.stop(None);
        }
    });
}

/// Ends with the thread. Where nobody has stopped the flow, that is a death: it stops the flow, so that
/// nobody waits for this worker.
struct Life {
    shared: Arc<Shared>,
    me: usize,
    ready: Sender<Result<(), Error>>,
}

impl Drop for Life {
    fn drop(&mut self) {
        if self.shared.stopped() {
            return;
        }
        let how = if std::thread::panicking() { "its thread panicked" } else { "a host ended its loop" };
        let message = format!(
            "worker {} of flow {} died: {how}; this is a fault of the engine or of a host",
            self.me, self.shared.plan.name
        );
        let error = Error::new(ErrorKind::Internal, message);
        let _ = self.ready.send(Err(error.clone()));
        self.shared.stop(Some(error));
    }
}

/// Runs `body` inside the wraps of all hosts.
fn inside(hosts: &[Arc<dyn upcall_host::Host>], body: &mut dyn FnMut()) {
    match hosts.split_first() {
        Some((host, rest)) => host.worker(&mut || inside(rest, body)),
        None => body(),
    }
}

impl<'s> Worker<'s> {
    fn open(shared: &'s Arc<Shared>, me: usize) -> Result<Worker<'s>, Error> {
        let plan = &shared.plan;
        let mut context = WorkerContext::new(me, shared);
        let mut here: Vec<usize> = (0..plan.handlers.len())
            .filter(|index| plan.handlers[*index].workers().all().contains(&me))
            .collect();
        here.sort_by_key(|index| std::cmp::Reverse(plan.handlers[*index].rank));
        let mut runners: Vec<HandlerRunner<'s>> = Vec::new();
        let mut runner_of = vec![None; plan.handlers.len()];
        for index in here {
            runner_of[index] = Some(runners.len());
            match open::open(shared, &mut context, index) {
                Ok(handler) => runners.push(HandlerRunner::new(shared, handler)),
                Err(error) => {
                    runners.iter_mut().for_each(|runner| open::close(&mut runner.handler));
                    return Err(error);
                }
            }
        }
        Ok(Worker { shared, context, runners, runner_of, messages: Vec::new() })
    }

    fn work(&mut self) {
        let shared = self.shared;
        let inbox = &shared.inboxes[self.context.me];
        'work: while !shared.stopped() {
            let mut messages = std::mem::take(&mut self.messages);
            inbox.take(&mut messages, self.context.spare(), shared);
            if !messages.is_empty() {
                self.context.now = clock::now();
                messages.drain(..).for_each(|message| self.receive(message));
            }
            self.messages = messages;
            let (any, held_back) = self.step();
            if any {
                continue;
            }
            for _ in 0..SPINS {
                if inbox.wakeup.woken() {
                    continue 'work;
                }
                spin_loop();
            }
            // Those that are held back are woken otherwise.
            let due = self.runners.iter().filter_map(HandlerRunner::due).min();
            let patience = due.map(|due| Duration::from_nanos(due.saturating_sub(shared.elapsed())));
            let free = |runner: &HandlerRunner<'_>| runner.late() || runner.has_work() && !runner.held_back();
            let awake = || shared.stopped() || self.runners.iter().any(free);
            if held_back {
                // Announced before looking again, so that whoever handles something later wakes this worker.
                shared.held_back.fetch_add(1, SeqCst);
                inbox.wakeup.sleep(awake, patience);
                shared.held_back.fetch_sub(1, SeqCst);
            } else {
                inbox.wakeup.sleep(awake, patience);
            }
        }
    }

    /// Lets the first runner that has something new run, and those before it that only try again: what they
    /// wait for may come from upstream. Returns whether there was any, and whether one is held back.
    fn step(&mut self) -> (bool, bool) {
        let (mut any, mut held_back) = (false, false);
        for index in 0..self.runners.len() {
            let runner = &mut self.runners[index];
            if !runner.has_work() {
                continue;
            }
            if runner.held_back() {
                runner.cancel_late();
                held_back = true;
                continue;
            }
            let again = runner.only_retries();
            let others = self.runners.iter().enumerate().filter(|(other, _)| *other != index);
            if let Some(other) = others.map(|(_, runner)| runner).find(|runner| runner.shares()) {
                // What any worker may take does not wait for this handler.
                self.shared.wake_one(self.context.me, other.handler.index);
            }
            self.context.now = clock::now();
            self.runners[index].step(&mut self.context);
            let runner = &self.runners[index];
            if runner.shares() && !runner.may_call() {
                self.shared.wake_one(self.context.me, runner.handler.index);
            }
            while let Some(parcel) = self.context.mine.pop_front() {
                self.arrive(parcel);
            }
            self.shared.wake_held_back();
            any = true;
            if !again {
                break;
            }
        }
        (any, held_back)
    }

    fn receive(&mut self, message: Message) {
        match message {
            Message::Parcel(parcel) => self.arrive(parcel),
            Message::Deliver { handler, delivery } => self.deliver(handler, delivery),
            Message::Flush { handler } => match self.runner_of[handler] {
                Some(runner) => self.runners[runner].flush = true,
                None => self.shared.in_flight.sub(1, 0),
            },
            Message::Answers { handler, answers } => {
                if let Some(runner) = self.runner_of[handler] {
                    self.runners[runner].answer(answers);
                }
            }
        }
    }

    /// Objects whose keys this worker owns: versions, table, then the handlers on the pool's path.
    fn arrive(&mut self, mut parcel: Parcel) {
        let shared = self.shared;
        apply(shared, &mut parcel, self.context.now);
        let pool = &shared.plan.pools[parcel.pool as usize];
        let Parcel { items, chunks, bytes, times, queued, .. } = parcel;
        let items = self.context.spare().fit(items);
        let count = items.len() as u64;
        if !queued {
            pool.handlers.iter().for_each(|handler| shared.handlers[*handler].queue.add(items.len()));
        }
        let Some((last, others)) = pool.handlers.split_last().filter(|_| count > 0) else {
            return shared.in_flight.sub(count, bytes);
        };
        let delivery = Delivery { items, chunks, bytes, times, own: false };
        if !others.is_empty() {
            shared.in_flight.add(count * others.len() as u64, bytes * others.len() as u64);
            others.iter().for_each(|handler| self.hand_on(pool.home, *handler, delivery.clone()));
        }
        self.hand_on(pool.home, *last, delivery);
    }

    /// To the workers that run the handler for these keys.
    fn hand_on(&mut self, home: Home, handler: usize, delivery: Delivery) {
        match self.shared.plan.handlers[handler].place {
            Place::Any(_) => self.share(handler, delivery),
            Place::Keys(workers) if home == Home::Keys(workers) => self.deliver(handler, delivery),
            Place::Keys(WorkerRange { first, count: 1 }) => self.pass(first, handler, delivery),
            Place::Keys(workers) => {
                let mut parts: Vec<Delivery> = workers.all().map(|_| delivery.without_items()).collect();
                for item in &delivery.items {
                    let part = &mut parts[workers.of_key(item.tag) - workers.first];
                    part.bytes += crate::parcel::weight(item);
                    part.items.push(*item);
                }
                for (worker, part) in workers.all().zip(parts).filter(|(_, part)| !part.items.is_empty()) {
                    self.pass(worker, handler, part);
                }
            }
        }
    }

    /// To whichever worker is free first: this one, unless it takes none now.
    fn share(&mut self, handler: usize, delivery: Delivery) {
        self.shared.handlers[handler].any.push(delivery);
        if !self.runner_of[handler].is_some_and(|runner| self.runners[runner].may_call()) {
            self.shared.wake_one(self.context.me, handler);
        }
    }

    fn pass(&mut self, worker: usize, handler: usize, delivery: Delivery) {
        if worker == self.context.me {
            self.deliver(handler, delivery);
        } else {
            self.shared.inboxes[worker].send(Message::Deliver { handler, delivery });
        }
    }

    fn deliver(&mut self, handler: usize, delivery: Delivery) {
        match self.runner_of[handler] {
            Some(runner) => self.runners[runner].deliver(delivery),
            None => {
                let message = format!("handler {handler} does not run on worker {}", self.context.me);
                self.shared.stop(Some(Error::new(ErrorKind::Internal, message)));
            }
        }
    }

    fn close(&mut self) {
        for runner in &mut self.runners {
            runner.cancel_all();
            open::close(&mut runner.handler);
        }
        let messages = self.shared.inboxes[self.context.me].rest();
        for message in messages {
            if let Message::Answers { .. } = message {
                self.receive(message);
            }
        }
        self.runners.iter_mut().for_each(HandlerRunner::abandon);
    }
}
