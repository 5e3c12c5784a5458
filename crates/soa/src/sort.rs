use crate::columns::Columns;
use crate::rows::Rows;
use crate::soa::Soa;
use crate::visit::Permute;
use std::cmp::Ordering;

impl<T: Soa> Rows<T> {
    /// Sorts the rows; those that compare as equal stay in order.
    ///
    /// Only the columns that `compare` reads are read to find the order; then each column is moved once. If
    /// `compare` panics, no row has moved.
    ///
    /// # Panics
    /// If `compare` does, or is not an order.
    pub fn sort_by(&mut self, mut compare: impl FnMut(T::Ref<'_>, T::Ref<'_>) -> Ordering) {
        let mut order: Vec<usize> = (0..self.len).collect();
        let row = |index| {
            // SAFETY: the row is there, and borrowed.
            T::row(unsafe { T::Columns::get(self.at, index) })
        };
        order.sort_by(|a, b| compare(row(*a), row(*b)));
        // SAFETY: each row's index is given once.
        unsafe { T::Columns::map(self.at, &mut Permute(&order)) };
    }

    /// Sorts the rows by a key, a column for example; those with the same key stay in order.
    ///
    /// `key` is asked once for each row. If it panics, no row has moved.
    ///
    /// # Panics
    /// If `key` or its comparison does.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(T::Ref<'_>) -> K) {
        let mut keys: Vec<(K, usize)> = self.iter().map(key).zip(0..).collect();
        keys.sort_by(|a, b| a.0.cmp(&b.0));
        let order: Vec<usize> = keys.into_iter().map(|(_, index)| index).collect();
        // SAFETY: each row's index is given once.
        unsafe { T::Columns::map(self.at, &mut Permute(&order)) };
    }
}
