//! Handlers in WebAssembly, run by wasmtime.
//!
//! A handler's file is a core module that exports `memory`, `upcall_abi`, `upcall_make` and `upcall_call`, as the packages for
//! Rust and C write them. Its memory is all that it can touch: frames are copied into it and back by `upcall_crossing`, which
//! checks every number that returns, and the module `upcall` is all that it may import: more output, the
//! log, pools, and a word before a trap. There is no WASI: a module that asks for files, a clock or the network is refused
//! with the name of what it asks for.
//!
//! Each instance has a store of its own, from a pool. What it may use is bounded ([`Limits`](crate::Limits)): memory, and the
//! time for an item. A trap fails the item that was being handled, and the instance with what it held: the next call gets
//! another one, which is told OPEN again.
//!
//! Traps of memory and arithmetic are signals, which other runtimes of the process take too. wasmtime hands on what is not its
//! own; behind a CLR it comes first, and before one the CLR's host gives it the faults of threads that are in a module.
//!
//! Compiled modules are kept in a folder of the user's ([`WasmOptions`]).

mod cache;
mod engine;
mod file;
mod imports;
mod instance;
mod limits;
mod linear;
mod live;
mod module;
mod retold;
mod trap;

use crate::guests::{self, Options, Runtime, Say};
use crate::probe::Probe;
use crate::{Capabilities, Error, ErrorKind, HandlerSpec, Host, Module, Threads};
use engine::Machine;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How WebAssembly is run.
#[derive(Clone, Default, Debug)]
pub struct WasmOptions {
    /// Where compiled modules are kept. `None`: the folder of `UPCALL_WASM_CACHE`; else `upcall/wasm` in the user's folder for
    /// what can be made again (`XDG_CACHE_HOME`, or `.cache` in `HOME`). Nothing is kept in a folder that others may write.
    pub cache: Option<PathBuf>,
    /// Bytes of a module's file at most: compiling takes time and memory by its size. `None`: as many MiB as `UPCALL_WASM_LARGEST`
    /// says, or 64.
    pub largest: Option<u64>,
}

/// WebAssembly in this process. A copy is the same one.
#[derive(Clone, Debug)]
pub struct Wasm {
    machine: Machine,
    cache: Option<PathBuf>,
    largest: u64,
}

impl Wasm {
    /// Makes ready to run modules.
    ///
    /// # Errors
    /// The machine has no address space for them, or a variable does not say what it is for.
    pub fn start(options: &WasmOptions) -> Result<Wasm, Error> {
        let largest = options.largest.map_or_else(file::largest, Ok)?;
        let machine = Machine::of_this_process()?;
        Ok(Wasm { machine, cache: cache::folder(options.cache.as_deref()), largest })
    }

    /// Where compiled modules are kept, if they are.
    #[must_use]
    pub fn cache(&self) -> Option<&Path> {
        self.cache.as_deref()
    }
}

pub(crate) const RUNTIME: Runtime =
    Runtime { start: |options| Ok(Arc::new(Wasm::start(&options.wasm)?)), examine };

/// A handler that emits what it is given: `echo.c`, compiled by Debian's clang 14 as `sdk/c/upcall_guest.h` says.
const ECHO: &[u8] = include_bytes!("echo.wasm");

fn examine(options: &Options, say: Say<'_>) -> Result<(), Error> {
    say("found: wasmtime 48, part of this program".into());
    let wasm = Wasm::start(&options.wasm)?;
    match wasm.cache().map(|folder| (folder.display(), cache::keeps(folder))) {
        Some((folder, Ok(()))) => say(format!("compiled modules are kept in {folder}")),
        Some((folder, Err(error))) => {
            say(format!(
                "compiled modules are not kept in {folder}: {error}; UPCALL_WASM_CACHE may name another folder"
            ));
        }
        None => say("compiled modules are not kept: set UPCALL_WASM_CACHE to a folder".into()),
    }
    let probe = Probe {
        guest: guests::WASM.name,
        language: guests::WASM.language,
        remedy: "build Upcall again for this machine",
    };
    let folder = tempfile::tempdir().and_then(|folder| {
        let file = folder.path().join("echo.wasm");
        std::fs::write(&file, ECHO)?;
        Ok((folder, file))
    });
    let (_folder, file) = folder.map_err(|error| {
        let what = format!("write the module of a test: {error}; set TMPDIR to a writable folder");
        Error::new(ErrorKind::RuntimeFailed, what)
    })?;
    probe.echoes(&wasm, &file, "echo")
}

impl Host for Wasm {
    fn guest(&self) -> &'static str {
        guests::WASM.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            threads: Threads::Own,
            killable: true,
            sees_native_memory: false,
            maps_lent: false,
            good_batch: 64,
        }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        body();
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        Ok(Box::new(module::load(self, handler)?))
    }
}
