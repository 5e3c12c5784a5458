//! The TypeScript compiler installed by setup.

use std::path::{Path, PathBuf};

/// The compiler of `.setup/node`; `UPCALL_TSC` names another.
pub fn tsc() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let setup = || {
        let roots = here.ancestors().filter(|folder| folder.join("Cargo.lock").exists());
        roots.map(|root| root.join(".setup/node/node_modules/.bin/tsc")).find(|tsc| tsc.exists())
    };
    let given = std::env::var_os("UPCALL_TSC").map(PathBuf::from);
    given.or_else(setup).expect("run cargo xtask setup: .setup/node has the TypeScript compiler of the tests")
}
