//! What was measured over graphs: the least of all runs of each program, by who ran it, and in which part: what is compared was
//! measured as often, and at the same time.

use super::asked::Part;
use crate::book;
use crate::machine::Machine;
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;
use std::process::Command;
use upcall_graph::Graph;

/// How large a graph is.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Size {
    /// 2^scale vertices.
    pub scale: u32,
    /// How many vertices.
    pub vertices: usize,
    /// How many edges, each direction being one.
    pub edges: usize,
}

impl Size {
    /// That of a graph.
    #[must_use]
    pub fn of(scale: u32, graph: &Graph) -> Size {
        Size { scale, vertices: graph.vertices(), edges: graph.edges() }
    }

    /// A run over it. What has no known number of iterations has one.
    pub fn row(
        self,
        what: &'static str,
        who: impl Into<String>,
        threads: usize,
        seconds: f64,
        iterations: u64,
    ) -> Row {
        let nanos_per_edge = seconds * 1e9 / self.edges as f64 / iterations as f64;
        let (mib_per_second, peak_mib) = (None, None);
        let (part, who) = ("", who.into());
        Row { part, size: self, what, who, threads, seconds, nanos_per_edge, mib_per_second, peak_mib }
    }
}

/// The best run of a program.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The part in which it was measured.
    pub part: &'static str,
    /// Over which graph.
    #[serde(flatten)]
    pub size: Size,
    /// The program.
    pub what: &'static str,
    /// Who ran it.
    pub who: String,
    /// On how many threads.
    pub threads: usize,
    /// The least of all runs.
    pub seconds: f64,
    /// Of an edge, in one iteration where there are so many.
    pub nanos_per_edge: f64,
    /// How fast the file was read, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mib_per_second: Option<f64>,
    /// The most memory of its own that the process had (RssAnon), if that was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_mib: Option<f64>,
}

impl Row {
    /// The same, over a file of so many bytes, which was read once in this time.
    #[must_use]
    pub fn reading(self, bytes: u64, seconds: f64) -> Row {
        Row { mib_per_second: Some(bytes as f64 / f64::from(1 << 20) / seconds), ..self }
    }

    fn is_of(&self, other: &Row) -> bool {
        (self.part, self.size.scale, self.what, &self.who, self.threads)
            == (other.part, other.size.scale, other.what, &other.who, other.threads)
    }
}

/// All of them.
#[derive(Debug, Default)]
pub struct Rows {
    rows: Vec<Row>,
    part: &'static str,
}

impl Rows {
    /// What is added from now on is of this part.
    pub fn begin(&mut self, part: Part) {
        self.part = part.name();
    }

    /// Takes a run, unless the same was faster before. It is told at once: what fails an hour later does not take it along.
    pub fn add(&mut self, row: Row) {
        let row = Row { part: self.part, ..row };
        let Row { size, what, who, threads, seconds, .. } = &row;
        eprintln!("scale {}, {what}, {who}, {threads} threads: {seconds:.4} s", size.scale);
        match self.rows.iter_mut().find(|known| known.is_of(&row)) {
            Some(known) if known.seconds <= row.seconds => {}
            Some(known) => *known = row,
            None => self.rows.push(row),
        }
    }

    /// What a program took in a part, as it is known.
    #[must_use]
    pub fn seconds(&self, part: Part, size: Size, what: &str, who: &str, threads: usize) -> Option<f64> {
        let same = |row: &&Row| {
            (row.part, row.size.scale, row.what, &*row.who, row.threads)
                == (part.name(), size.scale, what, who, threads)
        };
        self.rows.iter().find(same).map(|row| row.seconds)
    }

    /// Who has run a program in a part.
    pub fn who(&self, part: Part, what: &str) -> impl Iterator<Item = (&str, usize)> {
        let rows = self.rows.iter().filter(move |row| (row.part, row.what) == (part.name(), what));
        rows.map(|row| (&*row.who, row.threads))
    }

    /// A table, sorted.
    pub fn print(&mut self) {
        self.rows.sort_by(|one, other| {
            let key = |row: &Row| (row.part, row.size.scale, row.what, row.threads);
            key(one).cmp(&key(other))
        });
        println!(
            "{:<6} {:>5} {:<24} {:<36} {:>7} {:>10} {:>12} {:>8} {:>8}",
            "part", "scale", "program", "who", "threads", "seconds", "ns an edge", "MiB/s", "peak MiB"
        );
        let number = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.0}"));
        for Row { part, size, what, who, threads, seconds, nanos_per_edge, mib_per_second, peak_mib } in
            &self.rows
        {
            println!(
                "{part:<6} {:>5} {what:<24} {who:<36} {threads:>7} {seconds:>10.4} {nanos_per_edge:>12.3} {:>8} {:>8}",
                size.scale,
                number(*mib_per_second),
                number(*peak_mib)
            );
        }
    }

    /// As JSON has them.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn values(&self) -> Result<Vec<Value>> {
        self.rows.iter().map(|row| serde_json::to_value(row).context("writing a row as JSON")).collect()
    }

    /// These beside those of other parts in the results that are there; alone where these are of another commit.
    ///
    /// # Errors
    /// Rows cannot be written as JSON.
    pub fn beside(&self, there: &str, commit: &str) -> Result<Vec<Value>> {
        let mut rows = self.values()?;
        let there = serde_json::from_str::<Value>(there).unwrap_or_default();
        if there["machine"]["commit"] != commit {
            return Ok(rows);
        }
        let key = |row: &Value| ["part", "scale", "what", "who", "threads"].map(|name| row[name].clone());
        let known = there["rows"].as_array().into_iter().flatten();
        let others: Vec<Value> =
            known.filter(|known| rows.iter().all(|row| key(row) != key(known))).cloned().collect();
        rows.extend(others);
        Ok(rows)
    }
}

/// This machine, whose commit is not called dirty where nothing but results has changed: that of another part is there already.
#[must_use]
pub fn machine() -> Machine {
    let mut machine = Machine::here();
    let mut git = Command::new("git");
    git.arg("-C").arg(book::root()).args(["diff", "--quiet", "HEAD", "--", ".", ":!bench/results"]);
    if git.status().is_ok_and(|status| status.success()) {
        machine.commit = machine.commit.trim_end_matches("-dirty").to_owned();
    }
    machine
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { scale: 4, vertices: 16, edges: 100 };

    #[test]
    fn the_fastest_run_stays() {
        let mut rows = Rows::default();
        rows.begin(Part::Cached);
        for seconds in [3.0, 2.0, 4.0] {
            rows.add(SIZE.row("PageRank", "it", 1, seconds, 10));
        }
        rows.add(SIZE.row("PageRank", "it", 2, 1.0, 10));
        // What was faster beside others does not stand beside these.
        rows.begin(Part::Python);
        rows.add(SIZE.row("PageRank", "it", 1, 1.5, 10));
        assert_eq!(rows.seconds(Part::Cached, SIZE, "PageRank", "it", 1), Some(2.0));
        assert_eq!(rows.seconds(Part::Python, SIZE, "PageRank", "it", 1), Some(1.5));
        assert_eq!(rows.who(Part::Cached, "PageRank").collect::<Vec<_>>(), [("it", 1), ("it", 2)]);
        assert_eq!(rows.values().unwrap().len(), 3);
        assert_eq!(rows.values().unwrap()[0]["nanos_per_edge"], 2e6);
        assert_eq!(rows.values().unwrap()[0]["scale"], 4);
    }

    #[test]
    fn rows_of_other_parts_stay_if_they_are_of_the_same_commit() {
        let mut rows = Rows::default();
        rows.begin(Part::Cold);
        rows.add(SIZE.row("PageRank", "it", 1, 2.0, 10).reading(2 << 20, 4.0));
        let there = r#"{"machine": {"commit": "abc"}, "rows": [
            {"part": "cold", "scale": 4, "what": "PageRank", "who": "it", "threads": 1, "seconds": 5.0},
            {"part": "python", "scale": 4, "what": "PageRank", "who": "it", "threads": 1, "seconds": 6.0}]}"#;
        let both = rows.beside(there, "abc").unwrap();
        let seconds: Vec<f64> = both.iter().filter_map(|row| row["seconds"].as_f64()).collect();
        assert_eq!(seconds, [2.0, 6.0]);
        assert_eq!(both[0]["mib_per_second"], 0.5);
        assert_eq!(rows.beside(there, "abd").unwrap(), rows.values().unwrap());
        assert_eq!(rows.beside("no results", "abc").unwrap(), rows.values().unwrap());
    }
}
