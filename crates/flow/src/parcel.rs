//! Objects on their way: from a put or an emission to the owner of their keys, and on to handlers.

use crate::chunk::Chunk;
use crate::ticket::Claim;
use std::sync::Arc;
use upcall_abi::Item;

/// What bookkeeping an object in flight costs beside its key and value: an [`Item`] and a record's head.
pub(crate) const OVERHEAD: u64 = 80;

/// Objects of one pool, with the chunks that hold their bytes.
pub(crate) struct Parcel {
    pub(crate) pool: u32,
    /// Whether the pool's table takes them, if it has one.
    pub(crate) store: bool,
    /// `tag` is the key's hash.
    pub(crate) items: Vec<Item>,
    pub(crate) chunks: Vec<Arc<Chunk>>,
    /// Keys, values and [`OVERHEAD`] of all items.
    pub(crate) bytes: u64,
    /// Who waits for the version of which item, in order of items.
    pub(crate) claims: Vec<Claim>,
    pub(crate) times: Times,
    /// Whether the queues of the handlers on the pool count its items already.
    pub(crate) queued: bool,
}

/// When something was sent, in nanoseconds since the flow's start. Read once per batch: not later than the first
/// of the objects that it is about.
#[derive(Clone, Copy, Default)]
pub(crate) struct Times {
    /// The put from outside that it goes back to.
    pub(crate) put: u64,
    /// When it was put or emitted itself.
    pub(crate) sent: u64,
}

impl Times {
    pub(crate) fn earlier(self, other: Times) -> Times {
        Times { put: self.put.min(other.put), sent: self.sent.min(other.sent) }
    }
}

impl Parcel {
    /// One without items, of a pool whose table takes them.
    pub(crate) fn new(pool: u32, times: Times) -> Parcel {
        Parcel {
            pool,
            store: true,
            items: Vec::new(),
            chunks: Vec::new(),
            bytes: 0,
            claims: Vec::new(),
            times,
            queued: false,
        }
    }

    #[inline]
    pub(crate) fn hold(&mut self, chunk: &Arc<Chunk>) {
        if !self.chunks.last().is_some_and(|last| Arc::ptr_eq(last, chunk)) {
            self.hold_another(chunk);
        }
    }

    #[cold]
    fn hold_another(&mut self, chunk: &Arc<Chunk>) {
        self.chunks.push(chunk.clone());
    }
}

/// Versioned objects for one handler on one worker.
#[derive(Clone)]
pub(crate) struct Delivery {
    pub(crate) items: Vec<Item>,
    pub(crate) chunks: Vec<Arc<Chunk>>,
    pub(crate) bytes: u64,
    pub(crate) times: Times,
    /// Whether it is one item with memory of its own.
    pub(crate) own: bool,
}

impl Delivery {
    /// Another one of the same time, from the same chunks.
    pub(crate) fn without_items(&self) -> Delivery {
        Delivery { items: Vec::new(), chunks: self.chunks.clone(), bytes: 0, times: self.times, own: false }
    }
}

/// The chunks that some items lie in, of these, each once.
pub(crate) fn chunks_of<'c>(items: &[Item], chunks: impl Iterator<Item = &'c Arc<Chunk>>) -> Vec<Arc<Chunk>> {
    let mut chunks: Vec<(&Arc<Chunk>, bool)> = chunks.map(|chunk| (chunk, false)).collect();
    chunks.sort_unstable_by_key(|(chunk, _)| chunk.start());
    chunks.dedup_by_key(|(chunk, _)| chunk.start());
    for item in items {
        // Key and value lie side by side.
        let place = if item.value.len > 0 { item.value.offset } else { item.key.offset };
        let behind = chunks.partition_point(|(chunk, _)| chunk.start() <= place);
        if let Some((chunk, used)) = chunks[..behind].last_mut() {
            *used |= place < chunk.end();
        }
    }
    chunks.into_iter().filter(|(_, used)| *used).map(|(chunk, _)| chunk.clone()).collect()
}

/// Bytes that an item counts for.
#[inline]
pub(crate) fn weight(item: &Item) -> u64 {
    weight_of(item.key.len as usize, item.value.len as usize)
}

/// As [`weight`], from the lengths of key and value.
#[inline]
pub(crate) fn weight_of(key: usize, value: usize) -> u64 {
    key as u64 + value as u64 + OVERHEAD
}

/// The key of an item.
///
/// # Safety
/// The chunk that holds it must outlive `'a`.
#[inline]
pub(crate) unsafe fn key<'a>(item: &Item) -> &'a [u8] {
    // SAFETY: in-process offsets are addresses; the caller keeps the chunk.
    unsafe { item.key.get(0) }
}

/// The value of an item.
///
/// # Safety
/// The chunk that holds it must outlive `'a`.
#[inline]
pub(crate) unsafe fn value<'a>(item: &Item) -> &'a [u8] {
    // SAFETY: in-process offsets are addresses; the caller keeps the chunk.
    unsafe { item.value.get(0) }
}
