#[cfg(feature = "std")]
use super::date_time::utc;
use super::{DateTime, DateTimeKind, TimeSpan};
use crate::primitive::raw;
use crate::{Invalid, Kind, Layout};
use core::fmt;
#[cfg(feature = "std")]
use std::time::SystemTime;

/// A moment and the clock it was read from, C#'s `DateTimeOffset`: universal time and an offset in minutes.
///
/// ```
/// use upcall_pack::{DateOnly, DateTime, DateTimeKind, DateTimeOffset, TimeOnly};
///
/// let local = DateTime::of(DateOnly::new(2024, 1, 1).unwrap(), TimeOnly::MIN, DateTimeKind::Unspecified);
/// let time = DateTimeOffset::from_local(local, 9 * 60).unwrap();
/// assert_eq!(time.utc().to_string(), "2023-12-31T15:00:00Z");
/// assert_eq!(time.to_string(), "2024-01-01T00:00:00+09:00");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DateTimeOffset {
    utc: i64,
    offset: i16,
}

const MINUTE: i64 = 60 * TimeSpan::TICKS_PER_SECOND;
/// .NET allows 14 hours either way.
const FARTHEST: i16 = 14 * 60;

impl DateTimeOffset {
    /// The moment of `utc_ticks` (100 nanoseconds each, since 0001-01-01, universal time), read from a clock that
    /// is `offset` minutes ahead. `None` when the offset is beyond 14 hours, or either time beyond the years 1 to
    /// 9999.
    #[must_use]
    pub fn new(utc_ticks: i64, offset: i16) -> Option<DateTimeOffset> {
        DateTime::new(utc_ticks, DateTimeKind::Utc)?;
        DateTime::new(utc_ticks.checked_add(i64::from(offset) * MINUTE)?, DateTimeKind::Unspecified)?;
        (-FARTHEST..=FARTHEST).contains(&offset).then_some(DateTimeOffset { utc: utc_ticks, offset })
    }

    /// From what a clock showed that is `offset` minutes ahead of universal time. The kind is ignored.
    /// `None` as for [`new`](Self::new).
    #[must_use]
    pub fn from_local(local: DateTime, offset: i16) -> Option<DateTimeOffset> {
        DateTimeOffset::new(local.ticks().checked_sub(i64::from(offset) * MINUTE)?, offset)
    }

    /// A moment, with no offset, cut to whole ticks. `None` when it is not in the years 1 to 9999.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn from_system_time(time: SystemTime) -> Option<DateTimeOffset> {
        DateTimeOffset::new(DateTime::from_system_time(time)?.ticks(), 0)
    }

    /// The moment.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn to_system_time(self) -> Option<SystemTime> {
        utc(self.utc)
    }

    /// Universal time, in ticks of 100 nanoseconds since 0001-01-01.
    #[must_use]
    pub const fn utc_ticks(self) -> i64 {
        self.utc
    }

    /// Minutes that the clock is ahead of universal time.
    #[must_use]
    pub const fn offset(self) -> i16 {
        self.offset
    }

    /// The same moment in universal time.
    #[must_use]
    pub fn utc(self) -> DateTime {
        DateTime::new(self.utc, DateTimeKind::Utc).unwrap_or_default()
    }

    /// What the clock showed.
    #[must_use]
    pub fn local(self) -> DateTime {
        let ticks = self.utc + i64::from(self.offset) * MINUTE;
        DateTime::new(ticks, DateTimeKind::Unspecified).unwrap_or_default()
    }
}

impl fmt::Display for DateTimeOffset {
    /// As in ISO 8601: `2024-01-01T00:00:00+09:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.offset.unsigned_abs();
        let sign = if self.offset < 0 { '-' } else { '+' };
        write!(f, "{}{sign}{:02}:{:02}", self.local(), minutes / 60, minutes % 60)
    }
}

/// The offset, six bytes of padding, the ticks.
const LAYOUT: Layout = {
    let (whole, _) = Layout::sequential([Layout::primitive(2), Layout::primitive(8)], usize::MAX);
    Layout { kind: Kind::Automatic, ..whole.checked() }.elsewhere()
};

raw!(
    DateTimeOffset,
    LAYOUT,
    |value, to| {
        to.cast::<[u8; 8]>().write(u64::from(value.offset as u16).to_le_bytes());
        to.add(8).cast::<[u8; 8]>().write(value.utc.to_le_bytes());
    },
    |from| {
        let offset = i16::from_le_bytes(from.cast::<[u8; 2]>().read());
        let bits = u64::from_le_bytes(from.add(8).cast::<[u8; 8]>().read());
        // The kind is ignored: .NET leaves one there, depending on how the value was made.
        match DateTime::from_bits(bits) {
            None => Err(Invalid::new(bits.into(), DateTime::RULE).within(8)),
            Some(utc) => DateTimeOffset::new(utc.ticks(), offset).ok_or_else(|| {
                let rule = "an offset is at most 840 minutes, and the moment there in the years 1 to 9999";
                Invalid::new(offset.into(), rule)
            }),
        }
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn an_offset_is_at_most_fourteen_hours_and_both_times_exist() {
        let noon = 12 * 60 * MINUTE;
        assert!(DateTimeOffset::new(noon, FARTHEST).is_some());
        assert_eq!(DateTimeOffset::new(noon, FARTHEST + 1), None);
        assert_eq!(DateTimeOffset::new(noon, i16::MIN), None);
        assert_eq!(DateTimeOffset::new(0, -1), None, "the clock would show a time before year 1");
        assert_eq!(DateTimeOffset::new(DateTime::MAX_TICKS, 1), None);
        assert_eq!(DateTimeOffset::new(i64::MAX, 0), None);
        let behind = DateTimeOffset::new(noon, -90).unwrap();
        assert_eq!(behind.to_string(), "0001-01-01T10:30:00-01:30");
        assert_eq!(DateTimeOffset::from_local(behind.local(), -90), Some(behind));
        assert_eq!(
            DateTimeOffset::from_system_time(behind.to_system_time().unwrap()).unwrap().utc(),
            behind.utc()
        );
    }
}
