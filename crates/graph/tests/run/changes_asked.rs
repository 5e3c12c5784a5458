//! When a run asks for changes, what it says of them, and what it refuses.

use crate::changes::Shares;
use crate::multigraph::{Multigraph, are_same, with};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use upcall_graph::programs::{Breadth, Components, PageRank, ShortestPaths};
use upcall_graph::{
    Change, ChangeLog, Changed, Changes, Checkpoint, Edit, Error, ErrorKind, Graph, Iteration, Options,
    Outcome, ValueType, run,
};

/// A ring of four vertices, whose edges have values or none.
fn ring(folder: &Path, valued: bool, directed: bool) -> Graph {
    let list = (0..4).map(|vertex| (vertex, (vertex + 1) % 4, 1.0)).collect();
    Multigraph { vertices: 4, directed, valued, outgoing: true, wide: false, list }.graph(folder)
}

fn changed(graph: &Graph, iterations: u64, change: Change<'_>) -> Result<Outcome<Shares<()>>, Error> {
    run(graph, Shares::default(), Options { iterations, change: Some(change), ..Options::default() })
}

/// The edges of a graph, by what they come from and go to.
fn edges(graph: &Graph) -> Vec<(usize, usize)> {
    let incoming = graph.incoming();
    let of = |to| incoming.of(to).map(move |place| (incoming.neighbours.get(place), to));
    let mut all: Vec<(usize, usize)> = (0..graph.vertices()).flat_map(of).collect();
    all.sort_unstable();
    all
}

#[test]
fn it_is_asked_after_each_iteration_that_another_may_follow_on_the_thread_that_runs_it() {
    let folder = tempfile::tempdir().unwrap();
    let graph = ring(folder.path(), false, true);
    let (mut asked, thread) = (Vec::new(), std::thread::current().id());
    let mut change = |done: &Iteration, changes: &mut Changes<'_>| {
        assert_eq!(std::thread::current().id(), thread);
        asked.push((done.number, changes.made(), edges(changes.graph())));
        match done.number {
            1 => changes.remove(0, 1)?,
            2 => changes.add(0, 2)?,
            _ => {}
        }
        Ok(())
    };
    let found = changed(&graph, 5, &mut change).unwrap();
    let first = vec![(0, 1), (1, 2), (2, 3), (3, 0)];
    let second = vec![(1, 2), (2, 3), (3, 0)];
    let third = vec![(0, 2), (1, 2), (2, 3), (3, 0)];
    assert_eq!(asked, [(0, 0, first.clone()), (1, 0, first), (2, 1, second), (3, 2, third.clone())]);
    assert_eq!(edges(&found.graph.unwrap()), third);

    // Its first iteration is its last one.
    let mut program = PageRank::<f64>::default();
    program.tolerance = f64::INFINITY;
    let mut change = |_: &Iteration, _: &mut Changes<'_>| panic!("no iteration follows");
    run(&graph, program, Options { change: Some(&mut change), ..Options::default() }).unwrap();
}

#[test]
fn a_selective_run_is_asked_when_nothing_is_scheduled_and_ends_if_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let list = vec![(0, 1, 1.0), (2, 3, 1.0)];
    let graph = Multigraph { vertices: 4, directed: true, valued: false, outgoing: true, wide: false, list };
    let graph = graph.graph(folder.path());
    let mut asked = Vec::new();
    let mut change = |done: &Iteration, changes: &mut Changes<'_>| {
        asked.push(done.scheduled);
        // What is not there changes nothing, and wakes nobody.
        changes.remove(3, 0)?;
        if asked.len() == 2 {
            assert_eq!(changes.count()?, Changed::default());
            changes.add(1, 2)?;
            assert_eq!(changes.count()?, Changed { added: 1, removed: 0 });
        }
        Ok(())
    };
    let options = Options { change: Some(&mut change), ..Options::default() };
    let found = run(&graph, Breadth { from: 0 }, options).unwrap();
    assert_eq!(found.shown, [0, 1, 2, 3]);
    assert_eq!((asked, found.iterations), (vec![1, 0, 1, 0], 4));
}

#[test]
fn what_comes_to_nothing_leaves_the_graph_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let graph = ring(folder.path(), false, true);
    let mut change = |_: &Iteration, changes: &mut Changes<'_>| {
        changes.add(0, 2)?;
        changes.remove(0, 2)?;
        changes.remove(2, 0)?;
        assert_eq!((changes.len(), changes.count()?), (3, Changed::default()));
        Ok(())
    };
    let found = changed(&graph, 4, &mut change).unwrap();
    assert!(found.graph.is_none());
    assert_eq!((found.changes, found.changed), (9, Changed::default()));
}

#[test]
fn what_is_asked_for_behind_what_came_to_nothing_counts_alone() {
    let folder = tempfile::tempdir().unwrap();
    for directed in [true, false] {
        let graph = ring(folder.path(), true, directed);
        let mut change = |_: &Iteration, changes: &mut Changes<'_>| {
            for _ in 0..3 {
                changes.add_valued(0, 2, 5.0)?;
                changes.remove(0, 2)?;
                assert_eq!(changes.count()?, Changed::default());
            }
            changes.add_valued(0, 2, 6.0)?;
            changes.add_bits(2, 0, ValueType::F64, 7f64.to_bits())?;
            assert_eq!(changes.count()?.added, if directed { 2 } else { 4 });
            assert_eq!(changes.len(), 8);
            // What was counted is not what there is now.
            changes.remove(2, 3)?;
            Ok(())
        };
        let found = changed(&graph, 2, &mut change).unwrap();
        let wanted = if directed { (2, 1) } else { (4, 2) };
        assert_eq!((found.changed.added, found.changed.removed), wanted);
        let now = found.graph.unwrap();
        now.check().unwrap();
        let values = now.file().column::<f64>(upcall_graph::columns::VALUES).unwrap();
        let six = now.incoming().of(2).filter(|place| now.incoming().neighbours.get(*place) == 0);
        let six: Vec<f64> = six.map(|place| values[place]).collect();
        assert_eq!(six, if directed { vec![6.0] } else { vec![6.0, 7.0] });
    }
}

#[test]
fn a_run_that_is_told_to_stop_while_it_asks_stops() {
    let folder = tempfile::tempdir().unwrap();
    let graph = ring(folder.path(), false, true);
    let stop = AtomicBool::new(false);
    let mut change = |done: &Iteration, _: &mut Changes<'_>| {
        stop.store(done.scheduled == 0, Ordering::Relaxed);
        Ok(())
    };
    let options = Options { stop: Some(&stop), change: Some(&mut change), ..Options::default() };
    let error = run(&graph, Breadth { from: 0 }, options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted, "{error}");
}

#[test]
fn a_program_is_used_again_after_a_run_whose_graph_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let graph = ring(folder.path(), false, true);
    let mut change = |done: &Iteration, changes: &mut Changes<'_>| match done.number {
        2 => changes.add(0, 2),
        _ => Ok(()),
    };
    let options = Options { change: Some(&mut change), ..Options::default() };
    let first = run(&graph, ShortestPaths::<()>::new(0, 4), options).unwrap();
    assert_eq!(first.shown, [0.0, 1.0, 1.0, 2.0]);
    let again = run(&graph, first.program, Options::default()).unwrap();
    assert_eq!(again.shown, [0.0, 1.0, 2.0, 3.0]);
    assert!(!again.program.has_negative_cycle);
}

/// Whoever makes changes sees which were made, and may refuse to go on.
#[test]
fn a_run_that_goes_on_says_what_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let graph = ring(folder.path(), true, true);
    let file = folder.path().join("run.kept");
    let checkpoint = Some(Checkpoint { file: &file, every: std::time::Duration::ZERO, stays: true });
    let mut change = |done: &Iteration, changes: &mut Changes<'_>| match done.number {
        0 => changes.add_valued(0, 2, 1.5).and(changes.remove(2, 3)),
        1 => changes.remove(0, 3),
        _ => Ok(()),
    };
    let mut refuse = |_: &ChangeLog| Err(Error::usage("not these"));
    let options = Options { iterations: 3, checkpoint, resume: Some(&mut refuse), ..Options::default() };
    // It begins: there is nothing to go on from.
    run(&graph, Shares::<()>::default(), with(options, &mut change)).unwrap();
    let options = Options { iterations: 3, checkpoint, resume: Some(&mut refuse), ..Options::default() };
    let error = run(&graph, Shares::<()>::default(), options).unwrap_err();
    assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::Usage, "not these"));
    let mut seen = 0;
    let mut resume = |made: &ChangeLog| {
        seen += made.len();
        let value = 1.5f64.to_le_bytes();
        let wanted = [(0, 2, true, &value[..]), (2, 3, false, &[]), (0, 3, false, &[])];
        let wanted = wanted.map(|(from, to, adds, value)| Edit { from, to, adds, value });
        assert!(made.iter().eq(wanted));
        Ok(())
    };
    let options = Options { iterations: 3, checkpoint, resume: Some(&mut resume), ..Options::default() };
    let found = run(&graph, Shares::<()>::default(), options).unwrap();
    assert_eq!((seen, found.changes, found.changed), (3, 3, Changed { added: 1, removed: 1 }));
}

#[test]
fn edges_count_as_the_graph_counts_them_and_what_is_removed_counts_before_what_is_added_later() {
    let folder = tempfile::tempdir().unwrap();
    for (directed, wanted) in [(true, 1), (false, 2)] {
        let graph = ring(folder.path(), false, directed);
        let mut change = |_: &Iteration, changes: &mut Changes<'_>| {
            changes.remove(0, 1)?;
            changes.add(0, 1)?;
            changes.add(2, 2)?;
            let counted = Changed { added: wanted + 1, removed: wanted };
            assert_eq!(changes.count()?, counted);
            Ok(())
        };
        let found = changed(&graph, 2, &mut change).unwrap().graph.unwrap();
        found.check().unwrap();
        assert_eq!(found.edges(), graph.edges() + 1);
    }
}

#[test]
fn what_cannot_be_asked_for_is_said_and_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let said = |valued: bool, ask: &dyn Fn(&mut Changes<'_>) -> Result<(), Error>| {
        let graph = ring(folder.path(), valued, true);
        let mut said = String::new();
        let mut change = |_: &Iteration, changes: &mut Changes<'_>| {
            let error = ask(changes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
            assert!(changes.is_empty());
            said = error.to_string();
            Err(error)
        };
        let error = changed(&graph, 9, &mut change).unwrap_err();
        assert_eq!(error.to_string(), said, "the run ends with it");
        said
    };
    assert_eq!(
        said(false, &|changes| changes.add(0, 4)),
        "change an edge from vertex 0 to vertex 4: there is no vertex 4: the graph has 4, which are called from 0 on"
    );
    let gone = said(false, &|changes| changes.remove(usize::MAX, 0));
    assert!(gone.contains(&format!("there is no vertex {}", usize::MAX)), "{gone}");
    assert_eq!(
        said(true, &|changes| changes.add(0, 1)),
        "add an edge from vertex 0 to vertex 1: the graph's edges have values of f64: give it one (`add_valued`)"
    );
    assert_eq!(
        said(true, &|changes| changes.add_valued(0, 1, 1.0f32)),
        "add an edge from vertex 0 to vertex 1: it has a value of f32, and the graph's edges have values of f64"
    );
    assert_eq!(
        said(true, &|changes| changes.add_valued(0, 1, ())),
        "add an edge from vertex 0 to vertex 1: it has a value of no type, and the graph's edges have values of f64"
    );
    assert_eq!(
        said(false, &|changes| changes.add_valued(0, 1, 1u64)),
        "add an edge from vertex 0 to vertex 1: it has a value of u64, and the graph's edges have none (`add`)"
    );
}

#[test]
fn whoever_cannot_go_on_or_panics_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let graph = ring(folder.path(), false, true);
    let mut change = |_: &Iteration, _: &mut Changes<'_>| Err(Error::program("the list has ended"));
    let error = changed(&graph, 9, &mut change).unwrap_err();
    assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::Program, "the list has ended"));
    let mut change = |_: &Iteration, _: &mut Changes<'_>| panic!("not today");
    let error = changed(&graph, 9, &mut change).unwrap_err();
    assert_eq!(error.to_string(), "run the program: it panicked: not today");
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let graph = ring(folder.path(), false, true);
    let values = folder.path().join("values");
    std::fs::create_dir(&values).unwrap();
    let mut change = |_: &Iteration, changes: &mut Changes<'_>| {
        std::fs::remove_dir(&values).unwrap();
        changes.add(0, 2)
    };
    let options =
        Options { iterations: 2, folder: Some(&values), change: Some(&mut change), ..Options::default() };
    let error = run(&graph, Shares::<()>::default(), options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    let said = format!("keep the changed graph in {}: ", values.display());
    assert!(error.to_string().starts_with(&said), "{error}");
}

/// A run that was kept behind a change is of the graph before it.
#[test]
fn changes_that_were_kept_are_refused_for_another_graph() {
    let folder = tempfile::tempdir().unwrap();
    let (graph, other) = (ring(folder.path(), false, true), ring(folder.path(), false, false));
    let file = folder.path().join("run.kept");
    let checkpoint = Some(Checkpoint { file: &file, every: std::time::Duration::ZERO, stays: true });
    let kept = |graph: &Graph, iterations| {
        let mut change = |done: &Iteration, changes: &mut Changes<'_>| match done.number {
            0 => changes.add(0, 2),
            _ => Ok(()),
        };
        let options = Options { iterations, checkpoint, change: Some(&mut change), ..Options::default() };
        run(graph, Components, options)
    };
    kept(&graph, 2).unwrap();
    let error = kept(&other, 2).unwrap_err();
    assert!(error.to_string().contains("it is of another run: it has `graph's column"), "{error}");
    // Also without anybody who changes it.
    let options = Options { iterations: 9, checkpoint, ..Options::default() };
    let found = run(&graph, Components, options).unwrap();
    assert!(are_same(found.graph.as_deref(), kept(&graph, 9).unwrap().graph.as_deref()));
    assert_eq!(edges(&found.graph.unwrap()), [(0, 1), (0, 2), (1, 2), (2, 3), (3, 0)]);
}

/// Edges that are not in order, or lead nowhere, are an error and no panic.
#[test]
fn a_damaged_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (directed, compress) in [(true, false), (false, false), (true, true), (false, true)] {
        let list = (0..40).map(|at| (at * 7 % 9, at * 5 % 8, f64::from(at as u32))).collect();
        let first = Multigraph { vertices: 9, directed, valued: true, outgoing: true, wide: false, list };
        first.stored(folder.path(), compress);
        let path = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let whole = std::fs::read(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        let damaged = folder.path().join("damaged");
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x15;
            std::fs::write(&damaged, bytes).unwrap();
            let Ok(graph) = Graph::read(&damaged) else { continue };
            let mut change = |_: &Iteration, changes: &mut Changes<'_>| {
                for vertex in 0..9 {
                    changes.remove(vertex, (vertex + 1) % 9)?;
                    changes.add_valued(vertex, (vertex + 2) % 9, 3.0)?;
                }
                Ok(())
            };
            match changed(&graph, 3, &mut change) {
                Ok(_) => {}
                Err(error) => assert!(matches!(error.kind(), ErrorKind::Format), "byte {at}: {error}"),
            }
        }
        std::fs::remove_file(&damaged).unwrap();
    }
}
