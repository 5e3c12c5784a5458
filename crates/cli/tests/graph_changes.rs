//! `upcall graph run --changes`: edges that come and go between iterations, as a file says.

use crate::support::{Folder, Outcome, example, run, upcall};
use std::fmt::Write as _;

/// Towns and roads, one of which has a name with a space.
fn roads(folder: &Folder, direction: &str) -> String {
    let list = "Bonn,Köln,30\nKöln,Aachen,70\nAachen,Trier,150\nKiel,Lübeck,80\nBad Ems,Bonn,90\n";
    let (list, graph) = (folder.write("roads.csv", list), folder.path("roads.graph"));
    let options = ["--ids", "names", "--values", "f32", "--value", "3", "--direction", direction];
    let built = run(&mut upcall(&[&["graph", "build", &list, "-o", &graph][..], &options].concat()));
    assert_eq!(built.code, Some(0), "{}", built.err);
    graph
}

/// Runs a program while the graph changes as this text says.
fn changed(folder: &Folder, graph: &str, changes: &str, arguments: &[&str]) -> Outcome {
    let changes = folder.write("changes.txt", changes);
    let last = ["--changes", &changes, "--top", "0"];
    run(&mut upcall(&[&["graph", "run", graph][..], arguments, &last].concat()))
}

/// The end of what a run says on standard error.
fn last(outcome: &Outcome) -> &str {
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    outcome.err.lines().last().unwrap()
}

#[test]
fn roads_come_and_go_by_their_towns_names() {
    let folder = Folder::new("");
    let graph = roads(&folder, "directed");
    let before = std::fs::read(&graph).unwrap();
    let to = folder.path("found.tsv");
    let paths = ["shortest-paths", "--from", "Bonn", "-o", &to];
    let changes = "# What comes last is written first.\n\n90\t+\tTrier\tBad Ems\t5\n0 + Köln Kiel 100\n  # And this.\n\
                   0 + Bonn Aachen 50.5\r\n1 - Kiel Lübeck\n1 + Kiel Lübeck 7\n1 + Kiel Lübeck 9\n3 - Lübeck Bonn\n";
    let outcome = changed(&folder, &graph, changes, &paths);
    assert_eq!(last(&outcome), "5 edges added, 1 removed");
    let wanted = "Bonn\t0\nKöln\t30\nAachen\t50.5\nTrier\t200.5\nKiel\t130\nLübeck\t137\nBad Ems\t205.5\n";
    assert_eq!(folder.read("found.tsv"), wanted);
    assert!(std::fs::read(&graph).unwrap() == before, "the graph's file stays as it is");
    assert_eq!(folder.names(), ["changes.txt", "flow.toml", "found.tsv", "roads.csv", "roads.graph"]);

    // Without directions it counts in both.
    let graph = roads(&folder, "undirected");
    let outcome = changed(&folder, &graph, "0 - Köln Bonn\n0 + Kiel Bonn 1\n", &paths);
    assert_eq!(last(&outcome), "2 edges added, 2 removed");
    assert!(folder.read("found.tsv").contains("Lübeck\t81\n"), "{}", folder.read("found.tsv"));
}

#[test]
fn changes_that_the_run_ends_before_are_told() {
    let folder = Folder::new("");
    let graph = roads(&folder, "directed");
    let file = folder.path("changes.txt");
    let outcome =
        changed(&folder, &graph, "0 + Kiel Bonn 1\n4 - Kiel Bonn\n9 - Bonn Köln\n", &["pagerank", "-i", "5"]);
    let wanted = format!("1 edge added, 0 removed; the run has ended before 2 changes were made of {file}");
    assert_eq!(last(&outcome), wanted);
    let outcome = changed(&folder, &graph, "0 + Kiel Bonn 1\n", &["pagerank", "-i", "1"]);
    let wanted = format!("0 edges added, 0 removed; the run has ended before 1 change was made of {file}");
    assert_eq!(last(&outcome), wanted);
    assert_eq!(last(&changed(&folder, &graph, "# Nothing.\n", &["pagerank"])), "0 edges added, 0 removed");
}

#[test]
fn what_is_wrong_names_the_file_and_the_line() {
    let folder = Folder::new("");
    let (graph, plain) = (roads(&folder, "directed"), folder.path("plain.graph"));
    let list = folder.write("plain.txt", "0 1\n1 2\n");
    assert_eq!(run(&mut upcall(&["graph", "build", &list, "-o", &plain])).code, Some(0));
    let file = folder.path("changes.txt");
    for (graph, changes, wanted) in [
        (&graph, "1 + Bonn Rom 3", "line 1: the graph has no vertex \"Rom\""),
        (&plain, "# x\n\n1 + 0 3", "line 3: the graph has no vertex \"3\""),
        (&plain, "1 + 0 -1", "line 1: the graph has no vertex \"-1\""),
        (&plain, "1 - Bonn 1", "line 1: the graph has no vertex \"Bonn\""),
        (&graph, "1 + Bonn Köln", "line 1: it has no value, and the graph's edges have values of f32"),
        (&graph, "1 + Bonn Köln far", "line 1: \"far\" is no value of f32, which edges have"),
        (&plain, "1 + 0 1 5", "line 1: it has a value, and the graph's edges have none: leave it out"),
        (
            &graph,
            "1 - Bonn Köln 3",
            "line 1: it has a value, and removes all edges between two vertices: leave the value out",
        ),
        (
            &plain,
            "0 + 0 1\n1 + 0",
            "line 2: it has 3 parts, and a change is `ITERATION + FROM TO [VALUE]` or `ITERATION - FROM TO`",
        ),
        (&plain, "1 + 0 1 2 3", "line 1: it has 6 parts, and a change is"),
        (&plain, "-1 + 0 1", "line 1: \"-1\" is no number of an iteration: they are numbered from 0 on"),
        (&plain, "first + 0 1", "line 1: \"first\" is no number of an iteration"),
        (&plain, "1 * 0 1", "line 1: \"*\" is neither `+`, which adds an edge, nor `-`, which removes it"),
    ] {
        let outcome = changed(&folder, graph, changes, &["pagerank"]);
        assert_eq!(outcome.code, Some(2), "{changes}: {}", outcome.err);
        assert!(outcome.err.contains(&format!("error: {file}, {wanted}")), "{changes}: {}", outcome.err);
    }
    std::fs::write(&file, b"1 + 0 1\n1 + \xff 1\n").unwrap();
    let outcome = run(&mut upcall(&["graph", "run", &plain, "pagerank", "--changes", &file]));
    assert!(outcome.err.contains(&format!("{file}, line 2: it is no text in UTF-8")), "{}", outcome.err);
    let missing = folder.path("missing.txt");
    let outcome = run(&mut upcall(&["graph", "run", &plain, "pagerank", "--changes", &missing]));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains(&format!("read the changes {missing}")), "{}", outcome.err);
    let outcome = changed(&folder, &plain, "0 + 0 2\n", &["components"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.err.contains("this program has no iterations"), "{}", outcome.err);
}

#[test]
fn words_are_split_as_in_lists_of_edges() {
    let folder = Folder::new("");
    // A space that breaks no line is part of a name.
    let list = folder.write("list.csv", "a\u{a0}b,c\nd,c\n");
    let graph = folder.path("some.graph");
    assert_eq!(run(&mut upcall(&["graph", "build", &list, "-o", &graph, "--ids", "names"])).code, Some(0));
    let outcome = changed(&folder, &graph, "0 + a\u{a0}b d\n", &["pagerank"]);
    assert_eq!(last(&outcome), "1 edge added, 0 removed");
    let outcome = changed(&folder, &graph, "0 + d\tc\n", &["pagerank"]);
    assert_eq!(outcome.code, Some(2));
    let said = "line 1: it has 2 parts, and a change is `ITERATION + FROM TO [VALUE]` or `ITERATION - FROM TO`; with a tab in a \
                line, all of its parts stand between tabs";
    assert!(outcome.err.contains(said), "{}", outcome.err);
}

#[test]
fn a_matrix_whose_entries_change_is_refused() {
    let folder = Folder::new("");
    let list = folder.write("list.txt", "0 2 1\n1 2 3\n");
    let graph = folder.path("some.graph");
    assert_eq!(run(&mut upcall(&["graph", "build", &list, "-o", &graph, "--values", "f32"])).code, Some(0));
    for program in ["als", "sgd"] {
        let outcome = changed(&folder, &graph, "0 - 0 2\n", &[program]);
        assert_eq!(outcome.code, Some(2), "{}", outcome.err);
        let said = "als and sgd see which vertices are rows and how many entries there are before they begin";
        assert!(outcome.err.contains(said), "{}", outcome.err);
    }
}

/// A selective program that has nothing left to update looks for the next change that is one: at each once.
#[test]
fn many_changes_that_come_to_nothing_take_no_time() {
    let folder = Folder::new("");
    let list = folder.write("list.txt", "0 1\n1 2\n3 4\n");
    let graph = folder.path("some.graph");
    assert_eq!(run(&mut upcall(&["graph", "build", &list, "-o", &graph])).code, Some(0));
    let mut changes: String = (0..100_000).map(|at| format!("{at} - 0 4\n")).collect();
    changes += "100000 + 2 3\n100001 + 2 4\n";
    let to = folder.path("found.tsv");
    let began = std::time::Instant::now();
    let outcome = changed(&folder, &graph, &changes, &["breadth-first", "--from", "0", "-o", &to]);
    assert_eq!(last(&outcome), "2 edges added, 0 removed");
    // One that is made is made alone: 4 was reached by way of 3 before it had an edge from 2.
    assert_eq!(folder.read("found.tsv"), "0\t0\n1\t1\n2\t2\n3\t3\n4\t4\n");
    assert!(began.elapsed() < std::time::Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn a_run_that_goes_on_has_the_same_changes_and_counts_all_of_them() {
    let folder = Folder::new("");
    let list = folder.write("list.txt", "0 1\n1 2\n2 0\n");
    let (graph, kept) = (folder.path("some.graph"), folder.path("run.kept"));
    assert_eq!(run(&mut upcall(&["graph", "build", &list, "-o", &graph])).code, Some(0));
    let run_of = |more: &[&str]| {
        let command = ["graph", "run", &graph, "pagerank", "--tolerance", "-1", "--top", "0"];
        upcall(&[&command[..], &["--every", "0", "--threads", "1", "--checkpoint", &kept], more].concat())
    };
    let first = "0 + 0 2\n1 - 1 2\n1 + 2 1\n";
    let changes = folder.write("changes.txt", first);
    let mut child = run_of(&["--changes", &changes]).stderr(std::process::Stdio::null()).spawn().unwrap();
    // It is kept behind each iteration, the second of which is followed by the last changes.
    let (mut seen, mut last_seen) = (0, Vec::new());
    while seen < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
        match std::fs::read(&kept) {
            Ok(bytes) if bytes != last_seen => (seen, last_seen) = (seen + 1, bytes),
            _ => {}
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = std::fs::read(&kept).unwrap();
    let way_out = format!("or remove {kept} to begin anew");
    for (changes, wanted) in [
        (None, "3 changes were made in its graph, and there is no --changes: give the file".to_owned()),
        (Some("0 + 0 2\n"), format!("and {changes} has 1 in all: give the file that they came from")),
        (Some("0 + 0 2\n1 - 1 0\n1 + 2 1\n"), format!("and line 2 of {changes} is none of them")),
        (Some("0 + 0 2\n1 - 1 2\n1 - 2 1\n"), format!("and line 3 of {changes} is none of them")),
        (Some("# New.\n0 + 1 1\n0 + 0 2\n1 - 1 2\n1 + 2 1\n"), format!("and line 2 of {changes} is none")),
    ] {
        let file = changes.map(|text| folder.write("changes.txt", text));
        let more = file.as_ref().map_or(Vec::new(), |file| vec!["--changes", file]);
        let outcome = run(&mut run_of(&[&more[..], &["-i", "1"]].concat()));
        assert_eq!(outcome.code, Some(2), "{changes:?}: {}", outcome.err);
        assert!(
            outcome.err.contains(&wanted) && outcome.err.contains(&way_out),
            "{changes:?}: {}",
            outcome.err
        );
        assert!(std::fs::read(&kept).unwrap() == before, "what was kept stays as it is");
    }
    let changes = folder.write("changes.txt", format!("{first}1 + 0 0\n"));
    let outcome = run(&mut run_of(&["--changes", &changes, "-i", "1000000"]));
    assert_eq!(outcome.code, Some(2), "{}", outcome.err);
    let late = format!("line 4 of {changes}: it is for iteration 1, and the run has gone on behind that");
    assert!(outcome.err.contains(&late), "{}", outcome.err);
    // Lines for later iterations may have come.
    let changes = folder.write("changes.txt", format!("{first}18446744073709551615 + 0 0\n"));
    let outcome = run(&mut run_of(&["--changes", &changes, "-i", "1"]));
    let wanted = format!("2 edges added, 1 removed; the run has ended before 1 change was made of {changes}");
    assert_eq!(last(&outcome), wanted);
}

/// Without a terminal a line comes every five seconds.
#[test]
fn how_far_a_run_is_tells_what_has_changed() {
    use std::io::{BufRead as _, BufReader};
    let folder = Folder::new("");
    let list = folder.write("list.txt", "0 1\n1 2\n2 0\n");
    let (graph, changes) = (folder.path("some.graph"), folder.write("changes.txt", "0 + 0 2\n7 - 0 2\n"));
    assert_eq!(run(&mut upcall(&["graph", "build", &list, "-o", &graph])).code, Some(0));
    let arguments = ["graph", "run", &graph, "pagerank", "--tolerance", "-1", "--threads", "1"];
    let mut command = upcall(&[&arguments[..], &["--changes", &changes]].concat());
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.contains("iteration ") && line.ends_with(", 1 edge added, 1 removed\n"), "{line}");
}

/// A list of edges by chance, always the same, and changes of it: some behind each of the first iterations.
fn much() -> (String, String) {
    let (mut list, mut changes, mut state) = (String::new(), String::new(), 88_172_645_463_325_252u64);
    let mut any = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for at in 0..9_000 {
        let (from, to) = (any(2_000), any(2_000));
        writeln!(list, "{from} {to}").unwrap();
        match at % 30 {
            0 => writeln!(changes, "{} - {from} {to}", any(9)).unwrap(),
            1 => writeln!(changes, "{} + {from} {}", any(9), any(2_000)).unwrap(),
            _ => {}
        }
    }
    (list, changes)
}

/// The engine's own program and those of guests write the same bytes, in this process and in others.
fn agrees(file: &std::path::Path, how: &[&[&str]]) {
    let folder = Folder::new("");
    let (list, changes) = much();
    let (list, graph) = (folder.write("list.txt", list), folder.path("some.graph"));
    let built = run(&mut upcall(&["graph", "build", &list, "-o", &graph, "--vertices", "2000"]));
    assert_eq!(built.code, Some(0), "{}", built.err);
    let (to, edges) = (folder.path("found.tsv"), folder.path("edges.tsv"));
    let outcome = changed(&folder, &graph, &changes, &["pagerank", "-o", &to]);
    let told = last(&outcome).to_owned();
    let wanted = folder.read("found.tsv");
    let file = file.display().to_string();
    let mut all = Vec::new();
    for how in how {
        for program in ["PageRank", "PageRankEdges"] {
            let mut arguments = vec![&*file, "--class", program, "-o", &to];
            arguments.extend(*how);
            if program == "PageRankEdges" {
                arguments.extend(["--edges", &edges]);
            }
            let outcome = changed(&folder, &graph, &changes, &arguments);
            assert_eq!(last(&outcome), told, "{arguments:?}");
            // An edge that comes carries nothing until its source is updated.
            assert!(program == "PageRankEdges" || folder.read("found.tsv") == wanted, "{arguments:?}");
        }
        all.push((folder.read("found.tsv"), folder.read("edges.tsv")));
    }
    assert!(all.iter().all(|found| *found == all[0]));
    // The edges that are left.
    let number = |text: &str| text.replace(',', "").parse::<usize>().unwrap();
    let words: Vec<&str> = told.split(' ').collect();
    assert_eq!(all[0].1.lines().count(), 9_000 + number(words[0]) - number(words[3]), "{told}");
}

#[test]
fn programs_in_python_see_what_changes() {
    let file = example("graph/python/pagerank.py");
    agrees(&file, &[&[], &["--isolate", "--values-in", "/tmp"]]);
}

#[test]
fn programs_in_javascript_see_what_changes() {
    agrees(&example("graph/node/programs.mjs"), &[&["--threads", "1"], &["--threads", "2"]]);
}

#[test]
fn programs_in_rust_see_what_changes() {
    agrees(&example("graph/build/libgraph.so"), &[&[], &["--isolate"], &["--values-in", "/tmp"]]);
}

#[test]
fn programs_in_csharp_and_java_see_what_changes() {
    for name in ["graph.dll", "graph.jar"] {
        agrees(&example("graph/build").join(name), &[&[], &["--isolate"]]);
    }
}

#[cfg(feature = "wasm")]
#[test]
fn programs_in_webassembly_see_what_changes() {
    agrees(&example("graph/build/programs.wasm"), &[&[], &["--isolate"]]);
}

/// It converges to the ranks of the graph that is there in the end.
#[test]
fn ranks_follow_the_changes() {
    let folder = Folder::new("");
    let list = folder.write("list.txt", "0 1\n1 2\n2 0\n3 0\n0 4\n");
    let other = folder.write("other.txt", "0 1\n1 2\n2 0\n3 0\n1 4\n1 3\n");
    let ranks = |list: &str, more: &[&str]| -> Vec<f64> {
        let (graph, to) = (folder.path("some.graph"), folder.path("ranks.tsv"));
        assert_eq!(run(&mut upcall(&["graph", "build", list, "-o", &graph])).code, Some(0));
        let arguments = ["graph", "run", &graph, "pagerank", "--tolerance", "1e-14", "-o", &to];
        let outcome = run(&mut upcall(&[&arguments[..], more].concat()));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        let found = folder.read("ranks.tsv");
        found.lines().map(|line| line.split_once('\t').unwrap().1.parse().unwrap()).collect()
    };
    let changes = folder.write("changes.txt", "5 - 0 4\n5 + 1 4\n7 + 1 3\n");
    let (found, wanted) = (ranks(&list, &["--changes", &changes]), ranks(&other, &[]));
    for (found, wanted) in found.iter().zip(&wanted) {
        assert!((found - wanted).abs() < 1e-12, "{found} instead of {wanted}");
    }
}
