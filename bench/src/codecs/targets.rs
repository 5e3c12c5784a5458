//! The targets for pack, and whether they are met.

use super::{Row, least};
use serde::Serialize;

/// Our pack, writing MemoryPack's bytes.
pub const OURS: &str = "upcall pack";
/// Our pack, writing strings without their length in UTF-16.
pub const OURS_WITHOUT_LENGTH: &str = "upcall pack, UTF-8 only";
/// MemoryPack itself, in the quicker way to run it: with what the runtime has learned of it.
pub const MEMORYPACK: &str = "MemoryPack C#";
/// The ways to start .NET. Which is the quicker one depends on how long a program runs: the first compiles what is
/// called often again, for what it has seen; the second compiles everything well, once.
pub const RUNTIMES: &[(&str, &[(&str, &str)])] = &[
    (MEMORYPACK, &[("DOTNET_TieredPGO", "1"), ("DOTNET_ReadyToRun", "0")]),
    ("MemoryPack C#, one tier", &[("DOTNET_TieredCompilation", "0")]),
];
/// What memory allows.
pub const MEMCPY: &str = "memcpy";

/// Whom our time is held against.
pub enum Peer {
    /// One operation of one.
    One(&'static str, &'static str),
    /// The fastest of the others in Rust, in the same operation.
    Fastest,
}

/// That our time is at most this many times a peer's.
pub struct Target {
    /// As it was asked for.
    pub says: &'static str,
    /// The shape.
    pub shape: &'static str,
    /// What we do with it.
    pub operation: &'static str,
    /// In which of our modes.
    pub ours: &'static str,
    /// Beside whom.
    pub peer: Peer,
    /// Our time over theirs, at most.
    pub most: f64,
}

const fn arrays(operation: &'static str) -> Target {
    Target {
        says: "arrays of blittable values at most 1.05 times memcpy",
        shape: "vectors",
        operation,
        ours: OURS,
        peer: Peer::One(operation, MEMCPY),
        most: 1.05,
    }
}

const fn mesh(operation: &'static str) -> Target {
    Target {
        says: "mesh, owned, within 1.1 times the fastest",
        shape: "mesh",
        operation,
        ours: OURS,
        peer: Peer::Fastest,
        most: 1.1,
    }
}

const fn log(
    says: &'static str,
    operation: &'static str,
    ours: &'static str,
    peer: Peer,
    most: f64,
) -> Target {
    Target { says, shape: "log", operation, ours, peer, most }
}

/// All of them.
pub const TARGETS: &[Target] = &[
    arrays("write"),
    arrays("read"),
    arrays("overwrite"),
    log(
        "log write at least 3.5 times as fast as C#",
        "write",
        OURS,
        Peer::One("write", MEMORYPACK),
        1.0 / 3.5,
    ),
    log("log write within 1.7 times the fastest", "write", OURS, Peer::Fastest, 1.7),
    log(
        "the same within 1.3 times, without the UTF-16 length",
        "write",
        OURS_WITHOUT_LENGTH,
        Peer::Fastest,
        1.3,
    ),
    log(
        "borrowed log read at least 3 times as fast as C# reads",
        "borrow",
        OURS,
        Peer::One("read", MEMORYPACK),
        1.0 / 3.0,
    ),
    log(
        "log overwrite at least 2.8 times as fast as C#'s",
        "overwrite",
        OURS,
        Peer::One("overwrite", MEMORYPACK),
        1.0 / 2.8,
    ),
    mesh("write"),
    mesh("read"),
];

/// What became of a target.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// As it was asked for.
    pub target: &'static str,
    /// The operation.
    pub operation: &'static str,
    /// Whom our time was held against.
    pub peer: String,
    /// Our time over theirs.
    pub ratio: f64,
    /// What it may be at most.
    pub most: f64,
    /// Whether it is.
    pub met: bool,
}

/// Holds the targets against what was measured; those whose peer was not measured are left out.
pub fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    let verdict = |target: &Target| {
        let ours = least(rows, target.shape, target.operation, target.ours)?;
        let (peer, theirs) = match target.peer {
            Peer::One(operation, peer) => (peer.to_owned(), least(rows, target.shape, operation, peer)?),
            Peer::Fastest => fastest(rows, target)?,
        };
        let (ratio, most) = (ours / theirs, target.most);
        Some(Verdict {
            target: target.says,
            operation: target.operation,
            peer,
            ratio,
            most,
            met: ratio <= most,
        })
    };
    TARGETS.iter().filter_map(verdict).collect()
}

fn fastest(rows: &[Row], target: &Target) -> Option<(String, f64)> {
    let peers = rows.iter().filter(|row| {
        let others = !row.codec.starts_with(OURS) && !row.codec.starts_with(MEMORYPACK);
        others && row.codec != MEMCPY && row.shape == target.shape && row.operation == target.operation
    });
    let best = peers.min_by(|a, b| a.least.total_cmp(&b.least))?;
    Some((best.codec.clone(), best.least))
}

/// A line for each target: the ratio, and whether it is met.
pub fn table(verdicts: &[Verdict]) -> String {
    let line = |verdict: &Verdict| {
        let Verdict { target, operation, peer, ratio, most, met } = verdict;
        let word = if *met { "met" } else { "MISSED" };
        format!("{target:<58} {operation:<10} {ratio:>6.3} of {most:>5.3}  {word}  ({peer})\n")
    };
    verdicts.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(shape: &str, operation: &str, codec: &str, least: f64) -> Row {
        let (shape, operation, codec) = (shape.into(), operation.into(), codec.into());
        Row { shape, operation, codec, least, median: least, rounds: vec![least] }
    }

    #[test]
    fn the_fastest_is_neither_ours_nor_written_in_csharp() {
        let rows = [
            row("mesh", "write", OURS, 110.0),
            row("mesh", "write", OURS_WITHOUT_LENGTH, 1.0),
            row("mesh", "write", MEMORYPACK, 2.0),
            row("mesh", "write", "speedy", 101.0),
            row("mesh", "write", "rkyv", 100.0),
            row("mesh", "read", "rkyv", 3.0),
        ];
        let found = verdicts(&rows);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].peer.as_str(), found[0].ratio, found[0].met), ("rkyv", 1.1, true));
    }

    #[test]
    fn a_borrowed_read_is_held_against_an_owned_one() {
        let met = |ours| {
            verdicts(&[row("log", "borrow", OURS, ours), row("log", "read", MEMORYPACK, 900.0)])[0].met
        };
        assert!(met(300.0) && !met(301.0));
    }
}
