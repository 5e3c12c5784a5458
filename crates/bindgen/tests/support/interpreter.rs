//! The Python installed by setup.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter of `.setup/venv`, with numpy and mypy; `UPCALL_PYTHON` names another.
pub fn python() -> Command {
    let given = std::env::var_os("UPCALL_PYTHON").map(PathBuf::from);
    let setup = || {
        let roots = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        roots.map(|root| root.join(".setup/venv/bin/python")).find(|python| python.exists())
    };
    let python =
        given.or_else(setup).expect("run cargo xtask setup: .setup/venv has the Python of the tests");
    Command::new(python)
}
