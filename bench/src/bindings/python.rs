//! Python: the generated extension and its fallback beside the C API, ctypes and cffi.

use super::{Row, build, cargo, compile, library, measure, run, sources};
use crate::peers::Environment;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Compiles the extensions, ours and theirs, and runs the program.
pub fn rows() -> Result<Vec<Row>> {
    let environment = Environment::of("bindgen-python", "bench/bindgen/python/requirements.txt")?;
    let (python, library) = (environment.python(), library()?);
    let package = build().join("python");
    cargo(&package.join("ours/glue"))?;
    let sources = sources().join("python");
    let theirs = build().join("python-peers");
    std::fs::create_dir_all(&theirs)?;
    let generated = theirs.join("compiled_cffi.c");
    let python_in = |file: &str| {
        let mut command = Command::new(python);
        command.arg(sources.join(file)).env("UPCALL_BENCH_API_LIBRARY", &library);
        command
    };
    run(python_in("with_cffi.py").arg(&generated))?;
    let include = "import sysconfig; print(sysconfig.get_path('include'))";
    let include = run(Command::new(python).args(["-c", include]))?;
    for source in [&sources.join("by_hand.c"), &generated] {
        let name = source.file_stem().unwrap_or_default();
        let extension = theirs.join(name).with_extension("abi3.so");
        compile(source, &[Path::new(include.trim())], &library, &extension)?;
    }
    let path = std::env::join_paths([&package, &theirs])?;
    measure("Python", python_in("bench.py").env("PYTHONPATH", path).env("OURS_PYTHON", "native"))
}
