use crate::rows::Rows;
use crate::soa::Soa;
use crate::vec::SoaVec;
use std::ops::{Deref, DerefMut};

/// Rows in one allocation that never grows: the `Box<[T]>` of [`Soa`].
pub struct SoaBox<T: Soa>(SoaVec<T>);

impl<T: Soa> SoaBox<T> {
    /// The same rows in the same memory, which may grow from now on.
    pub fn into_vec(self) -> SoaVec<T> {
        self.0
    }
}

impl<T: Soa> Deref for SoaBox<T> {
    type Target = Rows<T>;

    #[inline]
    fn deref(&self) -> &Rows<T> {
        &self.0
    }
}

impl<T: Soa> DerefMut for SoaBox<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Rows<T> {
        &mut self.0
    }
}

impl<T: Soa> Default for SoaBox<T> {
    fn default() -> Self {
        SoaBox(SoaVec::new())
    }
}

impl<T: Soa> From<SoaVec<T>> for SoaBox<T> {
    fn from(mut rows: SoaVec<T>) -> SoaBox<T> {
        rows.shrink_to_fit();
        SoaBox(rows)
    }
}

impl<T: Soa> From<SoaBox<T>> for SoaVec<T> {
    fn from(rows: SoaBox<T>) -> SoaVec<T> {
        rows.into_vec()
    }
}
