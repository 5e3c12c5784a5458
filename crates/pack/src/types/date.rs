use crate::primitive::raw;
use crate::{Invalid, Kind, Layout};
use core::fmt;

/// A day of the Gregorian calendar, C#'s `DateOnly`: days since 0001-01-01, up to 9999-12-31.
///
/// ```
/// use upcall_pack::DateOnly;
///
/// let date = DateOnly::new(2024, 2, 29).unwrap();
/// assert_eq!(date.to_string(), "2024-02-29");
/// assert_eq!(DateOnly::new(2023, 2, 29), None);
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateOnly(u32);

/// Days from 0000-03-01, where the leap day is the last of its year, to 0001-01-01.
const MARCH_TO_JANUARY: u32 = 306;
/// Days of 400 years, after which the calendar repeats.
const ERA: u32 = 146_097;

impl DateOnly {
    /// 0001-01-01.
    pub const MIN: DateOnly = DateOnly(0);
    /// 9999-12-31.
    pub const MAX: DateOnly = DateOnly(3_652_058);

    /// The day of a year from 1 to 9999, a month from 1 and a day from 1. `None` when there is no such day.
    #[must_use]
    pub fn new(year: u32, month: u32, day: u32) -> Option<DateOnly> {
        if !(1..=9_999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        // The year begins in March; each pair of months has 61 days, and five months 153 (Hinnant,
        // "chrono-compatible low-level date algorithms").
        let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let of_year = (153 * months + 2) / 5 + day - 1;
        let days = years * 365 + years / 4 - years / 100 + years / 400 + of_year;
        let date = DateOnly(days.checked_sub(MARCH_TO_JANUARY)?);
        (date.parts() == (year, month, day)).then_some(date)
    }

    /// The day this many days after 0001-01-01. `None` after 9999-12-31.
    #[must_use]
    pub const fn from_day_number(days: u32) -> Option<DateOnly> {
        if days <= Self::MAX.0 { Some(DateOnly(days)) } else { None }
    }

    /// Days since 0001-01-01.
    #[must_use]
    pub const fn day_number(self) -> u32 {
        self.0
    }

    /// Its year, month and day, each from 1.
    #[must_use]
    pub fn parts(self) -> (u32, u32, u32) {
        let days = self.0 + MARCH_TO_JANUARY;
        let (era, of_era) = (days / ERA, days % ERA);
        let years = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * years + years / 4 - years / 100);
        let months = (5 * of_year + 2) / 153;
        let day = of_year - (153 * months + 2) / 5 + 1;
        let (month, carry) = if months < 10 { (months + 3, 0) } else { (months - 9, 1) };
        (era * 400 + years + carry, month, day)
    }
}

impl fmt::Display for DateOnly {
    /// As in ISO 8601: `2024-02-29`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

raw!(
    DateOnly,
    Layout { kind: Kind::Sequential, ..Layout::primitive(4) }.checked(),
    |value, to| to.cast::<[u8; 4]>().write(value.0.to_le_bytes()),
    |from| {
        let days = u32::from_le_bytes(from.cast::<[u8; 4]>().read());
        let rule = "a date is 0 to 3652058 days after 0001-01-01";
        DateOnly::from_day_number(days).ok_or(Invalid::new(days.into(), rule))
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_follows_the_one_before() {
        let long =
            |year: u32| (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
        let mut expected = (1, 1, 1);
        for days in 0..=DateOnly::MAX.day_number() {
            let date = DateOnly::from_day_number(days).unwrap();
            assert_eq!(date.parts(), expected);
            let (year, month, day) = expected;
            assert_eq!(DateOnly::new(year, month, day), Some(date));
            let last = match month {
                2 => 28 + u32::from(long(year)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (month, day) {
                (12, 31) => (year + 1, 1, 1),
                (_, day) if day == last => (year, month + 1, 1),
                _ => (year, month, day + 1),
            };
        }
        assert_eq!(expected, (10_000, 1, 1));
    }

    #[test]
    fn a_day_that_is_not_in_the_calendar_is_none() {
        for (year, month, day) in
            [(0, 1, 1), (10_000, 1, 1), (2024, 0, 1), (2024, 13, 1), (2024, 4, 31), (2023, 2, 29), (1, 1, 0)]
        {
            assert_eq!(DateOnly::new(year, month, day), None, "{year}-{month}-{day}");
        }
        assert_eq!(DateOnly::new(2024, 1, u32::MAX), None);
        assert_eq!(DateOnly::from_day_number(3_652_059), None);
    }
}
