use crate::Fault;
use crate::marks::{self, Mark};
use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use upcall_abi::caught::quietly;

/// A type whose values another language holds by their address.
///
/// `Send` and `Sync`, because nothing keeps that language from using it on any thread, or on several at once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a handle",
    label = "another language may use it from several threads",
    note = "use `Arc` instead of `Rc`, `Mutex` or an atomic instead of `RefCell` or `Cell`"
)]
pub trait Handle: Send + Sync + Sized + 'static {
    /// Whether it is used often and released seldom: calls mark it then ([`Marked`]), and do not count themselves.
    const MARKED: bool = false;

    /// The memory of those that were released.
    fn kept() -> &'static Kept<Self>;
}

/// The memory of one handle, and how it is used right now. Its address is that of the value.
///
/// It is never freed, but used again for another value of the same type: a call may have been entered with the
/// address and not counted yet when another thread releases it, and finds the counter all the same.
#[repr(C)]
struct Owned<T> {
    /// Initialised unless `uses` says [`GONE`].
    value: UnsafeCell<MaybeUninit<T>>,
    uses: AtomicU32,
}

// SAFETY: `uses` says who may use the value, which may be used from any thread.
unsafe impl<T: Handle> Sync for Owned<T> {}

/// One call has it as `&mut`.
const EXCLUSIVE: u32 = 1 << 29;
/// It was given back: when no call uses it any more, its value is dropped.
const RELEASED: u32 = 1 << 30;
/// Its value was dropped.
const GONE: u32 = RELEASED | 1 << 31;

/// Memory of released handles of one type, the longest released first.
pub struct Kept<T: 'static>(Mutex<VecDeque<&'static Owned<T>>>);

/// How many released handles keep their memory to themselves, so that a late call with the address of one is
/// told that it was released, and not given the next value.
const REST: usize = if cfg!(miri) { 8 } else { 256 };

impl<T> Kept<T> {
    /// None.
    #[expect(clippy::new_without_default, reason = "it is made in a static")]
    #[must_use]
    pub const fn new() -> Kept<T> {
        Kept(Mutex::new(VecDeque::new()))
    }

    fn list(&self) -> MutexGuard<'_, VecDeque<&'static Owned<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory whose value is gone.
    fn take(&self) -> &'static Owned<T> {
        let mut list = self.list();
        let rested = if list.len() > REST { list.pop_front() } else { None };
        drop(list);
        rested.unwrap_or_else(|| {
            let value = UnsafeCell::new(MaybeUninit::uninit());
            Box::leak(Box::new(Owned { value, uses: AtomicU32::new(GONE) }))
        })
    }
}

/// Hands a value out. It lives until [`release`].
pub fn own<T: Handle>(value: T) -> *mut T {
    let owned = T::kept().take();
    // SAFETY: gone, so nobody reads or writes the value, and the memory was taken by us alone.
    unsafe { (*owned.value.get()).write(value) };
    // Subtracted, as a late call may just be counting itself in and out.
    owned.uses.fetch_sub(GONE, Ordering::Release);
    (&raw const *owned).cast_mut().cast()
}

/// Takes a value back and drops it: at once, or at the end of the last call that uses it.
///
/// # Safety
/// `handle` must be null or come from [`own`], and not have been released before.
pub unsafe fn release<T: Handle>(handle: *mut T) {
    if handle.is_null() {
        return;
    }
    // SAFETY: what `own` has made is never freed.
    let owned: &'static Owned<T> = unsafe { &*handle.cast() };
    if owned.uses.fetch_or(RELEASED, Ordering::Release) == 0 {
        owned.end();
    }
}

impl<T: Handle> Owned<T> {
    /// Ends one use, and the value if it was the last of a released one.
    #[inline]
    fn leave(&'static self, by: u32) {
        let before = self.uses.fetch_sub(by, Ordering::Release);
        if before - by == RELEASED {
            self.end();
        }
    }

    /// Drops a released value, unless a call is counted, which then does it, or another has done it.
    #[cold]
    fn end(&'static self) {
        let take =
            || self.uses.compare_exchange(RELEASED, GONE, Ordering::Acquire, Ordering::Relaxed).is_ok();
        let is_last = if T::MARKED {
            let is_released = || self.uses.load(Ordering::Acquire) == RELEASED;
            marks::take_unmarked((&raw const *self).cast(), is_released, take)
        } else {
            take()
        };
        if !is_last {
            return;
        }
        // SAFETY: released and not used, and this is the one that has said so: nobody else gets at the value.
        quietly(|| unsafe { (*self.value.get()).assume_init_drop() });
        T::kept().list().push_back(self);
    }
}

/// A handle as `&T`, for one call.
pub struct Shared<'scope, T: Handle> {
    owned: &'static Owned<T>,
    scope: PhantomData<&'scope T>,
}

impl<T: Handle> Shared<'_, T> {
    /// Counts one more reader.
    ///
    /// # Errors
    /// A call has it as `&mut`, or it was released.
    ///
    /// # Safety
    /// `at` must come from [`own`].
    #[inline]
    pub unsafe fn of(at: *const T) -> Result<Self, Fault> {
        // SAFETY: what `own` has made is never freed.
        let owned = unsafe { &*at.cast::<Owned<T>>() };
        let before = owned.uses.fetch_add(1, Ordering::Acquire);
        if before >= EXCLUSIVE {
            owned.leave(1);
            return Err(refused::<T>(before));
        }
        Ok(Shared { owned, scope: PhantomData })
    }
}

impl<T: Handle> Deref for Shared<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: counted as a reader, so nobody has it as `&mut` and nobody drops it.
        unsafe { (*self.owned.value.get()).assume_init_ref() }
    }
}

impl<T: Handle> Drop for Shared<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owned.leave(1);
    }
}

/// A handle as `&T`, for one call that marks it where it can.
pub struct Marked<'scope, T: Handle> {
    owned: &'static Owned<T>,
    /// None where it is counted.
    mark: Option<Mark>,
    scope: PhantomData<&'scope T>,
}

impl<T: Handle> Marked<'_, T> {
    /// One more reader.
    ///
    /// # Errors
    /// It was released.
    ///
    /// # Safety
    /// `at` must come from [`own`].
    #[inline]
    pub unsafe fn of(at: *const T) -> Result<Self, Fault> {
        const { assert!(T::MARKED, "the release must look for marks") };
        // SAFETY: what `own` has made is never freed.
        let owned = unsafe { &*at.cast::<Owned<T>>() };
        let mark = Mark::put(at.cast());
        let before = match mark {
            Some(_) => owned.uses.load(Ordering::Acquire),
            None => owned.uses.fetch_add(1, Ordering::Acquire),
        };
        let held = Marked { owned, mark, scope: PhantomData };
        if before >= EXCLUSIVE { Err(refused::<T>(before)) } else { Ok(held) }
    }
}

impl<T: Handle> Deref for Marked<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: marked or counted, so that nobody drops it; and nobody has it as `&mut`, which there is not of such a type.
        unsafe { (*self.owned.value.get()).assume_init_ref() }
    }
}

impl<T: Handle> Drop for Marked<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let Some(mark) = self.mark else { return self.owned.leave(1) };
        mark.take();
        if self.owned.uses.load(Ordering::Acquire) == RELEASED {
            self.owned.end();
        }
    }
}

/// A handle as `&mut T`, for one call.
pub struct Exclusive<'scope, T: Handle> {
    owned: &'static Owned<T>,
    scope: PhantomData<&'scope mut T>,
}

impl<T: Handle> Exclusive<'_, T> {
    /// Marks it as used by this call alone.
    ///
    /// # Errors
    /// Another call uses it, or it was released.
    ///
    /// # Safety
    /// `at` must come from [`own`].
    #[inline]
    pub unsafe fn of(at: *mut T) -> Result<Self, Fault> {
        if T::MARKED {
            return Err(Fault::in_use("a `marked` type has no methods that take `&mut self`"));
        }
        // SAFETY: what `own` has made is never freed.
        let owned = unsafe { &*at.cast::<Owned<T>>() };
        match owned.uses.compare_exchange(0, EXCLUSIVE, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Ok(Exclusive { owned, scope: PhantomData }),
            Err(before) => Err(refused::<T>(before)),
        }
    }
}

impl<T: Handle> Deref for Exclusive<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: marked as ours alone.
        unsafe { (*self.owned.value.get()).assume_init_ref() }
    }
}

impl<T: Handle> DerefMut for Exclusive<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: marked as ours alone.
        unsafe { (*self.owned.value.get()).assume_init_mut() }
    }
}

impl<T: Handle> Drop for Exclusive<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owned.leave(EXCLUSIVE);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    /// A value that knows whether it is alive, on the heap, so that a use after its end is one of freed memory.
    struct Counter(Box<u64>);

    static DROPPED: AtomicUsize = AtomicUsize::new(0);

    impl Drop for Counter {
        fn drop(&mut self) {
            *self.0 = 0;
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }

    impl Handle for Counter {
        fn kept() -> &'static Kept<Counter> {
            static KEPT: Kept<Counter> = Kept::new();
            &KEPT
        }
    }

    /// An address as another language passes it around: to any thread.
    #[derive(Clone, Copy)]
    struct Address(*mut Counter);

    // SAFETY: a handle may be used from any thread.
    unsafe impl Send for Address {}

    /// What a call sees: the value, or why it was refused.
    fn read(Address(at): Address) -> Option<u64> {
        // SAFETY: it comes from `own`.
        unsafe { Shared::of(at) }.ok().map(|counter| *counter.0)
    }

    fn add(Address(at): Address) -> bool {
        // SAFETY: it comes from `own`.
        unsafe { Exclusive::of(at) }.map(|mut counter| *counter.0 += 1).is_ok()
    }

    fn end(Address(at): Address) {
        // SAFETY: it comes from `own`, and each is released once.
        unsafe { release(at) };
    }

    /// The same of a type whose handles calls mark.
    struct Seldom(Box<u64>);

    static ENDED: AtomicUsize = AtomicUsize::new(0);

    impl Drop for Seldom {
        fn drop(&mut self) {
            *self.0 = 0;
            ENDED.fetch_add(1, Ordering::Relaxed);
        }
    }

    impl Handle for Seldom {
        const MARKED: bool = true;

        fn kept() -> &'static Kept<Seldom> {
            static KEPT: Kept<Seldom> = Kept::new();
            &KEPT
        }
    }

    #[derive(Clone, Copy)]
    struct Place(*mut Seldom);

    // SAFETY: a handle may be used from any thread.
    unsafe impl Send for Place {}

    fn look(Place(at): Place) -> Option<u64> {
        // SAFETY: it comes from `own`.
        unsafe { Marked::of(at) }.ok().map(|seldom| {
            let before = *seldom.0;
            std::hint::spin_loop();
            assert_eq!(before, *seldom.0, "it ends while it is used");
            before
        })
    }

    fn give_back(Place(at): Place) {
        // SAFETY: it comes from `own`, and each is released once.
        unsafe { release(at) };
    }

    #[test]
    fn a_release_may_overtake_calls_that_have_marked_and_each_value_ends_once() {
        let rounds = REST + if cfg!(miri) { 20 } else { 5000 };
        for round in 0..rounds {
            let at = Place(own(Seldom(Box::new(7))));
            thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(move || {
                        for _ in 0..50 {
                            assert!(look(at).is_none_or(|seen| seen == 7));
                        }
                    });
                }
                scope.spawn(move || {
                    for _ in 0..round % 50 {
                        std::hint::spin_loop();
                    }
                    give_back(at);
                });
            });
            assert_eq!(look(at), None, "it was released");
            assert_eq!(ENDED.load(Ordering::Relaxed), round + 1);
        }

        // Within itself, as in a callback, and deeper than a thread has marks for; the last of them ends it.
        let at = Place(own(Seldom(Box::new(8))));
        // SAFETY: it comes from `own`.
        let mut held: Vec<_> = (0..7).map(|_| unsafe { Marked::of(at.0) }.ok()).collect();
        assert!(held.iter().all(Option::is_some));
        give_back(at);
        assert_eq!((look(at), ENDED.load(Ordering::Relaxed)), (None, rounds));
        while let Some(call) = held.pop() {
            assert_eq!(call.as_ref().map(|seldom| *seldom.0), Some(8));
        }
        assert_eq!(ENDED.load(Ordering::Relaxed), rounds + 1);
    }

    // One test, as the values are counted: Miri runs it with every address checked.
    #[test]
    fn a_release_may_overtake_calls_that_have_begun_and_each_value_ends_once() {
        let rounds = REST + if cfg!(miri) { 20 } else { 5000 };
        for _ in 0..rounds {
            let at = Address(own(Counter(Box::new(7))));
            thread::scope(|scope| {
                let calls = [(); 2].map(|()| {
                    scope.spawn(move || {
                        assert!(read(at).is_none_or(|seen| seen == 7 || seen == 8));
                        add(at)
                    })
                });
                scope.spawn(move || end(at));
                drop(calls);
            });
            assert_eq!((read(at), add(at)), (None, false), "it was released");
        }
        assert_eq!(DROPPED.load(Ordering::Relaxed), rounds);
        // What was released long ago is used again.
        assert_eq!(Counter::kept().list().len(), REST + 1);
    }
}
