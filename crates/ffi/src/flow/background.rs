//! A thread of ours that polls what no thread or event loop of the program does.

use std::pin::Pin;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Wake, Waker};

type Running = Pin<Box<dyn Future<Output = ()> + Send>>;

/// One of them, until it has ended.
struct Work {
    running: Mutex<Option<Running>>,
    again: Sender<Arc<Work>>,
}

impl Work {
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

impl Wake for Work {
    fn wake(self: Arc<Self>) {
        // Who wakes must not do the work: the thread does.
        let again = self.again.clone();
        let _ = again.send(self);
    }
}

/// Runs it to its end. Where there is no thread for that, it is dropped.
pub(super) fn run(work: impl Future<Output = ()> + Send + 'static) {
    static THREAD: OnceLock<Option<Sender<Arc<Work>>>> = OnceLock::new();
    let again = THREAD.get_or_init(|| {
        let (again, work) = mpsc::channel::<Arc<Work>>();
        let named = std::thread::Builder::new().name("upcall-puts".to_owned());
        named.spawn(move || work.into_iter().for_each(Work::poll)).ok().map(|_| again)
    });
    if let Some(again) = again {
        Arc::new(Work { running: Mutex::new(Some(Box::pin(work))), again: again.clone() }).wake();
    }
}
