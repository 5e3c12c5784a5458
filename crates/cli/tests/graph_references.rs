//! The programs of every guest, and those of the simulators, come to the bits of the engine's own, on the graphs on which these are
//! compared with NetworkX, scikit-network and numpy.

use crate::support::references::{PROGRAMS, Reference, in_python, iterations_of, references, same};
use crate::support::{example, root, run};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use upcall_apart::{Processes, Program};
use upcall_graph::{Guest, GuestOutcome, Options};
use upcall_host::guests::{self, NODE};
use upcall_host::{HandlerSpec, Host, Isolation};

/// A graph of more edges than this, each direction counted, runs so few iterations in guests; that of Debian's packages runs to its end.
const LARGE: usize = 100_000;
const FEW: u64 = 4;
/// The same in simulators, without an exception.
const LARGE_SIMULATED: usize = 6_000;
const FEW_SIMULATED: u64 = 2;

/// A guest, the file of its programs, and on how many threads they run: each of Node's is a process that has to be started.
struct Language {
    guest: &'static str,
    file: fn(&str) -> PathBuf,
    threads: usize,
}

fn in_file(file: &str) -> PathBuf {
    example(&format!("graph/{file}"))
}

const LANGUAGES: &[Language] = &[
    Language { guest: "native", file: |_| in_file("build/libgraph.so"), threads: 2 },
    Language { guest: "csharp", file: |_| in_file("build/graph.dll"), threads: 2 },
    Language { guest: "java", file: |_| in_file("build/graph.jar"), threads: 2 },
    Language { guest: "python", file: in_python, threads: 1 },
    Language { guest: "node", file: |_| in_file("node/programs.mjs"), threads: 1 },
    #[cfg(feature = "wasm")]
    Language { guest: "wasm", file: |_| in_file("build/programs.wasm"), threads: 2 },
    #[cfg(feature = "wasm")]
    Language { guest: "wasm", file: |_| in_file("build/programs-c.wasm"), threads: 2 },
    #[cfg(feature = "wasm")]
    Language { guest: "wasm", file: |_| in_file("build/programs-as.wasm"), threads: 2 },
];

/// All guests in this process, and Node in processes of its own.
fn hosts() -> Vec<Arc<dyn Host>> {
    let mut options = guests::Options::default();
    #[cfg(feature = "wasm")]
    {
        options.wasm.cache = Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm"));
    }
    let names: Vec<&str> =
        LANGUAGES.iter().map(|language| language.guest).filter(|guest| *guest != NODE.name).collect();
    let mut hosts = guests::start(&names, &options).unwrap();
    let program = Program::new(env!("CARGO_BIN_EXE_upcall")).argument("guest");
    hosts.push(Arc::new(Processes::of(program, &[NODE.name], &options).unwrap()));
    hosts
}

#[test]
fn programs_of_every_guest_come_to_the_same_on_the_graphs_of_references() {
    let (_folder, graphs) = references();
    let graphs: Vec<_> = graphs
        .iter()
        .map(|reference| {
            let whole = reference.graph.edges() <= LARGE || reference.name == "debian";
            let iterations = if whole { u64::MAX } else { FEW };
            (reference, iterations, reference.own(iterations))
        })
        .collect();
    let hosts = hosts();
    for Language { guest, file, threads } in LANGUAGES {
        for program in PROGRAMS {
            let file = file(program);
            let mut spec = HandlerSpec::new(program, *guest, &file, program);
            let host = match *guest == NODE.name {
                true => {
                    spec.isolation = Some(Isolation::default());
                    hosts.last()
                }
                false => hosts.iter().find(|host| host.guest() == *guest),
            };
            let settings = match program {
                "ShortestPaths" => vec![("from".to_owned(), "0".to_owned())],
                _ => Vec::new(),
            };
            let loaded = Guest::load(host.unwrap().clone(), &spec, settings).unwrap();
            for (Reference { name, graph, .. }, iterations, own) in &graphs {
                let iterations = iterations_of(program, *iterations);
                let options = Options { threads: *threads, iterations, ..Options::default() };
                let what = format!("{program} of {} on {name}", file.display());
                let found = loaded.run(graph, options).unwrap_or_else(|error| panic!("{what}: {error}"));
                same(&what, &numbers(&found), &own[program]);
            }
        }
    }
}

/// What vertices keep, or else show.
fn numbers(found: &GuestOutcome) -> Vec<f64> {
    let of = if found.own.is_empty() { &found.shown } else { &found.own };
    (0..of.len()).map(|vertex| of.number(vertex)).collect()
}

/// A simulator: the file of a program, and what runs a script in its language.
struct Simulator {
    script: &'static str,
    file: fn(&str) -> PathBuf,
    command: fn(&Path) -> Command,
}

const SIMULATORS: [Simulator; 2] = [
    Simulator {
        script: "simulated.py",
        file: in_python,
        command: |script| {
            let mut python = Command::new(root().join(".setup/venv/bin/python"));
            python.arg("-B").arg(script).env("PYTHONPATH", root().join("sdk/python"));
            python
        },
    },
    Simulator {
        script: "simulated.mjs",
        file: |_| in_file("node/programs.mjs"),
        command: |script| {
            let mut node = Command::new("node");
            let script = std::fs::read_to_string(script).unwrap();
            node.args(["--input-type=module", "-e", &script]).current_dir(root().join("sdk/node"));
            node
        },
    },
];

#[test]
fn simulators_come_to_the_same_on_the_graphs_of_references() {
    let (folder, graphs) = references();
    let graphs: Vec<_> = graphs
        .iter()
        .map(|reference| {
            let iterations =
                if reference.graph.edges() <= LARGE_SIMULATED { u64::MAX } else { FEW_SIMULATED };
            (reference, iterations, reference.own(iterations))
        })
        .collect();
    for Simulator { script, file, command } in SIMULATORS {
        // One process for all, as it takes longer to start than most of them do to run.
        let mut jobs = String::new();
        for (Reference { name, list, directed, vertices, .. }, iterations, _) in &graphs {
            for program in PROGRAMS {
                let (file, list) = (file(program).display().to_string(), list.display());
                let most = iterations_of(program, *iterations).min(1_000_000);
                let to = folder.path().join(format!("{script}.{name}.{program}")).display().to_string();
                writeln!(jobs, "{file}\t{program}\t{list}\t{vertices}\t{directed}\t{most}\t{to}").unwrap();
            }
        }
        let list = folder.path().join("jobs");
        std::fs::write(&list, jobs).unwrap();
        let ran = run(command(&root().join("crates/cli/tests/handlers").join(script)).arg(&list));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        for (Reference { name, .. }, _, own) in &graphs {
            for program in PROGRAMS {
                let to = folder.path().join(format!("{script}.{name}.{program}"));
                let text = std::fs::read_to_string(to).unwrap();
                // A vertex, what it shows, and what it keeps if it does.
                let number = |line: &str| line.rsplit('\t').next().unwrap().parse().unwrap();
                let found: Vec<f64> = text.lines().map(number).collect();
                same(&format!("{program} of {script} on {name}"), &found, &own[program]);
            }
        }
    }
}
