//! A handler's module: read, looked at, compiled.

use super::engine::Machine;
use super::instance;
use super::live::{Data, Live};
use super::{Wasm, cache, file, imports};
use crate::nearest::missing;
use crate::{Error, ErrorKind, HandlerSpec, Instance, Limits, Module};
use std::sync::Arc;
use upcall_abi::ABI;
use wasmtime::{ExternType, InstancePre, ValType};

pub(super) const MEMORY: &str = "memory";
pub(super) const NUMBER: &str = "upcall_abi";
pub(super) const MAKE: &str = "upcall_make";
pub(super) const CALL: &str = "upcall_call";

/// What a module begins with.
const MAGIC: &[u8; 4] = b"\0asm";
/// The version of core modules, which follows; a component has another.
const CORE: [u8; 4] = [1, 0, 0, 0];

/// A handler whose module is compiled.
pub(super) struct Handler {
    pub(super) machine: Machine,
    pub(super) module: InstancePre<Data>,
    pub(super) loaded: Loaded,
}

/// What is known of it beside the code.
pub(super) struct Loaded {
    /// Its name in the flow.
    pub(super) name: String,
    pub(super) class: String,
    /// `WebAssembly handler counter of count.wasm`.
    pub(super) what: String,
    /// `load WebAssembly handler counter from count.wasm`.
    attempt: String,
    pub(super) limits: Limits,
}

impl Loaded {
    /// The error of a module that was built for another number of the boundary.
    pub(super) fn other_abi(&self, abi: u32) -> Error {
        let Loaded { attempt, .. } = self;
        let what =
            format!("{attempt}: built for ABI {abi}, this is ABI {ABI}; build it again with this version");
        Error::new(ErrorKind::AbiMismatch, what)
    }

    /// The error of a refusal.
    pub(super) fn refused(&self, (kind, said): &(u32, String)) -> Error {
        let (kind, said) = (ErrorKind::of_refusal(*kind), said.trim_end());
        match kind {
            ErrorKind::HandlerMissing => {
                Error::new(kind, format!("{}: {}", self.attempt, missing(&self.class, said)))
            }
            kind => Error::new(kind, format!("make {}: {said}", self.what)),
        }
    }
}

/// A handler, made by each worker.
pub(super) struct Made(Arc<Handler>);

impl Module for Made {
    fn instantiate(&self) -> Result<Instance, Error> {
        instance::of(self.0.clone())
    }
}

/// Loads a handler, and makes it once to see that it can be.
pub(super) fn load(wasm: &Wasm, spec: &HandlerSpec) -> Result<Made, Error> {
    let (class, shown) = (&spec.class, spec.file.display());
    let loaded = Loaded {
        name: spec.name.clone(),
        class: class.clone(),
        what: format!("WebAssembly handler {class} of {shown}"),
        attempt: format!("load WebAssembly handler {class} from {shown}"),
        limits: spec.limits,
    };
    let fail = |kind, what: String| Error::new(kind, format!("open {shown}: {what}"));
    let bytes = file::read(&spec.file, wasm.largest).map_err(|(kind, what)| fail(kind, what))?;
    let invalid = |what: String| fail(ErrorKind::FileInvalid, what);
    check_head(&bytes).map_err(|what| invalid(what.to_owned()))?;
    let engine = &wasm.machine.engine;
    let module = cache::compiled(engine, &bytes, wasm.cache.as_deref())
        .map_err(|error| invalid(format!("not a module that can be run here: {error:#}; build it again")))?;
    check_imports(&module).map_err(invalid)?;
    check_exports(&module).map_err(invalid)?;
    let module = wasm.machine.linker.instantiate_pre(&module).map_err(|error| {
        invalid(format!("it cannot be linked: {error:#}; build it again with this version"))
    })?;
    let handler = Handler { machine: wasm.machine.clone(), module, loaded };
    Live::make(&handler.machine, &handler.module, &handler.loaded)?;
    Ok(Made(Arc::new(handler)))
}

/// Whether a file is a core module at all.
fn check_head(bytes: &[u8]) -> Result<(), &'static str> {
    let (magic, version) = (bytes.get(..4), bytes.get(4..8));
    match (magic == Some(MAGIC), version == Some(&CORE)) {
        (true, true) => Ok(()),
        (true, false) if version.is_none() => Err("it is cut short; build it again"),
        (true, false) => {
            Err("it is a component, or a module of another version; build a core module, as for the \
                              target wasm32-unknown-unknown")
        }
        (false, _) => Err("it is no WebAssembly module; name the .wasm file that the compiler has written"),
    }
}

/// Whether it imports only what there is.
fn check_imports(module: &wasmtime::Module) -> Result<(), String> {
    for import in module.imports() {
        let (of, name) = (import.module(), import.name());
        if of != imports::MODULE {
            let why = if of.starts_with("wasi") {
                "a handler has no files, clock or network of its own; build it without WASI: from Rust for wasm32-unknown-unknown, from C \
                 for wasm32 with -nostdlib"
            } else {
                "build it so that it imports from `upcall` only"
            };
            return Err(format!("it imports `{name}` of `{of}`, and no handler is given that: {why}"));
        }
        let Some((_, wanted)) = imports::GIVEN.into_iter().find(|(known, _)| *known == name) else {
            let near = crate::nearest(name, imports::GIVEN.map(|(known, _)| known));
            let near = near.map_or(String::new(), |near| format!(", but `{near}`"));
            return Err(format!(
                "it imports `{name}` of `upcall`, which has no such function{near}: use the version that it was built for"
            ));
        };
        fits(&import.ty(), wanted).map_err(|found| {
            format!("it imports `{name}` of `upcall` as {found}, and it is {wanted}; build it again with this version")
        })?;
    }
    Ok(())
}

/// Whether it exports what is called.
fn check_exports(module: &wasmtime::Module) -> Result<(), String> {
    match module.get_export(MEMORY) {
        Some(ExternType::Memory(memory)) if !memory.is_64() && !memory.is_shared() => {}
        _ => return Err(format!("it exports no `{MEMORY}` of 32 bits; let the linker export it")),
    }
    for (name, wanted) in
        [(NUMBER, "() -> i32"), (MAKE, "(i32, i32) -> i32"), (CALL, "(i32, i32, i32) -> i32")]
    {
        let Some(export) = module.get_export(name) else {
            let what = "write `upcall::handlers!` in it, or UPCALL_HANDLERS where it is in C";
            return Err(format!("it exports no `{name}`; {what}"));
        };
        fits(&export, wanted).map_err(|found| {
            format!(
                "it exports `{name}` as {found}, and it has to be {wanted}; build it again with this version"
            )
        })?;
    }
    Ok(())
}

/// Whether this is a function of the type that is wanted; else what it is.
fn fits(found: &ExternType, wanted: &str) -> Result<(), String> {
    let found = match found {
        ExternType::Func(function) => {
            let list =
                |types: Vec<ValType>| types.iter().map(ValType::to_string).collect::<Vec<_>>().join(", ");
            let results = list(function.results().collect());
            let results = if results.is_empty() { "()".to_owned() } else { results };
            format!("({}) -> {results}", list(function.params().collect()))
        }
        ExternType::Memory(_) => "a memory".to_owned(),
        ExternType::Table(_) => "a table".to_owned(),
        ExternType::Global(_) => "a global".to_owned(),
        _ => "something else".to_owned(),
    };
    if found == wanted { Ok(()) } else { Err(found) }
}
