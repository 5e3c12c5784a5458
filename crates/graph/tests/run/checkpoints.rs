//! Runs that were stopped and go on from a file.

use crate::model::{Edges, any_edges};
use crate::ways::way;
use proptest::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use upcall_graph::programs::{Breadth, Components, Cores, PageRank, ShortestPaths};
use upcall_graph::{Checkpoint, Error, ErrorKind, Graph, Iteration, Options, Outcome, Program, run};

/// Runs it in one of the ways, keeps each iteration, and stops after so many.
fn stopped<P: Program>(
    graph: &Graph,
    program: P,
    file: &Path,
    after: u64,
    of: usize,
) -> Result<Outcome<P>, Error> {
    let stop = AtomicBool::new(false);
    let (mut done, every) = (0, Duration::ZERO);
    let mut report = |_: &Iteration| {
        done += 1;
        stop.store(done == after, Ordering::Relaxed);
    };
    let options = Options {
        stop: Some(&stop),
        report: Some(&mut report),
        checkpoint: Some(Checkpoint { file, every, stays: false }),
        ..way(of)
    };
    run(graph, program, options)
}

/// However often it is stopped, and goes on in another way, it comes to what it would have.
fn goes_on<P: Program + Clone>(graph: &Graph, program: P, after: u64) -> Result<(), TestCaseError>
where
    P::Own: PartialEq + std::fmt::Debug,
    P::Shown: std::fmt::Debug,
{
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.kept");
    let whole = run(graph, program.clone(), Options::default()).unwrap();
    let mut stops = 0;
    let found = loop {
        match stopped(graph, program.clone(), &file, after, stops as usize) {
            Ok(outcome) => break outcome,
            Err(error) => prop_assert_eq!(error.kind(), ErrorKind::Interrupted),
        }
        prop_assert!(file.exists());
        stops += 1;
        prop_assert!(stops <= whole.iterations);
    };
    prop_assert!(!file.exists(), "it has ended");
    prop_assert_eq!((found.own, found.shown, found.iterations), (whole.own, whole.shown, whole.iterations));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_run_that_was_stopped_comes_to_the_same(edges in any_edges(), after in 1u64..5) {
        let (_folder, graph) = edges.graph(false);
        goes_on(&graph, PageRank::<f32>::default(), after)?;
        goes_on(&graph, ShortestPaths::<f64>::new(0, edges.vertices), after)?;
        goes_on(&graph, Components, after)?;
        goes_on(&graph, Cores, after)?;
    }
}

#[test]
fn a_file_of_something_else_is_refused() {
    let list = (0..9).map(|at| ((at, at + 1), 1.0)).collect();
    let edges = Edges { vertices: 10, directed: true, list };
    let (folder, graph) = edges.graph(false);
    let file = folder.path().join("run.kept");
    let kept = || stopped(&graph, Breadth { from: 0 }, &file, 3, 0).unwrap_err().kind();
    assert_eq!(kept(), ErrorKind::Interrupted);
    let said = |error: Error| {
        assert_eq!(error.kind(), ErrorKind::Usage);
        error.to_string().replace(&*file.display().to_string(), "FILE")
    };

    let other = stopped(&graph, Breadth { from: 1 }, &file, 3, 0).unwrap_err();
    let wanted = "go on from FILE: it is of another run: it has `settings from 0`, and this is `settings from 1`; remove it to begin anew";
    assert_eq!(said(other), wanted);
    let other = said(stopped(&graph, Components, &file, 3, 0).unwrap_err());
    assert!(other.contains("it has `program breadth-first`, and this is `program components`"), "{other}");
    let longer = Edges { vertices: 11, ..edges.clone() };
    let (_folder, longer) = longer.graph(false);
    let other = said(stopped(&longer, Breadth { from: 0 }, &file, 3, 0).unwrap_err());
    assert!(other.contains("it has `graph's column"), "{other}");

    let whole = std::fs::read(&file).unwrap();
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        std::fs::write(&file, &damaged).unwrap();
        match stopped(&graph, Breadth { from: 0 }, &file, u64::MAX, 0) {
            // What lies between columns is nobody's.
            Ok(outcome) => assert_eq!(outcome.shown, (0..10).collect::<Vec<u32>>()),
            Err(error) => assert!(said(error).starts_with("go on from FILE: "), "byte {at}"),
        }
    }

    for special in [Path::new("/dev/zero"), folder.path()] {
        let error = stopped(&graph, Breadth { from: 0 }, special, 3, 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        let wanted = format!("keep the run in {}: it is no regular file", special.display());
        assert!(error.to_string().starts_with(&wanted), "{error}");
    }
    let nowhere = folder.path().join("missing/run.kept");
    let error = stopped(&graph, Breadth { from: 0 }, &nowhere, 3, 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().starts_with("keep the run: cannot write columns to "), "{error}");
}
