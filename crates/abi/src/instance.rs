use crate::{Entry, FrameHead, Status};
use core::marker::PhantomData;

/// One instance of a handler: an [`Entry`] with an owner, used on this thread only and released when dropped.
///
/// It cannot be copied, so nothing is released twice:
///
/// ```compile_fail,E0382
/// fn twice(instance: upcall_abi::Instance) {
///     drop(instance);
///     drop(instance);
/// }
/// ```
#[derive(Debug)]
pub struct Instance {
    entry: Entry,
    not_send: PhantomData<*mut ()>,
}

impl Instance {
    /// Takes ownership of an entry.
    ///
    /// # Safety
    /// `entry.call` must answer valid frames as the boundary says, on this thread, and nobody else may use or
    /// release it.
    #[must_use]
    pub unsafe fn new(entry: Entry) -> Instance {
        Instance { entry, not_send: PhantomData }
    }

    /// Calls the handler.
    ///
    /// # Safety
    /// `frame` must be the start of a frame of the type that its kind indicates, valid until the call returns, or
    /// until it is completed if it is answered with [`Status::PENDING`]; the services of an OPEN frame until CLOSE has returned.
    #[inline]
    pub unsafe fn call(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the promises of `new` and of the caller; `&mut self` makes it one call at a time.
        unsafe { (self.entry.call)(self.entry.state, frame) }
    }

    /// Gives the entry away, and with it the duty to release it.
    #[must_use]
    pub fn into_entry(self) -> Entry {
        let instance = core::mem::ManuallyDrop::new(self);
        // SAFETY: the instance is neither used nor dropped any more.
        unsafe { core::ptr::read(&raw const instance.entry) }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some(release) = self.entry.release {
            // SAFETY: it is ours, and this is its last use.
            unsafe { release(self.entry.state) };
        }
    }
}
