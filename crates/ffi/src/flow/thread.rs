use super::failure::{FlowFailure, UPCALL_INTERNAL};
use super::task::Outcome;
use futures_channel::oneshot;
use std::cell::Cell;
use std::thread::JoinHandle;

thread_local! {
    // Not the id of a thread: asking for it leaves a handle behind on each thread that is not Rust's own.
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// Whether this is a thread of [`on_its_own`].
pub(super) fn is_here() -> bool {
    HERE.get()
}

type Ended = Result<Outcome, FlowFailure>;

/// Does on a thread of its own what a caller must not wait for. The work goes on where nobody waits for it. The thread may be
/// there a moment longer than its work: who must leave nothing behind joins it.
pub(super) fn on_its_own(
    name: &'static str,
    work: impl FnOnce() -> Ended + Send + 'static,
) -> (impl Future<Output = Ended> + Send + 'static, Option<JoinHandle<()>>) {
    let (tell, ended) = oneshot::channel();
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        HERE.set(true);
        // Whoever asked may have gone.
        let _ = tell.send(work());
    });
    let (thread, refused) = match started {
        Ok(thread) => (Some(thread), None),
        Err(error) => {
            (None, Some(FlowFailure::new(UPCALL_INTERNAL, format!("start thread {name}: {error}"))))
        }
    };
    let ended = async move {
        if let Some(refused) = refused {
            return Err(refused);
        }
        let panicked = |_| Err(FlowFailure::new(UPCALL_INTERNAL, format!("thread {name} panicked")));
        ended.await.unwrap_or_else(panicked)
    };
    (ended, thread)
}
