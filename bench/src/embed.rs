//! The other direction: handlers of a program in another language that has loaded us, beside a callback by the best known
//! library for that pairing.
//!
//! The programs are in `bench/embed`, what they compare with in `bench/peers`; each prints a JSON object per line.

use crate::command::{self, built, run};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::process::Command;
use upcall_host::JavaOptions;
use upcall_host::node::NodeOptions;

/// Times that each program is run.
const TURNS: usize = 5;

/// What one way to call a handler costs.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    /// The program's.
    pub language: String,
    /// Who calls.
    pub who: String,
    /// Objects in a call.
    pub batch: usize,
    /// Nanoseconds per object.
    pub nanos: f64,
}

/// The programs that `cargo xtask bench boundary` has built.
pub fn programs() -> Result<Vec<Command>> {
    let library = built("UPCALL_BENCH_EMBED", "boundary")?;
    let mut csharp = Command::new(built("UPCALL_BENCH_DOTNET", "boundary")?);
    csharp.arg(built("UPCALL_BENCH_EMBED_CSHARP", "boundary")?).arg(&library);
    let mut python = Command::new(built("UPCALL_BENCH_EMBED_PYTHON", "boundary")?);
    python.arg(crate::book::root().join("bench/embed/python/embed.py")).arg(&library);
    python.arg(built("UPCALL_BENCH_PYO3", "boundary")?);
    python.env("PYTHONPATH", crate::book::root().join("sdk/python"));
    let jvm = upcall_host::java::locate(&JavaOptions::default()).into_result()?;
    let mut java = Command::new(jvm.home.join("bin/java"));
    let classes =
        [crate::book::root().join("build/upcall.jar"), built("UPCALL_BENCH_EMBED_JAVA", "boundary")?.into()];
    java.arg("-cp").arg(std::env::join_paths(classes)?).arg("Embed").arg(&library);
    java.arg(built("UPCALL_BENCH_JNI", "boundary")?);
    let node = upcall_host::node::locate(&NodeOptions::default()).into_result()?;
    let mut javascript = Command::new(&node.program);
    javascript.arg(crate::book::root().join("bench/embed/node/embed.mjs")).arg(&library);
    let mut threads = Command::new(&node.program);
    threads.arg(crate::book::root().join("bench/peers/napi/threads.mjs"));
    threads.arg(built("UPCALL_BENCH_NAPI", "boundary")?);
    Ok(vec![csharp, java, python, threads, javascript])
}

/// Lets them measure in turn; the least of each counts.
pub fn measure() -> Result<Vec<Row>> {
    let mut programs = programs()?;
    let mut least: Vec<Row> = Vec::new();
    for _ in 0..TURNS {
        for program in &mut programs {
            for row in command::rows::<Row>(&run(program)?)? {
                let same = |known: &&mut Row| {
                    (&known.language, &known.who, known.batch) == (&row.language, &row.who, row.batch)
                };
                match least.iter_mut().find(same) {
                    Some(known) => known.nanos = known.nanos.min(row.nanos),
                    None => least.push(row),
                }
            }
        }
    }
    Ok(least)
}

/// The callback by napi-rs on the event loop's own thread, which is among the peers of handlers in another process.
pub fn napi(apart: &[crate::apart::Row]) -> Option<Row> {
    let calls = apart.iter().filter(|row| row.who == "N-API callback per item (napi-rs)");
    let nanos = calls.map(|row| row.nanos).reduce(f64::min)?;
    Some(Row { language: "JavaScript".into(), who: "napi-rs, with an answer".into(), batch: 1, nanos })
}

/// What one call at a time is compared with where there is such a row: it crosses to the event loop's thread, as ours does.
const WAITS: &str = "napi-rs, another thread waits";

/// The library's call that a row is compared with.
fn peer<'a>(rows: &'a [Row], row: &Row) -> Option<&'a Row> {
    let mut peers =
        rows.iter().filter(|other| other.language == row.language && !other.who.starts_with("Upcall"));
    match row.batch {
        1 if row.who.starts_with("Upcall") => peers.clone().find(|peer| peer.who == WAITS).or(peers.next()),
        // The cheapest, whatever it leaves out.
        _ => peers.filter(|peer| peer.who != WAITS).min_by(|one, other| one.nanos.total_cmp(&other.nanos)),
    }
}

/// One line per way, each as a multiple of the library's call in its language.
pub fn table(rows: &[Row]) -> String {
    let mut text = format!("{:<56}{:>10}{:>10}\n", "ns an object, handlers of a program", "", "times");
    for row in rows {
        let times = peer(rows, row).map(|peer| row.nanos / peer.nanos);
        let calls =
            if row.batch == 1 { "one by one".to_owned() } else { format!("batches of {}", row.batch) };
        let what = format!("  {}, {}, {calls}", row.language, row.who);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{what:<56}{:>10.1}{:>10.2}", row.nanos, times.unwrap_or(f64::NAN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_is_compared_with_the_library_of_its_language() {
        let row = |language: &str, who: &str, batch, nanos| Row {
            language: language.into(),
            who: who.into(),
            batch,
            nanos,
        };
        let rows = [
            row("C#", "by hand", 1, 5.0),
            row("Python", "PyO3", 1, 40.0),
            row("Python", "Upcall", 1024, 10.0),
        ];
        let table = table(&rows);
        let last: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(last, ["Python,", "Upcall,", "batches", "of", "1024", "10.0", "0.25"]);
    }

    #[test]
    fn a_call_that_crosses_threads_is_compared_with_one_that_does_and_batches_with_the_cheapest() {
        let row =
            |who: &str, batch, nanos| Row { language: "JavaScript".into(), who: who.into(), batch, nanos };
        let rows =
            [row("napi-rs, on the event loop", 1, 500.0), row(WAITS, 1, 8000.0), row("Upcall", 1, 4000.0)];
        assert_eq!(peer(&rows, &rows[2]).map(|peer| peer.nanos), Some(8000.0));
        assert_eq!(peer(&rows, &row("Upcall", 1024, 50.0)).map(|peer| peer.nanos), Some(500.0));
    }
}
