use crate::{Extent, Fault};
use std::ops::{Deref, DerefMut};
use upcall_abi::{Blit, Invalid, Slice, SliceMut, Str, Value};

/// The length of one call: what arguments refer to lives as long, so that no function can keep it.
pub struct Scope(());

/// What an exported function may take by reference: a blittable struct, or a handle.
///
/// # Safety
/// The guards must not be made where the address cannot be used as they use it.
pub unsafe trait Referenced: Sized + 'static {
    /// Guards a `&Self`.
    type Shared<'scope>: Deref<Target = Self>;
    /// Guards a `&mut Self`.
    type Exclusive<'scope>: DerefMut<Target = Self>;

    /// For `&Self`.
    ///
    /// # Errors
    /// It is a handle that was released, or that a call has as `&mut`.
    ///
    /// # Safety
    /// `at` must be that of one, for `'scope`, and not be written meanwhile.
    unsafe fn shared<'scope>(at: *const Self) -> Result<Self::Shared<'scope>, Fault>;

    /// For `&mut Self`.
    ///
    /// # Errors
    /// It is a handle that was released, or that another call uses.
    ///
    /// # Safety
    /// `at` must be that of one, for `'scope`; a blittable one must not be read or written by others meanwhile.
    unsafe fn exclusive<'scope>(at: *mut Self) -> Result<Self::Exclusive<'scope>, Fault>;
}

// SAFETY: any bytes are a value, so an address is all that it takes.
#[diagnostic::do_not_recommend]
unsafe impl<T: Blit> Referenced for T {
    type Shared<'scope> = &'scope T;
    type Exclusive<'scope> = &'scope mut T;

    #[inline]
    unsafe fn shared<'scope>(at: *const T) -> Result<&'scope T, Fault> {
        // SAFETY: the caller's promise.
        Ok(unsafe { &*at })
    }

    #[inline]
    unsafe fn exclusive<'scope>(at: *mut T) -> Result<&'scope mut T, Fault> {
        // SAFETY: the caller's promise.
        Ok(unsafe { &mut *at })
    }
}

/// The address of a struct for a callback.
#[inline]
pub fn lend<T: Blit>(value: &T) -> *const T {
    value
}

/// The address of a struct for a callback that may write it.
#[inline]
pub fn lend_mut<T: Blit>(value: &mut T) -> *mut T {
    value
}

/// Each method makes one argument of what has crossed; `name` is the parameter's.
///
/// # Safety
/// An address, if it is neither null nor misaligned, must be that of what the type says, and stay so for the scope;
/// what is borrowed mutably, nobody else may use meanwhile.
impl Scope {
    pub(super) fn new() -> Scope {
        Scope(())
    }

    /// By value.
    ///
    /// # Errors
    /// The bits are no `T`.
    #[inline]
    pub fn value<T: Value>(&self, name: &str, raw: T::Raw) -> Result<T, Fault> {
        T::check(raw).map_err(|why| Fault::invalid(name, why))
    }

    /// `&str`.
    ///
    /// # Errors
    /// The address is null, though there are bytes, or they are not UTF-8.
    ///
    /// # Safety
    /// As the [`Scope`] says.
    #[inline]
    pub unsafe fn text(&self, name: &str, raw: Str) -> Result<&str, Fault> {
        // SAFETY: the caller's promise.
        unsafe { raw.get() }.map_err(|why| Fault::invalid(name, why))
    }

    /// `&[T]`.
    ///
    /// # Errors
    /// The address is null, though there are elements, or misaligned, or the slice is too long.
    ///
    /// # Safety
    /// As the [`Scope`] says.
    #[inline]
    pub unsafe fn slice<T: Blit>(&self, name: &str, raw: Slice<T>) -> Result<&[T], Fault> {
        // SAFETY: the caller's promise.
        unsafe { raw.get() }.map_err(|why| Fault::invalid(name, why))
    }

    /// `&mut [T]`.
    ///
    /// # Errors
    /// As [`Scope::slice`].
    ///
    /// # Safety
    /// As the [`Scope`] says.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "the scope only lends its lifetime")]
    pub unsafe fn slice_mut<T: Blit>(&self, name: &str, raw: SliceMut<T>) -> Result<&mut [T], Fault> {
        // SAFETY: the caller's promise.
        unsafe { raw.get() }.map_err(|why| Fault::invalid(name, why))
    }

    /// `&T`.
    ///
    /// # Errors
    /// The address is null or misaligned, or as [`Referenced::shared`].
    ///
    /// # Safety
    /// As the [`Scope`] says.
    #[inline]
    pub unsafe fn reference<T: Referenced>(&self, name: &str, at: *const T) -> Result<T::Shared<'_>, Fault> {
        check(name, at)?;
        // SAFETY: the caller's promise.
        unsafe { T::shared(at) }
    }

    /// `&mut T`.
    ///
    /// # Errors
    /// The address is null or misaligned, or as [`Referenced::exclusive`].
    ///
    /// # Safety
    /// As the [`Scope`] says.
    #[inline]
    pub unsafe fn reference_mut<T: Referenced>(
        &self,
        name: &str,
        at: *mut T,
    ) -> Result<T::Exclusive<'_>, Fault> {
        check(name, at)?;
        // SAFETY: the caller's promise.
        unsafe { T::exclusive(at) }
    }

    /// `Option<&T>`.
    ///
    /// # Errors
    /// The address is misaligned, or as [`Referenced::shared`].
    ///
    /// # Safety
    /// As the [`Scope`] says.
    #[inline]
    pub unsafe fn optional<T: Referenced>(
        &self,
        name: &str,
        at: *const T,
    ) -> Result<Option<T::Shared<'_>>, Fault> {
        if at.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller's promise.
        unsafe { self.reference(name, at) }.map(Some)
    }

    /// `Option<&mut T>`.
    ///
    /// # Errors
    /// The address is misaligned, or as [`Referenced::exclusive`].
    ///
    /// # Safety
    /// As the [`Scope`] says.
    #[inline]
    pub unsafe fn optional_mut<T: Referenced>(
        &self,
        name: &str,
        at: *mut T,
    ) -> Result<Option<T::Exclusive<'_>>, Fault> {
        if at.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller's promise.
        unsafe { self.reference_mut(name, at) }.map(Some)
    }

    /// The address of a C function.
    ///
    /// # Errors
    /// It is null.
    #[inline]
    pub fn function<F>(&self, name: &str, raw: Option<F>) -> Result<F, Fault> {
        raw.ok_or_else(|| Fault::invalid(name, Invalid::Null))
    }

    /// Refuses two arguments that share bytes of which the function may write some.
    ///
    /// # Errors
    /// They do.
    #[inline]
    pub fn apart(&self, (first, at): (&str, Extent), (second, other): (&str, Extent)) -> Result<(), Fault> {
        if at.overlaps(other) { Err(Fault::overlap(first, second)) } else { Ok(()) }
    }
}

/// What a callback has returned.
///
/// # Panics
/// If it is no `T`. During an exported function the barrier makes a failure of that, as there is no other way out of
/// the function that called; elsewhere it is a panic of the thread that called.
#[inline]
pub fn returned<T: Value>(name: &str, raw: T::Raw) -> T {
    match T::check(raw) {
        Ok(value) => value,
        Err(why) => panic!("callback `{name}` returned what it cannot: {why}"),
    }
}

#[inline]
fn check<T>(name: &str, at: *const T) -> Result<(), Fault> {
    if at.is_null() {
        Err(Fault::invalid(name, Invalid::Null))
    } else if !at.is_aligned() {
        Err(Fault::invalid(name, Invalid::Misaligned { align: align_of::<T>() }))
    } else {
        Ok(())
    }
}
