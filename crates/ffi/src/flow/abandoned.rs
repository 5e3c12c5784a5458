//! Puts that wait for credit and that nobody waits for any more: a thread of ours sees them through.

use super::task::Running;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Wake, Waker};

/// One of them, until it has ended.
struct Put {
    running: Mutex<Option<Running>>,
    again: Sender<Arc<Put>>,
}

impl Put {
    fn poll(self: Arc<Self>) {
        let waker = Waker::from(self.clone());
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let ended =
            |running: &mut Running| running.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        if running.as_mut().is_some_and(ended) {
            *running = None;
        }
    }
}

impl Wake for Put {
    fn wake(self: Arc<Self>) {
        // Who wakes must not put: the thread does.
        let again = self.again.clone();
        let _ = again.send(self);
    }
}

/// Goes on with it. Where there is no thread for that, it is lost.
pub(super) fn see_through(running: Running) {
    static THREAD: OnceLock<Option<Sender<Arc<Put>>>> = OnceLock::new();
    let again = THREAD.get_or_init(|| {
        let (again, puts) = mpsc::channel::<Arc<Put>>();
        let named = std::thread::Builder::new().name("upcall-puts".to_owned());
        named.spawn(move || puts.into_iter().for_each(Put::poll)).ok().map(|_| again)
    });
    if let Some(again) = again {
        Arc::new(Put { running: Mutex::new(Some(running)), again: again.clone() }).wake();
    }
}
