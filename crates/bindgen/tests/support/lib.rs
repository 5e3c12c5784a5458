//! What the tests of the bindings share: the compilers and interpreters that `cargo xtask setup` finds or makes, and
//! libraries to bind.

use std::env::current_exe;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::File;

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
    cargo.env_remove("CARGO_TARGET_DIR");
    cargo
}

/// What cargo is told in the folders of packages beside the tests.
const CONFIG: &str = include_str!("../.cargo/config.toml");

/// Has a package that a test makes probed where those beside the tests are.
pub fn probed_with_others(package: &Path) {
    let folder = made("probed");
    let config = CONFIG.replace("../../../target/tmp/probed", folder.to_str().expect("it is named in UTF-8"));
    node::put(package, &[File::new(".cargo/config.toml", config)]);
}

/// Runs a build that [`cargo`] begins, without warnings unless it says otherwise: whether it succeeds. Dependencies are compiled
/// once for all that tests build, in a folder that these share. A package's library has no hash in its name there: that of another
/// package of the same name is removed first, as cargo would take it for this one's.
pub fn built(cargo: &mut Command) -> bool {
    let shared = made("built");
    fs::create_dir_all(&shared).expect("the folder is made");
    let lock = fs::File::create(shared.join("of-the-tests.lock")).expect("the lock is made");
    lock.lock().expect("it is locked");
    let mine = format!("{:?} {:?}", cargo.get_current_dir(), cargo.get_args().collect::<Vec<_>>());
    for name in names(cargo) {
        let owner = shared.join(format!("{name}.owner"));
        if fs::read_to_string(&owner).ok().as_ref() == Some(&mine) {
            continue;
        }
        for profile in ["debug", "release"] {
            let library = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
            let _ = fs::remove_file(shared.join(profile).join("deps").join(library));
        }
        fs::write(&owner, &mine).expect("the owner is written");
    }
    cargo.env("CARGO_BUILD_BUILD_DIR", &shared);
    // What is made lies beside the package, unless the build says otherwise.
    let target = manifest(cargo).with_file_name("target");
    cargo.env("CARGO_TARGET_DIR", target);
    // As it is for those that are told by a file.
    let unstable = CONFIG.split_once("value = \"").and_then(|(_, list)| list.split_once('"'));
    cargo.env("RUSTC_BOOTSTRAP", unstable.expect("it says which crates may use what is unstable").0);
    if !cargo.get_envs().any(|(name, _)| name == "RUSTFLAGS") {
        cargo.env("RUSTFLAGS", "-Dwarnings");
    }
    cargo.status().expect("cargo starts").success()
}

/// Returns when what is written in a folder is later, by the clock of its file system, than all that was written before: bindgen
/// keeps nothing that it has made from files that may have been written since it began.
pub fn later(folder: &Path) {
    let clock = folder.join("clock");
    let now = || {
        fs::write(&clock, "").expect("the folder can be written to");
        fs::metadata(&clock).and_then(|about| about.modified()).expect("files have times")
    };
    let before = now();
    while now() <= before {}
}

/// What the package and its library are called.
fn names(cargo: &Command) -> Vec<String> {
    let manifest = fs::read_to_string(manifest(cargo)).expect("the package has a manifest");
    let names = manifest.lines().filter_map(|line| line.strip_prefix("name = "));
    names.map(|name| name.trim_matches('"').replace('-', "_")).collect()
}

/// The manifest of the package that is built.
fn manifest(cargo: &Command) -> PathBuf {
    let named =
        cargo.get_args().skip_while(|argument| *argument != "--manifest-path").nth(1).map(PathBuf::from);
    let folder = || cargo.get_current_dir().expect("the build is given a package").join("Cargo.toml");
    named.unwrap_or_else(folder)
}

/// A folder for what tests make. Cargo names it `CARGO_TARGET_TMPDIR`, but only to the test programs, which lie in
/// `target/debug/deps`.
fn made(name: &str) -> PathBuf {
    let program = current_exe().expect("a test knows its program");
    program.ancestors().nth(3).expect("it lies in the target folder").join("tmp").join(name)
}
