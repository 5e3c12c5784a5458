//! What the tests of the bindings share: the compilers and interpreters that `cargo xtask setup` finds or makes, and
//! libraries to bind.

use std::env::current_exe;
use std::path::{Path, PathBuf};
use std::process::Command;

pub mod compiler;
pub mod drift;
pub mod hostile;
pub mod interpreter;
pub mod java;
pub mod kept;
#[path = "../typescript/layouts/lib.rs"]
pub mod layouts;
pub mod native;
pub mod node;
pub mod packers;
pub mod random;
pub mod shapes;
pub mod tsc;

/// A file or folder beside the tests.
fn beside(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it lies beside the tests");
    tests.join(name)
}

/// cargo, for programs that run once: without optimisation, debug information, or what a second build would begin from.
#[must_use]
pub fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("PYO3_PYTHON", interpreter::python().get_program());
    cargo
}

/// A folder for what tests make. Cargo names it `CARGO_TARGET_TMPDIR`, but only to the test programs, which lie in
/// `target/debug/deps`.
fn made(name: &str) -> PathBuf {
    let program = current_exe().expect("a test knows its program");
    program.ancestors().nth(3).expect("it lies in the target folder").join("tmp").join(name)
}
