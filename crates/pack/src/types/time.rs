use super::time_span::{DAY, SECOND};
use crate::primitive::raw;
use crate::{Invalid, Kind, Layout};
use core::fmt;
use core::time::Duration;

/// A time of day, C#'s `TimeOnly`: ticks of 100 nanoseconds since midnight, below a day.
///
/// ```
/// let time = upcall_pack::TimeOnly::new(1, 2, 3).unwrap();
/// assert_eq!(time.to_string(), "01:02:03");
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOnly(i64);

impl TimeOnly {
    /// Midnight.
    pub const MIN: TimeOnly = TimeOnly(0);
    /// The last tick before midnight.
    pub const MAX: TimeOnly = TimeOnly(DAY - 1);

    /// An hour below 24, a minute and a second below 60. `None` otherwise.
    #[must_use]
    pub fn new(hour: u32, minute: u32, second: u32) -> Option<TimeOnly> {
        let seconds = i64::from(hour) * 3_600 + i64::from(minute) * 60 + i64::from(second);
        (hour < 24 && minute < 60 && second < 60).then_some(TimeOnly(seconds * SECOND))
    }

    /// This many ticks of 100 nanoseconds after midnight. `None` unless that is below a day.
    #[must_use]
    pub const fn from_ticks(ticks: i64) -> Option<TimeOnly> {
        if ticks >= 0 && ticks < DAY { Some(TimeOnly(ticks)) } else { None }
    }

    /// Ticks of 100 nanoseconds since midnight.
    #[must_use]
    pub const fn ticks(self) -> i64 {
        self.0
    }

    /// The time this long after midnight, cut to whole ticks. `None` unless that is below a day.
    #[must_use]
    pub fn from_duration(since_midnight: Duration) -> Option<TimeOnly> {
        super::TimeSpan::from_duration(since_midnight).and_then(|span| TimeOnly::from_ticks(span.ticks()))
    }

    /// How long after midnight it is.
    #[must_use]
    pub fn to_duration(self) -> Duration {
        Duration::new((self.0 / SECOND) as u64, (self.0 % SECOND) as u32 * 100)
    }
}

impl fmt::Display for TimeOnly {
    /// As in ISO 8601: `01:02:03`, with seven digits after a point where there is a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::TimeSpan::from_ticks(self.0).fmt(f)
    }
}

raw!(
    TimeOnly,
    Layout { kind: Kind::Sequential, ..Layout::primitive(8) }.checked(),
    |value, to| to.cast::<[u8; 8]>().write(value.0.to_le_bytes()),
    |from| {
        let ticks = i64::from_le_bytes(from.cast::<[u8; 8]>().read());
        let rule = "a time of day is 0 to 863999999999 ticks";
        TimeOnly::from_ticks(ticks).ok_or(Invalid::new(ticks.into(), rule))
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn a_time_lies_within_its_day() {
        assert_eq!(TimeOnly::new(23, 59, 59).map(TimeOnly::ticks), Some(DAY - SECOND));
        for (hour, minute, second) in [(24, 0, 0), (0, 60, 0), (0, 0, 60)] {
            assert_eq!(TimeOnly::new(hour, minute, second), None);
        }
        assert_eq!(TimeOnly::from_ticks(-1), None);
        assert_eq!(TimeOnly::from_ticks(DAY), None);
        assert_eq!(TimeOnly::from_duration(Duration::from_secs(86_400)), None);
        assert_eq!(TimeOnly::from_duration(TimeOnly::MAX.to_duration()), Some(TimeOnly::MAX));
        assert_eq!(TimeOnly::MAX.to_string(), "23:59:59.9999999");
    }
}
