//! Puts that wait for credit. They wait in one line for each flow, so that two puts of one caller never change places: a key
//! would end with the value that was put first. A thread of ours puts them, whether anybody waits for them or not.

use super::background;
use super::failure::{FlowFailure, UPCALL_INTERNAL};
use futures_channel::oneshot;
use std::collections::VecDeque;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use upcall_flow::{Error, ErrorKind, PoolHandle, Ticket};

/// What a put comes to; a trigger has no ticket.
pub(super) type Sent = Result<Option<Ticket>, Error>;

struct Waiting {
    pool: PoolHandle,
    /// Puts without a wait.
    put: Box<dyn Fn(&PoolHandle) -> Sent + Send>,
    tell: oneshot::Sender<Sent>,
}

/// The line of a flow.
#[derive(Default)]
pub(super) struct Line {
    waiting: Mutex<Waiters>,
    /// Those that are not put yet, also the one that is being put.
    len: AtomicUsize,
}

#[derive(Default)]
struct Waiters {
    line: VecDeque<Waiting>,
    /// Whether somebody puts them.
    served: bool,
}

impl Line {
    /// Whether nobody waits, so that a put that finds credit overtakes none.
    pub(super) fn is_empty(&self) -> bool {
        self.len.load(Acquire) == 0
    }

    /// Waits behind the others. Who does not wait for what it comes to may drop it.
    pub(super) fn enter<P: Fn(&PoolHandle) -> Sent + Send + 'static>(
        self: &Arc<Self>,
        pool: PoolHandle,
        put: P,
    ) -> impl Future<Output = Result<Option<Ticket>, FlowFailure>> + Send + use<P> {
        let (tell, told) = oneshot::channel();
        let mut waiting = self.lock();
        waiting.line.push_back(Waiting { pool, put: Box::new(put), tell });
        self.len.fetch_add(1, Release);
        let served = std::mem::replace(&mut waiting.served, true);
        drop(waiting);
        if !served {
            background::run(Server { line: self.clone(), ended: false }.serve());
        }
        async {
            let gone = |_| Err(FlowFailure::new(UPCALL_INTERNAL, "put: the thread that puts has gone"));
            told.await.map_or_else(gone, |sent| Ok(sent?))
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiters> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn first(&self) -> Option<Waiting> {
        let mut waiting = self.lock();
        let first = waiting.line.pop_front();
        waiting.served = first.is_some();
        first
    }
}

/// Puts those that wait. Where it is dropped before its end, those that are left are told so.
struct Server {
    line: Arc<Line>,
    ended: bool,
}

impl Server {
    async fn serve(mut self) {
        while let Some(Waiting { pool, put, tell }) = self.line.first() {
            let sent = loop {
                if let Err(stopped) = pool.has_credit().await {
                    break Err(stopped);
                }
                match put(&pool) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    sent => break sent,
                }
            };
            self.line.len.fetch_sub(1, Release);
            // Nobody may wait for it.
            let _ = tell.send(sent);
        }
        self.ended = true;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        let left = {
            let mut waiting = self.line.lock();
            waiting.served = false;
            self.line.len.store(0, Release);
            std::mem::take(&mut waiting.line)
        };
        drop(left);
    }
}
