//! The future of one call, and what is done where it ends.

use super::call::Call;
use super::executor::{Local, OpenCalls};
use crate::driver::caught;
use crate::flow::emit::Kept;
use crate::flow::{AsyncHandler, Batch, Emit};
use crate::{Ended, Failure};
use pin_project_lite::pin_project;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use upcall_abi::{FlowFrame, kind};

pin_project! {
    /// Polls a future behind the panic barrier, and answers the call when it is gone: ended by itself, or dropped.
    pub(super) struct Running<F> {
        #[pin]
        future: Option<F>,
        call: Call,
        open: Rc<OpenCalls>,
    }

    impl<F> PinnedDrop for Running<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if this.future.is_some() {
                let why = this.open.remove(this.call.frame()).unwrap_or(Ended::Closed);
                Ended::while_dropping(Some(why), || this.future.set(None));
                this.call.answer(Err(why.failure()));
            }
        }
    }
}

impl<F: Future<Output = Result<(), Failure>>> Running<F> {
    pub(super) fn new(future: F, call: Call, open: Rc<OpenCalls>) -> Running<F> {
        Running { future: Some(future), call, open }
    }
}

impl<F: Future<Output = Result<(), Failure>>> Future for Running<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        let Some(future) = this.future.as_mut().as_pin_mut() else { return Poll::Ready(()) };
        let outcome = ready!(poll_caught(future, context));
        this.open.remove(this.call.frame());
        Ended::while_dropping(None, || this.future.set(None));
        this.call.answer(outcome);
        Poll::Ready(())
    }
}

/// Polls behind the panic barrier. One that has panicked is not polled again.
pub(super) fn poll_caught(
    future: Pin<&mut impl Future<Output = Result<(), Failure>>>,
    context: &mut Context<'_>,
) -> Poll<Result<(), Failure>> {
    let mut pending = false;
    let outcome = caught(|| match future.poll(context) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => {
            pending = true;
            Ok(())
        }
    });
    if pending { Poll::Pending } else { Poll::Ready(outcome) }
}

/// What the handler does for a frame: its one object, or the flush.
///
/// # Safety
/// The frame must be a valid one of a flow for as long as the future is there.
pub(super) async unsafe fn handle<H: AsyncHandler>(
    local: Rc<Local<H>>,
    frame: *mut FlowFrame,
) -> Result<(), Failure> {
    let kept = Kept::default();
    // SAFETY: the caller's promise; nobody else emits.
    let mut emit = unsafe { Emit::later(frame, &local.names, &kept) };
    // SAFETY: the caller's promise; emitter and batch use different fields of the frame.
    let batch = unsafe { Batch::new(frame, &local.names, emit.mark()) };
    // SAFETY: the caller's promise.
    match (unsafe { (*frame).head.kind }, batch.len()) {
        (kind::FLUSH, _) => local.handler.flush(&mut emit).await?,
        (_, 1) => {
            emit.begin(0);
            local.handler.on_object(batch.get(0), &mut emit).await?;
        }
        (_, several) => {
            return Err(Failure::new(format!(
                "a handler that answers later is handed one object in a frame, and this one has {several}: run it with \
                 an engine as new as the handler"
            )));
        }
    }
    emit.check()
}
