use crate::primitive::raw;
use crate::{Kind, Layout};

/// A place in a sequence, C#'s `System.Index`: counted from its start or from its end.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Index(i32);

impl Index {
    /// This many items after the start. `None` above `i32::MAX`.
    pub fn from_start(items: usize) -> Option<Index> {
        i32::try_from(items).ok().map(Index)
    }

    /// This many items before the end. `None` above `i32::MAX`.
    #[must_use]
    pub fn from_end(items: usize) -> Option<Index> {
        i32::try_from(items).ok().map(|items| Index(!items))
    }

    /// Whether it counts from the end.
    #[must_use]
    pub const fn is_from_end(self) -> bool {
        self.0 < 0
    }

    /// The place in a sequence of `length` items. `None` when it lies outside.
    #[must_use]
    pub fn of(self, length: usize) -> Option<usize> {
        let place = if self.0 < 0 { length.checked_sub(!self.0 as usize)? } else { self.0 as usize };
        (place <= length).then_some(place)
    }
}

/// A part of a sequence, C#'s `System.Range`: from an [`Index`] to before another.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    /// Where it begins.
    pub start: Index,
    /// Where it ends: the first item that does not belong to it.
    pub end: Index,
}

raw!(
    Index,
    Layout { kind: Kind::Sequential, ..Layout::primitive(4) },
    |value, to| to.cast::<[u8; 4]>().write(value.0.to_le_bytes()),
    |from| Ok(Index(i32::from_le_bytes(from.cast::<[u8; 4]>().read())))
);

raw!(
    Range,
    Layout { align: 4, kind: Kind::Sequential, ..Layout::primitive(8) },
    |value, to| {
        to.cast::<[u8; 4]>().write(value.start.0.to_le_bytes());
        to.add(4).cast::<[u8; 4]>().write(value.end.0.to_le_bytes());
    },
    |from| Ok(Range {
        start: Index(i32::from_le_bytes(from.cast::<[u8; 4]>().read())),
        end: Index(i32::from_le_bytes(from.add(4).cast::<[u8; 4]>().read())),
    })
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_counts_from_either_side() {
        let (first, last) = (Index::from_start(1).unwrap(), Index::from_end(1).unwrap());
        assert_eq!((first.of(3), last.of(3)), (Some(1), Some(2)));
        assert_eq!((first.of(0), last.of(0)), (None, None));
        assert_eq!(Index::from_end(0).unwrap().of(3), Some(3));
        assert_eq!(Index::from_end(i32::MAX as usize).unwrap().of(3), None);
        assert_eq!(Index::from_start(i32::MAX as usize + 1), None);
        assert!(last.is_from_end() && !first.is_from_end());
    }
}
