//! Handlers in Python through the SDK's driver, under a real interpreter: only the driver's own instructions count.

use crate::boundary;
use anyhow::Result;
use std::path::Path;
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{HandlerSpec, Host};

pub fn count() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let home = folder.ancestors().nth(2).map(Path::to_owned);
    let python = Python::start(&PythonOptions { home, ..PythonOptions::default() })?;
    for (name, class) in
        [("python, empty", "Empty"), ("python, reading", "Reading"), ("python, emitting", "Emitting")]
    {
        let spec = HandlerSpec::new(name, "python", folder.join("handlers.py"), class);
        boundary::item(name, &python, &*python.load(&spec)?)?;
    }
    Ok(())
}
