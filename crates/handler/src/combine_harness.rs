use crate::body::IntoBody;
use crate::instance;
use std::marker::PhantomData;
use upcall_abi::{Blit, CallFailed, CombineFrame, CombineOpen, FrameHead, Instance, OpenFrame, kind};

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
    pub fn new(handler: impl IntoBody) -> Result<CombineHarness<T>, CallFailed> {
        CombineHarness::of(instance(handler))
    }

    /// A harness for an instance that any host has made, open.
    ///
    /// # Errors
    /// As [`CombineHarness::new`].
    pub fn of(instance: Instance) -> Result<CombineHarness<T>, CallFailed> {
        let mut harness = CombineHarness { instance, of: PhantomData };
        let added = CombineOpen::new::<T>();
        let mut frame = OpenFrame::new(kind::COMBINE, "handler", std::ptr::null(), &added);
        // SAFETY: a whole frame of its kind, and what it points to lives until the call returns.
        unsafe { harness.instance.ask(&mut frame)? };
        Ok(harness)
    }

    /// Combines `from` into `into`.
    ///
    /// # Errors
    /// What the handler fails with.
    ///
    /// # Panics
    /// When they have not the same length.
    pub fn combine(&mut self, from: &[T], into: &mut [T]) -> Result<(), CallFailed> {
        let mut frame = CombineFrame::new(from, into);
        // SAFETY: as above; both arrays are the handler's meanwhile.
        unsafe { self.instance.ask(&mut frame) }
    }
}

impl<T> Drop for CombineHarness<T> {
    fn drop(&mut self) {
        let mut close = FrameHead::new::<FrameHead>(kind::CLOSE);
        // SAFETY: a whole frame of its kind. What it answers has nobody left to be told.
        let _ = unsafe { self.instance.call(&mut close) };
    }
}
