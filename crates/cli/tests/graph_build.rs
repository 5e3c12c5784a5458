//! `upcall graph build | info | check | export`, as somebody would call them.

use crate::support::{Folder, Outcome, fed, run, upcall};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

fn graph(arguments: &[&str]) -> Outcome {
    run(&mut upcall(&[&["graph"], arguments].concat()))
}

fn succeeded(outcome: Outcome) -> String {
    assert_eq!(outcome.code, Some(0), "{}{}", outcome.out, outcome.err);
    outcome.out
}

/// What `info --json` says.
fn info(path: &str) -> Value {
    serde_json::from_str(&succeeded(graph(&["info", path, "--json"]))).unwrap()
}

#[test]
fn a_list_becomes_a_graph_whose_list_is_the_same() {
    let folder = Folder::new("");
    let list = "# from to weight\n0 1 0.5\n2 1 1.5\n1 2 -3\n1 2 0.25\n3 3 2\n";
    let (lists, made) = (folder.write("edges.txt", list), folder.path("edges.graph"));
    let outcome = graph(&["build", &lists, "-o", &made, "--values", "f64"]);
    assert_eq!(outcome.err, "");
    assert!(succeeded(outcome).starts_with(&format!("{made}: 4 vertices, 5 edges, ")));
    let said = info(&made);
    assert_eq!((&said["vertices"], &said["edges"], &said["loops"]), (&4.into(), &5.into(), &1.into()));
    assert_eq!((&said["values"], &said["called"]), (&"f64".into(), &"places".into()));
    assert_eq!((&said["isolated"], &said["degrees"]["in"]["largest"]), (&1.into(), &2.into()));
    let text = succeeded(graph(&["info", &made]));
    assert!(
        text.contains("edges                5, directed\n") && text.contains("edges.value          5 of f64"),
        "{text}"
    );
    let chart = folder.path("degrees.svg");
    assert_eq!(succeeded(graph(&["info", &made, "--chart", &chart])), text);
    let drawn = folder.read("degrees.svg");
    assert!(drawn.starts_with("<svg") && drawn.contains("Degrees of edges.graph"), "{drawn}");
    assert_eq!(drawn.matches("<polyline").count(), 4, "{drawn}");
    assert!(succeeded(graph(&["check", &made])).ends_with(": 4 vertices, 5 edges: all is as it should be\n"));
    let exported = succeeded(graph(&["export", &made]));
    assert_eq!(exported, "# directed, 4 vertices, 5 edges\n0 1 0.5\n2 1 1.5\n1 2 -3\n1 2 0.25\n3 3 2\n");
    let (binary, again) = (folder.path("edges.u32"), folder.path("again.graph"));
    succeeded(graph(&["export", &made, "-o", &binary]));
    assert_eq!(fs::metadata(&binary).unwrap().len(), 5 * 16);
    succeeded(graph(&["build", &binary, "-o", &again, "--values", "f64"]));
    assert_eq!(fs::read(&made).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn names_come_from_standard_input_and_policies_are_told() {
    let folder = Folder::new("");
    let made = folder.path("names.graph");
    let mut command =
        upcall(&["graph", "build", "-", "-o", &made, "--ids", "names", "--direction", "undirected"]);
    command.args(["--loops", "drop", "--duplicates", "first"]);
    let outcome = fed(&mut command, "ant bee\nbee ant\ncat cat\nbée ant 7\n".as_bytes());
    assert!(
        outcome.err.starts_with("note: the lists have more than two vertices on a line"),
        "{}",
        outcome.err
    );
    assert!(succeeded(outcome).starts_with("left out: 1 loop, 2 duplicates\n"));
    let exported = succeeded(graph(&["export", &made]));
    assert_eq!(exported, "# undirected, 4 vertices, 4 edges\nant bee\nant bée\n");
    let refused = graph(&["export", &made, "--format", "u64"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("and u64 has numbers only"), "{}", refused.err);
}

#[test]
fn columns_of_a_compressed_table_are_chosen_by_name_and_matrices_come_out() {
    let folder = Folder::new("");
    let table = folder.write("trips.csv", "km,from,to\n3.5,0,2\n1,2,1\n");
    assert!(Command::new("gzip").arg(&table).status().unwrap().success());
    let (table, made) = (folder.path("trips.csv.gz"), folder.path("trips.graph"));
    let columns = ["--source", "from", "--destination", "to", "--value", "km", "--values", "f32"];
    let outcome = graph(&[&["build", &table, "-o", &made], &columns[..]].concat());
    assert_eq!(outcome.err, "");
    assert!(succeeded(outcome).starts_with(&format!("{made}: 3 vertices, 2 edges, ")));
    let matrix = "%%MatrixMarket matrix coordinate real general\n3 3 2\n3 2 1\n1 3 3.5\n";
    assert_eq!(succeeded(graph(&["export", &made, "--format", "mtx"])), matrix);
    let outcome = graph(&["build", &folder.write("a.txt", "0 1\n"), "-o", &made, "--header"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.err.contains("a.txt is text: say --format csv if it is not"), "{}", outcome.err);
    let outcome = graph(&["build", &table, "-o", &made]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("line 1: \"km\" is no vertex's number"), "{}", outcome.err);
    assert!(outcome.err.contains("say that there is a header"), "{}", outcome.err);
}

#[test]
fn what_is_wrong_is_told_with_its_file_and_line_and_nothing_is_left() {
    let folder = Folder::new("");
    let made = folder.path("made.graph");
    let list = folder.write("bad.txt", "0 1\n1 two\n");
    let outcome = graph(&["build", &list, "-o", &made]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome.err.starts_with(&format!("error: {list}, line 2: \"two\" is no vertex's number")),
        "{}",
        outcome.err
    );
    assert_eq!(folder.names(), ["bad.txt", "flow.toml"]);
    let outcome = graph(&["build", &list, "-o", &folder.path("none/made.graph")]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.err.contains("there is no folder"), "{}", outcome.err);
    let outcome = graph(&["build", &folder.path("none.txt"), "-o", &made]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("none.txt: No such file"), "{}", outcome.err);
    for (arguments, said) in [
        (&["--values", "float"][..], "there is no type `float`"),
        (&["--duplicates", "sum"], "its edges have no values"),
        (&["--ids", "dense", "--vertices", "7"], "it goes with --ids keep only"),
        (&["--memory", "1 MiB"], "8388608 are the least"),
        (&["--memory", "lots"], "does not begin with a number"),
    ] {
        let outcome = graph(&[&["build", &list, "-o", &made], arguments].concat());
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {}", outcome.err);
        assert!(outcome.err.contains(said), "{arguments:?}: {}", outcome.err);
    }
}

#[test]
fn a_file_that_is_damaged_or_none_is_told() {
    let folder = Folder::new("");
    let (list, made) = (folder.write("edges.txt", "0 1\n1 2\n2 0\n"), folder.path("made.graph"));
    succeeded(graph(&["build", &list, "-o", &made]));
    let mut bytes = fs::read(&made).unwrap();
    let place = bytes.windows(12).position(|at| at == [2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]).unwrap();
    bytes[place] = 9;
    fs::write(&made, bytes).unwrap();
    let outcome = graph(&["check", &made]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("column `in.neighbours` has the checksum"), "{}", outcome.err);
    for command in ["info", "check", "export"] {
        let outcome = graph(&[command, &list]);
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.err.contains("read the graph"), "{}", outcome.err);
    }
}

#[test]
fn a_reader_that_has_seen_enough_ends_an_export() {
    let folder = Folder::new("");
    let list: String = (0..100_000).map(|i| format!("{i} {}\n", i + 1)).collect();
    let (list, made) = (folder.write("edges.txt", list), folder.path("made.graph"));
    succeeded(graph(&["build", &list, "-o", &made]));
    let mut command = Command::new("sh");
    let piped = "\"$0\" graph export \"$1\" | head -n 2; echo ${PIPESTATUS[0]}";
    command.args([
        "-c",
        &format!("exec bash -c '{piped}' \"$0\" \"$1\""),
        env!("CARGO_BIN_EXE_upcall"),
        &made,
    ]);
    let outcome = run(&mut command);
    assert_eq!(outcome.out, "# directed, 100001 vertices, 100000 edges\n0 1\n141\n", "{}", outcome.err);
}

/// Whether a command has the thread that listens to signals.
fn listens(process: u32) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return false };
    let name = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
    threads.flatten().any(|thread| name(thread) == "upcall-signals\n")
}

#[test]
fn a_signal_stops_it_while_it_waits_for_input_and_nothing_is_left() {
    let folder = Folder::new("");
    let made = folder.write("made.graph", "as before");
    let mut command = upcall(&["graph", "build", "-", "-o", &made]);
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Open to the end: it is the signal that ends the command.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"0 1\n").unwrap();
    // Before it listens to signals, one would end it at once.
    while !listens(child.id()) {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    drop(input);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, format!("stopped: {made} is as it was\n"));
    assert_eq!(folder.read("made.graph"), "as before");
    assert_eq!(folder.names(), ["flow.toml", "made.graph"]);
}
