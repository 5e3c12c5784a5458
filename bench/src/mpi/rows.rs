//! What was measured: rows, as the programs print them, and as a table.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// What one way to pass messages took, as a program prints it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Measured {
    /// Which messages.
    pub case: String,
    /// How many elements.
    pub count: u64,
    /// How many bytes they are in memory.
    pub bytes: u64,
    /// Whose way it is.
    pub who: String,
    /// Which of theirs.
    pub how: String,
    /// Nanoseconds of one message or reduction, the least.
    pub nanos: f64,
    /// The same of the batch in the middle.
    pub median: f64,
    /// Nanoseconds more than the first way, which is C's where C has one, by the mean of the least tenth of the batches of each.
    pub more: f64,
    /// How many batches were timed.
    pub batches: u64,
    /// Messages or reductions in each.
    pub times: u64,
}

/// The same, with where it was.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    /// The MPI, with its version.
    pub mpi: String,
    /// What is between the ranks.
    pub transport: String,
    /// Whose process it was: C is in all of them.
    pub program: String,
    /// What was measured.
    #[serde(flatten)]
    pub measured: Measured,
}

impl Row {
    /// Whether both are of the same messages on the same MPI, in the same process.
    fn beside(&self, other: &Row) -> bool {
        let of = |row: &Row| (row.mpi.clone(), row.transport.clone(), row.program.clone());
        let what = |row: &Row| (row.measured.case.clone(), row.measured.count);
        of(self) == of(other) && what(self) == what(other)
    }
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct Rows(pub Vec<Row>);

impl Rows {
    /// Adds what a program has measured once more: of what was there already the least counts. Picoseconds are the end of it.
    pub fn add(&mut self, mut row: Row) {
        let Measured { nanos, median, more, .. } = &mut row.measured;
        for time in [nanos, median, more] {
            *time = (*time * 1e3).round() / 1e3;
        }
        let same = |other: &&mut Row| {
            let way = |row: &Row| (row.measured.who.clone(), row.measured.how.clone());
            other.beside(&row) && way(other) == way(&row)
        };
        match self.0.iter_mut().find(same) {
            Some(there) => {
                let (batches, new) = (there.measured.batches + row.measured.batches, &row.measured);
                if new.nanos < there.measured.nanos {
                    there.measured = new.clone();
                }
                there.measured.batches = batches;
            }
            None => self.0.push(row),
        }
    }

    /// C's row of the same messages in the same process, done in this way.
    pub fn in_c(&self, row: &Row, how: &str) -> Option<&Row> {
        self.0
            .iter()
            .find(|other| other.beside(row) && (&*other.measured.who, &*other.measured.how) == ("C", how))
    }

    /// A table for each case: microseconds, and times C's.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let mut above = (String::new(), String::new(), String::new(), String::new());
        let mut count = None;
        for row in &self.0 {
            let Measured { case, who, how, nanos, .. } = &row.measured;
            let head = (row.mpi.clone(), row.transport.clone(), row.program.clone(), case.clone());
            // Writing to a string cannot fail.
            if head != above {
                let _ = write!(text, "\n\n{}, {}, {case}, in the process of {}", head.0, head.1, head.2);
                above = head;
                count = None;
            }
            if count != Some(row.measured.count) {
                count = Some(row.measured.count);
                let _ = write!(text, "\n{:>9} ", row.measured.count);
            }
            let _ = write!(text, " {who} {how} {:.3}", nanos / 1e3);
            let c = [c_of(case, how), "bytes"].into_iter().find_map(|how| self.in_c(row, how));
            if let (Some(c), true) = (c, who != "C") {
                let _ = write!(text, " ({:.3})", nanos / c.measured.nanos);
            }
        }
        text.trim_start().to_owned() + "\n"
    }
}

/// Which of C's ways one is held against.
pub fn c_of(case: &str, how: &str) -> &'static str {
    match (case, how) {
        ("all-reduce", "MPI_SUM" | "function of spans" | "function of numpy") => "MPI_SUM",
        ("all-reduce" | "handlers", _) => "function",
        ("padded-structs", _) => "field by field",
        ("unknown-size", _) => "known size",
        _ => "bytes",
    }
}
