//! Conversions from and to chrono's types. Theirs reach further than .NET's years 1 to 9999, and to nanoseconds:
//! what comes in is cut to whole ticks, and what lies outside is `None`.

use super::date_time::utc;
use super::time_span::SECOND;
use super::{DateOnly, DateTime, DateTimeKind, DateTimeOffset, TimeOnly, TimeSpan};
use chrono::{
    Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone, Timelike, Utc,
};

impl TimeSpan {
    /// From chrono's, cut to whole ticks. `None` when it is longer than 29,247 years.
    pub fn from_chrono(span: TimeDelta) -> Option<TimeSpan> {
        let ticks = span.num_seconds().checked_mul(SECOND)?;
        ticks.checked_add(i64::from(span.subsec_nanos()) / 100).map(TimeSpan::from_ticks)
    }
}

impl From<TimeSpan> for TimeDelta {
    fn from(span: TimeSpan) -> TimeDelta {
        let nanos = (span.ticks() % SECOND) * 100;
        TimeDelta::seconds(span.ticks() / SECOND) + TimeDelta::nanoseconds(nanos)
    }
}

impl DateOnly {
    /// From chrono's. `None` outside of the years 1 to 9999.
    #[must_use]
    pub fn from_chrono(date: NaiveDate) -> Option<DateOnly> {
        DateOnly::new(u32::try_from(date.year()).ok()?, date.month(), date.day())
    }
}

impl From<DateOnly> for NaiveDate {
    fn from(date: DateOnly) -> NaiveDate {
        // Both count from 0001-01-01, chrono from 1, and its years reach further.
        NaiveDate::from_num_days_from_ce_opt(date.day_number() as i32 + 1).unwrap_or(NaiveDate::MAX)
    }
}

impl From<NaiveTime> for TimeOnly {
    /// Cut to whole ticks; a leap second is the last tick before it.
    fn from(time: NaiveTime) -> TimeOnly {
        let ticks = i64::from(time.num_seconds_from_midnight()) * SECOND;
        let fraction = i64::from(time.nanosecond() / 100).min(SECOND - 1);
        TimeOnly::from_ticks(ticks + fraction).unwrap_or(TimeOnly::MAX)
    }
}

impl From<TimeOnly> for NaiveTime {
    fn from(time: TimeOnly) -> NaiveTime {
        let since = time.to_duration();
        NaiveTime::from_num_seconds_from_midnight_opt(since.as_secs() as u32, since.subsec_nanos())
            .unwrap_or(NaiveTime::MIN)
    }
}

impl DateTime {
    /// From chrono's, cut to whole ticks. `None` outside of the years 1 to 9999.
    #[must_use]
    pub fn from_chrono(time: NaiveDateTime, kind: DateTimeKind) -> Option<DateTime> {
        Some(DateTime::of(DateOnly::from_chrono(time.date())?, time.time().into(), kind))
    }

    /// The same moment. `None` when its kind is not [`DateTimeKind::Utc`].
    pub fn to_chrono_utc(self) -> Option<chrono::DateTime<Utc>> {
        self.to_system_time().map(Into::into)
    }
}

impl From<DateTime> for NaiveDateTime {
    fn from(time: DateTime) -> NaiveDateTime {
        NaiveDateTime::new(time.date().into(), time.time().into())
    }
}

impl DateTimeOffset {
    /// From chrono's, cut to whole ticks; seconds of the offset are cut off. `None` outside of the years 1 to 9999
    /// and beyond 14 hours of offset.
    pub fn from_chrono<Z: TimeZone>(time: &chrono::DateTime<Z>) -> Option<DateTimeOffset> {
        let moment = DateTime::from_chrono(time.naive_utc(), DateTimeKind::Utc)?;
        let minutes = time.offset().fix().local_minus_utc() / 60;
        DateTimeOffset::new(moment.ticks(), i16::try_from(minutes).ok()?)
    }

    /// The same moment and offset.
    #[must_use]
    pub fn to_chrono(self) -> Option<chrono::DateTime<FixedOffset>> {
        let offset = FixedOffset::east_opt(i32::from(self.offset()) * 60)?;
        Some(chrono::DateTime::<Utc>::from(utc(self.utc_ticks())?).with_timezone(&offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn chrono_shows_the_same_text() {
        let date = DateOnly::new(2024, 2, 29).unwrap();
        let time = TimeOnly::from_ticks(TimeOnly::new(1, 2, 3).unwrap().ticks() + 1).unwrap();
        assert_eq!(NaiveDate::from(date).to_string(), date.to_string());
        assert_eq!(DateOnly::from_chrono(date.into()), Some(date));
        assert_eq!(NaiveTime::from(time).to_string(), "01:02:03.000000100");
        assert_eq!(TimeOnly::from(NaiveTime::from(time)), time);
        let moment = DateTime::of(date, time, DateTimeKind::Utc);
        assert_eq!(moment.to_chrono_utc().unwrap().to_string(), "2024-02-29 01:02:03.000000100 UTC");
        assert_eq!(DateTime::from_chrono(moment.into(), DateTimeKind::Utc), Some(moment));
        let offset = DateTimeOffset::from_local(moment, -330).unwrap();
        assert_eq!(offset.to_chrono().unwrap().to_string(), "2024-02-29 01:02:03.000000100 -05:30");
        assert_eq!(DateTimeOffset::from_chrono(&offset.to_chrono().unwrap()), Some(offset));
    }

    #[test]
    fn what_dotnet_cannot_hold_is_none() {
        assert_eq!(DateOnly::from_chrono(NaiveDate::MIN), None);
        assert_eq!(DateOnly::from_chrono(NaiveDate::MAX), None);
        assert_eq!(DateTime::from_chrono(NaiveDateTime::MAX, DateTimeKind::Utc), None);
        assert_eq!(TimeSpan::from_chrono(TimeDelta::MAX), None);
        for ticks in [i64::MIN + SECOND, -1, 0, 1, i64::MAX] {
            let span = TimeSpan::from_ticks(ticks);
            assert_eq!(TimeSpan::from_chrono(span.into()), Some(span));
        }
        let leap = NaiveTime::from_hms_nano_opt(23, 59, 59, 1_999_999_999).unwrap();
        assert_eq!(TimeOnly::from(leap), TimeOnly::MAX);
    }
}
