use super::failure::{FlowFailure, UPCALL_INTERNAL};
use super::task::Outcome;
use futures_channel::oneshot;

type Ended = Result<Outcome, FlowFailure>;

/// Does on a thread of its own what a caller must not wait for. The work goes on where nobody waits for it.
pub(super) fn on_its_own(
    name: &'static str,
    work: impl FnOnce() -> Ended + Send + 'static,
) -> impl Future<Output = Ended> + Send + 'static {
    let (tell, ended) = oneshot::channel();
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        // Whoever asked may have gone.
        let _ = tell.send(work());
    });
    async move {
        if let Err(error) = started {
            return Err(FlowFailure::new(UPCALL_INTERNAL, format!("start thread {name}: {error}")));
        }
        let panicked = |_| Err(FlowFailure::new(UPCALL_INTERNAL, format!("thread {name} panicked")));
        ended.await.unwrap_or_else(panicked)
    }
}
