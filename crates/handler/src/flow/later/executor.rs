//! The handler's own thread: a current-thread runtime of tokio, on which all of an instance runs.

use super::call::Call;
use super::running::{Running, handle, poll_caught};
use crate::context::{Lent, unlent};
use crate::driver::caught;
use crate::flow::open::Names;
use crate::flow::{AsyncHandler, Open};
use crate::{Context, Describe, Ended, Failure};
use std::cell::RefCell;
use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::ptr;
use std::rc::Rc;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{AbortHandle, LocalSet, spawn_local};
use upcall_abi::{FlowFrame, FlowOpen, OpenFrame, Services, base};

/// What a worker asks of the handler's thread.
pub(super) enum Message {
    Call(Call),
    /// The address of the frame; one that is not open is passed over. It cannot be that of a later call, which comes behind.
    Cancel(usize, Ended),
    Describe(Loan<Describe<'static>>, Sender<Result<(), Failure>>),
    Open(Loan<OpenFrame>, Sender<Result<(), Failure>>),
    /// The engine's services are gone, without a CLOSE.
    Forsaken,
}

/// What belongs to a worker, which waits until its message is answered.
pub(super) struct Loan<T>(*mut T);

// SAFETY: nobody else uses it meanwhile.
unsafe impl<T> Send for Loan<T> {}

impl<T> Loan<T> {
    pub(super) fn of(place: *mut T) -> Loan<T> {
        Loan(place)
    }
}

/// The thread, as the worker sees it.
pub(super) struct Executor {
    messages: UnboundedSender<Message>,
    thread: JoinHandle<Result<(), String>>,
}

impl Executor {
    /// Starts the thread, and makes the handler there.
    pub(super) fn start<H: AsyncHandler>(make: impl FnOnce() -> H + Send + 'static) -> Executor {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.unwrap_or_else(|error| panic!("start tokio's runtime: {error}"));
        let (messages, receiver) = unbounded_channel();
        let (made, is_made) = mpsc::channel();
        let run = move || {
            let entered = runtime.enter();
            match upcall_abi::caught::caught(make) {
                Err(panic) => {
                    drop((entered, made.send(Err(panic))));
                    Ok(())
                }
                Ok(handler) => {
                    drop((entered, made.send(Ok(()))));
                    run(runtime, Local::new(handler), receiver)
                }
            }
        };
        let thread = std::thread::Builder::new().name("upcall-later".into()).spawn(run);
        let thread = thread.unwrap_or_else(|error| panic!("start the handler's thread: {error}"));
        match is_made.recv() {
            Ok(Ok(())) => Executor { messages, thread },
            Ok(Err(panic)) => std::panic::resume_unwind(Box::new(panic)),
            Err(_) => panic!("the handler's thread has ended"),
        }
    }

    /// A call that finds nobody is dropped, and with that answered.
    pub(super) fn send(&self, message: Message) {
        drop(self.messages.send(message));
    }

    /// Ends what is open and drops the handler. An error is what that has panicked with.
    pub(super) fn end(self) -> Result<(), String> {
        drop(self.messages);
        self.thread.join().unwrap_or_else(|_| Err("the handler's thread has panicked".into()))
    }
}

/// An instance, for all its futures.
pub(super) struct Local<H> {
    pub(super) handler: H,
    pub(super) names: Names,
    services: Lent<Services>,
    open: Rc<OpenCalls>,
}

/// The calls that are open, by the addresses of their frames.
#[derive(Default)]
pub(super) struct OpenCalls(RefCell<HashMap<usize, OpenCall>>);

struct OpenCall {
    task: AbortHandle,
    ended: Option<Ended>,
}

impl OpenCalls {
    fn insert(&self, frame: *mut FlowFrame, task: AbortHandle) {
        self.0.borrow_mut().insert(frame.addr(), OpenCall { task, ended: None });
    }

    /// The runtime drops its future as soon as this thread is free.
    fn cancel(&self, frame: usize, why: Ended) {
        if let Some(call) = self.0.borrow_mut().get_mut(&frame) {
            call.ended = Some(why);
            call.task.abort();
        }
    }

    /// A call is open no longer. Returns why, where it was cancelled.
    pub(super) fn remove(&self, frame: *mut FlowFrame) -> Option<Ended> {
        self.0.borrow_mut().remove(&frame.addr())?.ended
    }
}

/// Messages that are taken at once.
const MESSAGES: usize = 256;

/// The thread's whole life, from its first message to the last.
fn run<H: AsyncHandler>(
    runtime: Runtime,
    local: Local<H>,
    messages: UnboundedReceiver<Message>,
) -> Result<(), String> {
    let (mut local, tasks) = (Rc::new(local), LocalSet::new());
    tasks.block_on(&runtime, serve(&mut local, messages));
    let entered = runtime.enter();
    // Whatever is still open is answered by this.
    drop(tasks);
    let (services, pool_services) = (local.services.clone(), local.names.services.clone());
    let dropped = upcall_abi::caught::caught(|| drop(local));
    services.set(ptr::null());
    pool_services.set(ptr::null());
    drop(entered);
    // What the handler has left to a blocking thread has nothing of the engine's.
    runtime.shutdown_background();
    dropped
}

async fn serve<H: AsyncHandler>(local: &mut Rc<Local<H>>, mut messages: UnboundedReceiver<Message>) {
    let mut taken = Vec::with_capacity(MESSAGES);
    while messages.recv_many(&mut taken, MESSAGES).await > 0 {
        for message in taken.drain(..) {
            // Nobody waits for a reply where its worker has died.
            match message {
                Message::Call(call) => begin(local, call),
                Message::Cancel(frame, why) => local.open.cancel(frame, why),
                Message::Describe(describe, reply) => drop(reply.send(local.describe(describe))),
                Message::Open(frame, reply) => drop(reply.send(opened(local, frame).await)),
                Message::Forsaken => local.forsaken(),
            }
        }
    }
}

fn begin<H: AsyncHandler>(local: &Rc<Local<H>>, call: Call) {
    let (frame, open) = (call.frame(), local.open.clone());
    // SAFETY: the frame is the call's until it is answered, which is when the future has been dropped.
    let future = unsafe { handle(local.clone(), frame) };
    local.open.insert(frame, spawn_local(Running::new(future, call, open)).abort_handle());
}

async fn opened<H: AsyncHandler>(
    local: &mut Rc<Local<H>>,
    Loan(frame): Loan<OpenFrame>,
) -> Result<(), Failure> {
    // SAFETY: the worker waits for the answer.
    let frame = unsafe { &*frame };
    let Some(local) = Rc::get_mut(local) else {
        return Err(Failure::new("OPEN came while calls were open: the engine breaks the rules"));
    };
    // SAFETY: for handlers of this kind the engine adds this struct, which is there during OPEN.
    let Some(added) = (unsafe { FlowOpen::of(frame) }) else {
        return Err(Failure::new("OPEN has no pools: build engine and handler with the same version"));
    };
    local.services.set(frame.services);
    let context = Context::new(frame, &local.services);
    // SAFETY: as above, for what it points to.
    unsafe { local.names.open(added, &context, frame.head.base[base::BATCH]) };
    let open = Open::new(&context, &local.names);
    let mut opening = pin!(local.handler.open(&open));
    poll_fn(|context| poll_caught(opening.as_mut(), context)).await
}

impl<H: AsyncHandler> Local<H> {
    fn new(handler: H) -> Local<H> {
        let (names, services, open) = (Names::default(), unlent(), Rc::default());
        Local { handler, names, services, open }
    }

    fn describe(&self, Loan(describe): Loan<Describe<'static>>) -> Result<(), Failure> {
        caught(|| {
            // SAFETY: the worker waits for the answer.
            self.handler.describe(unsafe { &mut *describe });
            Ok(())
        })
    }

    fn forsaken(&self) {
        self.services.set(ptr::null());
        self.names.services.set(ptr::null());
    }
}
