//! The handlers that are measured: the same in each guest.

use super::Guest;
use crate::handlers::{BatchReading, Emitting, Reading, add, empty};
use upcall_host::{Error, ErrorKind, HandlerSpec, Host, Module, in_process};

/// What a measured handler does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    /// Nothing, once per object.
    Empty,
    /// Looks at key and value, once per object.
    Reading,
    /// Looks at key and value and emits the key with 16 bytes, once per object.
    Emitting,
    /// Looks at key and value of each object of a batch.
    BatchReading,
}

impl Probe {
    /// All of them.
    pub const ALL: [Probe; 4] = [Probe::Empty, Probe::Reading, Probe::Emitting, Probe::BatchReading];

    /// What the tables call it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Probe::Empty => "on_object, empty",
            Probe::Reading => "on_object, reading",
            Probe::Emitting => "on_object, reading and emitting",
            Probe::BatchReading => "on_batch, reading",
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Probe::Empty => "Empty",
            Probe::Reading => "Reading",
            Probe::Emitting => "Emitting",
            Probe::BatchReading => "BatchReading",
        }
    }

    /// The handler in Rust, with the SDK's driver around it.
    pub(super) fn rust(self) -> Box<dyn Module> {
        match self {
            Probe::Empty => in_process::module(|| empty),
            Probe::Reading => in_process::module(Reading::default),
            Probe::Emitting => in_process::module(Emitting::default),
            Probe::BatchReading => in_process::module(|| upcall_handler::batch(BatchReading::default())),
        }
    }

    /// Loads the handler of a guest whose runtime is `host`.
    pub(super) fn load(self, guest: Guest, host: &dyn Host, file: &Files) -> Result<Box<dyn Module>, Error> {
        let (path, class) = file.of(guest, self);
        match guest {
            Guest::Rust => Ok(self.rust()),
            Guest::Python | Guest::Csharp | Guest::Java | Guest::Node | Guest::Wasm => {
                file.load(host, path, &class)
            }
        }
    }
}

/// The handler of a guest that adds two arrays.
pub(super) fn combining(guest: Guest, host: &dyn Host, file: &Files) -> Result<Box<dyn Module>, Error> {
    match guest {
        Guest::Rust => Ok(in_process::module(|| {
            upcall_handler::combine(|from: &[f64], into: &mut [f64]| {
                add(from, into);
                Ok(())
            })
        })),
        Guest::Python | Guest::Node => file.load(host, &file.python, "Combining"),
        Guest::Csharp => file.load(host, &file.csharp, "Upcall.Probes.Combining"),
        Guest::Java => file.load(host, &file.java, "upcall.probes.Combining"),
        Guest::Wasm => file.load(host, &file.wasm, "Combining"),
    }
}

/// The module with the handlers in WebAssembly.
pub(super) fn module() -> Result<std::path::PathBuf, Error> {
    const MODULE: &str = "build/probes.wasm";
    let home = upcall_host::installation(MODULE);
    home.map(|home| home.join(MODULE)).map_err(|why| {
        let message = format!(
            "find the measured handlers in WebAssembly: {why}; `cargo xtask build --wasm` makes them"
        );
        Error::new(ErrorKind::FileMissing, message)
    })
}

/// Where the handlers of the guests are; the one for Python as long as this lives.
pub(super) struct Files {
    python: std::path::PathBuf,
    /// The one that numba compiles.
    pub(super) compiled: std::path::PathBuf,
    node: std::path::PathBuf,
    /// Holds it. Nobody else may enter: what is written there is run.
    _folder: tempfile::TempDir,
    /// `Upcall.dll`.
    pub(super) csharp: std::path::PathBuf,
    /// `upcall.jar`.
    pub(super) java: std::path::PathBuf,
    /// `probes.wasm`.
    pub(super) wasm: std::path::PathBuf,
}

impl Files {
    pub(super) fn write() -> Result<Files, Error> {
        let written = tempfile::tempdir().and_then(|folder| {
            let python = folder.path().join("probes.py");
            std::fs::write(&python, include_str!("probes.py"))?;
            let compiled = folder.path().join("compiled.py");
            std::fs::write(&compiled, include_str!("compiled.py"))?;
            let node = folder.path().join("probes.mjs");
            std::fs::write(&node, include_str!("probes.mjs"))?;
            let (csharp, java, wasm) = Default::default();
            Ok(Files { python, compiled, node, _folder: folder, csharp, java, wasm })
        });
        written.map_err(|error| {
            let place = std::env::temp_dir();
            let help = "set TMPDIR to a writable folder";
            let message = format!("write probes.py below {}: {error}; {help}", place.display());
            Error::new(ErrorKind::FileMissing, message)
        })
    }

    /// File and class of a handler; of one in Rust the file is of no interest.
    pub(super) fn of(&self, guest: Guest, probe: Probe) -> (&std::path::Path, String) {
        match guest {
            Guest::Csharp => (&self.csharp, format!("Upcall.Probes.{}", probe.class())),
            Guest::Java => (&self.java, format!("upcall.probes.{}", probe.class())),
            Guest::Node => (&self.node, probe.class().to_owned()),
            Guest::Wasm => (&self.wasm, probe.class().to_owned()),
            Guest::Rust | Guest::Python => (&self.python, probe.class().to_owned()),
        }
    }

    pub(super) fn load(
        &self,
        host: &dyn Host,
        file: &std::path::Path,
        class: &str,
    ) -> Result<Box<dyn Module>, Error> {
        host.load(&HandlerSpec::new("probe", host.guest(), file, class))
    }
}
