/// Where an argument's memory lies.
#[derive(Clone, Copy)]
pub struct Extent {
    start: usize,
    bytes: usize,
}

impl Extent {
    /// `len` values at `data`.
    #[inline]
    pub fn of<T>(data: *const T, len: usize) -> Extent {
        Extent { start: data.addr(), bytes: len.saturating_mul(size_of::<T>()) }
    }

    /// Whether a byte lies in both.
    #[inline]
    #[must_use]
    pub fn overlaps(self, other: Extent) -> bool {
        self.bytes > 0
            && other.bytes > 0
            && self.start < other.start.saturating_add(other.bytes)
            && other.start < self.start.saturating_add(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::Extent;

    #[test]
    fn extents_overlap_when_they_share_a_byte() {
        let at = |start, bytes| Extent { start, bytes };
        assert!(at(100, 10).overlaps(at(109, 1)));
        assert!(at(109, 1).overlaps(at(100, 10)));
        assert!(at(100, 10).overlaps(at(100, 10)));
        assert!(!at(100, 10).overlaps(at(110, 10)));
        assert!(!at(105, 0).overlaps(at(100, 10)));
        assert!(at(100, usize::MAX).overlaps(at(usize::MAX - 1, 1)));
    }
}
