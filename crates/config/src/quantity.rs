//! Quantities with a unit: `16 MiB`, `50 ms`.

use upcall_host::nearest;

const UNITS: [(&str, u64); 9] = [
    ("B", 1),
    ("kB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

/// A number of bytes as one would write it: `1 MiB`.
pub(crate) fn shown(bytes: u64) -> String {
    let whole = |(_, factor): &&(&str, u64)| bytes > 0 && bytes.is_multiple_of(*factor);
    let (unit, factor) = UNITS.iter().filter(whole).max_by_key(|(_, factor)| factor).unwrap_or(&UNITS[0]);
    format!("{} {unit}", bytes / factor)
}

const TIMES: [(&str, u64); 6] = [
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("ns", 1),
];

/// Why a text is no quantity.
pub(crate) struct Refused {
    pub(crate) why: String,
    /// What was probably meant, unit and all.
    pub(crate) nearest: Option<&'static str>,
}

/// A number of bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, Refused> {
    quantity(text, "B", &UNITS)
}

/// A time, in nanoseconds. It needs its unit.
pub(crate) fn time(text: &str) -> Result<u64, Refused> {
    quantity(text, "", &TIMES)
}

/// How many a second: `600 / min`. Without a time it is a second.
pub(crate) fn rate(text: &str) -> Result<f64, Refused> {
    let refused = |why: &str, nearest| Refused { why: format!("\"{text}\" {why}"), nearest };
    let (number, unit) = text.split_once('/').unwrap_or((text, "s"));
    let Ok(number) = number.trim().replace('_', "").parse::<f64>() else {
        return Err(refused("does not begin with a number", None));
    };
    let unit = unit.trim();
    match TIMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(unit)) {
        Some((_, nanos)) => Ok(number * 1e9 / *nanos as f64),
        None => {
            let nearest = nearest(unit, TIMES.iter().map(|(unit, _)| *unit));
            Err(refused(&format!("has an unknown unit of time, `{unit}`"), nearest))
        }
    }
}

fn quantity(text: &str, without: &str, units: &'static [(&'static str, u64)]) -> Result<u64, Refused> {
    let refused = |why: &str, nearest| Refused { why: format!("\"{text}\" {why}"), nearest };
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '_');
    let (number, unit) = (text[..text.len() - digits.len()].replace('_', ""), digits.trim());
    let Ok(number) = number.parse::<f64>() else {
        return Err(refused("does not begin with a number", None));
    };
    let unit = if unit.is_empty() { without } else { unit };
    if unit.is_empty() {
        return Err(refused("has no unit", None));
    }
    let Some((_, factor)) = units.iter().find(|(known, _)| known.eq_ignore_ascii_case(unit)) else {
        let nearest = nearest(unit, units.iter().filter(|(known, _)| *known != "B").map(|(unit, _)| *unit));
        return Err(refused(&format!("has an unknown unit, `{unit}`"), nearest));
    };
    let bytes = number * *factor as f64;
    // As large as what TOML itself can say.
    if bytes < i64::MAX as f64 { Ok(bytes.round() as u64) } else { Err(refused("is too large", None)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_needs_a_unit() {
        let time = |text| time(text).map_err(|refused| refused.why);
        assert_eq!(time("50 ms"), Ok(50_000_000));
        assert_eq!(time("1.5s"), Ok(1_500_000_000));
        assert_eq!(time("2 min"), Ok(120_000_000_000));
        assert_eq!(time("50"), Err("\"50\" has no unit".into()));
        assert_eq!(time("5 sec"), Err("\"5 sec\" has an unknown unit, `sec`".into()));
    }

    #[test]
    fn a_rate_is_for_a_second_unless_it_says_otherwise() {
        let rate = |text| rate(text).map_err(|refused| refused.why);
        assert_eq!(rate("100"), Ok(100.0));
        assert_eq!(rate("600 / min"), Ok(10.0));
        assert_eq!(rate("1_800/h"), Ok(0.5));
        assert_eq!(rate("a / s"), Err("\"a / s\" does not begin with a number".into()));
        assert_eq!(rate("5 / sec"), Err("\"5 / sec\" has an unknown unit of time, `sec`".into()));
    }

    #[test]
    fn a_number_of_bytes_takes_a_unit_in_any_case() {
        let bytes = |text| bytes(text).map_err(|refused| refused.why);
        assert_eq!(bytes("16 MiB"), Ok(16 << 20));
        assert_eq!(bytes("1.5GiB"), Ok(3 << 29));
        assert_eq!(bytes("500 kb"), Ok(500_000));
        assert_eq!(bytes("65_536"), Ok(65_536));
        assert_eq!(
            [0, 1000, 1 << 20, 3 << 29, 4097].map(shown),
            ["0 B", "1 kB", "1 MiB", "1536 MiB", "4097 B"]
        );
        assert_eq!(bytes("-1 MiB"), Err("\"-1 MiB\" does not begin with a number".into()));
        assert_eq!(bytes("MiB"), Err("\"MiB\" does not begin with a number".into()));
        assert_eq!(bytes("1 MiBB"), Err("\"1 MiBB\" has an unknown unit, `MiBB`".into()));
        assert_eq!(bytes("99999999 TiB"), Err("\"99999999 TiB\" is too large".into()));
    }
}
