//! What was measured over graphs: the least of all runs of each program, by who ran it, and in which part: what is compared was
//! measured as often, and at the same time.

use super::asked::Part;
use super::watch::Watched;
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
        Row {
            part: "",
            size: self,
            what,
            who: who.into(),
            threads,
            seconds,
            nanos_per_edge,
            mib_per_second: None,
            peak_mib: None,
            resident_mib: None,
            ended: None,
        }
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
    /// The most that it had with what it has mapped (VmHWM), if that was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resident_mib: Option<f64>,
    /// Why nobody asked for a larger scale, at the largest that a peer holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

impl Row {
    /// The same, over a file of so many bytes, which was read once in this time.
    #[must_use]
    pub fn reading(self, bytes: u64, seconds: f64) -> Row {
        Row { mib_per_second: Some(bytes as f64 / f64::from(1 << 20) / seconds), ..self }
    }

    /// The same, of a process that was watched.
    #[must_use]
    pub fn of(self, watched: &Watched) -> Row {
        let (peak_mib, resident_mib) = (Some(watched.peak_mib), Some(watched.resident_mib));
        Row { peak_mib, resident_mib, ..self }
    }

    /// What no other row has.
    fn key(&self) -> (&str, u32, &str, &str, usize) {
        (self.part, self.size.scale, self.what, &self.who, self.threads)
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
        match self.rows.iter_mut().find(|known| known.key() == row.key()) {
            Some(known) if known.seconds <= row.seconds => {}
            Some(known) => *known = row,
            None => self.rows.push(row),
        }
    }

    /// What a program took in a part, as it is known.
    #[must_use]
    pub fn seconds(&self, part: Part, scale: u32, what: &str, who: &str, threads: usize) -> Option<f64> {
        self.row(part, scale, what, who, threads).map(|row| row.seconds)
    }

    /// The best run of a program in a part, as it is known.
    #[must_use]
    pub fn row(&self, part: Part, scale: u32, what: &str, who: &str, threads: usize) -> Option<&Row> {
        let wanted = (part.name(), scale, what, who, threads);
        self.rows.iter().find(|row| row.key() == wanted)
    }

    /// Says of a row, which is of the largest scale that somebody holds on one thread, why there is no larger one.
    pub fn end(&mut self, part: Part, scale: u32, (what, who): (&str, &str), why: String) {
        let wanted = (part.name(), scale, what, who, 1);
        if let Some(row) = self.rows.iter_mut().find(|row| row.key() == wanted) {
            row.ended = Some(why);
        }
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
            "{:<6} {:>5} {:<24} {:<36} {:>7} {:>10} {:>12} {:>8} {:>8}  ended by",
            "part", "scale", "program", "who", "threads", "seconds", "ns an edge", "MiB/s", "peak MiB"
        );
        let number = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.0}"));
        for row in &self.rows {
            let Row { part, size, what, who, threads, seconds, nanos_per_edge, .. } = row;
            println!(
                "{part:<6} {:>5} {what:<24} {who:<36} {threads:>7} {seconds:>10.4} {nanos_per_edge:>12.3} {:>8} {:>8}  {}",
                size.scale,
                number(row.mib_per_second),
                number(row.peak_mib),
                row.ended.as_deref().unwrap_or_default()
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

    /// These beside those of other parts in the results that are [`there()`]. How far somebody comes is of one run: those of all scales
    /// stay or go together.
    ///
    /// # Errors
    /// Rows cannot be written as JSON.
    pub fn beside(&self, there: &Value) -> Result<Vec<Value>> {
        let mut rows = self.values()?;
        let key = |row: &Value| ["part", "scale", "what", "who", "threads"].map(|name| row[name].clone());
        let known = there["rows"].as_array().into_iter().flatten();
        let scales = Part::Scales.name();
        let again = rows.iter().any(|row| row["part"] == scales);
        let stays = |known: &&Value| {
            !(again && known["part"] == scales) && rows.iter().all(|row| key(row) != key(known))
        };
        let others: Vec<Value> = known.filter(stays).cloned().collect();
        rows.extend(others);
        Ok(rows)
    }
}

/// The results that are there, or nothing where these are of another commit.
#[must_use]
pub fn there(text: &str, commit: &str) -> Value {
    let there = serde_json::from_str::<Value>(text).unwrap_or_default();
    if there["machine"]["commit"] == commit { there } else { Value::Null }
}

/// Notes beside those in the results that are there, of which those go that begin with the same words, up to a colon or a comma.
#[must_use]
pub fn notes_beside(mut notes: Vec<String>, there: &Value) -> Vec<String> {
    let begin = |note: &str| note.split([':', ',']).next().unwrap_or_default().to_owned();
    let known = there["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let others: Vec<&str> =
        known.filter(|known| notes.iter().all(|note| begin(note) != begin(known))).collect();
    notes.extend(others.into_iter().map(str::to_owned));
    notes
}

/// A command behind those in the results that are there.
#[must_use]
pub fn command_beside(command: &str, there: &Value) -> String {
    let known = there["command"].as_str().into_iter().flat_map(|known| known.split("; "));
    let known = known.filter(|known| *known != command);
    known.chain([command]).collect::<Vec<_>>().join("; ")
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
        assert_eq!(rows.seconds(Part::Cached, 4, "PageRank", "it", 1), Some(2.0));
        assert_eq!(rows.seconds(Part::Python, 4, "PageRank", "it", 1), Some(1.5));
        assert_eq!(rows.who(Part::Cached, "PageRank").collect::<Vec<_>>(), [("it", 1), ("it", 2)]);
        assert_eq!(rows.values().unwrap().len(), 3);
        assert_eq!(rows.values().unwrap()[0]["nanos_per_edge"], 2e6);
        assert_eq!(rows.values().unwrap()[0]["scale"], 4);
        rows.end(Part::Cached, 4, ("PageRank", "it"), "time".into());
        assert_eq!(rows.values().unwrap()[0]["ended"], "time");
        assert!(rows.values().unwrap()[1].get("ended").is_none());
    }

    #[test]
    fn rows_of_other_parts_stay_if_they_are_of_the_same_commit() {
        let mut rows = Rows::default();
        rows.begin(Part::Cold);
        rows.add(SIZE.row("PageRank", "it", 1, 2.0, 10).reading(2 << 20, 4.0));
        let there = r#"{"machine": {"commit": "abc"}, "rows": [
            {"part": "cold", "scale": 4, "what": "PageRank", "who": "it", "threads": 1, "seconds": 5.0},
            {"part": "python", "scale": 4, "what": "PageRank", "who": "it", "threads": 1, "seconds": 6.0}]}"#;
        let both = rows.beside(&super::there(there, "abc")).unwrap();
        let seconds: Vec<f64> = both.iter().filter_map(|row| row["seconds"].as_f64()).collect();
        assert_eq!(seconds, [2.0, 6.0]);
        assert_eq!(both[0]["mib_per_second"], 0.5);
        rows.begin(Part::Scales);
        rows.add(SIZE.row("PageRank", "it", 1, 2.0, 10));
        let old = there.replace("python", "scales").replace("\"it\"", "\"another\"");
        assert_eq!(rows.beside(&super::there(&old, "abc")).unwrap().len(), 3);
        for nothing in [super::there(there, "abd"), super::there("no results", "abc")] {
            assert_eq!(rows.beside(&nothing).unwrap(), rows.values().unwrap());
        }
    }

    #[test]
    fn notes_and_commands_of_other_parts_stay_too() {
        let text = r#"{"machine": {"commit": "abc"}, "command": "bench 20; bench 24 scales",
            "notes": ["All of it.", "Budget: 1 GiB.", "Scales: old.", "Scales, it: old."]}"#;
        let there = super::there(text, "abc");
        let notes = |notes: &[&str]| notes.iter().map(|note| (*note).to_owned()).collect::<Vec<_>>();
        let both = notes_beside(notes(&["All of it.", "Scales: new."]), &there);
        assert_eq!(both, notes(&["All of it.", "Scales: new.", "Budget: 1 GiB."]));
        assert_eq!(command_beside("bench 24 scales", &there), "bench 20; bench 24 scales");
        assert_eq!(command_beside("bench 20", &Value::Null), "bench 20");
    }
}
