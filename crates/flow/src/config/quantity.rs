//! Numbers of bytes with a unit: `16 MiB`.

use crate::nearest::nearest;

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

/// Why a text is no number of bytes.
pub(super) struct Refused {
    pub(super) why: String,
    /// What was probably meant, unit and all.
    pub(super) nearest: Option<&'static str>,
}

pub(super) fn bytes(text: &str) -> Result<u64, Refused> {
    let refused = |why: &str, nearest| Refused { why: format!("\"{text}\" {why}"), nearest };
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '_');
    let (number, unit) = (text[..text.len() - digits.len()].replace('_', ""), digits.trim());
    let Ok(number) = number.parse::<f64>() else {
        return Err(refused("does not begin with a number", None));
    };
    let unit = if unit.is_empty() { "B" } else { unit };
    let Some((_, factor)) = UNITS.iter().find(|(known, _)| known.eq_ignore_ascii_case(unit)) else {
        let nearest = nearest(unit, UNITS.iter().skip(1).map(|(unit, _)| *unit));
        return Err(refused(&format!("has the unit `{unit}`, which is none"), nearest));
    };
    let bytes = number * *factor as f64;
    // As large as what TOML itself can say.
    if bytes < i64::MAX as f64 { Ok(bytes.round() as u64) } else { Err(refused("is too large", None)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_bytes_takes_a_unit_in_any_case() {
        let bytes = |text| bytes(text).map_err(|refused| refused.why);
        assert_eq!(bytes("16 MiB"), Ok(16 << 20));
        assert_eq!(bytes("1.5GiB"), Ok(3 << 29));
        assert_eq!(bytes("500 kb"), Ok(500_000));
        assert_eq!(bytes("65_536"), Ok(65_536));
        assert_eq!(bytes("MiB"), Err("\"MiB\" does not begin with a number".into()));
        assert_eq!(bytes("1 MiBB"), Err("\"1 MiBB\" has the unit `MiBB`, which is none".into()));
        assert_eq!(bytes("99999999 TiB"), Err("\"99999999 TiB\" is too large".into()));
    }
}
