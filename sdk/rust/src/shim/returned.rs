use upcall_abi::{Blit, Buffer, Value};

/// What an exported function returns: a value, or a handle.
///
/// # Safety
/// Any bytes of `Raw`'s size are a `Raw`, zeroes among them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned by an exported function",
    label = "neither a value nor a handle",
    note = "a struct crosses with `#[repr(C)]` and `#[derive(Blit)]`, a fieldless enum with `#[repr(u8)]` or the like and `#[derive(Enum)]`",
    note = "a type becomes a handle by an `impl` block with `#[upcall::export]`"
)]
pub unsafe trait Returned: Sized {
    /// What crosses.
    type Raw;
    /// Gives it to the caller.
    fn give(self) -> Self::Raw;
}

// SAFETY: `Value` promises the same.
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
