use crate::columns::Columns;
use crate::soa::Soa;
use crate::vec::SoaVec;
use crate::visit::Move;

impl<T: Soa> SoaVec<T> {
    /// Keeps the rows for which `keep` returns true, in order, and drops the others.
    ///
    /// If `keep` or a `drop` panics, the rows that were not looked at are kept.
    pub fn retain(&mut self, mut keep: impl FnMut(T::Ref<'_>) -> bool) {
        // SAFETY: the row is there, and nobody else looks at it.
        self.retain_at(|at, index| keep(T::row(unsafe { T::Columns::get(at, index) })));
    }

    /// As [`retain`](SoaVec::retain), where `keep` may write the row.
    pub fn retain_mut(&mut self, mut keep: impl FnMut(T::RefMut<'_>) -> bool) {
        // SAFETY: the row is there, and nobody else looks at it.
        self.retain_at(|at, index| keep(T::row_mut(unsafe { T::Columns::get_mut(at, index) })));
    }

    fn retain_at(&mut self, mut keep: impl FnMut(<T::Columns as Columns>::Pointers, usize) -> bool) {
        let len = std::mem::take(&mut self.rows.len);
        let mut gap = Gap { vec: self, kept: 0, next: 0, len };
        while gap.next < len {
            let (at, index) = (gap.vec.rows.at, gap.next);
            if keep(at, index) {
                gap.keep(1);
            } else {
                gap.next += 1;
                // SAFETY: it is a row, and nobody's once it is in the gap.
                unsafe { T::Columns::drop(at, index, 1) };
            }
        }
    }
}

/// While rows are looked at: `kept` rows, a gap up to `next`, and rows up to `len`. The container has no rows
/// meanwhile. The gap is closed when this is dropped, even by a panic.
struct Gap<'a, T: Soa> {
    vec: &'a mut SoaVec<T>,
    kept: usize,
    next: usize,
    len: usize,
}

impl<T: Soa> Gap<'_, T> {
    /// Moves the next rows to the kept ones.
    fn keep(&mut self, rows: usize) {
        if self.kept < self.next && rows > 0 {
            // SAFETY: they are rows, and what is in the gap is not.
            unsafe {
                T::Columns::map(self.vec.rows.at, &mut Move { from: self.next, to: self.kept, len: rows });
            }
        }
        self.kept += rows;
        self.next += rows;
    }
}

impl<T: Soa> Drop for Gap<'_, T> {
    fn drop(&mut self) {
        self.keep(self.len - self.next);
        self.vec.rows.len = self.kept;
    }
}
