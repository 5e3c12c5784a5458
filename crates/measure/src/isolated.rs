//! What a handler costs in a process of its own.

use super::probes::Files;
use super::{BATCHES, Cell, Driven, Guest, Objects, Probe, VALUES, nanos};
use serde::Serialize;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};
use upcall_apart::Processes;
use upcall_host::{Capabilities, Error, ErrorKind, HandlerSpec, Host, Isolation, Module, Threads};

/// Handlers that are measured in a process of their own.
const PROBES: [Probe; 3] = [Probe::Empty, Probe::Reading, Probe::Emitting];

/// How long a handler that only computes is measured, and how often.
const BUSY: Duration = Duration::from_millis(300);
const BUSY_ROUNDS: usize = 5;

/// Bytes of the values of a batch, at most: they are copied, and more are in no cache.
const LARGEST: usize = 16 << 20;

/// The batches that cross: bytes of a value, and items.
pub(super) fn batches() -> impl Iterator<Item = (usize, usize)> {
    let sizes = VALUES.into_iter().flat_map(|value| BATCHES.into_iter().map(move |batch| (value, batch)));
    sizes.filter(|(value, batch)| value * batch <= LARGEST)
}

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
    /// Items a second of a handler that only computes, in one process and in two; of Python, which has one worker beside us.
    pub busy: Option<[f64; 2]>,
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

/// Measures a guest in processes of this host.
pub(super) fn isolated(guest: Guest, host: &Processes, files: &Files) -> Result<Isolated, Error> {
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
        first_call_us = (called.elapsed().as_secs_f64() * 1e6).min(first_call_us);
        first_result_ms = (began.elapsed().as_secs_f64() * 1e3).min(first_result_ms);
    }
    let (spinning, sleeping, cells) = (f64::NAN, f64::INFINITY, Vec::new());
    let mut costs = Isolated { guest, first_result_ms, first_call_us, spinning, sleeping, cells, busy: None };
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
        for (value, batch) in batches() {
            let nanos = driven.nanos(&Objects::alike(batch, value))? / batch as f64;
            costs.cells.push(Cell { probe, batch, value, nanos });
        }
    }
    if guest == Guest::Python {
        costs.busy = Some(busy(host, files)?);
    }
    Ok(costs)
}

/// Items a second of the Python handler that only computes, in one process and in two.
fn busy(host: &Processes, files: &Files) -> Result<[f64; 2], Error> {
    let spec =
        HandlerSpec::new("busy", Guest::Python.name(), files.of(Guest::Python, Probe::Empty).0, "Busy");
    let module = host.load(&HandlerSpec { isolation: Some(Isolation::default()), ..spec })?;
    let mut best = [0.0f64; 2];
    for _ in 0..BUSY_ROUNDS {
        for (index, best) in best.iter_mut().enumerate() {
            let processes = index + 1;
            let ready = Barrier::new(processes);
            let rates = std::thread::scope(|scope| {
                let worker = || -> Result<f64, Error> {
                    let driven = module.instantiate().and_then(Driven::open);
                    ready.wait();
                    let (mut driven, objects) = (driven?, Objects::alike(64, VALUES[0]));
                    let (began, mut items) = (Instant::now(), 0);
                    while began.elapsed() < BUSY {
                        driven.checked(&objects)?;
                        items += objects.count();
                    }
                    Ok(items as f64 / began.elapsed().as_secs_f64())
                };
                let workers: Vec<_> = (0..processes).map(|_| scope.spawn(worker)).collect();
                let died = |_| Error::new(ErrorKind::RuntimeFailed, "measure what computes: a thread died");
                workers.into_iter().map(|worker| worker.join().map_err(died)?).sum::<Result<f64, Error>>()
            })?;
            *best = best.max(rates);
        }
    }
    Ok(best)
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
        Capabilities {
            threads: Threads::Own,
            killable: false,
            sees_native_memory: true,
            maps_lent: false,
            good_batch: 1,
        }
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
