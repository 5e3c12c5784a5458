//! Graphs whose neighbours are compressed, as somebody would call the commands: all of them say what they say of others.

use crate::support::{Folder, example, run, upcall};
use serde_json::Value;
use std::fmt::Write;

fn graph(arguments: &[&str]) -> String {
    let outcome = run(&mut upcall(&[&["graph"], arguments].concat()));
    assert_eq!(outcome.code, Some(0), "{arguments:?}: {}{}", outcome.out, outcome.err);
    outcome.out
}

/// A list of more edges than a worker takes at once, in blocks of which some have none.
fn list() -> String {
    let (mut text, mut number) = (String::new(), 12_345u64);
    let mut any = |below: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % below
    };
    for _ in 0..80_000 {
        let (from, to) = (any(5_000), if any(5) == 0 { 4_000 + any(3) } else { any(5_000) });
        writeln!(text, "{from} {to} {}", 1 + any(99)).unwrap();
    }
    text
}

/// Builds it as it is, and compressed.
fn both(folder: &Folder, direction: &str) -> [String; 2] {
    let list = folder.write("list.txt", list());
    ["plain", "compressed"].map(|name| {
        let made = folder.path(&format!("{name}.graph"));
        let mut arguments = vec![
            "build", &list, "-o", &made, "--values", "f64", "--vertices", "8000", "--direction", direction,
        ];
        arguments.extend((name == "compressed").then_some("--compress"));
        graph(&arguments);
        made
    })
}

#[test]
fn what_is_said_of_a_compressed_graph_is_what_is_said_of_it_otherwise() {
    let folder = Folder::new("");
    let [plain, compressed] = both(&folder, "directed");
    let said = |path: &str| -> Value { serde_json::from_str(&graph(&["info", path, "--json"])).unwrap() };
    let (wanted, found) = (said(&plain), said(&compressed));
    for what in ["vertices", "edges", "loops", "isolated", "degrees", "values"] {
        assert_eq!(wanted[what], found[what], "{what}");
    }
    assert_eq!(wanted["compressed"], Value::Null);
    let bytes = found["compressed"]["bytes_per_neighbour"].as_f64().unwrap();
    assert!(bytes > 1.25 && bytes < 3.0, "{bytes}");
    let text = graph(&["info", &compressed]);
    assert!(
        text.contains(&format!("neighbours           compressed, {bytes:.2} bytes each instead of 4\n")),
        "{text}"
    );
    assert!(!graph(&["info", &plain]).contains("compressed"));
    assert!(graph(&["check", &compressed]).ends_with("edges: all is as it should be\n"));
    assert!(graph(&["export", &plain]) == graph(&["export", &compressed]));
    let size = |path: &str| std::fs::metadata(path).unwrap().len();
    assert!(size(&compressed) < size(&plain));
}

#[test]
fn programs_come_to_the_same() {
    let folder = Folder::new("");
    for direction in ["directed", "undirected"] {
        let graphs = both(&folder, direction);
        for program in [
            &["pagerank"][..],
            &["components"],
            &["strong-components"],
            &["breadth-first", "--from", "7"],
            &["shortest-paths", "--from", "7"],
            &["labels", "-i", "5"],
            &["cores", "--gauss-seidel"],
        ] {
            let [wanted, found] = graphs.each_ref().map(|path| {
                let to = folder.path("found.tsv");
                graph(&[&["run", path, "-o", &to], program].concat());
                folder.read("found.tsv")
            });
            assert!(wanted == found, "{direction}, {program:?}");
        }
    }
}

/// Each runs a program of a file over both, with what more it is asked for: over the one on one thread, over the other on two.
#[track_caller]
fn agree(file: &str, programs: &[&str], more: &[&str]) {
    let folder = Folder::new("");
    // Each language sees both, each program one of them.
    for (of, direction) in ["directed", "undirected"].into_iter().enumerate() {
        let graphs = both(&folder, direction);
        for program in programs.iter().skip(of).step_by(2) {
            let edges = folder.path("edges.tsv");
            let own = match *program {
                "PageRankEdges" => &["--edges", &*edges][..],
                "ShortestPaths" => &["--set", "from=0"],
                _ => &[],
            };
            let [wanted, found] = [(&graphs[0], "1"), (&graphs[1], "2")].map(|(path, threads)| {
                let to = folder.path("found.tsv");
                let arguments =
                    ["run", path, file, "--class", program, "--threads", threads, "-i", "5", "-o", &to];
                graph(&[&arguments[..], more, own].concat());
                let edges = (*program == "PageRankEdges").then(|| folder.read("edges.tsv"));
                (folder.read("found.tsv"), edges)
            });
            assert!(wanted == found, "{direction}, {program}");
        }
    }
}

const PROGRAMS: [&str; 4] = ["PageRankEdges", "PageRankGather", "ShortestPaths", "PageRank"];

fn built(name: &str) -> String {
    example("graph/build").join(name).display().to_string()
}

#[test]
fn programs_in_rust_see_the_same() {
    agree(&built("libgraph.so"), &PROGRAMS, &[]);
    agree(&built("libgraph.so"), &["Components", "Labels"], &[]);
}

#[test]
fn programs_in_processes_see_the_same() {
    agree(&built("libgraph.so"), &PROGRAMS, &["--isolate"]);
}

#[test]
fn programs_in_javascript_see_the_same() {
    let file = example("graph/node/programs.mjs").display().to_string();
    agree(&file, &PROGRAMS, &[]);
}

#[test]
fn programs_in_python_see_the_same() {
    let file = example("graph/python/pagerank.py").display().to_string();
    agree(&file, &["PageRank", "PageRankEdges"], &[]);
    agree(&file, &["PageRank"], &["--isolate"]);
}

#[test]
fn programs_in_csharp_see_the_same() {
    agree(&built("graph.dll"), &PROGRAMS, &[]);
}

#[test]
fn programs_in_java_see_the_same() {
    agree(&built("graph.jar"), &PROGRAMS, &[]);
}

/// Edges come and go while they run.
#[test]
fn what_changes_is_the_same() {
    let mut changes = String::new();
    for (at, line) in list().lines().step_by(200).enumerate() {
        let (ends, _) = line.rsplit_once(' ').unwrap();
        writeln!(changes, "{} - {ends}", at % 7).unwrap();
        writeln!(changes, "{} + {} {} {}.5", at % 5, at * 37 % 8_000, at * 101 % 8_000, at % 90).unwrap();
    }
    let folder = Folder::new("");
    let changes = folder.write("changes.txt", changes);
    let more = ["--changes", &changes];
    let graphs = both(&folder, "directed");
    for program in [&["pagerank"][..], &["shortest-paths", "--from", "7"], &["labels", "-i", "9"]] {
        let [wanted, found] = graphs.each_ref().map(|path| {
            let to = folder.path("found.tsv");
            graph(&[&["run", path, "-o", &to], program, &more].concat());
            folder.read("found.tsv")
        });
        assert!(wanted == found, "{program:?}");
    }
    agree(&built("libgraph.so"), &["PageRankEdges", "Components"], &more);
    agree(&built("libgraph.so"), &["PageRankEdges"], &[&more[..], &["--isolate"]].concat());
    agree(&built("libgraph.so"), &["PageRankGather"], &[&more[..], &["--values-in", "/tmp"]].concat());
}

#[cfg(feature = "wasm")]
#[test]
fn programs_in_webassembly_see_the_same() {
    agree(&built("programs.wasm"), &PROGRAMS, &[]);
}
