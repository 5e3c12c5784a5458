//! One job per launcher and number of ranks, for all bodies that run on so many: starting ranks takes longer than most bodies do.
//! Where [`FOLDER`] names one, the first test that needs a job runs every body in it, and leaves there which have passed. What is
//! not said to have passed runs in a job of its own, as all do without the folder.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use upcall_mpi::{Communicator, Environment, Threads};

use crate::support::launch;

/// Where the jobs of one run of the tests say which bodies have passed; it is empty when the run begins.
const FOLDER: &str = "UPCALL_TESTS_TOGETHER";

/// Says to a rank that it runs all bodies, and where it says which have passed.
const SAID: &str = "UPCALL_MPI_TEST_SAID";

/// A test's body, which runs on each rank.
pub struct Body {
    /// The path of the test.
    pub name: &'static str,
    /// On how many ranks it runs.
    pub sizes: &'static [usize],
    pub run: fn(&Communicator),
}

/// What `ranks!` made of each module, but of the one whose bodies start runtimes of guests: these stay.
const BODIES: [&[Body]; 25] = [
    crate::accumulate::BODIES,
    crate::attributes::BODIES,
    crate::begun::BODIES,
    crate::checked::BODIES,
    crate::collectives::BODIES,
    crate::failures::BODIES,
    crate::fields::BODIES,
    crate::files::BODIES,
    crate::files_lent::BODIES,
    crate::files_room::BODIES,
    crate::groups::BODIES,
    crate::intercommunicators::BODIES,
    crate::large::BODIES,
    crate::left::BODIES,
    crate::lent::BODIES,
    crate::many::BODIES,
    crate::messages::BODIES,
    crate::operations::BODIES,
    crate::partitioned::BODIES,
    crate::persistent::BODIES,
    crate::requests::BODIES,
    crate::topologies::BODIES,
    crate::types::BODIES,
    crate::windows::BODIES,
    crate::windows_made::BODIES,
];

fn on(ranks: usize) -> impl Iterator<Item = &'static Body> {
    BODIES.iter().copied().flatten().filter(move |body| body.sizes.contains(&ranks))
}

/// Whether this process is a rank that runs all bodies; then it has.
pub fn ran() -> bool {
    let Some(folder) = std::env::var_os(SAID).map(PathBuf::from) else { return false };
    let mpi = Environment::start(Threads::Multiple).unwrap();
    let world = mpi.world();
    let mut said = File::create(folder.join(world.rank().to_string())).unwrap();
    for body in on(world.size()) {
        // Messages that a body leaves behind meet no receive of another.
        let its_own = world.duplicate().unwrap();
        (body.run)(&its_own);
        drop(its_own);
        world.barrier().unwrap();
        writeln!(said, "{}", body.name).unwrap();
    }
    mpi.finish().unwrap();
    true
}

/// Whether the test has passed on so many ranks beside others. The first to ask has them run.
pub fn has_passed(test: &str, launcher: &str, ranks: usize) -> bool {
    let Some(folder) = std::env::var_os(FOLDER) else { return false };
    let said = Path::new(&folder).join(format!("{launcher}-{ranks}"));
    fs::create_dir_all(&said).unwrap();
    let lock = File::create(said.join("lock")).unwrap();
    lock.lock().unwrap();
    let passed = said.join("passed");
    if !passed.exists() {
        run(test, launcher, ranks, &said, &passed);
    }
    fs::read_to_string(passed).unwrap().lines().any(|line| line == test)
}

/// Runs all bodies, and writes down those that have passed on every rank.
fn run(test: &str, launcher: &str, ranks: usize, said: &Path, passed: &Path) {
    // Where the job ends badly, each of them runs alone, and says what is wrong.
    File::create(passed).unwrap();
    let output = launch(launcher, ranks, test).env(SAID, said).output();
    let output =
        output.unwrap_or_else(|error| panic!("start {launcher}: {error}; `cargo xtask setup` installs it"));
    if !output.status.success() {
        return;
    }
    let of_all: Vec<String> =
        (0..ranks).map(|rank| fs::read_to_string(said.join(rank.to_string())).unwrap()).collect();
    let of_all: Vec<HashSet<&str>> = of_all.iter().map(|said| said.lines().collect()).collect();
    let names = on(ranks).map(|body| body.name).filter(|name| of_all.iter().all(|said| said.contains(name)));
    fs::write(passed, names.collect::<Vec<_>>().join("\n")).unwrap();
}
