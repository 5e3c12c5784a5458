//! wasmtime's engine, one for the process: how modules are compiled, where instances get their memory, and the clock by which
//! their time is counted.

use super::imports;
use super::live::Data;
use crate::{Error, ErrorKind};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use wasmtime::{
    Config, Engine, InstanceAllocationStrategy, Linker, PoolingAllocationConfig, WasmBacktraceDetails,
};

/// The clock's ticks, while there are instances.
const TICK: Duration = Duration::from_millis(10);

/// Entries of a table of functions.
pub(super) const TABLE: usize = 1 << 16;

/// Instances at a time. Each has 4 GiB of addresses, without memory behind them.
const INSTANCES: u32 = 1000;

/// The engine of this process. A copy is the same one.
#[derive(Clone)]
pub(super) struct Machine {
    pub(super) engine: Engine,
    pub(super) linker: Arc<Linker<Data>>,
    pulse: Arc<Pulse>,
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wasmtime")
    }
}

impl Machine {
    /// Made when it is first asked for.
    pub(super) fn of_this_process() -> Result<Machine, Error> {
        static MADE: OnceLock<Result<Machine, Error>> = OnceLock::new();
        MADE.get_or_init(Machine::new).clone()
    }

    fn new() -> Result<Machine, Error> {
        let failed = |what: &str, error: wasmtime::Error| {
            Error::new(ErrorKind::RuntimeFailed, format!("start wasm: {what}: {error:#}"))
        };
        // Where a limit leaves no addresses for a pool, each instance asks for its own.
        let engine = Engine::new(&config(true))
            .or_else(|_| Engine::new(&config(false)))
            .map_err(|error| failed("make ready to compile", error))?;
        #[cfg(feature = "clr")]
        crate::faults::wasm_started();
        let linker = imports::linker(&engine).map_err(|error| failed("make ready to link", error))?;
        let pulse = Arc::new(Pulse::default());
        let (counted, ticked) = (pulse.clone(), engine.clone());
        let named = std::thread::Builder::new().name("upcall-wasm-clock".to_owned());
        named.spawn(move || counted.run(&ticked)).map_err(|error| failed("start its clock", error.into()))?;
        Ok(Machine { engine, linker: Arc::new(linker), pulse })
    }

    /// The clock ticks as long as the result lives.
    pub(super) fn beat(&self) -> Beat {
        let mut instances = self.pulse.instances();
        *instances += 1;
        if *instances == 1 {
            self.pulse.changed.notify_one();
        }
        Beat(self.pulse.clone())
    }
}

fn config(pooling: bool) -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        .memory_may_move(false)
        .wasm_backtrace_details(WasmBacktraceDetails::Enable)
        // A thread has 2 MiB, of which an engine needs little.
        .max_wasm_stack(1 << 20);
    if pooling {
        let mut pool = PoolingAllocationConfig::default();
        pool.total_core_instances(INSTANCES)
            .total_memories(INSTANCES)
            .total_tables(INSTANCES)
            .max_memory_size(4 << 30)
            .table_elements(TABLE);
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    }
    config
}

/// Ticks that a time takes, at least one.
pub(super) fn ticks(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(TICK.as_nanos())).unwrap_or(u64::MAX >> 1).max(1)
}

/// How many instances there are.
#[derive(Default)]
struct Pulse {
    instances: Mutex<usize>,
    changed: Condvar,
}

impl Pulse {
    fn instances(&self) -> std::sync::MutexGuard<'_, usize> {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ticks for ever, and sleeps where there is nobody whose time is counted.
    fn run(&self, engine: &Engine) {
        loop {
            let waited = self.changed.wait_while(self.instances(), |instances| *instances == 0);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            std::thread::sleep(TICK);
            engine.increment_epoch();
        }
    }
}

/// An instance's share in the clock.
pub(super) struct Beat(Arc<Pulse>);

impl Drop for Beat {
    fn drop(&mut self) {
        *self.0.instances() -= 1;
    }
}
