//! The targets for the bindings, and whether they are met.

use super::{CASES, Row, find};
use serde::Serialize;

/// That `ours` takes no more than a share of what `peer` takes.
pub struct Target {
    /// As it was asked for.
    pub says: &'static str,
    /// Where.
    pub language: &'static str,
    /// The cases that it is about; all if empty.
    pub cases: &'static [&'static str],
    /// Our variant.
    pub ours: &'static str,
    /// The other.
    pub peer: &'static str,
    /// Our time over theirs, at most.
    pub most: f64,
}

/// All targets that compare one variant with another.
pub const TARGETS: &[Target] = &[
    Target {
        says: "1.0 times DllImport by hand",
        language: "C#",
        cases: &[],
        ours: "NativeMethods",
        peer: "DllImport by hand",
        most: 1.0,
    },
    Target {
        says: "1.0 times the same idioms by hand",
        language: "C#",
        cases: &[],
        ours: "Api",
        peer: "idiomatic by hand",
        most: 1.0,
    },
    Target {
        says: "within 1.1 times the C API by hand",
        language: "Python",
        cases: &[],
        ours: "ours, extension",
        peer: "C API by hand",
        most: 1.1,
    },
    Target {
        says: "at least 10 times as fast as ctypes",
        language: "Python",
        cases: &[],
        ours: "ours, extension",
        peer: "ctypes by hand",
        most: 0.1,
    },
    Target {
        says: "no slower than koffi",
        language: "Node",
        cases: &[],
        ours: "ours",
        peer: "koffi",
        most: 1.0,
    },
    Target {
        says: "upcalls at least 2.5 times as fast as JNI's",
        language: "Java",
        cases: &["callback", "upcall"],
        ours: "ours, FFM",
        peer: "JNI by hand",
        most: 0.4,
    },
];

/// What two variants with the same machine code differ by in one run: C#'s `add` by hand is measured twice.
pub const SPREAD: f64 = 1.05;

/// What became of a target in one case.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// As it was asked for.
    pub target: &'static str,
    /// Where.
    pub language: &'static str,
    /// The case.
    pub case: &'static str,
    /// Our time over theirs.
    pub ratio: f64,
    /// What it may be at most.
    pub most: f64,
    /// Whether it is, but for [`SPREAD`].
    pub met: bool,
}

/// Holds the targets against what was measured.
pub fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    let mut found = Vec::new();
    for target in TARGETS {
        for case in CASES.into_iter().filter(|case| target.cases.is_empty() || target.cases.contains(case)) {
            let time = |variant| find(rows, target.language, case, variant).map(|row| row.least);
            let (Some(ours), Some(peer)) = (time(target.ours), time(target.peer)) else { continue };
            let (target, language, most) = (target.says, target.language, target.most);
            let ratio = ours / peer;
            let met = ratio <= most * SPREAD;
            found.push(Verdict { target, language, case, ratio, most, met });
        }
    }
    found
}

/// A line for each target: the ratios, and whether each is met.
pub fn table(verdicts: &[Verdict]) -> String {
    let mut text = String::new();
    let mut last = None;
    for verdict in verdicts {
        let target = (verdict.language, verdict.target);
        if last != Some(target) {
            text += &format!("\n{}: {}", verdict.language, verdict.target);
            last = Some(target);
        }
        let word = if verdict.met { "met" } else { "MISSED" };
        text += &format!("\n  {:<10} {:>6.2} of {:>4.2}  {word}", verdict.case, verdict.ratio, verdict.most);
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_met_by_what_is_no_slower_but_for_the_spread() {
        let row = |variant: &str, least| Row {
            language: "C#",
            case: "add".into(),
            variant: variant.into(),
            least,
            median: least,
            rounds: least.to_string(),
        };
        let met = |ours| verdicts(&[row("NativeMethods", ours), row("DllImport by hand", 2.0)])[0].met;
        assert!(met(1.5) && met(2.09) && !met(2.11));
        assert!(verdicts(&[row("NativeMethods", 1.0)]).is_empty());
    }
}
