//! Tests on ranks: a test starts itself again under the launcher of each MPI, and its body runs on every rank.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::path::Path;
use std::process::Command;
use upcall_mpi::{Communicator, Environment, Threads};

use crate::together::{self, Body};

/// Says to a process that it is a rank.
const RANK: &str = "UPCALL_MPI_TEST";

/// What a process says that a rank has started, as one more that has to pass.
pub const CHILD: &str = "a child of the test";

/// Both, which setup installs: one that is missing fails.
pub const LAUNCHERS: [&str; 2] = ["mpirun.openmpi", "mpirun.mpich"];

/// Runs `body` on so many ranks each, under both MPIs; `test` is the path of the test that calls this.
pub fn on_ranks(test: &str, sizes: &[usize], body: fn(&Communicator)) {
    in_jobs(test, sizes, |mpi| {
        body(mpi.world());
        mpi.finish().unwrap();
    });
}

/// As [`on_ranks`], for a body that ends MPI itself, or drops it.
pub fn in_jobs(test: &str, sizes: &[usize], body: impl FnOnce(Environment)) {
    if is_rank() {
        return body(Environment::start(Threads::Multiple).unwrap());
    }
    passes_on_ranks(test, sizes);
}

/// Whether this process was started to be a rank.
pub fn is_rank() -> bool {
    std::env::var_os(RANK).is_some()
}

/// Starts `test` on so many ranks each, under both MPIs, where it passes.
pub fn passes_on_ranks(test: &str, sizes: &[usize]) {
    let test = within(test);
    for launcher in LAUNCHERS {
        for &size in sizes {
            passes_on(launcher, size, test);
        }
    }
}

fn passes_on(launcher: &str, size: usize, test: &str) {
    let output = launch(launcher, size, test)
        .output()
        .unwrap_or_else(|error| panic!("start {launcher}: {error}; `cargo xtask setup` installs it"));
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{test} on {size} ranks of {launcher}: {}\n{said}{told}", output.status);
    let passed = said.matches("1 passed").count();
    let started = said.matches(CHILD).count();
    assert_eq!(passed, size + started, "each rank runs the test {test}:\n{said}{told}");
}

/// The command that starts this test on ranks.
pub fn launch(launcher: &str, size: usize, test: &str) -> Command {
    let mut command = Command::new(launcher);
    if launcher.ends_with("openmpi") {
        // More ranks than cores, as root.
        command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--timeout", "120"]);
        command.args(["--mca", "mpi_yield_when_idle", "1"]);
    }
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpi");
    command.arg("-n").arg(size.to_string()).arg(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command
        .env(RANK, "1")
        .env("UPCALL_MPI_CACHE", cache)
        .env("MPIEXEC_TIMEOUT", "120")
        .env_remove("UPCALL_MPI");
    // A library with which ranks sleep where they would yield to each other.
    if let Some(library) = std::env::var_os("UPCALL_TESTS_WAITING") {
        command.env("LD_PRELOAD", library);
    }
    command
}

/// Tests whose bodies run on ranks, beside others or each alone.
#[macro_export]
macro_rules! ranks {
    ($(fn $name:ident($world:ident: $sizes:expr) $body:block)*) => {
        pub const BODIES: &[$crate::together::Body] = &[$($crate::together::Body {
            name: $crate::support::within(concat!(module_path!(), "::", stringify!($name))),
            sizes: &$sizes,
            run: |$world| $body,
        }),*];

        $(
            #[test]
            fn $name() {
                let name = $crate::support::within(concat!(module_path!(), "::", stringify!($name)));
                let body = BODIES.iter().find(|body| body.name == name).unwrap();
                $crate::support::beside_others(body);
            }
        )*
    };
}

/// The path of a test within this crate.
pub const fn within(path: &str) -> &str {
    path.split_at("mpi::".len()).1
}

/// Runs a body on as many ranks as it says, under both MPIs.
pub fn beside_others(body: &Body) {
    if together::ran() {
        return;
    }
    if is_rank() {
        return on_ranks(body.name, body.sizes, body.run);
    }
    for launcher in LAUNCHERS {
        for &size in body.sizes {
            if !together::has_passed(body.name, launcher, size) {
                passes_on(launcher, size, body.name);
            }
        }
    }
}

/// One random stream, the same on all ranks: each knows what the others have.
pub struct Stream(TestRunner);

impl Stream {
    pub fn new() -> Stream {
        Stream(TestRunner::deterministic())
    }

    pub fn draw<S: Strategy>(&mut self, of: S) -> S::Value {
        of.new_tree(&mut self.0).unwrap().current()
    }

    /// Some elements for each rank: as many for all, or each its own number.
    pub fn elements<S: Strategy + Clone>(&mut self, of: &S, ranks: usize, even: bool) -> Vec<Vec<S::Value>> {
        let count = self.draw(0..200usize);
        (0..ranks)
            .map(|_| {
                let count = if even { count } else { self.draw(0..200usize) };
                (0..count).map(|_| self.draw(of.clone())).collect()
            })
            .collect()
    }
}

pub const GIB: usize = 1 << 30;

/// Whether there is memory for so many bytes on all ranks together. Where there is not, the line says what was not run.
fn is_there(bytes: usize, what: &str) -> bool {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap();
    let field = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")).unwrap();
    let available: usize = field.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10;
    let enough = available / 4 * 3 >= bytes;
    if !enough {
        println!(
            "NOT RUN: {what}: it takes {:.1} GiB, and {:.1} GiB are free",
            bytes as f64 / GIB as f64,
            available as f64 / GIB as f64
        );
    }
    enough
}

/// Runs a test of large buffers, where there is memory for it. The ranks do not ask, as each has taken some by then.
pub fn for_real(test: &str, sizes: &[usize], bytes: usize, body: fn(&Communicator)) {
    if is_rank() || is_there(bytes, test) {
        on_ranks(test, sizes, body);
    }
}

/// Elements of 8 bytes that are more bytes than 31 bits count. They are zero but around where parts of them begin and end.
pub fn many() -> Vec<u64> {
    let count = (1 << 28) + 3;
    let mut data = vec![0; count];
    for at in (0..count).step_by(1 << 27).flat_map(|at| [at.saturating_sub(1), at, at + 1]).chain([count - 1])
    {
        data[at] = at as u64 + 1;
    }
    data
}
