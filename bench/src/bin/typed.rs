//! What does a handler with types cost beside one that reads and writes the bytes itself?
//!
//! `cargo xtask bench typed`. Each handler takes an object, changes a number in it and emits it under its key.

use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::env;
use std::hint::black_box;
use std::path::Path;
use upcall::{Emit, Failure, Handler, Object, Packed, TypedHandler};
use upcall_bench::machine::Machine;
use upcall_bench::results::Results;
use upcall_bench::{book, chart};
use upcall_host::clr::{Clr, ClrOptions};
use upcall_host::in_process::{InProcess, module};
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{HandlerSpec, Host, Module};
use upcall_measure::{Driven, Objects, nanos};

const BATCH: usize = 1024;

#[path = "../../typed/types.rs"]
mod types;

use types::{Label, Reading};

const TEXT: &str = "fourteen bytes";

#[derive(Debug, Serialize)]
struct Row {
    guest: &'static str,
    value: &'static str,
    /// Nanoseconds per object, in batches of 1,024: the least of 5 looks.
    by_hand: f64,
    typed: f64,
}

fn main() -> Result<()> {
    let machine = Machine::here();
    let home = || Some(book::root().to_owned());
    let mut rows = Vec::new();
    println!("{:<8} {:<24} {:>12} {:>12} {:>8}", "", "", "by hand, ns", "typed, ns", "ratio");
    rust(&mut rows)?;
    let python = Python::start(&PythonOptions { home: home(), ..PythonOptions::default() })?;
    guest(&python, "python", &book::root().join("bench/typed/handlers.py"), "", &mut rows)?;
    let assembly = env::var_os("UPCALL_BENCH_TYPED")
        .context("UPCALL_BENCH_TYPED names no assembly: run this by `cargo xtask bench typed`")?;
    let clr = Clr::start(&ClrOptions { home: home(), ..ClrOptions::default() })?;
    guest(&clr, "csharp", Path::new(&assembly), "Measured.", &mut rows)?;

    let bars = rows.iter().flat_map(|row| {
        let bar = |kind, value| chart::Bar {
            label: format!("{}, {}, {kind}", row.guest, row.value),
            value,
            ours: kind == "typed",
        };
        [bar("by hand", row.by_hand), bar("typed", row.typed)]
    });
    let chart = chart::Chart {
        title: "An object read, changed and emitted".into(),
        unit: "ns".into(),
        logarithmic: true,
        bars: bars.collect(),
    };
    println!("{}", chart.write("typed")?.display());
    let results = Results {
        question: "What does a handler with types cost beside one that reads and writes the bytes itself?".into(),
        command: "cargo xtask bench typed".into(),
        notes: vec![
            format!("Nanoseconds per object in batches of {BATCH}, driven with frames made by hand; the least of 5."),
            "By hand packed: unpacked by the same packer, packed into a buffer that is used again, and copied.".into(),
            "The packers in C# and Python are those that bindgen writes.".into(),
        ],
        machine,
        rows,
    };
    println!("{}", results.write("typed")?.display());
    Ok(())
}

fn rust(rows: &mut Vec<Row>) -> Result<()> {
    let blittable: [Box<dyn Module>; 2] =
        [module(|| MeasuredByHand), module(|| upcall::typed(MeasuredTyped))];
    rows.push(row(&InProcess, "rust", "blittable, 16 bytes", &measured(), blittable)?);
    let packed: [Box<dyn Module>; 2] = [module(LabelByHand::default), module(|| upcall::typed(LabelTyped))];
    rows.push(row(&InProcess, "rust", "packed, 27 bytes", &label()?, packed)?);
    Ok(())
}

fn guest(host: &dyn Host, guest: &'static str, file: &Path, prefix: &str, rows: &mut Vec<Row>) -> Result<()> {
    let load = |class: &str| {
        let class = format!("{prefix}{class}");
        host.load(&HandlerSpec::new(&class, guest, file, &class))
    };
    let blittable = [load("MeasuredByHand")?, load("MeasuredTyped")?];
    rows.push(row(host, guest, "blittable, 16 bytes", &measured(), blittable)?);
    let packed = [load("LabelByHand")?, load("LabelTyped")?];
    rows.push(row(host, guest, "packed, 27 bytes", &label()?, packed)?);
    Ok(())
}

fn measured() -> Vec<u8> {
    [7u64.to_le_bytes(), 20.5f64.to_le_bytes()].concat()
}

fn label() -> Result<Vec<u8>> {
    Ok(upcall::pack::to_vec(&Label { id: 41, text: TEXT })?)
}

fn row(
    host: &dyn Host,
    guest: &'static str,
    what: &'static str,
    value: &[u8],
    modules: [Box<dyn Module>; 2],
) -> Result<Row> {
    let objects = Objects::same(BATCH, value);
    let mut outcome = None;
    host.worker(&mut || {
        outcome = Some((|| -> Result<[f64; 2]> {
            let mut least = [f64::INFINITY; 2];
            let [by_hand, typed] = &modules;
            let mut driven = [Driven::open(by_hand.instantiate()?)?, Driven::open(typed.instantiate()?)?];
            for driven in &mut driven {
                driven.checked(&objects)?;
            }
            if driven[0].emitted() != driven[1].emitted() {
                bail!("measuring {what} in {guest}: the two handlers emit different bytes");
            }
            for _ in 0..5 {
                for (driven, least) in driven.iter_mut().zip(&mut least) {
                    let call = nanos(|| _ = black_box(driven.call(&objects)));
                    *least = least.min(call / BATCH as f64);
                }
            }
            for driven in &mut driven {
                driven.checked(&objects)?;
            }
            Ok(least)
        })());
    });
    let [by_hand, typed] = outcome.context("running the worker")??;
    println!("{guest:<8} {what:<24} {by_hand:>12.1} {typed:>12.1} {:>8.2}", typed / by_hand);
    Ok(Row { guest, value: what, by_hand, typed })
}

struct MeasuredByHand;

impl Handler for MeasuredByHand {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let (sensor, celsius) = object.value().split_at(8);
        let celsius = f64::from_le_bytes(celsius.try_into()?) + 1.0;
        let mut warmer = [0; 16];
        warmer[..8].copy_from_slice(sensor);
        warmer[8..].copy_from_slice(&celsius.to_le_bytes());
        emit.put(object.key(), &warmer);
        Ok(())
    }
}

struct MeasuredTyped;

impl TypedHandler for MeasuredTyped {
    type In<'a> = Reading;
    type Out = Reading;

    fn on_value(
        &mut self,
        object: Object<'_>,
        value: &Reading,
        emit: &mut Emit<'_, Reading>,
    ) -> Result<(), Failure> {
        emit.put(object.key(), &Reading { celsius: value.celsius + 1.0, ..*value });
        Ok(())
    }
}

#[derive(Default)]
struct LabelByHand(Vec<u8>);

impl Handler for LabelByHand {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let label: Label<'_> = upcall::pack::from_slice(object.value())?;
        self.0.clear();
        upcall::pack::append(&Label { id: label.id + 1, ..label }, &mut self.0)?;
        emit.put(object.key(), &self.0);
        Ok(())
    }
}

struct LabelTyped;

impl TypedHandler for LabelTyped {
    type In<'a> = Packed<Label<'a>>;
    type Out = Packed<Label<'static>>;

    fn on_value(
        &mut self,
        object: Object<'_>,
        label: Label<'_>,
        emit: &mut Emit<'_, Self::Out>,
    ) -> Result<(), Failure> {
        emit.of::<Packed<Label<'_>>>().put(object.key(), &Label { id: label.id + 1, ..label });
        Ok(())
    }
}
