//! What `upcall graph run` tells of iterations in files, and where it keeps vertices' values.

use crate::support::{Folder, Outcome, run, upcall};

/// A ring of a hundred vertices, each of which hears of the least one in its turn, and a run over it.
fn ran(folder: &Folder, arguments: &[&str]) -> Outcome {
    let ring: String = (0..100).map(|vertex| format!("{vertex} {}\n", (vertex + 1) % 100)).collect();
    let (list, graph) = (folder.write("ring.txt", ring), folder.path("ring.graph"));
    assert_eq!(run(&mut upcall(&["graph", "build", &list, "-o", &graph])).code, Some(0));
    run(&mut upcall(&[&["graph", "run", &graph][..], arguments].concat()))
}

#[test]
fn each_iteration_is_a_line_of_the_history_and_a_point_of_the_chart() {
    let folder = Folder::new("");
    let (history, chart) = (folder.path("history.csv"), folder.path("chart.svg"));
    let outcome = ran(&folder, &["breadth-first", "--from", "0", "--history", &history, "--chart", &chart]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let written = folder.read("history.csv");
    let mut lines = written.lines();
    assert_eq!(lines.next(), Some("iteration,updated,edges,scheduled,residual,total,seconds"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let iterations: usize = outcome.err.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(rows.len(), iterations);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!((row[0], row.len()), (&*number.to_string(), 7), "{written}");
    }
    assert_eq!(rows.last().unwrap()[3], "0", "nobody is scheduled at the end: {written}");
    let drawn = folder.read("chart.svg");
    assert!(drawn.starts_with("<svg") && drawn.contains("vertices updated"), "{drawn}");
}

#[test]
fn where_these_files_cannot_be_is_told_before_the_run() {
    let folder = Folder::new("");
    for option in ["--history", "--chart"] {
        let nowhere = folder.path("none/file");
        let outcome = ran(&folder, &["cores", option, &nowhere]);
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        assert!(
            outcome.err.contains(&nowhere) && !outcome.err.contains(" iterations in "),
            "{}",
            outcome.err
        );
        let outcome = ran(&folder, &["clustering", option, &folder.path("file")]);
        assert_eq!(outcome.code, Some(2), "{}", outcome.err);
        assert!(outcome.err.contains("this program has no iterations"), "{}", outcome.err);
    }
}

#[test]
fn gauss_seidels_way_is_for_programs_that_come_to_the_same_in_it() {
    let folder = Folder::new("");
    let outcome = ran(&folder, &["pagerank", "--gauss-seidel"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let outcome = ran(&folder, &["labels", "--gauss-seidel=1024"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.err);
    assert!(outcome.err.contains("run program labels: vertices have to see"), "{}", outcome.err);
    let outcome = ran(&folder, &["components", "--gauss-seidel"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.err);
    assert!(outcome.err.contains("this program has no iterations"), "{}", outcome.err);
}

#[test]
fn values_in_a_folder_are_those_in_memory_and_nothing_is_left_there() {
    let (folder, kept) = (Folder::new(""), tempfile::tempdir().unwrap());
    let values = kept.path().to_str().unwrap();
    let here = ran(&folder, &["pagerank"]);
    let there = ran(&folder, &["pagerank", "--values-in", values]);
    assert_eq!((here.code, &here.out), (Some(0), &there.out), "{}", there.err);
    assert_eq!(std::fs::read_dir(kept.path()).unwrap().count(), 0);
    let missing = format!("{values}/none");
    let outcome = ran(&folder, &["pagerank", "--values-in", &missing]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains(&format!("keep the run's values in {missing}: ")), "{}", outcome.err);
}
