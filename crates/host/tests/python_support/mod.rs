//! What the tests of Python handlers share.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use upcall_host::HandlerSpec;
use upcall_host::python::{Python, PythonOptions};

pub fn options() -> PythonOptions {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let home = std::env::var_os("UPCALL_HOME").map_or(root, PathBuf::from);
    let driver = home.join("build/upcall_python.so");
    assert!(driver.is_file(), "{} is missing: run cargo xtask build", driver.display());
    PythonOptions { interpreter: None, home: Some(home) }
}

pub fn python() -> Python {
    Python::start(&options()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn spec(file: impl Into<PathBuf>, class: &str) -> HandlerSpec {
    HandlerSpec::new("handler", "python", file, class)
}

/// One handler runs at a time, as in a flow, though tests may share a process: what another thread of a
/// handler's logs goes to the handler that runs next.
pub fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A file of Python of this test's own.
pub fn written(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("python-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    file
}
