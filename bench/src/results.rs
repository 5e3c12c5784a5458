//! Raw results, committed beside the code that measured them.

use crate::book;
use crate::machine::Machine;
use crate::measure::Sample;
use anyhow::{Context, Result};
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

/// What one benchmark found.
#[derive(Debug, Serialize)]
pub struct Results<Row> {
    /// The question that it answers.
    pub question: String,
    /// The command that made it.
    pub command: String,
    /// How it was measured, and what is unfair.
    pub notes: Vec<String>,
    /// What it ran on.
    pub machine: Machine,
    /// What was measured, raw.
    pub rows: Vec<Row>,
}

impl<Row: Serialize> Results<Row> {
    /// Writes `bench/results/NAME.json` and returns its path.
    pub fn write(&self, name: &str) -> Result<PathBuf> {
        let json = serde_json::to_string_pretty(self).context("writing the results as JSON")?;
        write_to("results", &format!("{name}.json"), &(json + "\n"))
    }

    /// The same, with each row on one line: for those that are many.
    pub fn write_by_line(&self, name: &str) -> Result<PathBuf> {
        write_to("results", &format!("{name}.json"), &self.by_line()?)
    }

    fn by_line(&self) -> Result<String> {
        let Results { question, command, notes, machine, rows } = self;
        let head = serde_json::json!({
            "question": question, "command": command, "notes": notes, "machine": machine,
        });
        let head = serde_json::to_string_pretty(&head).context("writing the results as JSON")?;
        let head = head.strip_suffix('}').unwrap_or(&head).trim_end();
        let rows: Vec<String> = rows
            .iter()
            .map(serde_json::to_string)
            .collect::<Result<_, _>>()
            .context("writing a row as JSON")?;
        Ok(format!("{head},\n  \"rows\": [\n{}\n  ]\n}}\n", rows.join(",\n")))
    }
}

/// Writes a file into `bench/FOLDER/`.
pub fn write_to(folder: &str, name: &str, text: &str) -> Result<PathBuf> {
    let folder = book::root().join("bench").join(folder);
    let path = folder.join(name);
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, text))
        .with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

/// How fast words are counted, by us or by a peer.
#[derive(Clone, Debug, Serialize)]
pub struct Throughput {
    /// Who counts, as the charts name it.
    pub label: String,
    /// Whether it is one of ours.
    pub ours: bool,
    /// Threads that work.
    pub workers: usize,
    /// Words counted in each run.
    pub words: u64,
    /// Each run as measured, start-up included.
    pub runs: Vec<Sample>,
    /// Runs over one line: the start-up, which is subtracted.
    pub startups: Vec<Sample>,
    /// Words per second on the wall: least run less least start-up.
    pub words_per_second: f64,
    /// CPU nanoseconds per word, likewise.
    pub cpu_nanos_per_word: f64,
}

impl Throughput {
    /// The rates that follow from the minima of `runs` and `startups`.
    pub fn new(
        label: impl Into<String>,
        workers: usize,
        words: u64,
        runs: Vec<Sample>,
        startups: Vec<Sample>,
    ) -> Throughput {
        let (run, startup) = (Sample::minimum(&runs), Sample::minimum(&startups));
        Throughput {
            label: label.into(),
            ours: false,
            workers,
            words,
            words_per_second: words as f64 / (run.wall_seconds - startup.wall_seconds),
            cpu_nanos_per_word: (run.cpu_seconds - startup.cpu_seconds) * 1e9 / words as f64,
            runs,
            startups,
        }
    }

    /// The same, as one of ours.
    pub fn ours(self) -> Throughput {
        Throughput { ours: true, ..self }
    }
}

/// The rows as a table for a terminal.
pub fn table(rows: &[Throughput]) -> String {
    let mut text = format!("{:<34} {:>7} {:>12} {:>16}\n", "", "workers", "M words/s", "CPU ns per word");
    for row in rows {
        text += &format!(
            "{:<34} {:>7} {:>12.2} {:>16.1}\n",
            row.label,
            row.workers,
            row.words_per_second / 1e6,
            row.cpu_nanos_per_word
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_of_the_minima_less_the_start_up() {
        let sample = |wall_seconds, cpu_seconds| Sample { wall_seconds, cpu_seconds };
        let runs = vec![sample(3.0, 2.5), sample(2.5, 4.0)];
        let row = Throughput::new("it", 1, 1000, runs, vec![sample(0.5, 0.5)]);
        assert_eq!((row.words_per_second, row.cpu_nanos_per_word), (500.0, 2e6));
        assert!(!row.ours && row.ours().ours);
    }

    #[test]
    fn rows_on_a_line_each_are_the_same_results() {
        let results = Results {
            question: "which?".into(),
            command: "this one".into(),
            notes: vec!["a }".into(), "b".into()],
            machine: Machine::here(),
            rows: vec![[1, 2], [3, 4]],
        };
        let text = results.by_line().unwrap();
        let same: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(same, serde_json::to_value(&results).unwrap());
        assert!(text.contains("\n[1,2],\n[3,4]\n"), "{text}");
    }
}
