//! The numbers for people, and whether they are what they should be.

use super::{BATCHES, Bare, Boundary, Costs, ELEMENTS, Guest, Isolated, Probe, VALUES};
use serde::Serialize;
use std::fmt::Write;

/// What a number should be at most.
#[derive(Clone, Debug, Serialize)]
pub struct Target {
    /// What it is.
    pub what: String,
    /// What was measured.
    pub measured: f64,
    /// What it should be at most.
    pub limit: f64,
    /// Whether it is.
    pub met: bool,
}

/// The targets for the boundary, for values of 64 bytes unless stated otherwise.
#[must_use]
pub fn targets(boundary: &Boundary) -> Vec<Target> {
    let mut found = Vec::new();
    let mut add = |what: String, measured: Option<f64>, limit: f64| {
        if let Some(measured) = measured {
            found.push(Target { what, measured, limit, met: measured <= limit });
        }
    };
    let guest = |guest| boundary.guests.iter().find(|costs| costs.guest == guest);
    let least = |probe, costs: &Costs| {
        let batches = BATCHES.into_iter().filter_map(|batch| costs.nanos(probe, batch, VALUES[0]));
        batches.reduce(f64::min)
    };
    if let Some(clr) = guest(Guest::Csharp) {
        for value in VALUES {
            let what = format!("C#, a single call that reads, value of {}, ns", bytes(value));
            add(what, clr.nanos(Probe::Reading, 1, value), 13.0);
        }
        let reading = least(Probe::Reading, clr);
        add("C#, an item read, OnObject, ns".into(), reading, 5.0);
        add("C#, an item read, OnBatch, ns".into(), least(Probe::BatchReading, clr), 3.0);
        let beside = |nanos: fn(&Bare) -> f64| clr.bare.map(|bare| nanos(&bare) / bare.nanos);
        add("C#, a single call that reads, times the bare call".into(), beside(|bare| bare.reading), 1.5);
        add("C#, one f64 combined, times the bare call".into(), beside(|bare| bare.combining), 1.5);
        let emit = least(Probe::Emitting, clr).zip(reading).map(|(with, without)| with - without);
        add("C#, 16 bytes emitted on top, ns".into(), emit, 5.0);
        add("C#, allocated for a million items, bytes".into(), clr.allocated.map(|bytes| bytes as f64), 0.0);
        add("C#, start to first result, ms".into(), first_result(clr), 60.0);
    }
    let times_rust = |of: Guest, elements: usize| {
        let nanos =
            |costs: &Costs| costs.combine.iter().find(|one| one.elements == elements).map(|one| one.nanos);
        Some(nanos(guest(of)?)? / nanos(guest(Guest::Rust)?)?)
    };
    for elements in ELEMENTS.into_iter().filter(|elements| *elements >= 16 << 10) {
        let what = format!("C#, {elements} f64 combined, times Rust");
        add(what, times_rust(Guest::Csharp, elements), 1.1);
    }
    add("numpy, 262144 f64 combined, times Rust".into(), times_rust(Guest::Python, 256 << 10), 1.1);
    if let Some(python) = guest(Guest::Python) {
        add("Python, an item, empty, ns".into(), least(Probe::Empty, python), 45.0);
        add("Python, an item read and emitted, ns".into(), least(Probe::Emitting, python), 130.0);
    }
    // As on a CPU where a plain call takes 1.3 ns.
    let scaled = |limit: f64| (limit * boundary.plain_call / 1.3 * 100.0).round() / 100.0;
    if let Some(python) = guest(Guest::Python) {
        let item = python.compiled.iter().map(|(_, nanos)| *nanos).reduce(f64::min);
        add("Python, numba, an item read and added, ns".into(), item, scaled(0.6));
    }
    if let Some(java) = guest(Guest::Java) {
        let empty = |batch| java.nanos(Probe::Empty, batch, VALUES[0]);
        add("Java, a single call, empty, ns".into(), empty(1), scaled(25.0));
        add("Java, an item, empty, batches of 1024, ns".into(), empty(1024), scaled(1.5));
    }
    if let Some(wasm) = guest(Guest::Wasm) {
        add("wasm, a single call, empty, ns".into(), wasm.nanos(Probe::Empty, 1, VALUES[0]), scaled(25.0));
        let item = wasm.nanos(Probe::Reading, 1024, VALUES[0]);
        add("wasm, an item copied and read, batches of 1024, ns".into(), item, scaled(2.0));
    }
    for costs in &boundary.isolated {
        let name = costs.guest.name();
        let inside = guest(costs.guest).and_then(|inside| inside.nanos(Probe::Reading, 1024, VALUES[0]));
        let above =
            costs.nanos(Probe::Reading, 1024, VALUES[0]).zip(inside).map(|(apart, inside)| apart - inside);
        add(format!("{name} isolated, an item read above inside, ns"), above, scaled(12.0));
        add(format!("{name} isolated, there and back, asleep, us"), Some(costs.sleeping / 1e3), scaled(10.0));
        add(format!("{name} isolated, there and back, spinning, ns"), Some(costs.spinning), scaled(1000.0));
        let each = costs.nanos(Probe::Empty, 1024, VALUES[0]).filter(|_| costs.guest == Guest::Node);
        add(format!("{name} isolated, an item, empty, ns"), each, scaled(3.0));
        let slower = costs.busy.map(|[one, two]| 1.8 * one / two);
        add(format!("{name} isolated, 1.8 times one process / two"), slower, 1.0);
    }
    found
}

/// Everything as text for a terminal.
#[must_use]
pub fn table(boundary: &Boundary) -> String {
    let mut text = format!("A plain Rust call through a function pointer: {:.1} ns\n\n", boundary.plain_call);
    text += &format!("{:<44}", "");
    for costs in &boundary.guests {
        text += &format!("{:>10}", costs.guest.name());
    }
    text += "\n";
    type Number = fn(&Costs) -> Option<f64>;
    let starts: [(&str, Number); 4] = [
        ("start to first result, ms", first_result),
        ("first call, us", |costs| costs.starts.iter().map(|start| start.first_call_us).reduce(f64::min)),
        ("second call, us", |costs| costs.starts.iter().map(|start| start.second_call_us).reduce(f64::min)),
        ("empty crossing (PING), ns", |costs| Some(costs.ping)),
    ];
    for (what, number) in starts {
        row(&mut text, what, boundary, number);
    }
    for probe in Probe::ALL {
        for value in VALUES {
            let _ = writeln!(text, "\nns an item: {}, values of {}", probe.label(), bytes(value));
            for batch in BATCHES {
                row(&mut text, &batches(batch), boundary, |costs| costs.nanos(probe, batch, value));
            }
        }
    }
    let _ = writeln!(text, "\nns a call: two arrays of f64 added{:>20}{:>9}", "", "plain loop");
    for (index, plain) in boundary.plain_combine.iter().enumerate() {
        let _ = write!(text, "{:<34}{:>10.1}", format!("  {} elements", plain.elements), plain.nanos);
        for costs in &boundary.guests {
            let _ = match costs.combine.get(index) {
                Some(combining) => write!(text, "{:>10.1}", combining.nanos),
                None => write!(text, "{:>10}", "-"),
            };
        }
        text.push('\n');
    }
    for costs in &boundary.guests {
        if !costs.compiled.is_empty() {
            let _ = writeln!(text, "\nns an item of 8 bytes that a function adds, compiled by numba");
            for (batch, nanos) in &costs.compiled {
                let _ = writeln!(text, "{:<44}{nanos:>10.2}", batches(*batch));
            }
        }
        if let Some(bare) = &costs.bare {
            beside_bare(&mut text, bare);
        }
    }
    isolated(&mut text, boundary);
    text += "\nAt most                                           should be        is\n";
    for target in targets(boundary) {
        let met = if target.met { "yes" } else { "no" };
        let digits = if target.limit < 3.0 { 2 } else { 1 };
        let _ =
            writeln!(text, "{:<49} {:>9} {:>9.digits$}  {met}", target.what, target.limit, target.measured);
    }
    text
}

fn batches(batch: usize) -> String {
    if batch == 1 { "  a single call".into() } else { format!("  batches of {batch}") }
}

/// Handlers in processes of their own.
fn isolated(text: &mut String, boundary: &Boundary) {
    if boundary.isolated.is_empty() {
        return;
    }
    let _ = write!(text, "\n{:<44}", "in a process of its own");
    for costs in &boundary.isolated {
        let _ = write!(text, "{:>10}", costs.guest.name());
    }
    text.push('\n');
    let mut row = |what: String, number: &dyn Fn(&Isolated) -> Option<f64>| {
        let _ = write!(text, "{what:<44}");
        for costs in &boundary.isolated {
            let _ = match number(costs) {
                Some(number) => write!(text, "{number:>10.1}"),
                None => write!(text, "{:>10}", "-"),
            };
        }
        text.push('\n');
    };
    row("start to first result, ms".into(), &|costs| Some(costs.first_result_ms));
    row("first call, us".into(), &|costs| Some(costs.first_call_us));
    row("there and back, both sides spinning, ns".into(), &|costs| Some(costs.spinning));
    row("there and back, woken by the kernel, us".into(), &|costs| Some(costs.sleeping / 1e3));
    row("items a second that only compute, in 1,000".into(), &|costs| Some(costs.busy?[0] / 1e3));
    row("the same in two processes".into(), &|costs| Some(costs.busy?[1] / 1e3));
    for probe in [Probe::Empty, Probe::Reading, Probe::Emitting] {
        for (value, batch) in crate::isolated::batches() {
            let what = format!("{}, {}, {batch} at a time, ns", probe.label(), bytes(value));
            row(what, &|costs| costs.nanos(probe, batch, value));
        }
    }
}

/// Single calls as multiples of the bare call.
fn beside_bare(text: &mut String, bare: &Bare) {
    let _ = writeln!(text, "\nns a single call of C#, taking turns{:>29}", "times bare");
    for (what, nanos) in [
        ("  bare [UnmanagedCallersOnly] call", bare.nanos),
        ("  on_object, empty", bare.empty),
        ("  on_object, reading", bare.reading),
        ("  one f64 combined", bare.combining),
    ] {
        let _ = writeln!(text, "{what:<44}{nanos:>10.1}{:>10.2}", nanos / bare.nanos);
    }
}

fn row(text: &mut String, what: &str, boundary: &Boundary, number: impl Fn(&Costs) -> Option<f64>) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{what:<44}");
    for costs in &boundary.guests {
        let _ = match number(costs) {
            Some(number) => write!(text, "{number:>10.1}"),
            None => write!(text, "{:>10}", "-"),
        };
    }
    text.push('\n');
}

fn first_result(costs: &Costs) -> Option<f64> {
    costs.starts.iter().map(|start| start.first_result_ms).reduce(f64::min)
}

fn bytes(bytes: usize) -> String {
    match bytes {
        b if b >= 1 << 20 => format!("{} MiB", b >> 20),
        b if b >= 1 << 10 => format!("{} KiB", b >> 10),
        b => format!("{b} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Start};

    #[test]
    fn targets_are_judged_by_the_least_and_shown() {
        let cell = |probe, batch, nanos| Cell { probe, batch, value: 64, nanos };
        let start = |first_result_ms| Start { first_result_ms, first_call_us: 1.0, second_call_us: 1.0 };
        let costs = Costs {
            guest: Guest::Csharp,
            starts: vec![start(70.0), start(50.0)],
            ping: 8.0,
            cells: vec![
                cell(Probe::Reading, 1, 14.0),
                cell(Probe::Reading, 64, 4.0),
                cell(Probe::Emitting, 64, 9.5),
            ],
            combine: Vec::new(),
            bare: Some(Bare { nanos: 5.0, empty: 6.0, reading: 7.0, combining: 8.0 }),
            compiled: vec![(1, 3.0), (1024, 0.5)],
            allocated: Some(0),
        };
        let boundary = Boundary {
            plain_call: 1.4,
            plain_combine: Vec::new(),
            guests: vec![costs],
            isolated: Vec::new(),
        };
        let met: Vec<(f64, bool)> = targets(&boundary).iter().map(|t| (t.measured, t.met)).collect();
        let bare = [(1.4, true), (1.6, false)];
        let expected =
            [(14.0, false), (4.0, true), bare[0], bare[1], (5.5, false), (0.0, true), (50.0, true)];
        assert_eq!(met, expected);
        let text = table(&boundary);
        for line in [
            "C#, start to first result, ms                            60      50.0  yes",
            "C#, one f64 combined, times the bare call               1.5      1.60  no",
            "  on_object, reading                               7.0      1.40",
            "  batches of 1024                                 0.50",
        ] {
            assert!(text.contains(line), "{line} in\n{text}");
        }
    }
}
