//! What does a put cost that crosses two handlers in Rust, through two pools?
//!
//! `cargo xtask bench put [PUTS [RUNS]]`: PUTS of 64 bytes (2,000,000 by default), RUNS runs each (7).

use anyhow::Result;
use serde::Serialize;
use upcall::{Emit, Object};
use upcall_bench::arguments::Numbers;
use upcall_bench::machine::Machine;
use upcall_bench::measure::Sample;
use upcall_bench::results::Results;
use upcall_flow::{Flow, OnSpec, Pool};

/// CPU of a put, in plain calls through a function pointer: with one worker, and with more.
const TARGETS: [f64; 2] = [60.0, 90.0];

#[derive(Serialize)]
struct Row {
    workers: usize,
    puts: usize,
    cpu_nanos_per_put: f64,
    /// The same, in calls through a function pointer as this run measured them.
    plain_calls_per_put: f64,
    wall_nanos_per_put: f64,
    batch_mean: f64,
    peak_in_flight_bytes: u64,
    runs: Vec<Sample>,
}

fn main() -> Result<()> {
    let mut numbers = Numbers::of_this_program();
    let (puts, runs) = (numbers.next("PUTS", 2_000_000)?, numbers.next("RUNS", 7)?);
    let machine = Machine::here();
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let plain_call = upcall_measure::plain_call();
    println!("a plain call through a function pointer: {plain_call:.2} ns");
    println!(
        "{:>7} {:>14} {:>14} {:>15} {:>11}",
        "workers", "CPU ns per put", "in plain calls", "wall ns per put", "mean batch"
    );
    let mut rows = Vec::new();
    for workers in [1, cores] {
        let measured = (0..runs).map(|_| run(workers, puts)).collect::<Result<Vec<_>>>()?;
        let samples: Vec<Sample> = measured.iter().map(|(sample, ..)| *sample).collect();
        let least = Sample::minimum(&samples);
        let cpu_nanos_per_put = least.cpu_seconds * 1e9 / puts as f64;
        let row = Row {
            workers,
            puts,
            cpu_nanos_per_put,
            plain_calls_per_put: cpu_nanos_per_put / plain_call,
            wall_nanos_per_put: least.wall_seconds * 1e9 / puts as f64,
            batch_mean: measured.iter().map(|(_, batch, _)| batch).sum::<f64>() / runs as f64,
            peak_in_flight_bytes: measured.iter().map(|(.., peak)| *peak).max().unwrap_or(0),
            runs: samples,
        };
        let Row { plain_calls_per_put: calls, wall_nanos_per_put: wall, batch_mean, .. } = row;
        println!("{workers:>7} {cpu_nanos_per_put:>14.1} {calls:>14.0} {wall:>15.1} {batch_mean:>11.0}");
        rows.push(row);
    }
    for (Row { workers, plain_calls_per_put, .. }, target) in rows.iter().zip(TARGETS) {
        let met = if *plain_calls_per_put <= target { "yes" } else { "NO" };
        println!("wanted at most {target} plain calls of CPU with {workers} workers: {met}");
    }
    let results = Results {
        question: "What does a put cost that crosses two handlers in Rust, through two pools?".into(),
        command: "cargo xtask bench put".into(),
        notes: vec![
            "64 bytes of value, keys of 10 bytes, 4096 of them; trigger pools; minima over the runs.".into(),
            format!("A plain call through a function pointer took {plain_call:.2} ns in this run."),
            "CPU of all threads: whoever puts, and the workers. Start and drain of the flow are in it."
                .into(),
        ],
        machine,
        rows,
    };
    println!("{}", results.write("put")?.display());
    Ok(())
}

/// One run: its times, the first handler's mean batch, the most bytes in flight.
fn run(workers: usize, puts: usize) -> Result<(Sample, f64, u64)> {
    let keys: Vec<String> = (0..4096).map(|number| format!("key-{number:06}")).collect();
    let (sample, outcome) = Sample::of(|| -> Result<(f64, u64)> {
        let flow = Flow::builder()
            .workers(workers)
            .pool(Pool::trigger("/a"))
            .pool(Pool::trigger("/b"))
            .handler(OnSpec::new("first", "/a").to("/b"), || {
                |object: Object<'_>, emit: &mut Emit<'_>| {
                    emit.put(object.key(), object.value());
                    Ok(())
                }
            })
            .handler(OnSpec::new("second", "/b"), || {
                |object: Object<'_>, _: &mut Emit<'_>| {
                    std::hint::black_box(object.value());
                    Ok(())
                }
            })
            .start()?;
        let pool = flow.pool("/a")?;
        for put in 0..puts {
            pool.put_and_forget(keys[put % keys.len()].as_bytes(), [7; 64])?;
        }
        flow.drain()?;
        let report = flow.report();
        Ok((report.handlers[0].batch_mean, report.peak_in_flight_bytes))
    });
    let (batch, peak) = outcome?;
    Ok((sample, batch, peak))
}
