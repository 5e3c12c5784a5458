//! `upcall graph run`: what it prints and writes, how it is stopped, and that it goes on.

use crate::support::{run, upcall};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use upcall_graph::{Builder, Source, ValueType, Vertices};

/// A folder with a graph in it, of these lines.
fn graph(lines: &str, vertices: Vertices, values: Option<ValueType>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (list, graph) = (folder.path().join("edges.txt"), folder.path().join("some.graph"));
    fs::write(&list, lines).unwrap();
    Builder::new().source(Source::file(list)).vertices(vertices).values(values).build(&graph).unwrap();
    (folder, graph)
}

/// Towns and roads.
fn roads() -> (tempfile::TempDir, PathBuf) {
    let lines =
        "Bonn Köln 30\nKöln Bonn 28\nKöln Aachen 70\nBonn Trier 140\nAachen Trier 150\nKiel Lübeck 80\n";
    graph(lines, Vertices::Names, Some(ValueType::F32))
}

/// Many edges, which one may call random.
fn many() -> (tempfile::TempDir, PathBuf) {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % 3000
    };
    let mut lines = String::new();
    for _ in 0..20_000 {
        writeln!(lines, "{} {}", random(), random()).unwrap();
    }
    graph(&lines, Vertices::Keep, None)
}

fn command(graph: &Path, arguments: &[&str]) -> Command {
    let mut command = upcall(&["graph", "run", graph.to_str().unwrap()]);
    command.args(arguments);
    command
}

#[test]
fn programs_print_what_is_largest_and_write_all() {
    let (folder, graph) = roads();
    let file = folder.path().join("values.tsv");
    let (file, values) = (file.to_str().unwrap(), || fs::read_to_string(&file).unwrap());
    let told = |arguments: &[&str]| {
        let told = run(command(&graph, arguments).args(["-o", file]));
        assert_eq!(told.code, Some(0), "{}", told.err);
        assert!(
            told.err.contains(" iterations in ") && told.err.contains(" edges per second"),
            "{}",
            told.err
        );
        told.out
    };
    assert_eq!(
        told(&["shortest-paths", "--from", "Köln", "--top", "2"]),
        "4 vertices are reached\nvertex\tdistance\nTrier\t168\nAachen\t70\n"
    );
    assert_eq!(values(), "Bonn\t28\nKöln\t0\nAachen\t70\nTrier\t168\nKiel\tinf\nLübeck\tinf\n");
    told(&["breadth-first", "--from", "Bonn"]);
    assert_eq!(values(), "Bonn\t0\nKöln\t1\nAachen\t2\nTrier\t1\nKiel\tinf\nLübeck\tinf\n");
    let parts = "2 components, of which 0 are one vertex\nvertex\tvertices\nBonn\t4\nKiel\t2\n";
    // Which has no iterations to tell of.
    let found = run(command(&graph, &["components"]).args(["-o", file]));
    assert_eq!(found.out, parts, "{}", found.err);
    assert_eq!(values(), "Bonn\tBonn\nKöln\tBonn\nAachen\tBonn\nTrier\tBonn\nKiel\tKiel\nLübeck\tKiel\n");
    let strong = run(&mut command(&graph, &["strong-components", "--top", "1"]));
    assert_eq!(
        strong.out, "5 components, of which 4 are one vertex\nvertex\tvertices\nBonn\t2\n",
        "{}",
        strong.err
    );
    assert!(told(&["labels", "--top", "0"]).ends_with(" are one vertex\n"));
    let parts = run(&mut command(&graph, &["clustering", "--top", "1"]));
    assert_eq!(parts.out, "0 triangles\nvertex\tcoefficient\nBonn\t0\n", "{}", parts.err);
    let refused = run(&mut command(&graph, &["clustering", "-i", "3"]));
    assert_eq!(refused.code, Some(2));
    assert!(told(&["cores", "--top", "1"]).starts_with("vertex\tcore\n"));

    let ranks = |arguments: &[&str]| -> Vec<f64> {
        told(arguments);
        values().lines().map(|line| line.split_once('\t').unwrap().1.parse().unwrap()).collect()
    };
    assert!((ranks(&["pagerank"]).iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let north = ranks(&["pagerank", "--to", "Kiel,Lübeck"]);
    assert_eq!(north[..4], [0.0; 4]);
    assert_eq!(ranks(&["pagerank", "--threads", "3"]), ranks(&["pagerank", "--threads", "1"]));
}

#[test]
fn what_is_wrong_is_told() {
    let (folder, graph) = roads();
    let told = |command: &mut Command, code: i32, wanted: &str| {
        let told = run(command);
        assert_eq!(told.code, Some(code), "{}", told.err);
        assert!(told.err.contains(wanted), "{}", told.err);
    };
    told(&mut command(&graph, &["breadth-first"]), 2, "--from <VERTEX>");
    told(
        &mut command(&graph, &["breadth-first", "--from", "Rom"]),
        2,
        "the graph has no vertex Rom; it has 6",
    );
    told(&mut command(&graph, &["pagerank", "--damping", "2"]), 2, "a share is from 0 to 1");
    told(&mut command(&graph, &["pagerank", "--every", "-1", "--checkpoint", "x"]), 2, "--every");
    told(&mut command(&graph, &["components", "--edges-at-once", "9"]), 2, "this program has no iterations");
    told(&mut command(&graph, &["cores", "--edges-at-once", "0"]), 2, "--edges-at-once");
    let list = folder.path().join("edges.txt");
    told(&mut command(&list, &["cores"]), 1, "cannot read a file of named columns: it begins with Bonn");
    let nowhere = folder.path().join("missing/values");
    let place = nowhere.to_str().unwrap();
    told(&mut command(&graph, &["cores", "-o", place]), 1, &format!("write the values to {place}"));
    told(&mut command(&folder.path().join("none"), &["cores"]), 1, "No such file");
    let (whole, history) = (fs::read(&graph).unwrap(), folder.path().join("history.csv"));
    let (itself, twice) = (graph.to_str().unwrap(), history.to_str().unwrap());
    for arguments in [["-o", itself], ["--history", itself], ["--chart", itself]] {
        told(command(&graph, &["cores"]).args(arguments), 1, "this command reads it");
    }
    told(&mut command(&graph, &["cores", "-o", twice, "--history", twice]), 1, "writes something else there");
    assert_eq!(fs::read(&graph).unwrap(), whole);
}

/// One that goes on for long, and keeps each of its iterations.
fn long(graph: &Path, kept: &Path, iterations: &str) -> Child {
    let mut command =
        command(graph, &["pagerank", "--tolerance", "-1", "--iterations", iterations, "--every", "0"]);
    command.arg("--checkpoint").arg(kept).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn wait_for(file: &Path) {
    for _ in 0..1000 {
        if file.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("there is no {}", file.display());
}

/// Programs that show values, as those that keep them, end by a signal with its exit code.
#[test]
fn ctrl_c_ends_programs_of_every_sort() {
    let (folder, graph) = many();
    let path: String = (0..60_000).map(|at| format!("{at} {}\n", at + 1)).collect();
    let list = folder.path().join("path.txt");
    fs::write(&list, path).unwrap();
    Builder::new().source(Source::file(list)).build(&graph).unwrap();
    let kept = folder.path().join("run.kept");
    for program in ["cores", "breadth-first"] {
        let arguments: &[&str] = if program == "cores" { &[program] } else { &[program, "--from", "0"] };
        let mut command = command(&graph, arguments);
        command.args(["--every", "0", "--checkpoint"]).arg(&kept);
        let job = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&kept);
        assert!(Command::new("kill").args(["-s", "INT", &job.id().to_string()]).status().unwrap().success());
        let output = job.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{arguments:?}: {said}");
        assert!(
            said.ends_with(&format!("stopped; the same command goes on from {}\n", kept.display())),
            "{said}"
        );
        fs::remove_file(&kept).unwrap();
    }
}

#[test]
fn ctrl_c_ends_it_and_the_same_command_goes_on() {
    let (folder, graph) = many();
    let kept = folder.path().join("run.kept");
    let job = long(&graph, &kept, "1000000");
    wait_for(&kept);
    assert!(Command::new("kill").args(["-s", "INT", &job.id().to_string()]).status().unwrap().success());
    let output = job.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.ends_with(&format!("stopped; the same command goes on from {}\n", kept.display())),
        "{said}"
    );
    let other = run(command(&graph, &["cores", "--checkpoint"]).arg(&kept));
    assert_eq!(other.code, Some(2));
    assert!(
        other.err.contains("it has `program pagerank`, and this is `program cores`; remove it to begin anew")
    );
}
