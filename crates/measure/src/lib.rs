//! What a crossing of the boundary costs, guest by guest, on this machine.
//!
//! It is a crate of its own so that `upcall bench boundary` and the repository's benchmarks print the same numbers. The
//! handlers are the same in each guest ([`Probe`], and one that combines arrays); they are driven with frames made by
//! hand ([`Driven`]), so that nothing of an engine is measured. Times are the least of many short windows.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

mod bare;
mod clock;
mod combine;
mod driven;
mod handlers;
mod isolated;
mod probes;
mod start;
mod table;

pub use bare::Bare;
pub use clock::nanos;
pub use combine::{Combining, ELEMENTS};
pub use driven::{Driven, Objects};
pub use isolated::{Isolated, rust};
pub use probes::Probe;
pub use start::{Start, start, starts};
pub use table::{Target, table, targets};

use probes::Files;
use serde::Serialize;
use std::process::Command;
use std::sync::Arc;
use upcall_abi::Status;
use upcall_apart::Processes;
use upcall_host::clr::Clr;
use upcall_host::guests::{CSHARP, JAVA, NODE, Options, PYTHON, WASM};
use upcall_host::in_process::InProcess;
use upcall_host::java::Java;
use upcall_host::{Error, ErrorKind, Host};

/// Items in the batches that are measured.
pub const BATCHES: [usize; 4] = [1, 8, 64, 1024];
/// Bytes of the values that are measured.
pub const VALUES: [usize; 3] = [64, 4 << 10, 1 << 20];
/// Fresh processes to measure a guest's start with.
const STARTS: usize = 7;
/// How often a handler in Java is measured before it counts.
const WARM: usize = 5;

/// A guest that is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Guest {
    /// Rust, through the SDK's driver.
    Rust,
    /// C#.
    Csharp,
    /// Java.
    Java,
    /// Python.
    Python,
    /// JavaScript, which is always in a process of its own.
    Node,
    /// WebAssembly, from Rust: with the feature `wasm`.
    Wasm,
}

impl Guest {
    /// Those that are measured in processes of their own, where they are there.
    pub const ISOLATED: [Guest; 4] = [Guest::Rust, Guest::Python, Guest::Csharp, Guest::Node];

    /// Those that are measured in this process, in the order in which their runtimes may start in one: that of the guests'
    /// turns.
    pub const ALL: &[Guest] = &[
        Guest::Rust,
        Guest::Python,
        Guest::Java,
        Guest::Csharp,
        #[cfg(feature = "wasm")]
        Guest::Wasm,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Guest::Rust => InProcess.guest(),
            Guest::Csharp => CSHARP.name,
            Guest::Java => JAVA.name,
            Guest::Python => PYTHON.name,
            Guest::Node => NODE.name,
            Guest::Wasm => WASM.name,
        }
    }

    /// The guest of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Guest> {
        Guest::ALL.iter().copied().find(|guest| guest.name() == name)
    }

    fn start(self, options: &Options, files: &mut Files) -> Result<Arc<dyn Host>, Error> {
        match self {
            Guest::Rust => Ok(Arc::new(InProcess)),
            Guest::Python => PYTHON.start(options),
            Guest::Node => NODE.start(options),
            Guest::Java => {
                files.java = Java::start(&options.java)?.sdk().into();
                JAVA.start(options)
            }
            Guest::Csharp => {
                // The handlers that are measured come with it.
                files.csharp = Clr::start(&options.clr)?.sdk().into();
                CSHARP.start(options)
            }
            Guest::Wasm => {
                files.wasm = probes::module()?;
                WASM.start(options)
            }
        }
    }
}

/// What the boundary costs.
#[derive(Clone, Debug, Serialize)]
pub struct Boundary {
    /// A plain Rust call through a function pointer, in nanoseconds.
    pub plain_call: f64,
    /// Two arrays of `f64` added by a plain loop behind a function pointer.
    pub plain_combine: Vec<Combining>,
    /// The guests.
    pub guests: Vec<Costs>,
    /// The guests in processes of their own.
    pub isolated: Vec<Isolated>,
}

/// What one guest costs.
#[derive(Clone, Debug, Serialize)]
pub struct Costs {
    /// The guest.
    pub guest: Guest,
    /// Its starts, each in a fresh process.
    pub starts: Vec<Start>,
    /// An empty crossing (PING), in nanoseconds.
    pub ping: f64,
    /// Its handlers.
    pub cells: Vec<Cell>,
    /// Two arrays of `f64` added by a handler of kind COMBINE.
    pub combine: Vec<Combining>,
    /// Single calls beside the bare one, of C# only.
    pub bare: Option<Bare>,
    /// Of Python, where numba is there: a function that numba has compiled and that adds numbers of 8 bytes, items in a batch
    /// and nanoseconds per item.
    pub compiled: Vec<(usize, f64)>,
    /// Bytes that it allocated while reading and emitting a million objects, where it can tell.
    pub allocated: Option<u64>,
}

/// What one handler costs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Cell {
    /// What it does.
    pub probe: Probe,
    /// Items in a batch.
    pub batch: usize,
    /// Bytes of a value.
    pub value: usize,
    /// Nanoseconds per item; with a batch of one, a single call.
    pub nanos: f64,
}

impl Costs {
    /// Nanoseconds per item.
    #[must_use]
    pub fn nanos(&self, probe: Probe, batch: usize, value: usize) -> Option<f64> {
        let cell =
            self.cells.iter().find(|cell| (cell.probe, cell.batch, cell.value) == (probe, batch, value));
        Some(cell?.nanos)
    }
}

/// Measures all guests. `fresh` makes a command that runs [`start`] for a guest in a process of its own and
/// prints what it returns; `processes` run isolated handlers of these guests, also of those in [`rust`].
///
/// # Errors
/// A guest does not start, or one of its handlers fails.
pub fn boundary(
    options: &Options,
    fresh: impl Fn(Guest) -> Command,
    processes: &Processes,
    isolated: &[Guest],
) -> Result<Boundary, Error> {
    let mut guests = Vec::new();
    for &guest in Guest::ALL {
        let starts = starts(fresh(guest), STARTS)?;
        guests.push(Costs { starts, ..costs(guest, options)? });
    }
    let mut files = Files::write()?;
    files.csharp = Clr::start(&options.clr)?.sdk().into();
    let costs = |guest: &Guest| isolated::isolated(*guest, processes, &files);
    let isolated = isolated.iter().map(costs).collect::<Result<_, _>>()?;
    Ok(Boundary { plain_call: plain_call(), plain_combine: combine::plain(), guests, isolated })
}

/// A plain Rust call through a function pointer, in nanoseconds: what other costs are compared with.
#[must_use]
pub fn plain_call() -> f64 {
    extern "C" fn nothing(_: *mut u8, _: *mut u8) -> Status {
        Status::OK
    }
    let call = std::hint::black_box(nothing as extern "C" fn(*mut u8, *mut u8) -> Status);
    nanos(|| {
        std::hint::black_box(call(std::ptr::null_mut(), std::ptr::null_mut()));
    })
}

/// Measures the warm costs of a guest in this process.
fn costs(guest: Guest, options: &Options) -> Result<Costs, Error> {
    let mut files = Files::write()?;
    let host = guest.start(options, &mut files)?;
    let (starts, cells, combine, none) = Default::default();
    let mut costs =
        Costs { guest, starts, ping: f64::NAN, cells, combine, bare: None, compiled: none, allocated: None };
    for probe in Probe::ALL {
        let module = probe.load(guest, &*host, &files)?;
        let mut outcome = Ok(());
        host.worker(&mut || {
            outcome = module.instantiate().and_then(Driven::open).and_then(|driven| costs.add(probe, driven));
        });
        outcome?;
    }
    let module = probes::combining(guest, &*host, &files)?;
    let mut outcome = Ok(Vec::new());
    host.worker(&mut || outcome = module.instantiate().and_then(combine::costs));
    costs.combine = outcome?;
    if guest == Guest::Python {
        costs.compiled = compiled(&*host, &files)?;
    }
    if guest == Guest::Csharp {
        costs.bare = Some(bare::bare(&*host, &files)?);
        costs.allocated = Some(allocated(&*host, &files)?);
    }
    Ok(costs)
}

impl Costs {
    fn add(&mut self, probe: Probe, mut driven: Driven) -> Result<(), Error> {
        if self.guest == Guest::Java {
            // Its compiler takes its time, and what it compiles at first is not the last word.
            for _ in 0..WARM {
                driven.nanos(&Objects::alike(1024, VALUES[0]))?;
                driven.nanos(&Objects::alike(1, VALUES[0]))?;
                nanos(|| {
                    driven.ping();
                });
            }
        }
        let copied: Vec<_> = isolated::batches().collect();
        for value in VALUES {
            for batch in BATCHES {
                if self.guest == Guest::Wasm && !copied.contains(&(value, batch)) {
                    continue;
                }
                let objects = Objects::alike(batch, value);
                let nanos = driven.nanos(&objects)? / batch as f64;
                self.cells.push(Cell { probe, batch, value, nanos });
            }
        }
        if probe == Probe::Empty {
            self.ping = nanos(|| {
                driven.ping();
            });
        }
        Ok(())
    }
}

/// What a compiled function of Python's costs; nothing where there is no numba.
fn compiled(python: &dyn Host, files: &Files) -> Result<Vec<(usize, f64)>, Error> {
    let module = match files.load(python, &files.compiled, "adding") {
        Err(error) if error.kind() == ErrorKind::HandlerMissing => return Ok(Vec::new()),
        module => module?,
    };
    let mut outcome = Ok(Vec::new());
    python.worker(&mut || {
        outcome = module.instantiate().and_then(Driven::open).and_then(|mut driven| {
            let costs = BATCHES.map(|batch| {
                let nanos = driven.nanos(&Objects::alike(batch, 8))?;
                Ok((batch, nanos / batch as f64))
            });
            costs.into_iter().collect()
        });
    });
    outcome
}

/// Bytes that C# allocates on this thread while it reads and emits a million objects.
fn allocated(clr: &dyn Host, files: &Files) -> Result<u64, Error> {
    let load = |class: &str| files.load(clr, &files.csharp, class);
    let (counting, emitting) = (load("Upcall.Probes.Allocated")?, load("Upcall.Probes.Emitting")?);
    let mut outcome = Err(Error::new(ErrorKind::RuntimeFailed, "measure what is allocated: no worker ran"));
    clr.worker(&mut || {
        outcome = (|| {
            let mut counting = Driven::open(counting.instantiate()?)?;
            let mut emitting = Driven::open(emitting.instantiate()?)?;
            let (one, many) = (Objects::alike(1, 64), Objects::alike(1000, 64));
            // The value is the first word after a record's head.
            let mut so_far = || counting.checked(&one).map(|()| counting.emitted()[2]);
            emitting.checked(&many)?;
            so_far()?;
            let before = so_far()?;
            for _ in 0..1000 {
                emitting.checked(&many)?;
            }
            Ok(so_far()? - before)
        })();
    });
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use upcall_host::KnownGuest;

    #[test]
    fn guests_are_measured_in_the_order_in_which_they_may_start() {
        let turn = |guest: &Guest| KnownGuest::named(guest.name()).map(|guest| guest.turn);
        assert!(Guest::ALL.iter().map(turn).is_sorted(), "{:?}", Guest::ALL);
    }
}
