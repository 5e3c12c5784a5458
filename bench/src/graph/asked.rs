//! What the benchmark is asked to measure: numbers and parts, in any order.

use anyhow::{Context, Result, bail};

/// A part of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Ours, plain loops, GAP, petgraph and GraphChi, with the file in the page cache.
    Cached,
    /// Programs of guests.
    Guests,
    /// NetworkX, igraph and scikit-network.
    Python,
    /// Ours and GraphChi, with nothing in the page cache, and the disk.
    Cold,
    /// A graph sixteen times as large, within a little memory.
    Budget,
    /// PageRank at one scale after another, by each up to the largest that it holds.
    Scales,
}

/// All parts, as the command line names them.
const PARTS: [(&str, Part); 6] = [
    ("cached", Part::Cached),
    ("guests", Part::Guests),
    ("python", Part::Python),
    ("cold", Part::Cold),
    ("budget", Part::Budget),
    ("scales", Part::Scales),
];

impl Part {
    /// As the command line has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        PARTS.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }
}

/// What is measured.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    /// The graph has 2^scale vertices.
    pub scale: u32,
    /// How often.
    pub runs: usize,
    parts: Vec<Part>,
}

impl Asked {
    /// Reads `[SCALE [RUNS]] [PART...]`.
    ///
    /// # Errors
    /// A word is neither a number nor a part, or there are too many numbers.
    pub fn of(words: impl Iterator<Item = String>) -> Result<Asked> {
        let (mut numbers, mut parts) = (Vec::new(), Vec::new());
        for word in words {
            if word.starts_with(|first: char| first.is_ascii_digit()) {
                numbers.push(word.parse::<usize>().with_context(|| format!("reading the number {word:?}"))?);
                continue;
            }
            let Some((_, part)) = PARTS.iter().find(|(name, _)| *name == word) else {
                let names = PARTS.map(|(name, _)| name).join(", ");
                bail!("reading {word:?}: it is neither SCALE nor RUNS nor a part; the parts are: {names}");
            };
            parts.push(*part);
        }
        if numbers.len() > 2 {
            bail!("reading SCALE and RUNS: found {} numbers", numbers.len());
        }
        let scale = numbers.first().map_or(20, |scale| *scale);
        // Four less must be a graph, and four more must have names of 32 bits.
        if !(8..=28).contains(&scale) {
            bail!("reading SCALE: found {scale}, which is not between 8 and 28");
        }
        Ok(Asked { scale: scale as u32, runs: numbers.get(1).map_or(5, |runs| *runs).max(1), parts })
    }

    /// Whether this part is measured: all are where none is named.
    #[must_use]
    pub fn has(&self, part: Part) -> bool {
        self.parts.is_empty() || self.parts.contains(&part)
    }

    /// The command that asks for it.
    #[must_use]
    pub fn command(&self) -> String {
        let parts = self.parts.iter().map(|part| part.name());
        let words =
            [self.scale.to_string(), self.runs.to_string()].into_iter().chain(parts.map(str::to_owned));
        format!("cargo xtask bench graph {}", words.collect::<Vec<_>>().join(" "))
    }

    /// Whether all parts are.
    #[must_use]
    pub fn all(&self) -> bool {
        PARTS.iter().all(|(_, part)| self.has(*part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Result<Asked> {
        Asked::of(words.iter().map(|word| (*word).to_owned()))
    }

    #[test]
    fn numbers_and_parts_are_told_apart() {
        let found = asked(&["16", "cold", "2", "budget"]).unwrap();
        assert_eq!(found, Asked { scale: 16, runs: 2, parts: vec![Part::Cold, Part::Budget] });
        assert!(found.has(Part::Cold) && !found.has(Part::Cached) && !found.all());
        assert_eq!(found.command(), "cargo xtask bench graph 16 2 cold budget");
        let found = asked(&[]).unwrap();
        assert!((found.scale, found.runs, found.all()) == (20, 5, true));
    }

    #[test]
    fn what_is_neither_is_named() {
        let said = |words: &[&str]| asked(words).unwrap_err().to_string();
        assert!(said(&["warm"]).contains("\"warm\"") && said(&["warm"]).contains("cached, guests"));
        assert!(said(&["1", "2", "3"]).contains("3 numbers"));
        assert!(said(&["40"]).contains("between 8 and 28"));
    }
}
