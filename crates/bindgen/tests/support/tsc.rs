//! The TypeScript compilers installed by setup.

use std::path::{Path, PathBuf};

/// The compiler of `.setup/node`; `UPCALL_TSC` names another.
pub fn tsc() -> PathBuf {
    std::env::var_os("UPCALL_TSC").map_or_else(|| installed("node"), PathBuf::from)
}

/// The oldest major version that programs may have: TypeScript 5.
pub fn older() -> PathBuf {
    installed("node5")
}

fn installed(setup: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let roots = here.ancestors().filter(|folder| folder.join("Cargo.lock").exists());
    let mut compilers = roots.map(|root| root.join(".setup").join(setup).join("node_modules/.bin/tsc"));
    let found = compilers.find(|tsc| tsc.exists());
    found.expect("run cargo xtask setup: .setup has the TypeScript compilers of the tests")
}
