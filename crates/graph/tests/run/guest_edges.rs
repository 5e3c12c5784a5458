//! Values of edges that programs in guests set, against the same programs of the engine's own.

use crate::edge_values::{self, says, twice, untold};
use crate::guests::{bits, loaded, on_threads, path, reals};
use crate::model::any_edges;
use graph_programs as guest;
use proptest::prelude::*;
use std::time::Duration;
use upcall_graph::{Checkpoint, Direction, Dump, ErrorKind, Options, run};
use upcall_handler::Failure;
use upcall_handler::vertex::{Program, Vertex};

#[derive(Clone, Copy)]
pub struct Talks;

impl Program for Talks {
    type Own = f64;
    type Shown = u32;
    type Edge = f64;

    const WRITES: bool = true;

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let mut own = vertex.incoming().fold(vertex.own(), |all, _, heard| (all * 0.25 + heard) % 1000.0);
        let outgoing = vertex.outgoing();
        assert_eq!(outgoing.len(), vertex.out_degree() as usize);
        for index in 0..outgoing.len() {
            own += outgoing.value(index) * 0.125;
            if let Some(value) = says(vertex.id() as usize, index, own, vertex.iteration()) {
                vertex.set_value(index, value);
            }
        }
        vertex.keep(own);
        Ok(())
    }
}

#[derive(Clone, Copy)]
pub struct Tells;

impl Program for Tells {
    type Own = f64;
    type Shown = u32;
    type Edge = f64;

    const WRITES: bool = true;
    const SELECTIVE: bool = true;

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        if vertex.id() == 0 {
            vertex.schedule(0);
        }
        vertex.keep(f64::INFINITY);
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let heard = vertex.incoming().fold(f64::INFINITY, |least, _, told| match told {
            0.0 => least,
            told => least.min(told),
        });
        let nearest = if vertex.id() == 0 { 0.0 } else { heard };
        if nearest < vertex.own() {
            vertex.keep(nearest);
            (0..vertex.outgoing().len()).for_each(|index| vertex.set_value(index, nearest + 1.0));
        }
        Ok(())
    }
}

/// Says its own number and the edge's index, also of some edges that are not there, and of one at the start.
#[derive(Clone, Copy)]
struct Names {
    beyond: usize,
    at_the_start: bool,
}

impl Program for Names {
    type Own = u32;
    type Shown = u32;
    type Edge = f64;

    const WRITES: bool = true;

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        if self.at_the_start {
            vertex.set_value(0, 1.0);
        }
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        for index in 0..vertex.outgoing().len() + self.beyond {
            vertex.set_value(index, (10 * vertex.id() as usize + index) as f64);
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_a_guest_says_is_what_the_engines_own_program_says(edges in any_edges(), iterations in 0u64..7) {
        let (_folder, graph) = edges.graph(false);
        let options = Options { iterations, ..Options::default() };
        let wanted = run(&graph, edge_values::Talks, options).unwrap();
        let found = on_threads(&graph, Talks, iterations);
        prop_assert_eq!(bits(reals(&found.own)), bits(&wanted.own));
        prop_assert_eq!(bits(reals(&found.edges)), bits(&wanted.edges));
    }

    #[test]
    fn a_guests_run_that_was_kept_goes_on_with_its_edges(edges in any_edges(), first in 1u64..4, more in 1u64..4) {
        let (folder, graph) = edges.graph(false);
        let file = folder.path().join("run.kept");
        let checkpoint = Some(Checkpoint { file: &file, every: Duration::ZERO, stays: true });
        let kept = |iterations| Options { iterations, checkpoint, ..Options::default() };
        let guest = loaded(|| Talks).unwrap();
        // The last iteration is not kept.
        guest.run(&graph, kept(first + 1)).unwrap();
        let found = guest.run(&graph, kept(first + more)).unwrap();
        prop_assert_eq!(found, on_threads(&graph, Talks, first + more));
    }

    #[test]
    fn whoever_hears_another_value_is_updated(edges in any_edges().prop_map(untold)) {
        let (_folder, graph) = edges.graph(false);
        let wanted = run(&graph, edge_values::Tells, Options::default()).unwrap();
        let found = on_threads(&graph, Tells, u64::MAX);
        prop_assert_eq!(bits(reals(&found.own)), bits(&wanted.own));
        prop_assert_eq!(bits(reals(&found.edges)), bits(&wanted.edges));
        prop_assert_eq!(found.iterations, wanted.iterations);
    }

    #[test]
    fn ranks_that_edges_carry_are_those_that_vertices_show(edges in any_edges(), iterations in 0u64..9) {
        let (_folder, graph) = edges.graph(false);
        let program = guest::PageRank { damping: 0.85, tolerance: -1.0 };
        let wanted = on_threads(&graph, program, iterations);
        let found = on_threads(&graph, guest::PageRankEdges(program), iterations + 1);
        prop_assert_eq!(bits(reals(&found.own)), bits(reals(&wanted.own)));
    }
}

/// A way through many chunks of vertices, and back from all over to the first of them.
fn long() -> crate::model::Edges {
    let mut edges = path(200_000);
    edges.list.extend((1..40).map(|part| ((part * 5000, part * 37), 2.0)));
    edges
}

#[test]
fn several_workers_set_values_of_edges_that_lead_to_each_others_vertices() {
    let (_folder, graph) = long().graph(false);
    let options = |threads| Options { threads, iterations: 5, ..Options::default() };
    let wanted = run(&graph, edge_values::Talks, options(1)).unwrap();
    let other = run(&graph, edge_values::Talks, options(3)).unwrap();
    assert!((&*wanted.own, &*wanted.edges) == (&*other.own, &*other.edges));
    let found = on_threads(&graph, Talks, 5);
    assert!(reals(&found.own) == &*wanted.own && reals(&found.edges) == &*wanted.edges);
    let (_folder, graph) = untold(long()).graph(false);
    let wanted = run(&graph, edge_values::Tells, options(1)).unwrap();
    let found = on_threads(&graph, Tells, 5);
    assert!(reals(&found.own) == &*wanted.own && reals(&found.edges) == &*wanted.edges);
}

#[test]
fn each_edge_of_several_has_its_own_value_in_guests_too() {
    for (direction, values) in
        [(Direction::Directed, true), (Direction::Directed, false), (Direction::Undirected, false)]
    {
        let (_folder, graph) = twice(direction, values);
        let wanted =
            run(&graph, edge_values::Names { beyond: 0 }, Options { iterations: 1, ..Options::default() });
        let found = on_threads(&graph, Names { beyond: 0, at_the_start: false }, 1);
        assert_eq!(reals(&found.edges), &*wanted.unwrap().edges);
    }
}

#[test]
fn what_a_guest_sets_where_no_edge_is_names_the_vertex() {
    let (_folder, graph) = twice(Direction::Directed, true);
    let refused = |beyond, at_the_start, options: Options<'_>| {
        let guest = loaded(move || Names { beyond, at_the_start }).unwrap();
        guest.run(&graph, options).unwrap_err()
    };
    let error = refused(1, false, Options { threads: 1, ..Options::default() });
    let said =
        "run program tried: iteration 0, vertex 0: panic: vertex 0 has 2 outgoing edges, and 2 was set";
    assert!(error.to_string().starts_with(said), "{error}");
    let error = refused(0, true, Options { threads: 1, ..Options::default() });
    let said =
        "run program tried: at the start, vertex 0: panic: vertex 0 has 0 outgoing edges, and 0 was set";
    assert!(error.to_string().starts_with(said), "{error}");
    let error = refused(0, false, Options { gauss_seidel: Some(1024), ..Options::default() });
    let said =
        "run program tried: it sets values of edges: it is not run in Gauss-Seidel's way, but in Jacobi's";
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Usage, said.to_owned()));
}

#[test]
fn who_writes_edges_says_of_which_type_they_are() {
    #[derive(Clone, Copy)]
    struct Untyped;
    impl Program for Untyped {
        type Own = ();
        type Shown = u32;
        type Edge = ();

        const WRITES: bool = true;

        fn update(&mut self, _: &mut Vertex<'_, Self>) -> Result<(), Failure> {
            Ok(())
        }
    }
    let error = loaded(|| Untyped).unwrap_err();
    let said =
        "load program tried: it writes values of edges and does not say of which type they are: `edge`";
    assert_eq!(error.to_string(), said);
}

#[test]
fn an_interval_is_dumped_with_the_values_that_it_has_set() {
    let (_folder, graph) = path(3000).graph(false);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("interval.json");
    let dump = Some(Dump { interval: 1, iteration: 1, file: file.clone() });
    let program = guest::PageRankEdges::default();
    let options = Options { dump, threads: 1, iterations: 3, ..Options::default() };
    loaded(move || program).unwrap().run(&graph, options).unwrap();
    let dumped: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let rows = dumped["rows"].as_array().unwrap();
    assert_eq!((&dumped["writes"], rows.len()), (&true.into(), 1024));
    for (row, id) in rows.iter().zip(1024..) {
        let outgoing = serde_json::json!({
            "ids": [id + 1], "shown": [1.0 / 3000.0], "values": [1.0 / 3000.0]
        });
        assert_eq!((&row["id"], &row["outgoing"]), (&id.into(), &outgoing));
        // All that it has goes along its one edge.
        assert_eq!(row["sets"], serde_json::json!([row["keeps"]]));
    }
}
