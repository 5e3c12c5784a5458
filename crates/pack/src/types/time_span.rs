use crate::primitive::raw;
use crate::{Kind, Layout};
use core::fmt;
use core::time::Duration;

/// A span of time, C#'s `TimeSpan`: signed ticks of 100 nanoseconds.
///
/// ```
/// use core::time::Duration;
/// use upcall_pack::TimeSpan;
///
/// let span = TimeSpan::from_duration(Duration::from_millis(1_500)).unwrap();
/// assert_eq!(span.ticks(), 15_000_000);
/// assert_eq!(span.to_string(), "00:00:01.5000000");
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeSpan(i64);

/// Ticks in a second.
pub(crate) const SECOND: i64 = 10_000_000;
/// Ticks in a day.
pub(crate) const DAY: i64 = 86_400 * SECOND;

impl TimeSpan {
    /// No time at all.
    pub const ZERO: TimeSpan = TimeSpan(0);
    /// Ticks in a second: a tick is 100 nanoseconds.
    pub const TICKS_PER_SECOND: i64 = SECOND;

    /// This many ticks of 100 nanoseconds.
    #[must_use]
    pub const fn from_ticks(ticks: i64) -> TimeSpan {
        TimeSpan(ticks)
    }

    /// Its ticks of 100 nanoseconds.
    #[must_use]
    pub const fn ticks(self) -> i64 {
        self.0
    }

    /// A duration, cut to whole ticks. `None` when it is longer than 29,247 years.
    pub fn from_duration(duration: Duration) -> Option<TimeSpan> {
        i64::try_from(duration.as_nanos() / 100).ok().map(TimeSpan)
    }

    /// The same span as a duration. `None` when it is negative.
    #[must_use]
    pub fn to_duration(self) -> Option<Duration> {
        let ticks = u64::try_from(self.0).ok()?;
        Some(Duration::new(ticks / SECOND as u64, (ticks % SECOND as u64) as u32 * 100))
    }
}

impl fmt::Display for TimeSpan {
    /// As C# writes it: `[-][d.]hh:mm:ss[.fffffff]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ticks = self.0.unsigned_abs();
        let (seconds, fraction) = (ticks / SECOND as u64, ticks % SECOND as u64);
        if self.0 < 0 {
            f.write_str("-")?;
        }
        if seconds >= 86_400 {
            write!(f, "{}.", seconds / 86_400)?;
        }
        write!(f, "{:02}:{:02}:{:02}", seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60)?;
        if fraction > 0 { write!(f, ".{fraction:07}") } else { Ok(()) }
    }
}

raw!(
    TimeSpan,
    Layout { kind: Kind::Sequential, ..Layout::primitive(8) },
    |value, to| to.cast::<[u8; 8]>().write(value.0.to_le_bytes()),
    |from| Ok(TimeSpan(i64::from_le_bytes(from.cast::<[u8; 8]>().read())))
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn a_span_reads_as_csharp_writes_it() {
        let shown = |ticks| TimeSpan::from_ticks(ticks).to_string();
        assert_eq!(shown(0), "00:00:00");
        assert_eq!(shown(-DAY - SECOND), "-1.00:00:01");
        assert_eq!(shown(i64::MIN), "-10675199.02:48:05.4775808");
        assert_eq!(shown(i64::MAX), "10675199.02:48:05.4775807");
    }

    #[test]
    fn durations_convert_where_they_fit() {
        assert_eq!(TimeSpan::from_duration(Duration::from_nanos(199)), Some(TimeSpan(1)));
        assert_eq!(TimeSpan::from_duration(Duration::MAX), None);
        assert_eq!(TimeSpan(-1).to_duration(), None);
        assert_eq!(TimeSpan(SECOND + 1).to_duration(), Some(Duration::new(1, 100)));
        let longest = TimeSpan(i64::MAX);
        assert_eq!(TimeSpan::from_duration(longest.to_duration().unwrap()), Some(longest));
    }
}
