//! The committed counts, and how others compare with them.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// A change by less than this share is none: where the compiler puts code moves a count a little.
const TOLERATED: f64 = 0.03;

const HEAD: &str = "\
# Instructions that hot paths execute, of one item or call each, as callgrind counts them: our own code, without libc,
# Python and the kernel. `cargo xtask counts` compares, `cargo xtask counts --update` writes this file anew. The commit
# that raises a number says why.
";

/// Counts by name.
#[derive(Debug, Default, PartialEq)]
pub struct Table(BTreeMap<String, f64>);

/// What became of a count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// It is as it was, or nearly so.
    Same(f64),
    /// More than before.
    Risen(f64, f64),
    /// Much less than before.
    Fallen(f64, f64),
    /// Nothing was committed for it.
    Unknown(f64),
    /// It was committed and is not counted any more.
    Gone(f64),
}

impl Table {
    /// Reads the committed file: lines such as `"name" = 12.5`.
    pub fn read(file: &Path) -> Result<Table> {
        let text = fs::read_to_string(file).with_context(|| {
            format!("reading {}: `cargo xtask counts --update` writes it", file.display())
        })?;
        let mut table = Table::default();
        for line in text.lines().map(str::trim).filter(|line| line.starts_with('"')) {
            let read =
                line[1..].split_once("\" = ").and_then(|(name, count)| Some((name, count.parse().ok()?)));
            let (name, count) =
                read.with_context(|| format!("{}: {line} is not a name and a count", file.display()))?;
            table.add(name.to_owned(), count);
        }
        Ok(table)
    }

    /// Adds a count, to a tenth of an instruction.
    pub fn add(&mut self, name: String, count: f64) {
        self.0.insert(name, (count * 10.0).round() / 10.0);
    }

    /// The file; a count that has not changed by as much as is tolerated keeps its old value, so that a commit shows
    /// only what it changes.
    pub fn text(&self, old: &Table) -> String {
        let mut text = HEAD.to_owned();
        for (name, count) in &self.0 {
            let kept = old.0.get(name).filter(|old| matches!(verdict(**old, *count), Verdict::Same(_)));
            text += &format!("\"{name}\" = {:.1}\n", kept.unwrap_or(count));
        }
        text
    }

    /// Each count, committed or found.
    pub fn compare(&self, found: &Table) -> Vec<(String, Verdict)> {
        let gone = self.0.iter().filter(|(name, _)| !found.0.contains_key(*name));
        let gone = gone.map(|(name, count)| (name.clone(), Verdict::Gone(*count)));
        let of = |(name, count): (&String, &f64)| {
            let known = self.0.get(name).map(|old| verdict(*old, *count));
            (name.clone(), known.unwrap_or(Verdict::Unknown(*count)))
        };
        found.0.iter().map(of).chain(gone).collect()
    }
}

fn verdict(old: f64, new: f64) -> Verdict {
    match new / old {
        ratio if ratio > 1.0 + TOLERATED => Verdict::Risen(old, new),
        ratio if ratio < 1.0 - TOLERATED => Verdict::Fallen(old, new),
        _ => Verdict::Same(new),
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |old: f64, new: f64| (new / old - 1.0) * 100.0;
        match *self {
            Verdict::Same(new) => write!(f, "{new:>10.1}"),
            Verdict::Risen(old, new) => {
                write!(f, "{new:>10.1}  RISEN from {old:.1}, by {:.1} %", percent(old, new))
            }
            Verdict::Fallen(old, new) => {
                let fell = -percent(old, new);
                write!(f, "{new:>10.1}  fallen from {old:.1}, by {fell:.1} %: `--update` keeps it there")
            }
            Verdict::Unknown(new) => write!(f, "{new:>10.1}  NOT IN counts.toml"),
            Verdict::Gone(old) => write!(f, "{old:>10.1}  in counts.toml, NOT COUNTED any more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(counts: &[(&str, f64)]) -> Table {
        let mut table = Table::default();
        counts.iter().for_each(|(name, count)| table.add((*name).to_owned(), *count));
        table
    }

    #[test]
    fn a_rise_by_more_than_three_percent_is_told_and_a_smaller_one_is_not() {
        let old = table(&[("a", 100.0), ("b", 100.0), ("c", 100.0)]);
        let new = table(&[("a", 103.0), ("b", 103.1), ("c", 96.0)]);
        let verdicts: Vec<Verdict> = old.compare(&new).into_iter().map(|(_, verdict)| verdict).collect();
        assert_eq!(
            verdicts,
            [Verdict::Same(103.0), Verdict::Risen(100.0, 103.1), Verdict::Fallen(100.0, 96.0)]
        );
    }

    #[test]
    fn a_path_that_is_new_or_gone_is_told() {
        let compared = table(&[("old", 1.0)]).compare(&table(&[("new", 2.0)]));
        assert_eq!(
            compared,
            [("new".to_owned(), Verdict::Unknown(2.0)), ("old".to_owned(), Verdict::Gone(1.0))]
        );
    }

    #[test]
    fn an_update_changes_only_what_has_changed() {
        let text = table(&[("a", 101.0), ("b", 150.0)]).text(&table(&[("a", 100.0), ("b", 100.0)]));
        assert!(text.ends_with("\"a\" = 100.0\n\"b\" = 150.0\n"), "{text}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let file = std::env::temp_dir().join(format!("xtask-counts-{}", std::process::id()));
        let counts = table(&[("pack, a record", 12.5)]);
        fs::write(&file, counts.text(&Table::default())).unwrap();
        let read = Table::read(&file);
        fs::remove_file(&file).unwrap();
        assert_eq!(read.unwrap(), counts);
    }
}
