//! An interval that the engine dumps is replayed by the simulators: the same becomes of each vertex, to the bit.

use crate::support::{Folder, Outcome, example, root, run, upcall};
use std::fmt::Write;
use std::process::Command;

/// A simulator: the file of a program, and the command that replays an interval with it.
struct Simulator {
    file: fn(class: &str) -> &'static str,
    replays: fn(file: &str, class: &str, interval: &str) -> Command,
}

const PYTHON: Simulator = Simulator {
    file: |class| match class {
        "Components" => "graph/python/components.py",
        "ShortestPaths" => "graph/python/paths.py",
        "Labels" => "graph/python/labels.py",
        _ => "graph/python/pagerank.py",
    },
    replays: |file, class, interval| {
        let mut python = Command::new(root().join(".setup/venv/bin/python"));
        python.args(["-m", "upcall.graph_simulator", file, "--class", class, "--replay", interval]);
        python.env("PYTHONPATH", root().join("sdk/python"));
        python
    },
};

const JAVASCRIPT: Simulator = Simulator {
    file: |_| "graph/node/programs.mjs",
    replays: |file, class, interval| {
        let script = "const { Simulator } = await import('upcall/simulator');\
                      const [file, name, interval] = process.argv.slice(1);\
                      const found = await Simulator.replay((await import(file))[name], interval);\
                      console.log(`${found}`);\
                      process.exitCode = found.differences.length > 0 ? 1 : 0;";
        let mut node = Command::new("node");
        node.args(["--input-type=module", "-e", script, file, class, interval]);
        node.current_dir(root().join("sdk/node"));
        node
    },
};

/// A program with a setting, one of its intervals, and how many of that interval's vertices are updated in the fourth iteration.
struct Program {
    class: &'static str,
    setting: &'static str,
    interval: &'static str,
    vertices: u64,
}

const PROGRAMS: [Program; 6] = [
    Program { class: "PageRank", setting: "damping=0.9", interval: "0", vertices: 1_024 },
    Program { class: "PageRankGather", setting: "damping=0.9", interval: "2", vertices: 452 },
    Program { class: "PageRankEdges", setting: "damping=0.9", interval: "1", vertices: 1_024 },
    // Of these two only those that have seen a change.
    Program { class: "Components", setting: "", interval: "0", vertices: 1_021 },
    Program { class: "ShortestPaths", setting: "from=5", interval: "1", vertices: 66 },
    Program { class: "Labels", setting: "", interval: "2", vertices: 452 },
];

/// A graph of three intervals, the last one not a whole one, whose edges have values.
fn graph(folder: &Folder) -> String {
    let (mut text, mut number) = (String::new(), 12_345u64);
    let mut any = |below: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % below
    };
    for _ in 0..12_000 {
        writeln!(text, "{} {} {}", any(2_500), any(2_500), 1 + any(9)).unwrap();
    }
    let (list, graph) = (folder.write("list.txt", text), folder.path("some.graph"));
    let arguments = ["graph", "build", &list, "-o", &graph, "--vertices", "2500", "--values", "f64"];
    let built = run(&mut upcall(&arguments));
    assert_eq!(built.code, Some(0), "{}", built.err);
    graph
}

/// Runs a program, dumps one of its intervals in its fourth iteration, and replays it.
fn replayed(
    simulator: &Simulator,
    (folder, graph): (&Folder, &str),
    program: &Program,
    change: fn(String) -> String,
) -> Outcome {
    let Program { class, setting, interval, .. } = *program;
    let (file, to) = (example((simulator.file)(class)), folder.path("interval.json"));
    let file = file.to_str().unwrap();
    let mut arguments = vec!["graph", "run", graph, file, "--class", class];
    if !setting.is_empty() {
        arguments.extend(["--set", setting]);
    }
    arguments.extend(["--dump-interval", interval, "--dump-iteration", "3", "--dump-to", &to]);
    let ran = run(&mut upcall(&arguments));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    folder.write("interval.json", change(folder.read("interval.json")));
    run(&mut (simulator.replays)(file, class, &to))
}

/// All programs agree, and what another setting makes of a vertex is told.
#[track_caller]
fn agrees(simulator: &Simulator) {
    let folder = Folder::new("");
    let graph = graph(&folder);
    let at = (&folder, &*graph);
    for program in &PROGRAMS {
        let outcome = replayed(simulator, at, program, |dumped| dumped);
        let said = (outcome.out.as_str(), outcome.err.as_str(), outcome.code);
        let all = format!("all {} vertices agree\n", program.vertices);
        assert_eq!(said, (&*all, "", Some(0)), "{}", program.class);
    }
    let outcome = replayed(simulator, at, &PROGRAMS[0], |dumped| {
        let changed = dumped.replace("\"damping\":\"0.9\"", "\"damping\":\"0.8\"");
        assert_ne!(changed, dumped);
        changed
    });
    assert!(outcome.out.starts_with("vertex 0 keeps "), "{}{}", outcome.out, outcome.err);
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn a_dump_of_an_iteration_that_never_comes_is_told() {
    let folder = Folder::new("");
    let (graph, to) = (graph(&folder), folder.path("interval.json"));
    let file = example("graph/build/libgraph.so");
    let asked = ["graph", "run", &graph, file.to_str().unwrap(), "--class", "Components"];
    let dumps = ["--dump-interval", "0", "--dump-iteration", "300", "--dump-to", &to];
    let ran = run(upcall(&asked).args(dumps));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.ends_with("nothing was dumped: the run had no iteration 300\n"), "{}", ran.err);
}

#[test]
fn the_simulator_in_python_agrees() {
    agrees(&PYTHON);
}

#[test]
fn the_simulator_in_javascript_agrees() {
    agrees(&JAVASCRIPT);
}
