use crate::{DescribeFrame, FlowFrame, Frame, FrameHead, Output, Record, Records, Status};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// Memory that a chunk of a [`Chain`] is.
///
/// # Safety
/// From `start` to `end` lies memory of the chunk's own, aligned to 8, that may be written through these addresses, does
/// not move with the chunk, and is freed with it.
pub unsafe trait Chunk {
    /// The address of the first byte.
    fn start(&self) -> u64;

    /// The address behind the last byte.
    fn end(&self) -> u64;
}

// SAFETY: the memory is that of the chunk inside.
unsafe impl<C: Chunk> Chunk for Arc<C> {
    fn start(&self) -> u64 {
        C::start(self)
    }

    fn end(&self) -> u64 {
        C::end(self)
    }
}

/// A chunk of the global allocator.
#[derive(Debug)]
struct Block(NonNull<[MaybeUninit<u64>]>);

impl Block {
    /// At least this many bytes.
    fn new(bytes: u64) -> Block {
        Block(NonNull::from(Box::leak(Box::new_uninit_slice(bytes.div_ceil(8) as usize))))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `new` leaked it.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

// SAFETY: it is plain memory of its own.
unsafe impl Send for Block {}

// SAFETY: words of its own behind a pointer that may write, until it is dropped.
unsafe impl Chunk for Block {
    fn start(&self) -> u64 {
        self.0.as_ptr().cast::<u64>().expose_provenance() as u64
    }

    fn end(&self) -> u64 {
        self.start() + 8 * self.0.len() as u64
    }
}

/// The chunks behind a frame's [`Output`]: what an engine's `grow` opens, and what a driver has written into them.
#[derive(Debug)]
pub struct Chain<C> {
    filled: Vec<Filled<C>>,
}

/// The part of a chunk that a call has written.
#[derive(Debug)]
pub struct Filled<C> {
    /// The chunk.
    pub chunk: C,
    from: u64,
    to: u64,
}

impl<C: Chunk> Filled<C> {
    /// The records.
    pub fn records(&self) -> Records<'_> {
        // SAFETY: `Chain::finish` was promised that from..to was written, and checked both against the chunk's ends.
        unsafe {
            let start = core::ptr::with_exposed_provenance(self.from as usize);
            Records::written(start, (self.to - self.from) as usize)
        }
    }
}

impl<C> Default for Chain<C> {
    fn default() -> Chain<C> {
        Chain { filled: Vec::new() }
    }
}

impl<C: Chunk> Chain<C> {
    /// Makes an output ready for a call: it goes on in the first chunk, from its start where `free` says that nobody
    /// holds what was written before. False when there is no chunk: [`Chain::open`] one.
    pub fn resume(&mut self, out: &mut Output, free: impl FnOnce(&mut C) -> bool) -> bool {
        out.chunk = 0;
        let Some(first) = self.filled.first_mut() else { return false };
        first.from = if free(&mut first.chunk) { first.chunk.start() } else { first.to };
        first.to = first.from;
        (out.at, out.end) = (first.from, first.chunk.end());
        true
    }

    /// Opens a chunk after the current one, of which it keeps how far it was filled, and forgets what a driver that went
    /// back has left there. [`Status::FAILED`] when the output names a chunk that was never opened.
    pub fn open(&mut self, out: &mut Output, chunk: C) -> Status {
        let mut next = 0;
        if !self.filled.is_empty() {
            let Some(current) = self.filled.get_mut(out.chunk as usize) else { return Status::FAILED };
            current.to = out.at.clamp(current.from, current.chunk.end());
            next = out.chunk + 1;
        }
        self.filled.truncate(next as usize);
        let (from, end) = (chunk.start(), chunk.end());
        (out.at, out.end, out.chunk) = (from, end, next);
        self.filled.push(Filled { chunk, from, to: from });
        Status::OK
    }

    /// After the call: what was written.
    ///
    /// # Errors
    /// The guest left the output in a state that it cannot have.
    ///
    /// # Safety
    /// Whoever wrote has written whole records from where the output stood to where it stands: a driver.
    pub unsafe fn finish(&mut self, out: &Output) -> Result<&[Filled<C>], &'static str> {
        let current = out.chunk as usize;
        let Some(filled) = self.filled.get_mut(current) else {
            return Err("the output names a chunk that was never opened");
        };
        if out.at < filled.from || out.at > filled.chunk.end() {
            return Err("the output ends outside its chunk");
        }
        if !out.at.is_multiple_of(8) {
            return Err("the output ends at an address that is not a multiple of 8");
        }
        filled.to = out.at;
        Ok(&self.filled[..=current])
    }

    /// As [`Chain::finish`], of a driver that was ended while it wrote: the output ends before the first record that does
    /// not count.
    ///
    /// # Errors
    /// As [`Chain::finish`]; or a record does not fit.
    ///
    /// # Safety
    /// As [`Chain::finish`], for the records that count.
    pub unsafe fn finish_while(
        &mut self,
        out: &mut Output,
        mut counts: impl FnMut(&Record) -> bool,
    ) -> Result<&[Filled<C>], &'static str> {
        // SAFETY: the caller's promise.
        let parts = unsafe { self.finish(out)? };
        let mut end = None;
        'parts: for (chunk, part) in (0u32..).zip(parts) {
            let mut records = part.records();
            while let Some(record) = records.next_whole() {
                let (head, whole) = record.map_err(|_| "the output holds a record that does not fit")?;
                if !counts(&head) {
                    end = Some((chunk, whole.as_ptr().addr() as u64));
                    break 'parts;
                }
            }
        }
        if let Some((chunk, at)) = end {
            (out.chunk, out.at) = (chunk, at);
            self.filled[chunk as usize].to = at;
        }
        Ok(&self.filled[..=out.chunk as usize])
    }

    /// Forgets all chunks but the one that the next call goes on in: the last that `keep` likes.
    pub fn recycle(&mut self, out: &Output, keep: impl Fn(&C) -> bool) {
        self.filled.truncate(out.chunk as usize + 1);
        if let Some(last) = self.filled.iter().rposition(|filled| keep(&filled.chunk)) {
            self.filled.swap(0, last);
        }
        self.filled.truncate(1);
    }

    /// Forgets all chunks: the guest may have left them in any state.
    pub fn discard(&mut self) {
        self.filled.clear();
    }
}

/// A frame that a driver emits into.
///
/// # Safety
/// It is `repr(C)` and begins with a [`FrameHead`], and `out` is always the same field.
pub unsafe trait Emitting {
    /// Its output.
    fn out(&mut self) -> &mut Output;
}

// SAFETY: as its layout says.
unsafe impl Emitting for FlowFrame {
    fn out(&mut self) -> &mut Output {
        &mut self.out
    }
}

// SAFETY: as its layout says.
unsafe impl Emitting for DescribeFrame {
    fn out(&mut self) -> &mut Output {
        &mut self.out
    }
}

/// Head, key and value of a record.
pub type Written<'a> = (Record, &'a [u8], &'a [u8]);

/// A frame and the chunks that its output is written into, for whoever calls a handler without an engine.
#[repr(C)]
#[derive(Debug)]
pub struct Chained<F> {
    /// What the handler is given.
    pub frame: F,
    chain: Chain<Block>,
}

// SAFETY: it begins with a frame, which begins with its head.
unsafe impl<F: Frame> Frame for Chained<F> {
    fn head(&mut self) -> &mut FrameHead {
        self.frame.head()
    }
}

impl<F: Emitting> Chained<F> {
    /// Bytes of an ordinary chunk. Small, so that tests meet more than one.
    const CHUNK: u64 = 4096;

    /// The frame with a first chunk; boxed, as its output's `grow` finds the chain behind its address.
    pub fn new(mut frame: F) -> Box<Chained<F>> {
        frame.out().grow = Some(Chained::<F>::grow);
        let mut chained = Box::new(Chained { frame, chain: Chain::default() });
        let Chained { frame, chain } = &mut *chained;
        chain.open(frame.out(), Block::new(Self::CHUNK));
        chained
    }

    /// The frame, for the call.
    pub fn start(&mut self) -> *mut FrameHead {
        (&raw mut *self).cast()
    }

    /// What was written: head, key and value of each record.
    ///
    /// # Errors
    /// What the driver did wrong.
    ///
    /// # Safety
    /// As [`Chain::finish`].
    pub unsafe fn records(&mut self) -> Result<Vec<Written<'_>>, &'static str> {
        let Chained { frame, chain } = self;
        // SAFETY: the caller's promise.
        let records = unsafe { chain.finish(frame.out())? }.iter().flat_map(Filled::records);
        records.map(|record| record.map_err(|_| "the driver wrote a record that does not fit")).collect()
    }

    unsafe extern "C" fn grow(frame: *mut FrameHead, need: u64) -> Status {
        // SAFETY: `frame` is the start of the Chained that `start` gave out, which lives through the call.
        let Chained { frame, chain } = unsafe { &mut *frame.cast::<Chained<F>>() };
        chain.open(frame.out(), Block::new(need.max(Self::CHUNK)))
    }
}
