//! The targets for messages, and whether they are met.

use super::launch::Transport;
use super::rows::{Measured, Row, Rows};
use serde::Serialize;

/// A target, and what was reached.
#[derive(Clone, Debug, Serialize)]
pub struct Target {
    /// In words.
    pub what: String,
    /// On which MPI.
    pub mpi: String,
    /// The limit.
    pub wanted: f64,
    /// Whether it is reached from above it, or from below.
    pub at_most: bool,
    /// What was measured, where that is worst.
    pub found: f64,
    /// How many elements that was with.
    pub count: u64,
}

impl Target {
    /// Whether it is met.
    pub fn met(&self) -> bool {
        if self.at_most { self.found <= self.wanted } else { self.found >= self.wanted }
    }

    /// A line for a terminal.
    pub fn line(&self) -> String {
        let result = if self.met() { "met" } else { "MISSED" };
        let limit = if self.at_most { "at most" } else { "at least" };
        format!(
            "{:<16} {:<62} {:>7.3} at {:<8} wanted {limit} {:>5.2}  {result}",
            self.mpi, self.what, self.found, self.count, self.wanted
        )
    }
}

/// One of ours, held against one row each.
struct Limit {
    what: &'static str,
    case: &'static str,
    how: &'static str,
    counts: std::ops::RangeInclusive<u64>,
    /// Whose.
    who: &'static str,
    /// C's way, or the way of another program: whose and which.
    beside: (&'static str, &'static str),
    /// From ours and theirs.
    of: fn(&Measured, &Measured) -> f64,
    wanted: f64,
    at_most: bool,
}

fn times(ours: &Measured, theirs: &Measured) -> f64 {
    ours.nanos / theirs.nanos
}

fn faster(ours: &Measured, theirs: &Measured) -> f64 {
    theirs.nanos / ours.nanos
}

const fn most(
    what: &'static str,
    case: &'static str,
    how: &'static str,
    beside: &'static str,
    wanted: f64,
) -> Limit {
    let (counts, beside) = (1..=u64::MAX, ("C", beside));
    Limit { what, case, how, counts, who: "Upcall", beside, of: times, wanted, at_most: true }
}

const fn least(
    what: &'static str,
    case: &'static str,
    how: &'static str,
    beside: &'static str,
    wanted: f64,
) -> Limit {
    Limit { of: faster, at_most: false, ..most(what, case, how, beside, wanted) }
}

const fn records(what: &'static str, how: &'static str, pickle: &'static str) -> Limit {
    Limit { beside: ("mpi4py", pickle), ..least(what, "records", how, pickle, 10.0) }
}

const LIMITS: &[Limit] = &[
    Limit {
        counts: 1..=4095,
        // A message is two calls: a send and a receive.
        of: |ours, _| ours.more / 2.0,
        ..most("ns more than C per call, below 4 KiB", "ping-pong", "bytes", "bytes", 5.0)
    },
    Limit {
        counts: 4096..=256 << 10,
        ..most("times C to the other rank, from 4 to 256 KiB", "ping-pong", "bytes", "bytes", 1.02)
    },
    Limit {
        counts: 64 << 10..=64 << 10,
        ..least("times as fast as C with malloc, Buf at 64 KiB", "ping-pong", "Buf", "bytes", 1.4)
    },
    Limit {
        counts: 1 << 20..=1 << 20,
        ..least("times as fast as C with malloc, Buf at 1 MiB", "ping-pong", "Buf", "bytes", 1.8)
    },
    Limit {
        counts: 100..=u64::MAX,
        ..least(
            "times as fast as C by field, padded structs",
            "padded-structs",
            "padding zeroed",
            "field by field",
            5.0,
        )
    },
    Limit {
        counts: 8..=8,
        ..most(
            "times C that knows the size, 8 B of unknown size",
            "unknown-size",
            "receive",
            "known size",
            1.15,
        )
    },
    Limit {
        counts: 1..=1,
        ..most("times C's own function, all-reduce with a closure", "all-reduce", "closure", "function", 1.02)
    },
    Limit {
        who: "C#",
        counts: 16 << 10..=u64::MAX,
        ..most(
            "times MPI_SUM, C#'s function of spans from 16 Ki on",
            "all-reduce",
            "function of spans",
            "MPI_SUM",
            1.1,
        )
    },
    Limit {
        who: "Python",
        counts: 16 << 10..=u64::MAX,
        ..most(
            "times MPI_SUM, numpy's function from 16 Ki on",
            "all-reduce",
            "function of numpy",
            "MPI_SUM",
            1.1,
        )
    },
    Limit {
        who: "C#",
        counts: 4096..=u64::MAX,
        ..most("times C to the other rank, C# from 4 KiB on", "ping-pong", "bytes", "bytes", 1.05)
    },
    Limit { who: "C#", ..records("times as fast as mpi4py's pickle, C#'s 100 records", "pack", "pickle") },
    Limit {
        who: "Python",
        ..records("times as fast as mpi4py's pickle, Python's 100 records", "pack", "pickle")
    },
    records("times as fast as mpi4py's pickle, 100 records", "pack", "pickle"),
    records("times as fast as mpi4py's pickle, 100 records into the last", "pack, into the last", "pickle"),
    records("times as fast as mpi4py's pickle, 100 dataclasses", "pack", "pickle, dataclasses"),
];

/// The targets, as far as their rows are there: what is over the memory of the machine.
pub fn targets(rows: &Rows) -> Vec<Target> {
    let here = || rows.0.iter().filter(|row| row.transport == Transport::SharedMemory.name());
    let mut mpis: Vec<&str> = here().map(|row| row.mpi.as_str()).collect();
    mpis.dedup();
    let mut found = Vec::new();
    for mpi in mpis {
        for limit in LIMITS {
            let ours = here().filter(|row| {
                let of = (row.mpi.as_str(), &*row.measured.who, &*row.measured.case, &*row.measured.how);
                of == (mpi, limit.who, limit.case, limit.how) && limit.counts.contains(&row.measured.count)
            });
            let values = ours.filter_map(|row| {
                let theirs = theirs(rows, row, limit.beside)?;
                Some(((limit.of)(&row.measured, &theirs.measured), row.measured.count))
            });
            let worse = |one: (f64, u64), other: (f64, u64)| {
                if (one.0 >= other.0) == limit.at_most { one } else { other }
            };
            if let Some((value, count)) = values.reduce(worse) {
                found.push(Target {
                    what: limit.what.to_owned(),
                    mpi: mpi.to_owned(),
                    wanted: limit.wanted,
                    at_most: limit.at_most,
                    found: value,
                    count,
                });
            }
        }
    }
    found
}

fn theirs<'a>(rows: &'a Rows, row: &Row, (who, how): (&str, &str)) -> Option<&'a Row> {
    if who == "C" {
        return rows.in_c(row, how);
    }
    rows.0.iter().find(|other| {
        let place = (&other.mpi, &other.transport, other.measured.count)
            == (&row.mpi, &row.transport, row.measured.count);
        place && (&*other.measured.who, &*other.measured.how) == (who, how)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(case: &str, who: &str, how: &str, count: u64, nanos: f64) -> Row {
        let (case, who, how) = (case.to_owned(), who.to_owned(), how.to_owned());
        let measured = Measured {
            case,
            count,
            bytes: count,
            who,
            how,
            nanos,
            median: nanos,
            more: nanos - 100.0,
            batches: 1,
            times: 1,
        };
        Row { mpi: "MPICH".into(), transport: "shared memory".into(), program: "Upcall".into(), measured }
    }

    #[test]
    fn the_worst_of_a_range_counts() {
        let rows = Rows(vec![
            row("ping-pong", "C", "bytes", 1, 100.0),
            row("ping-pong", "Upcall", "bytes", 1, 108.0),
            row("ping-pong", "C", "bytes", 2, 100.0),
            row("ping-pong", "Upcall", "bytes", 2, 112.0),
            row("padded-structs", "C", "field by field", 10, 9.0),
            row("padded-structs", "Upcall", "padding zeroed", 10, 9.0),
            row("padded-structs", "C", "field by field", 100, 600.0),
            row("padded-structs", "Upcall", "padding zeroed", 100, 100.0),
        ]);
        let found = targets(&rows);
        let short: Vec<_> = found.iter().map(|target| (target.found, target.count, target.met())).collect();
        assert_eq!(short, [(6.0, 2, false), (6.0, 100, true)]);
        assert!(found[0].line().ends_with("MISSED"), "{}", found[0].line());
    }

    #[test]
    fn what_was_measured_once_more_counts_where_it_is_less() {
        let mut rows = Rows::default();
        for nanos in [3.0, 2.0, 4.0] {
            rows.add(row("records", "Upcall", "pack", 100, nanos));
        }
        rows.add(row("records", "mpi4py", "pickle", 100, 30.0));
        assert_eq!((rows.0.len(), rows.0[0].measured.nanos, rows.0[0].measured.batches), (2, 2.0, 3));
        assert_eq!(targets(&rows)[0].found, 15.0);
    }
}
