//! Handlers in another process: what people use today for that, gRPC over a Unix socket; and a callback in JavaScript for each
//! item, which is what an addon in Node's own process has.
//!
//! The programs are `peers/grpc` and `peers/napi`; each prints a JSON object per line.

use crate::command::{self, built, run};
use crate::peers::Environment;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::process::Command;
use upcall_apart::{Processes, Program};
use upcall_host::guests::{KnownGuest, NODE, Options};
use upcall_host::node::NodeOptions;
use upcall_measure::{BATCHES, Boundary, Isolated, Probe, VALUES};

/// What runs isolated handlers: this program, and Node.
pub fn processes() -> Result<Processes> {
    let path = std::env::current_exe().context("finding this program")?;
    let node = Program::node(&NodeOptions::default())?;
    Ok(Processes::new(Program::new(path).argument(GUEST)).with(NODE.name, node))
}

/// Whether this process is to be that of an isolated handler.
pub fn is_guest() -> bool {
    std::env::args().nth(1).is_some_and(|first| first == GUEST)
}

/// Serves the handler that it was started for.
pub fn serve(options: &Options) -> Result<()> {
    let served =
        upcall_apart::guest::main(std::env::args_os().skip(2), |name| match KnownGuest::named(name) {
            Some(guest) => guest.start(options),
            None => Ok(upcall_measure::rust()),
        });
    served.context("serving an isolated handler")
}

const GUEST: &str = "guest";

/// Times that the program is run.
const TURNS: usize = 5;

/// Batches of one size through one handler.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    /// Whose.
    pub who: String,
    /// Items in a batch.
    pub items: usize,
    /// Nanoseconds on the wall from handing over a batch to having its answers.
    pub round_trip: f64,
    /// The same, per item.
    pub nanos: f64,
    /// Items per second, while one batch is under way.
    pub per_second: f64,
    /// Items per second, while eight batches are; a process of ours has one at a time.
    pub per_second_of_8: Option<f64>,
}

impl Row {
    /// Keeps the best of both.
    fn merge(&mut self, other: &Row) {
        self.round_trip = self.round_trip.min(other.round_trip);
        self.nanos = self.nanos.min(other.nanos);
        self.per_second = self.per_second.max(other.per_second);
        let of_8 = [self.per_second_of_8, other.per_second_of_8].into_iter().flatten();
        self.per_second_of_8 = of_8.reduce(f64::max);
    }
}

/// The programs that measure handlers behind gRPC, and callbacks.
#[derive(Debug)]
pub struct Peers {
    programs: [Command; 2],
}

impl Peers {
    /// Those that `cargo xtask bench boundary` has built, an environment with grpcio in it, and Node.
    pub fn find() -> Result<Peers> {
        let mut grpc = Command::new(built("UPCALL_BENCH_GRPC", "boundary")?);
        grpc.arg(Environment::of("grpc-python", "bench/peers/grpc.txt")?.python());
        let node = upcall_host::node::locate(&NodeOptions::default()).into_result()?;
        let mut napi = Command::new(node.program);
        napi.arg(crate::book::root().join("bench/peers/napi/callbacks.mjs"))
            .arg(built("UPCALL_BENCH_NAPI", "boundary")?);
        Ok(Peers { programs: [grpc, napi] })
    }

    /// Measures some times; the best of each counts.
    pub fn measure(&mut self) -> Result<Vec<Row>> {
        let mut best: Vec<Row> = Vec::new();
        for _ in 0..TURNS {
            for program in &mut self.programs {
                for row in command::rows::<Row>(&run(program)?)? {
                    match best.iter_mut().find(|known| (&known.who, known.items) == (&row.who, row.items)) {
                        Some(known) => known.merge(&row),
                        None => best.push(row),
                    }
                }
            }
        }
        Ok(best)
    }
}

/// Our own: isolated handlers that read and emit 16 bytes.
pub fn ours(boundary: &Boundary) -> Vec<Row> {
    let row = |costs: &Isolated, items: usize| {
        let nanos = costs.nanos(Probe::Emitting, items, VALUES[0])?;
        let who = format!("Upcall, {}, isolated", costs.guest.name());
        Some(Row {
            who,
            items,
            round_trip: nanos * items as f64,
            nanos,
            per_second: 1e9 / nanos,
            per_second_of_8: None,
        })
    };
    let rows = |costs| BATCHES.into_iter().filter_map(move |items| row(costs, items));
    boundary.isolated.iter().flat_map(rows).collect()
}

/// One line per handler and one column per size of a batch, for each of the numbers.
pub fn table(rows: &[Row]) -> String {
    let mut sizes: Vec<usize> = rows.iter().map(|row| row.items).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut handlers: Vec<&str> = Vec::new();
    for row in rows {
        if !handlers.contains(&&*row.who) {
            handlers.push(&row.who);
        }
    }
    type Number = fn(&Row) -> Option<f64>;
    let tables: [(&str, Number); 4] = [
        ("ns an item, handler in another process", |row| Some(row.nanos)),
        ("us a round trip", |row| Some(row.round_trip / 1e3)),
        ("1,000 items a second, one batch at a time", |row| Some(row.per_second / 1e3)),
        ("1,000 items a second, eight at a time", |row| Some(row.per_second_of_8? / 1e3)),
    ];
    let mut text = String::new();
    for (title, number) in tables {
        // Writing to a string cannot fail.
        let _ = write!(text, "{title:<44}");
        for size in &sizes {
            let _ = write!(text, "{size:>10}");
        }
        text.push('\n');
        for who in &handlers {
            let _ = write!(text, "  {who:<42}");
            for size in &sizes {
                let row = rows.iter().find(|row| (&*row.who, row.items) == (who, *size));
                let _ = match row.and_then(number) {
                    Some(number) => write!(text, "{number:>10.1}"),
                    None => write!(text, "{:>10}", "-"),
                };
            }
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(who: &str, items: usize, nanos: f64, per_second: f64) -> Row {
        let round_trip = nanos * items as f64;
        Row { who: who.into(), items, round_trip, nanos, per_second, per_second_of_8: Some(2.0 * per_second) }
    }

    #[test]
    fn handlers_are_lines_sizes_are_columns_and_what_is_missing_a_dash() {
        let rows = [row("one", 8, 250.0, 4e6), row("one", 64, 125.0, 8e6), row("other", 64, 500.0, 2e6)];
        let table = table(&rows);
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0].last_chunk(), Some(&["8", "64"]));
        assert_eq!(lines[1..3], [vec!["one", "250.0", "125.0"], vec!["other", "-", "500.0"]]);
        assert_eq!(lines[4], ["one", "2.0", "8.0"]);
        assert_eq!(lines[11], ["other", "-", "4000.0"]);
    }

    #[test]
    fn the_least_time_and_the_most_items_count() {
        let mut best = row("one", 8, 250.0, 4e6);
        best.merge(&row("one", 8, 300.0, 5e6));
        assert_eq!(
            (best.nanos, best.round_trip, best.per_second, best.per_second_of_8),
            (250.0, 2000.0, 5e6, Some(1e7))
        );
    }
}
