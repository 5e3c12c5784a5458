//! What the word count is wanted to reach.

use crate::results::Throughput;

/// The Python flow whose splitter has a process of its own.
pub const ONE_PROCESS: &str = "Upcall, Python, lines split in a process";
/// The same with two of them.
pub const TWO_PROCESSES: &str = "Upcall, Python, lines split in 2 processes";

/// A ratio of two rows, and whether it is what it should be.
#[derive(Clone, Debug)]
pub struct Target {
    /// What is divided by what.
    pub what: String,
    /// What was measured; not a number where a row is missing.
    pub measured: f64,
    /// What it should be at least, or at most.
    pub limit: f64,
    /// Whether the limit is the most.
    pub at_most: bool,
}

impl Target {
    /// Whether it is what it should be.
    pub fn met(&self) -> bool {
        if self.at_most { self.measured <= self.limit } else { self.measured >= self.limit }
    }

    /// A line for a terminal.
    pub fn line(&self) -> String {
        let bound = if self.at_most { "at most " } else { "at least" };
        let verdict = if self.met() { "yes" } else { "NO" };
        format!("{:<52} {:6.2}  wanted {bound} {:4}: {verdict}", self.what, self.measured, self.limit)
    }
}

/// All of them. Ours beside timely is given twice, by the wall and by CPU time: four times as fast with two workers is
/// twice as fast with one. Rates are words per second on the wall, the best of all rows of that name where no workers are given.
pub fn targets(rows: &[Throughput]) -> Vec<Target> {
    let rate = |name: &str, workers: Option<usize>| {
        rows.iter()
            .filter(|row| row.label.contains(name) && workers.is_none_or(|wanted| row.workers == wanted))
            .map(|row| row.words_per_second)
            .fold(f64::NAN, f64::max)
    };
    let cpu = |name: &str, workers: usize| {
        let found = rows.iter().find(|row| row.label.contains(name) && row.workers == workers);
        found.map_or(f64::NAN, |row| row.cpu_nanos_per_word)
    };
    let target = |what: String, measured: f64, limit: f64| Target { what, measured, limit, at_most: false };
    let mut found = Vec::new();
    for (ours, peer, least) in [
        ("all C#", "all Rust", 0.5),
        ("all Python", "stateful_map", 10.0),
        ("all Python", "count_final", 10.0),
        ("all Python", "pathway", 5.0),
        ("all Python", "Counter", 0.6),
    ] {
        found.push(target(format!("{ours} / {peer}"), rate(ours, None) / rate(peer, None), least));
    }
    for (peer, workers, least) in [
        ("timely, String records", 1, 2.0),
        ("timely, String records", 2, 4.0),
        ("timely, borrowed words", 1, 1.0),
        ("timely, borrowed words", 2, 1.0),
    ] {
        let ratio = rate("all Rust", Some(workers)) / rate(peer, Some(workers));
        found.push(target(format!("all Rust / {peer}, workers: {workers}"), ratio, least));
        // Whoever puts our lines is a thread that timely does without: CPU time counts it.
        let ratio = cpu(peer, workers) / cpu("all Rust", workers);
        let least = least.min(2.0);
        found.push(target(format!("the same, by CPU time, workers: {workers}"), ratio, least));
    }
    let scaling = rate("all Rust", Some(2)) / rate("all Rust", Some(1));
    found.push(target("all Rust, 2 workers / 1 worker".into(), scaling, 1.8));
    found.push(Target {
        what: "all Rust / plain loop, CPU time, 1 worker".into(),
        measured: cpu("all Rust", 1) / cpu("plain loop", 1),
        limit: 3.0,
        at_most: true,
    });
    found.push(Target {
        what: "lines split in 2 processes / in one, CPU time".into(),
        measured: cpu(TWO_PROCESSES, 1) / cpu(ONE_PROCESS, 1),
        limit: 1.15,
        at_most: true,
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Sample;

    #[test]
    fn rows_are_compared_at_the_same_number_of_workers_and_a_missing_one_meets_nothing() {
        let row = |label: &str, workers, seconds| {
            let sample = Sample { wall_seconds: seconds, cpu_seconds: seconds };
            Throughput::new(label, workers, 1000, vec![sample], Vec::new())
        };
        let rows = [
            row("Rust, plain loop", 1, 1.0),
            row("Upcall, all Rust", 1, 4.0),
            row("Upcall, all Rust, 2 workers", 2, 2.0),
            row("timely, String records", 1, 8.0),
            row("timely, String records, 2 workers", 2, 6.0),
        ];
        let found = targets(&rows);
        let verdict = |what: &str| {
            let target = found.iter().find(|target| target.what == what).unwrap();
            (target.measured, target.met())
        };
        assert_eq!(verdict("all Rust / timely, String records, workers: 1"), (2.0, true));
        assert_eq!(verdict("all Rust / timely, String records, workers: 2"), (3.0, false));
        assert_eq!(verdict("all Rust, 2 workers / 1 worker"), (2.0, true));
        assert_eq!(verdict("all Rust / plain loop, CPU time, 1 worker"), (4.0, false));
        assert!(found.iter().any(|target| target.what == "all Python / Counter" && !target.met()));
    }
}
