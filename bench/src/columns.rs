//! Reductions as the peers and we measured them: rows of function, type, length and who, and what follows from them.

use crate::chart::{Bar, Chart};
use serde::{Deserialize, Serialize};

/// One way to reduce, as `peers/columns` and `peers/numpy_columns.py` print it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    /// What is computed.
    pub function: String,
    /// The type of the elements, as Rust names it.
    #[serde(rename = "type")]
    pub number: String,
    /// How many.
    pub elements: usize,
    /// Who computes it.
    pub who: String,
    /// Nanoseconds per call, the least.
    pub nanos: f64,
}

impl Row {
    /// The bytes of the elements.
    pub fn bytes(&self) -> usize {
        // `u8` to `f64` end with their bits.
        self.number[1..].parse::<usize>().unwrap_or(0) / 8 * self.elements
    }

    /// Whether both are of the same function over as many of the same numbers.
    fn same(&self, other: &Row) -> bool {
        (&self.function, &self.number, self.elements) == (&other.function, &other.number, other.elements)
    }

    /// Bytes per nanosecond, which is GB/s.
    pub fn rate(&self) -> f64 {
        self.bytes() as f64 / self.nanos
    }
}

/// A target, and what was reached.
#[derive(Clone, Debug, Serialize)]
pub struct Target {
    /// In words.
    pub what: String,
    /// At least this.
    pub wanted: f64,
    /// What was measured.
    pub found: f64,
}

impl Target {
    /// A line for a terminal.
    pub fn line(&self) -> String {
        let result = if self.found >= self.wanted { "met" } else { "MISSED" };
        format!("{:<58} {:>7.2} wanted {:>5.2}  {result}", self.what, self.found, self.wanted)
    }
}

/// The targets, as far as their rows are there.
pub fn targets(rows: &[Row], small: usize) -> Vec<Target> {
    let find = |function: &str, number: &str, who: &str| {
        rows.iter().find(|row| {
            (&*row.function, &*row.number, &*row.who) == (function, number, who) && row.elements == small
        })
    };
    let mut found = Vec::new();
    let mut times = |what: String, wanted, function: &str, number: &str, us: &str, them: &str| {
        if let (Some(us), Some(them)) = (find(function, number, us), find(function, number, them)) {
            found.push(Target { what, wanted, found: them.nanos / us.nanos });
        }
    };
    times("sum of f32, times the iterator".into(), 15.0, "sum", "f32", "upcall", "iterator");
    for them in ["structs, f32::max", "structs, if"] {
        times(format!("greatest y of points, times {them}"), 5.0, "max of y", "f32", "upcall", them);
    }
    for function in ["sum", "max", "min_max", "contains", "equal", "mean", "count_equal"] {
        for number in ["u8", "i32", "i64", "f32", "f64"] {
            for us in ["upcall", "upcall, from Python"] {
                let what = format!("{function} of {number}, {us}, times numpy");
                times(what, 2.4, function, number, us, "numpy");
            }
        }
    }
    for row in rows.iter().filter(|row| row.who == "upcall" && row.elements > small) {
        let beside = |other: &&Row| other.same(row) && other.who.starts_with("read");
        // Without one nothing is met.
        let limit = rows.iter().filter(beside).map(Row::rate).reduce(f64::max).unwrap_or(f64::INFINITY);
        let what = format!("{} of {} at 100 MB, of the read limit", row.function, row.number);
        found.push(Target { what, wanted: 0.85, found: row.rate() / limit });
    }
    found
}

/// Puts rows of the same function and type together.
pub fn sort(rows: &mut [Row]) {
    rows.sort_by_cached_key(|row| (row.elements, row.function.clone(), row.number.clone()));
}

/// How fast everybody sums `small` numbers of `f32`.
pub fn chart(rows: &[Row], small: usize) -> Chart {
    let summed =
        rows.iter().filter(|row| (&*row.function, &*row.number, row.elements) == ("sum", "f32", small));
    let mut bars: Vec<Bar> = summed
        .map(|row| Bar { label: row.who.clone(), value: row.rate(), ours: row.who.starts_with("upcall") })
        .collect();
    bars.sort_by(|one, other| other.value.total_cmp(&one.value));
    Chart { title: format!("Sum of {small} f32"), unit: "GB/s".into(), logarithmic: true, bars }
}

/// The rows of one function and type on one line each.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut last = (String::new(), String::new(), 0);
    for row in rows {
        let key = (row.function.clone(), row.number.clone(), row.elements);
        if key != last {
            text += &format!("\n{:<12} {:<4} {:>9}", row.function, row.number, row.elements);
            last = key;
        }
        text += &match row.nanos {
            nanos if nanos < 1e5 => format!("  {} {:.3} us", row.who, nanos / 1e3),
            _ => format!("  {} {:.1} GB/s", row.who, row.rate()),
        };
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(function: &str, who: &str, elements: usize, nanos: f64) -> Row {
        Row { function: function.into(), number: "f32".into(), elements, who: who.into(), nanos }
    }

    #[test]
    fn a_line_is_read_and_has_a_rate() {
        let line = r#"{"function":"sum","type":"f64","elements":1000,"who":"numpy","nanos":500.0}"#;
        let row: Row = serde_json::from_str(line).unwrap();
        assert_eq!((row.bytes(), row.rate()), (8000, 16.0));
    }

    #[test]
    fn targets_are_ratios_of_the_same_function() {
        let mut rows = vec![row("sum", "upcall", 10, 100.0), row("sum", "iterator", 10, 2000.0)];
        rows.extend([row("sum", "numpy", 10, 200.0), row("sum", "read", 1000, 100.0)]);
        rows.push(row("sum", "upcall", 1000, 110.0));
        let found: Vec<f64> = targets(&rows, 10).iter().map(|target| target.found).collect();
        assert_eq!(found.len(), 3);
        assert_eq!(found[..2], [20.0, 2.0]);
        assert!((found[2] - 100.0 / 110.0).abs() < 1e-9);
    }

    #[test]
    fn a_missed_target_says_so() {
        let target = Target { what: "it".into(), wanted: 2.4, found: 2.0 };
        assert!(target.line().ends_with("MISSED"));
    }
}
