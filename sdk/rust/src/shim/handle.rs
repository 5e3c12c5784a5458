use crate::caught::quietly;
use crate::shim::Fault;
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering, fence};

/// A type whose values another language holds by their address.
///
/// `Send` and `Sync`, because nothing keeps that language from using it on any thread, or on several at once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a handle",
    label = "another language may use it from several threads",
    note = "use `Arc` instead of `Rc`, `Mutex` or an atomic instead of `RefCell` or `Cell`"
)]
pub trait Handle: Send + Sync + 'static {}

/// One handle, and how it is used right now. Its address is that of the value.
#[repr(C)]
struct Owned<T> {
    value: UnsafeCell<T>,
    uses: AtomicU32,
}

/// One call has it as `&mut`.
const EXCLUSIVE: u32 = 1 << 30;
/// It was given back while calls used it: the last of them frees it.
const RELEASED: u32 = 1 << 31;

/// Hands a value out. It lives until [`release`].
pub fn own<T: Handle>(value: T) -> *mut T {
    Box::into_raw(Box::new(Owned { value: UnsafeCell::new(value), uses: AtomicU32::new(0) })).cast()
}

/// Takes a value back and drops it: at once, or at the end of the last call that uses it.
///
/// # Safety
/// `handle` must be null or come from [`own`], and not have been released before.
pub unsafe fn release<T: Handle>(handle: *mut T) {
    let Some(owned) = NonNull::new(handle.cast::<Owned<T>>()) else { return };
    // SAFETY: it comes from `own` and was not released, the caller says.
    if unsafe { owned.as_ref() }.uses.fetch_or(RELEASED, Ordering::AcqRel) == 0 {
        // SAFETY: nobody uses it, and nobody may begin to.
        unsafe { free(owned) };
    }
}

/// # Safety
/// `owned` must come from [`own`]; nobody may use it any more.
#[cold]
unsafe fn free<T>(owned: NonNull<Owned<T>>) {
    // SAFETY: the caller's promise.
    let owned = unsafe { Box::from_raw(owned.as_ptr()) };
    quietly(|| drop(owned));
}

/// Ends one use, and the handle if it was the last of a released one.
///
/// # Safety
/// `owned` must come from [`own`], and the caller must have counted `by` in its `uses`.
#[inline]
unsafe fn leave<T>(owned: NonNull<Owned<T>>, by: u32) {
    // SAFETY: a use that is counted keeps it.
    let before = unsafe { owned.as_ref() }.uses.fetch_sub(by, Ordering::Release);
    if before - by == RELEASED {
        fence(Ordering::Acquire);
        // SAFETY: released, and this was the last use.
        unsafe { free(owned) };
    }
}

/// A handle as `&T`, for one call.
pub struct Shared<'scope, T> {
    owned: NonNull<Owned<T>>,
    scope: PhantomData<&'scope T>,
}

impl<T: Handle> Shared<'_, T> {
    /// Counts one more reader, unless a call has it as `&mut`.
    ///
    /// # Safety
    /// `at` must come from [`own`], and not have been released before this call began.
    #[inline]
    pub unsafe fn of(at: *const T) -> Result<Self, Fault> {
        // SAFETY: what comes from `own` is not null.
        let owned = unsafe { NonNull::new_unchecked(at.cast_mut().cast::<Owned<T>>()) };
        // SAFETY: not released.
        let before = unsafe { owned.as_ref() }.uses.fetch_add(1, Ordering::Acquire);
        if before >= EXCLUSIVE {
            // SAFETY: counted just now.
            unsafe { leave(owned, 1) };
            return Err(refused::<T>(before));
        }
        Ok(Shared { owned, scope: PhantomData })
    }
}

impl<T> Deref for Shared<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: counted as a reader, so nobody has it as `&mut` and nobody frees it.
        unsafe { &*self.owned.as_ref().value.get() }
    }
}

impl<T> Drop for Shared<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: `of` has counted it.
        unsafe { leave(self.owned, 1) }
    }
}

/// A handle as `&mut T`, for one call.
pub struct Exclusive<'scope, T> {
    owned: NonNull<Owned<T>>,
    scope: PhantomData<&'scope mut T>,
}

impl<T: Handle> Exclusive<'_, T> {
    /// Marks it as used by this call alone, unless another uses it.
    ///
    /// # Safety
    /// `at` must come from [`own`], and not have been released before this call began.
    #[inline]
    pub unsafe fn of(at: *mut T) -> Result<Self, Fault> {
        // SAFETY: what comes from `own` is not null.
        let owned = unsafe { NonNull::new_unchecked(at.cast::<Owned<T>>()) };
        // SAFETY: not released.
        let uses = &unsafe { owned.as_ref() }.uses;
        match uses.compare_exchange(0, EXCLUSIVE, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Ok(Exclusive { owned, scope: PhantomData }),
            Err(before) => Err(refused::<T>(before)),
        }
    }
}

impl<T> Deref for Exclusive<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: marked as ours alone.
        unsafe { &*self.owned.as_ref().value.get() }
    }
}

impl<T> DerefMut for Exclusive<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: marked as ours alone.
        unsafe { &mut *self.owned.as_ref().value.get() }
    }
}

impl<T> Drop for Exclusive<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: `of` has marked it.
        unsafe { leave(self.owned, EXCLUSIVE) }
    }
}

#[cold]
fn refused<T>(before: u32) -> Fault {
    let name = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
    Fault::in_use(&if before & RELEASED != 0 {
        format!("the `{name}` was released")
    } else {
        format!("the `{name}` is in use by another call, and one of the two changes it")
    })
}
