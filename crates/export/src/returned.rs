use upcall_abi::{Blit, Buffer, Value};

/// What an exported function returns: a value, or a handle.
///
/// # Safety
/// Any bytes of `Raw`'s size are a `Raw`, zeroes among them.
pub unsafe trait Returned: Sized {
    /// What crosses.
    type Raw;
    /// Gives it to the caller.
    fn give(self) -> Self::Raw;
}

// SAFETY: `Value` promises the same.
#[diagnostic::do_not_recommend]
unsafe impl<T: Value> Returned for T {
    type Raw = T::Raw;

    #[inline]
    fn give(self) -> T::Raw {
        self.raw()
    }
}

/// Elements for the caller.
#[inline]
pub fn buffer<T: Blit>(vec: Vec<T>) -> Buffer<T> {
    vec.into()
}
