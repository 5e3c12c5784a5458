use super::time_span::DAY;
#[cfg(feature = "std")]
use super::time_span::SECOND;
use super::{DateOnly, TimeOnly};
use crate::primitive::raw;
use crate::{Invalid, Kind, Layout};
use core::fmt;
#[cfg(feature = "std")]
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What a [`DateTime`] is relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DateTimeKind {
    /// Unknown.
    #[default]
    Unspecified,
    /// Universal time.
    Utc,
    /// The time of the machine that made it.
    Local,
    /// Local time in the hour that the end of daylight saving repeats: the first of the two, in summer time.
    LocalDaylight,
}

/// A day and a time, C#'s `DateTime`: ticks of 100 nanoseconds since 0001-01-01, and what they are relative to.
///
/// It is C#'s memory: one `u64`, the kind in its two top bits. Values of different kinds differ, and are
/// ordered by kind first.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use upcall_pack::{DateTime, DateTimeKind};
///
/// let time = DateTime::from_system_time(UNIX_EPOCH + Duration::from_secs(1_704_164_645)).unwrap();
/// assert_eq!(time.kind(), DateTimeKind::Utc);
/// assert_eq!(time.to_string(), "2024-01-02T03:04:05Z");
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime(u64);

const TICKS: u64 = (1 << 62) - 1;
/// Ticks from 0001-01-01 to 1970-01-01.
#[cfg(feature = "std")]
const UNIX: i64 = 719_162 * DAY;

impl DateTime {
    /// What is wrong with bits that are not a date and time.
    pub(super) const RULE: &str =
        "a time ends with the year 9999: 0 to 3155378975999999999 ticks, and a kind in the two top bits";

    /// The last tick of 9999-12-31.
    pub const MAX_TICKS: i64 = (DateOnly::MAX.day_number() as i64 + 1) * DAY - 1;

    /// This many ticks of 100 nanoseconds after 0001-01-01. `None` unless they are in 0 to [`MAX_TICKS`](Self::MAX_TICKS).
    #[must_use]
    pub const fn new(ticks: i64, kind: DateTimeKind) -> Option<DateTime> {
        if ticks < 0 || ticks > Self::MAX_TICKS {
            return None;
        }
        Some(DateTime(ticks as u64 | (kind as u64) << 62))
    }

    /// A time of a day.
    #[must_use]
    pub const fn of(date: DateOnly, time: TimeOnly, kind: DateTimeKind) -> DateTime {
        let ticks = date.day_number() as i64 * DAY + time.ticks();
        DateTime(ticks as u64 | (kind as u64) << 62)
    }

    /// What C# holds in memory: the ticks, and the kind in the two top bits. `None` when the ticks are too many.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<DateTime> {
        if bits & TICKS <= Self::MAX_TICKS as u64 { Some(DateTime(bits)) } else { None }
    }

    /// What C# holds in memory.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// Ticks of 100 nanoseconds since 0001-01-01.
    #[must_use]
    pub const fn ticks(self) -> i64 {
        (self.0 & TICKS) as i64
    }

    /// What it is relative to.
    #[must_use]
    pub const fn kind(self) -> DateTimeKind {
        match self.0 >> 62 {
            0 => DateTimeKind::Unspecified,
            1 => DateTimeKind::Utc,
            2 => DateTimeKind::Local,
            _ => DateTimeKind::LocalDaylight,
        }
    }

    /// Its day.
    #[must_use]
    pub fn date(self) -> DateOnly {
        DateOnly::from_day_number((self.ticks() / DAY) as u32).unwrap_or(DateOnly::MAX)
    }

    /// Its time of day.
    #[must_use]
    pub fn time(self) -> TimeOnly {
        TimeOnly::from_ticks(self.ticks() % DAY).unwrap_or(TimeOnly::MAX)
    }

    /// The same moment in universal time, cut to whole ticks. `None` when it is not in the years 1 to 9999.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn from_system_time(time: SystemTime) -> Option<DateTime> {
        let ticks = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_nanos() / 100).ok()?,
            Err(before) => i64::try_from(before.duration().as_nanos().div_ceil(100)).ok()?.checked_neg()?,
        };
        DateTime::new(ticks.checked_add(UNIX)?, DateTimeKind::Utc)
    }

    /// The same moment. `None` when its kind is not [`DateTimeKind::Utc`]: the others do not say what
    /// moment it is.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn to_system_time(self) -> Option<SystemTime> {
        (self.kind() == DateTimeKind::Utc).then(|| utc(self.ticks()))?
    }
}

/// The moment this many ticks after 0001-01-01.
#[cfg(feature = "std")]
pub(crate) fn utc(ticks: i64) -> Option<SystemTime> {
    let since = ticks.checked_sub(UNIX)?;
    let ticks = since.unsigned_abs();
    let distance = Duration::new(ticks / SECOND as u64, (ticks % SECOND as u64) as u32 * 100);
    if since < 0 { UNIX_EPOCH.checked_sub(distance) } else { UNIX_EPOCH.checked_add(distance) }
}

impl fmt::Display for DateTime {
    /// As in ISO 8601: `2024-01-02T03:04:05`, with a fraction of seven digits where there is one, and `Z`
    /// for universal time.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zone = if self.kind() == DateTimeKind::Utc { "Z" } else { "" };
        write!(f, "{}T{}{zone}", self.date(), self.time())
    }
}

raw!(
    DateTime,
    Layout { kind: Kind::Automatic, ..Layout::primitive(8) }.checked(),
    |value, to| to.cast::<[u8; 8]>().write(value.0.to_le_bytes()),
    |from| {
        let bits = u64::from_le_bytes(from.cast::<[u8; 8]>().read());
        DateTime::from_bits(bits).ok_or(Invalid::new(bits.into(), DateTime::RULE))
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    const KINDS: [DateTimeKind; 4] =
        [DateTimeKind::Unspecified, DateTimeKind::Utc, DateTimeKind::Local, DateTimeKind::LocalDaylight];

    #[test]
    fn ticks_and_kind_come_back() {
        for kind in KINDS {
            for ticks in [0, 1, DateTime::MAX_TICKS] {
                let time = DateTime::new(ticks, kind).unwrap();
                assert_eq!((time.ticks(), time.kind()), (ticks, kind));
                assert_eq!(DateTime::from_bits(time.to_bits()), Some(time));
                assert_eq!(DateTime::of(time.date(), time.time(), kind), time);
            }
            assert_eq!(DateTime::new(-1, kind), None);
            assert_eq!(DateTime::new(DateTime::MAX_TICKS + 1, kind), None);
            assert_eq!(DateTime::from_bits((kind as u64) << 62 | (DateTime::MAX_TICKS as u64 + 1)), None);
        }
        assert_eq!(DateTime::MAX_TICKS, 3_155_378_975_999_999_999, "as .NET has it");
    }

    #[test]
    fn moments_before_and_after_1970_convert() {
        for (seconds, nanos) in [(0, 0), (1, 100), (62_135_596_800, 0)] {
            let earlier = UNIX_EPOCH - Duration::new(seconds, nanos);
            assert_eq!(DateTime::from_system_time(earlier).unwrap().to_system_time(), Some(earlier));
        }
        let too_early = UNIX_EPOCH - Duration::new(62_135_596_800, 100);
        assert_eq!(DateTime::from_system_time(too_early), None);
        let last = DateTime::new(DateTime::MAX_TICKS, DateTimeKind::Utc).unwrap();
        assert_eq!(DateTime::from_system_time(last.to_system_time().unwrap()), Some(last));
        assert_eq!(DateTime::new(0, DateTimeKind::Local).unwrap().to_system_time(), None);
        assert_eq!(last.to_string(), "9999-12-31T23:59:59.9999999Z");
    }
}
