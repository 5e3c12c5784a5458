//! Reads the next chunks of a graph's file while workers are at these: a page that is missed is waited for, and what lies around it is
//! fetched only then. So an iteration from a cold page cache takes as long as the reading or the computing, and not as both.

use super::Running;
use super::kernel::Kernel;
use super::side::Stored;
use crate::file::Id;
use crate::vertex::Values;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of edges that are on their way at most.
const WINDOW: u64 = 32 << 20;

/// How long a chunk may take that is in memory already: the system looks at each of its pages. Where it is, most of the next are not
/// asked for.
const LOOK: Duration = Duration::from_micros(5);
const LOOK_AT_PAGE: Duration = Duration::from_nanos(100);
const PAGE: usize = 4096;
const SKIPPED: usize = 16;

/// How long is waited while enough is on its way.
const REST: Duration = Duration::from_micros(500);

/// What the thread that reads is told.
#[derive(Default)]
pub(super) struct Ahead {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// How many iterations have begun.
    begun: u64,
    ended: bool,
}

impl Ahead {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An iteration over all vertices begins.
    pub(super) fn begin(&self) {
        self.state().begun += 1;
        self.changed.notify_all();
    }

    /// Waits for an iteration that has not been seen. False when there will be none.
    fn next(&self, seen: &mut u64) -> bool {
        let state = self.state();
        let waited = self.changed.wait_while(state, |state| state.begun == *seen && !state.ended);
        let state = waited.unwrap_or_else(PoisonError::into_inner);
        *seen = state.begun;
        !state.ended
    }

    /// Whether it goes on.
    fn is(&self, seen: u64) -> bool {
        let state = self.state();
        state.begun == seen && !state.ended
    }
}

/// Ends the thread, however the run ends.
pub(super) struct EndAhead<'a>(pub(super) &'a Ahead);

impl Drop for EndAhead<'_> {
    fn drop(&mut self) {
        self.0.state().ended = true;
        self.0.changed.notify_all();
    }
}

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// Whether it is worth a thread. Of a selective program nobody knows which blocks will be read.
    pub(super) fn reads_ahead(&self) -> bool {
        !self.needs.selective && self.graph.is_mapped()
    }

    /// What that thread does.
    pub(super) fn read_ahead(&self, ahead: &Ahead) {
        // Who may take little has little for files, too, as in a memory cgroup: what has no room is thrown away before it is looked at.
        let window = self.memory.map_or(WINDOW, |memory| WINDOW.min(memory / 8));
        let mut seen = 0;
        while ahead.next(&mut seen) {
            let mut chunk = 0;
            while ahead.is(seen) {
                let at = self.next.load(Ordering::Relaxed);
                chunk = chunk.max(at);
                let (Some(first), Some(blocks)) = (self.chunks.get(at), self.chunks.get(chunk)) else {
                    break;
                };
                // Of a damaged file they may be in any order.
                if self.bytes_before(blocks).saturating_sub(self.bytes_before(first)) > window {
                    std::thread::sleep(REST);
                    continue;
                }
                // What is not asked for is fetched with what lies around it, but where there is little memory.
                chunk += if self.was_there(blocks) && self.memory.is_none() { SKIPPED } else { 1 };
            }
        }
    }

    /// How many bytes incoming edges have before these blocks.
    fn bytes_before(&self, blocks: &Range<usize>) -> u64 {
        match &self.incoming.ids {
            Stored::Plain(_) => {
                (self.incoming.of(self.vertices_in(blocks).start).start * size_of::<I>()) as u64
            }
            Stored::Compressed(compressed) => compressed.bytes_before(blocks.start),
        }
    }

    /// Asks for the edges of these blocks. Whether they were in memory, by how long that took.
    pub(super) fn was_there(&self, blocks: &Range<usize>) -> bool {
        let vertices = self.vertices_in(blocks);
        let (began, mut pages) = (Instant::now(), 0);
        let outgoing = self.outgoing.as_ref().filter(|_| self.needs.outgoing && self.graph.is_directed());
        for side in [Some(&self.incoming), outgoing].into_iter().flatten() {
            let edges = side.of(vertices.start).start..side.of(vertices.end - 1).end;
            let bytes = match &side.ids {
                Stored::Plain(ids) => ids.get(edges.clone()).map(|ids| self.graph.will_need(ids)),
                Stored::Compressed(all) => {
                    all.bytes_of(blocks.clone()).map(|part| self.graph.will_need(part))
                }
            };
            let Some(bytes) = bytes.filter(|_| edges.start <= edges.end) else { continue };
            pages += bytes / PAGE;
            if let Values::Here(values) = side.values(edges) {
                pages += self.graph.will_need(values) / PAGE;
            }
        }
        began.elapsed() < LOOK + LOOK_AT_PAGE * pages as u32
    }
}
