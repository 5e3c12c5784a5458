//! An interval that the engine dumps is replayed by the simulators: the same becomes of each vertex, to the bit.

use crate::support::{Folder, Outcome, example, root, run, upcall};
use std::fmt::Write;
use std::process::Command;

/// A simulator: the file of its programs, and the command that replays an interval with one of them.
struct Simulator {
    file: &'static str,
    replays: fn(file: &str, class: &str, interval: &str) -> Command,
}

const PYTHON: Simulator = Simulator {
    file: "graph/python/pagerank.py",
    replays: |file, class, interval| {
        let mut python = Command::new(root().join(".setup/venv/bin/python"));
        python.args(["-m", "upcall.graph_simulator", file, "--class", class, "--replay", interval]);
        python.env("PYTHONPATH", root().join("sdk/python"));
        python
    },
};

const JAVASCRIPT: Simulator = Simulator {
    file: "graph/node/programs.mjs",
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

/// A graph of three intervals, the last one not a whole one.
fn graph(folder: &Folder) -> String {
    let (mut text, mut number) = (String::new(), 12_345u64);
    let mut any = |below: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % below
    };
    for _ in 0..12_000 {
        writeln!(text, "{} {}", any(2_500), any(2_500)).unwrap();
    }
    let (list, graph) = (folder.write("list.txt", text), folder.path("some.graph"));
    let built = run(&mut upcall(&["graph", "build", &list, "-o", &graph, "--vertices", "2500"]));
    assert_eq!(built.code, Some(0), "{}", built.err);
    graph
}

/// Runs a program, dumps one of its intervals in one of its iterations, and replays it.
fn replayed(simulator: &Simulator, class: &str, interval: &str, change: fn(String) -> String) -> Outcome {
    let folder = Folder::new("");
    let (graph, file, to) = (graph(&folder), example(simulator.file), folder.path("interval.json"));
    let file = file.to_str().unwrap();
    let arguments = ["graph", "run", &graph, file, "--class", class, "--set", "damping=0.9"];
    let dumped = ["--dump-interval", interval, "--dump-iteration", "3", "--dump-to", &to];
    let ran = run(&mut upcall(&[&arguments[..], &dumped].concat()));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    folder.write("interval.json", change(folder.read("interval.json")));
    run(&mut (simulator.replays)(file, class, &to))
}

/// Both forms of a program agree, and what another setting makes of a vertex is told.
#[track_caller]
fn agrees(simulator: &Simulator) {
    for (class, interval, vertices) in [("PageRank", "0", 1_024), ("PageRankGather", "2", 452)] {
        let outcome = replayed(simulator, class, interval, |dumped| dumped);
        let said = (outcome.out.as_str(), outcome.err.as_str(), outcome.code);
        assert_eq!(said, (&*format!("all {vertices} vertices agree\n"), "", Some(0)), "{class}");
    }
    let outcome = replayed(simulator, "PageRank", "1", |dumped| {
        let changed = dumped.replace("\"damping\":\"0.9\"", "\"damping\":\"0.8\"");
        assert_ne!(changed, dumped);
        changed
    });
    assert!(outcome.out.starts_with("vertex 1024 keeps "), "{}{}", outcome.out, outcome.err);
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn the_simulator_in_python_agrees() {
    agrees(&PYTHON);
}

#[test]
fn the_simulator_in_javascript_agrees() {
    agrees(&JAVASCRIPT);
}
