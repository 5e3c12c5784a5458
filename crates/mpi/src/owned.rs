//! Buffers that a request may own.

use crate::buf::Buf;
use upcall_abi::Blit;

/// Elements in memory of their own, which stays where it is when they are moved: a `Vec<T>`, a `Box<[T]>` or a [`Buf<T>`].
pub trait Owned: sealed::Fixed + Send + 'static {
    /// What it has many of.
    type Element: Blit;

    /// Its elements.
    fn elements(&self) -> &[Self::Element];

    /// The same, to be changed.
    fn elements_mut(&mut self) -> &mut [Self::Element];
}

mod sealed {
    /// Its elements do not move with it.
    pub trait Fixed {}
}

macro_rules! owned {
    ($($type:ty)*) => {$(
        impl<T: Blit + Send> sealed::Fixed for $type {}

        impl<T: Blit + Send> Owned for $type {
            type Element = T;

            fn elements(&self) -> &[T] {
                self
            }

            fn elements_mut(&mut self) -> &mut [T] {
                self
            }
        }
    )*};
}
owned!(Vec<T> Box<[T]> Buf<T>);
