use crate::body::IntoBody;
use crate::instance;
use std::marker::PhantomData;
use upcall_abi::{Blit, CombineFrame, CombineOpen, FrameHead, Instance, OpenFrame, Rel, Status, base, kind};

/// Bytes of room for an error's text.
const TEXT: usize = 4096;

/// Runs a handler that combines arrays of `T` without an engine, for its tests: the real driver, the real frames.
///
/// ```
/// use upcall::{CombineHarness, combine};
///
/// let sum = combine(|from: &[u64], into: &mut [u64]| {
///     into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
///     Ok(())
/// });
/// let mut harness = CombineHarness::<u64>::new(sum).unwrap();
/// let mut into = [1, 2, 3];
/// harness.combine(&[10, 20, 30], &mut into).unwrap();
/// assert_eq!(into, [11, 22, 33]);
/// ```
pub struct CombineHarness<T> {
    instance: Instance,
    of: PhantomData<fn(&[T])>,
}

impl<T: Blit> CombineHarness<T> {
    /// A harness for an instance made in this process, open.
    ///
    /// # Errors
    /// What the handler says when it is opened: it combines another type, or fails.
    pub fn new(handler: impl IntoBody) -> Result<CombineHarness<T>, String> {
        CombineHarness::of(instance(handler))
    }

    /// A harness for an instance that any host has made, open.
    ///
    /// # Errors
    /// As [`CombineHarness::new`].
    pub fn of(instance: Instance) -> Result<CombineHarness<T>, String> {
        let mut harness = CombineHarness { instance, of: PhantomData };
        let added = CombineOpen::new::<T>();
        let mut frame = OpenFrame::new(kind::COMBINE, "handler", std::ptr::null(), &added);
        // SAFETY: a whole frame of its kind, and what it points to lives until the call returns.
        unsafe { harness.call(&mut frame, |frame| &mut frame.head)? };
        Ok(harness)
    }

    /// Combines `from` into `into`.
    ///
    /// # Errors
    /// What the handler fails with.
    ///
    /// # Panics
    /// When they have not the same length.
    pub fn combine(&mut self, from: &[T], into: &mut [T]) -> Result<(), String> {
        let mut frame = CombineFrame::new(from, into);
        // SAFETY: as above; both arrays are the handler's meanwhile.
        unsafe { self.call(&mut frame, |frame| &mut frame.head) }
    }

    /// # Safety
    /// `frame` must be a whole frame of the kind that its head says, and what it points to alive.
    unsafe fn call<F>(&mut self, frame: &mut F, head: fn(&mut F) -> &mut FrameHead) -> Result<(), String> {
        let mut text = [0u8; TEXT];
        head(frame).error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
        // SAFETY: the caller's promise; the room for text lives as long.
        if unsafe { self.instance.call((&raw mut *frame).cast()) } == Status::OK {
            return Ok(());
        }
        let head = head(frame);
        // SAFETY: the text is ours, and nobody writes it any more.
        let (name, message, _) = unsafe { head.error.read(head.base[base::OUTPUT]) };
        Err(format!("{}: {}", String::from_utf8_lossy(name), String::from_utf8_lossy(message)))
    }
}

impl<T> Drop for CombineHarness<T> {
    fn drop(&mut self) {
        let mut close = FrameHead::new::<FrameHead>(kind::CLOSE);
        // SAFETY: a whole frame of its kind. What it answers has nobody left to be told.
        let _ = unsafe { self.instance.call(&mut close) };
    }
}
