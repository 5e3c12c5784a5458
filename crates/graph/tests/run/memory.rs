//! Runs that may take little memory: what has no room is in files, and they come to the same bits. How much they take is looked at from
//! outside, by the tests of the command.

use crate::edge_values::{self, Tells, untold};
use crate::guest_edges;
use crate::guests::{loaded, path, reals};
use crate::model::Edges;
use graph_programs as guest;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use upcall_graph::programs::{Cores, Labels, PageRank};
use upcall_graph::{Changes, Checkpoint, Error, ErrorKind, Graph, Iteration, Options, Outcome, Program, run};

/// A folder that is on a disk, which the one for temporary files may not be.
fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Edges over many chunks, a few vertices of which have many. Their values are all different.
fn many(vertices: usize, directed: bool) -> Edges {
    let mut edges = Edges { directed, ..path(vertices) };
    edges
        .list
        .extend((1..vertices / 3).map(|part| ((part % 7, 10 + part * 3 % (vertices - 10)), part as f64)));
    edges.list.retain(|(from, to), _| directed || from < to);
    edges
}

/// Runs it in the least memory in which it can be run, to 256 KiB.
fn in_little<T>(run: impl Fn(u64) -> Result<T, Error>) -> T {
    let (mut too_little, mut enough) = (0, 16 << 20);
    let mut found = None;
    while enough - too_little > 256 << 10 {
        let memory = (too_little + enough) / 2;
        match run(memory) {
            Ok(outcome) => (enough, found) = (memory, Some(outcome)),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
                assert!(error.to_string().contains("take more memory"), "{error}");
                too_little = memory;
            }
        }
    }
    found.unwrap()
}

/// Whether this process has mapped a file that has no name any more of this folder.
fn has_files(folder: &Path) -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let shown = folder.display().to_string();
    !cfg!(target_os = "linux")
        || maps.lines().any(|line| line.contains(&shown) && line.ends_with("(deleted)"))
}

/// What a program comes to in little memory.
fn little<P: Program + Clone>(
    graph: &Graph,
    program: &P,
    (threads, gauss_seidel): (usize, Option<usize>),
    iterations: u64,
) -> Outcome<P> {
    let folder = folder();
    let (found, files) = in_little(|memory| {
        let mut files = true;
        let mut report = |_: &Iteration| files &= has_files(folder.path());
        let options = Options {
            threads,
            iterations,
            gauss_seidel,
            folder: Some(folder.path()),
            memory: Some(memory),
            report: Some(&mut report),
            ..Options::default()
        };
        let found = run(graph, program.clone(), options)?;
        Ok((found, files))
    });
    assert!(files, "all of it had room");
    found
}

#[test]
fn what_vertices_have_may_be_in_files() {
    let (_folder, graph) = many(200_000, true).graph(false);
    let program = PageRank::<f64>::default();
    for gauss_seidel in [None, Some(30_000)] {
        let wanted = Options { threads: 1, iterations: 4, gauss_seidel, ..Options::default() };
        let wanted = run(&graph, program.clone(), wanted).unwrap();
        for threads in [1, 2] {
            let found = little(&graph, &program, (threads, gauss_seidel), 4);
            assert!(found.own == wanted.own && found.shown == wanted.shown, "{threads}, {gauss_seidel:?}");
        }
    }
    let cores = run(&graph, Cores, Options { iterations: 3, ..Options::default() }).unwrap();
    let labels = run(&graph, Labels, Options { iterations: 3, ..Options::default() }).unwrap();
    let options = || Options { iterations: 3, memory: Some(32 << 20), ..Options::default() };
    assert!(run(&graph, Cores, options()).unwrap().shown == cores.shown);
    assert!(run(&graph, Labels, options()).unwrap().shown == labels.shown);
}

#[test]
fn values_of_edges_may_be_in_files() {
    for directed in [true, false] {
        let edges = many(60_000, directed);
        for compress in [false, true] {
            let (_folder, file) = edges.stored(false, compress);
            // SAFETY: nobody else knows the file.
            let graph = unsafe { Graph::map(file) }.unwrap();
            let wanted = Options { threads: 1, iterations: 4, ..Options::default() };
            let wanted = run(&graph, edge_values::Talks, wanted).unwrap();
            let found = little(&graph, &edge_values::Talks, (2, None), 4);
            assert!(found.own == wanted.own && found.edges == wanted.edges, "{directed} {compress}");
            let folder = folder();
            let talks = loaded(|| guest_edges::Talks).unwrap();
            let found = in_little(|memory| {
                let memory = Some(memory);
                talks.run(
                    &graph,
                    Options {
                        threads: 2,
                        iterations: 4,
                        folder: Some(folder.path()),
                        memory,
                        ..Options::default()
                    },
                )
            });
            assert!(reals(&found.own) == &*wanted.own && reals(&found.edges) == &*wanted.edges);
        }
    }
}

#[test]
fn a_selective_program_may_have_its_values_in_files() {
    let (_folder, graph) = untold(many(60_000, true)).graph(false);
    let wanted = run(&graph, Tells, Options { iterations: 6, ..Options::default() }).unwrap();
    let found = little(&graph, &Tells, (2, None), 6);
    assert!(found.own == wanted.own && found.edges == wanted.edges);
}

/// Stops after so many iterations, and goes on, in so much memory.
fn goes_on<T>(memory: Option<u64>, run: impl Fn(Options<'_>) -> Result<T, Error>) -> Result<T, Error> {
    let (folder, stop) = (folder(), AtomicBool::new(false));
    let file = folder.path().join("run.kept");
    let mut stops = |done: &Iteration| stop.store(done.number == 1, Ordering::Relaxed);
    let options = || Options {
        threads: 2,
        iterations: 4,
        checkpoint: Some(Checkpoint { file: &file, every: Duration::ZERO, stays: false }),
        folder: Some(folder.path()),
        memory,
        ..Options::default()
    };
    match run(Options { stop: Some(&stop), report: Some(&mut stops), ..options() }) {
        Err(error) if error.kind() == ErrorKind::Interrupted => assert!(file.exists()),
        Err(error) => return Err(error),
        Ok(_) => panic!("it has not stopped"),
    }
    run(options())
}

#[test]
fn a_run_in_little_memory_goes_on_from_a_file() {
    let (_folder, graph) = many(60_000, true).graph(false);
    let wanted = goes_on(None, |options| run(&graph, edge_values::Talks, options)).unwrap();
    let found = in_little(|memory| goes_on(Some(memory), |options| run(&graph, edge_values::Talks, options)));
    assert!(found.own == wanted.own && found.edges == wanted.edges);
}

#[test]
fn a_graph_may_change_in_little_memory() {
    let (_folder, graph) = many(60_000, true).graph(false);
    let change = |done: &Iteration, changes: &mut Changes<'_>| {
        for at in 0..50 {
            changes.add_valued(at * 1000 + done.number as usize, 5, at as f64)?;
            changes.remove(at * 1100, at * 1100 + 1)?;
        }
        Ok(())
    };
    let ran = |memory| {
        let (folder, mut change) = (folder(), change);
        let options = Options {
            threads: 2,
            iterations: 4,
            change: Some(&mut change),
            folder: Some(folder.path()),
            memory,
            ..Options::default()
        };
        run(&graph, edge_values::Talks, options)
    };
    let (wanted, found) = (ran(None).unwrap(), in_little(|memory| ran(Some(memory))));
    assert!(found.own == wanted.own && found.edges == wanted.edges && found.changed == wanted.changed);
    let (found, wanted) = (found.graph.unwrap(), wanted.graph.unwrap());
    assert!(found.has_the_columns_of(&wanted));
}

#[test]
fn a_hub_whose_neighbours_are_decoded_has_to_have_room() {
    let hub: Vec<_> = (1..400_000).map(|from| ((from, 0), 1.0)).collect();
    let edges = Edges { vertices: 400_000, directed: true, list: hub.into_iter().collect() };
    let folder = folder();
    let program = guest::PageRank { damping: 0.85, tolerance: -1.0 };
    let mut found = Vec::new();
    for compress in [false, true] {
        let (_folder, file) = edges.stored(false, compress);
        // SAFETY: nobody else knows the file.
        let graph = unsafe { Graph::map(file) }.unwrap();
        let options = |memory| Options {
            threads: 1,
            iterations: 3,
            folder: Some(folder.path()),
            memory,
            ..Options::default()
        };
        let native = run(&graph, PageRank::<f64>::default(), options(Some(2_500_000)));
        match native {
            Ok(outcome) => assert!(!compress && outcome.iterations == 3),
            Err(error) => {
                let said = error.to_string();
                assert!(compress && said.contains("399999 edges, whose neighbours are decoded"), "{said}");
            }
        }
        let memory = if compress { 4_100_000 } else { 2_500_000 };
        let ranks = loaded(move || program).unwrap();
        let ranks = ranks.run(&graph, options(Some(memory))).unwrap();
        let native = run(&graph, PageRank::<f64>::default(), options(None)).unwrap();
        assert!(reals(&ranks.own) == &*native.own);
        found.push(ranks.own);
    }
    assert_eq!(found[0], found[1]);
}

#[test]
fn what_has_no_room_needs_a_folder_and_one_that_is_no_memory() {
    let (_folder, graph) = path(200_000).graph(false);
    let ran = |folder, memory| {
        let options =
            Options { threads: 1, iterations: 1, folder, memory: Some(memory), ..Options::default() };
        run(&graph, PageRank::<f64>::default(), options)
    };
    let refused = ran(None, 3 << 20).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
    assert!(refused.to_string().contains("name a folder"), "{refused}");
    ran(None, 16 << 20).unwrap();
    if cfg!(target_os = "linux") {
        let refused = ran(Some(Path::new("/dev/shm")), 3 << 20).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Usage);
        assert!(refused.to_string().contains("it is a folder in memory"), "{refused}");
    }
}
