use super::UpcallEvent;
use super::task::Wakes;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use upcall_flow::{Event, Watch};

/// An object was put, emitted or triggered.
pub const UPCALL_EVENT_PUT: u32 = 0;
/// A key was removed.
pub const UPCALL_EVENT_REMOVED: u32 = 1;
/// The watcher was too slow: so many events of the pool were dropped.
pub const UPCALL_EVENT_MISSED: u32 = 2;

/// Bytes of events that are handed over at a time, at most one event more.
const ENOUGH: usize = 1 << 20;

/// A watch on some pools, which ends when it is released.
pub struct UpcallWatch {
    watch: Arc<Watch>,
    /// What an event loop waits for.
    awaited: Mutex<Option<Awaited>>,
}

type Awaited = Pin<Box<dyn Future<Output = Option<Event>> + Send>>;

impl UpcallWatch {
    pub(super) fn new(watch: Watch) -> UpcallWatch {
        UpcallWatch { watch: Arc::new(watch), awaited: Mutex::new(None) }
    }

    fn awaited(&self, waker: &Waker) -> Vec<u8> {
        let mut awaited = self.awaited.lock().unwrap_or_else(PoisonError::into_inner);
        let watch = self.watch.clone();
        let next = awaited.get_or_insert_with(|| Box::pin(async move { watch.event().await }));
        let Poll::Ready(event) = next.as_mut().poll(&mut Context::from_waker(waker)) else {
            return Vec::new();
        };
        *awaited = None;
        event.map_or(Vec::new(), |first| self.rest(first))
    }

    /// All that is there, behind `first`.
    fn rest(&self, first: Event) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, &first);
        while bytes.len() < ENOUGH {
            let Some(event) = self.watch.next(Duration::ZERO) else { break };
            write(&mut bytes, &event);
        }
        bytes
    }
}

#[upcall::export]
impl UpcallWatch {
    /// The events that are there, each an `UpcallEvent` and its bytes; waits so many milliseconds for the first. Empty when
    /// there was none, or when the flow has stopped.
    pub fn next(&self, milliseconds: u64) -> Vec<u8> {
        self.watch.next(Duration::from_millis(milliseconds)).map_or(Vec::new(), |first| self.rest(first))
    }

    /// As `next`, for an event loop: where there is none, `wake` is called once there may be, on any thread, and must only pass
    /// that on.
    pub fn poll(&self, wake: Box<dyn Fn() + Send + Sync>) -> Vec<u8> {
        self.awaited(&Waker::from(Arc::new(Wakes(wake))))
    }

    /// Whether the flow has stopped, so that no event will come but those that wait.
    pub fn has_ended(&self) -> bool {
        self.watch.has_ended()
    }
}

fn write(bytes: &mut Vec<u8>, event: &Event) {
    let (pool, key, value, head) = match event {
        Event::Put { pool, object } => {
            let head = UpcallEvent { version: object.version, time: object.time, ..EMPTY };
            (pool, &*object.key, &*object.value, head)
        }
        Event::Removed { pool, key, version } => {
            let head = UpcallEvent { what: UPCALL_EVENT_REMOVED, version: *version, ..EMPTY };
            (pool, &**key, &[][..], head)
        }
        Event::Missed { pool, count, first, last } => {
            let head = UpcallEvent {
                what: UPCALL_EVENT_MISSED,
                version: *first,
                time: *last,
                missed: *count,
                ..EMPTY
            };
            (pool, &[][..], &[][..], head)
        }
    };
    // Keys and values are smaller than 4 GiB, which the flow sees to; a path is in the flow's text.
    let len = |bytes: &[u8]| bytes.len() as u32;
    let head = UpcallEvent { pool: len(pool.as_bytes()), key: len(key), value: len(value), ..head };
    for part in [head.bytes(), pool.as_bytes(), key, value] {
        bytes.extend(part);
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
}

const EMPTY: UpcallEvent =
    UpcallEvent { what: UPCALL_EVENT_PUT, pool: 0, key: 0, value: 0, version: 0, time: 0, missed: 0 };
