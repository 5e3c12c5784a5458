//! What people use today for functions of a row, beside our batches: arrow-udf's runtimes, Extism, JNI by hand and DuckDB's
//! Python functions.
//!
//! The programs are `peers/udf` and `peers/duckdb_functions.py`; each prints a JSON object per line.

use crate::book;
use crate::command::{self, built, run};
use crate::peers::Environment;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::env;
use std::fmt::Write;
use std::process::Command;
use upcall_host::JavaOptions;
use upcall_measure::{Boundary, Probe, VALUES};

/// Rows in a batch.
pub const ROWS: usize = 1024;
/// Times that each program is run.
const TURNS: usize = 5;

/// One function in one runtime.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    /// Whose.
    pub who: String,
    /// Nanoseconds per row.
    pub nanos: f64,
}

/// The programs that measure the peers.
#[derive(Debug)]
pub struct Programs {
    python: Environment,
    udf: Command,
}

impl Programs {
    /// Those that `cargo xtask bench boundary` has built, and an environment with DuckDB in it.
    pub fn find() -> Result<Programs> {
        let mut udf = Command::new(built("UPCALL_BENCH_UDF", "boundary")?);
        udf.arg(ROWS.to_string());
        for guest in ["UPCALL_BENCH_UDF_GUEST", "UPCALL_BENCH_EXTISM_GUEST"] {
            udf.arg(built(guest, "boundary")?);
        }
        let java = upcall_host::java::locate(&JavaOptions::default()).into_result()?;
        udf.arg(java.library).arg(built("UPCALL_BENCH_UDF_CLASSES", "boundary")?);
        if let Some(libraries) = env::var_os("UPCALL_BENCH_UDF_LIBRARIES") {
            udf.env("LD_LIBRARY_PATH", libraries);
        }
        Ok(Programs { python: Environment::of("udf-python", "bench/peers/udf.txt")?, udf })
    }

    /// Lets them measure in turn; the least of each counts.
    pub fn measure(&mut self) -> Result<Vec<Row>> {
        let script = book::root().join("bench/peers/duckdb_functions.py");
        let mut duckdb = Command::new(self.python.python());
        duckdb.arg(script).arg(ROWS.to_string());
        let mut least: Vec<Row> = Vec::new();
        for _ in 0..TURNS {
            for program in [&mut self.udf, &mut duckdb] {
                for row in command::rows::<Row>(&run(program)?)? {
                    match least.iter_mut().find(|known| known.who == row.who) {
                        Some(known) => known.nanos = known.nanos.min(row.nanos),
                        None => least.push(row),
                    }
                }
            }
        }
        Ok(least)
    }
}

/// Ours from `boundary`, then the peers'.
pub fn table(boundary: &Boundary, peers: &[Row]) -> String {
    let mut text = format!("ns a row, batches of {ROWS}\n");
    let mut row = |who: &str, nanos: f64| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{who:<52}{nanos:>10.1}");
    };
    for costs in &boundary.guests {
        for probe in [Probe::Reading, Probe::Emitting] {
            if let Some(nanos) = costs.nanos(probe, ROWS, VALUES[0]) {
                row(&format!("  Upcall, {}, {}", costs.guest.name(), probe.label()), nanos);
            }
        }
    }
    peers.iter().for_each(|peer| row(&format!("  {}", peer.who), peer.nanos));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_follow_ours() {
        let rows = command::rows("{\"who\": \"somebody\", \"nanos\": 12.34}\n").unwrap();
        let boundary =
            Boundary { plain_call: 1.0, plain_combine: Vec::new(), guests: Vec::new(), isolated: Vec::new() };
        let table = table(&boundary, &rows);
        assert!(
            table.lines().any(|line| line.starts_with("  somebody") && line.ends_with("12.3")),
            "{table}"
        );
    }
}
