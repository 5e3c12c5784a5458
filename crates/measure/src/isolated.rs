//! What a handler costs in a process of its own.

use super::probes::Files;
use super::{BATCHES, Cell, Driven, Guest, Objects, Probe, VALUES, nanos};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use upcall_apart::{Processes, Program};
use upcall_host::{Capabilities, Error, ErrorKind, HandlerSpec, Host, Isolation, Module, Threads};

/// Handlers that are measured in a process of their own.
const PROBES: [Probe; 3] = [Probe::Empty, Probe::Reading, Probe::Emitting];

/// Round trips between which both sides have fallen asleep.
const SLEPT: usize = 200;

/// What a guest costs in a process of its own, with all that it takes to get there and back.
#[derive(Clone, Debug, Serialize)]
pub struct Isolated {
    /// The guest.
    pub guest: Guest,
    /// From before the process is started to the first result, in milliseconds: the least of some.
    pub first_result_ms: f64,
    /// The first call with an object, in microseconds.
    pub first_call_us: f64,
    /// An empty crossing there and back (PING) while both sides spin, in nanoseconds.
    pub spinning: f64,
    /// The same when the other side has fallen asleep, in nanoseconds.
    pub sleeping: f64,
    /// Its handlers; wall-clock time.
    pub cells: Vec<Cell>,
}

impl Isolated {
    /// Nanoseconds per item.
    #[must_use]
    pub fn nanos(&self, probe: Probe, batch: usize, value: usize) -> Option<f64> {
        let cell =
            self.cells.iter().find(|cell| (cell.probe, cell.batch, cell.value) == (probe, batch, value));
        Some(cell?.nanos)
    }
}

/// Measures a guest in processes that run `program`.
pub(super) fn isolated(guest: Guest, program: &Program, files: &Files) -> Result<Isolated, Error> {
    let host = Processes::new(program.clone());
    let load = |probe: Probe| {
        let (file, class) = files.of(guest, probe);
        let spec = HandlerSpec::new("measured", guest.name(), file, class);
        host.load(&HandlerSpec { isolation: Some(Isolation::default()), ..spec })
    };
    let (mut first_result_ms, mut first_call_us) = (f64::INFINITY, f64::INFINITY);
    let one = Objects::alike(1, VALUES[0]);
    for _ in 0..3 {
        let began = Instant::now();
        let mut driven = Driven::open(load(Probe::Emitting)?.instantiate()?)?;
        let called = Instant::now();
        driven.checked(&one)?;
        first_call_us = called.elapsed().as_secs_f64().mul_add(1e6, 0.0).min(first_call_us);
        first_result_ms = (began.elapsed().as_secs_f64() * 1e3).min(first_result_ms);
    }
    let (spinning, sleeping, cells) = (f64::NAN, f64::INFINITY, Vec::new());
    let mut costs = Isolated { guest, first_result_ms, first_call_us, spinning, sleeping, cells };
    for probe in PROBES {
        let mut driven = Driven::open(load(probe)?.instantiate()?)?;
        if probe == Probe::Empty {
            costs.spinning = nanos(|| {
                driven.ping();
            });
            for _ in 0..SLEPT {
                std::thread::sleep(Duration::from_micros(500));
                let called = Instant::now();
                driven.ping();
                costs.sleeping = costs.sleeping.min(called.elapsed().as_secs_f64() * 1e9);
            }
        }
        for value in &VALUES[..2] {
            for batch in BATCHES {
                let nanos = driven.nanos(&Objects::alike(batch, *value))? / batch as f64;
                costs.cells.push(Cell { probe, batch, value: *value, nanos });
            }
        }
    }
    Ok(costs)
}

/// What a process of this program hosts the measured handlers in Rust with.
#[must_use]
pub fn rust() -> Arc<dyn Host> {
    Arc::new(Here)
}

struct Here;

impl Host for Here {
    fn guest(&self) -> &'static str {
        Guest::Rust.name()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { threads: Threads::Own, killable: false, sees_native_memory: true, good_batch: 1 }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        body();
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        let probe = Probe::ALL.into_iter().find(|probe| probe.class() == handler.class);
        probe.map(Probe::rust).ok_or_else(|| {
            Error::new(ErrorKind::HandlerMissing, format!("load {}: it is not measured", handler.class))
        })
    }
}
