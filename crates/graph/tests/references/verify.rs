//! Results hold by the rules of GAP's verifiers, on Kronecker graphs and on that of Debian's packages, with weights; and what is
//! not right does not.

use crate::verifiers::Lists;
use crate::{kronecker, lists, written};
use std::fmt::Write;
use std::path::Path;
use tempfile::TempDir;
use upcall_graph::programs::{
    Breadth, Components, PageRank, Real, ShortestPaths, UNREACHED, clustering, weak_components,
};
use upcall_graph::{Graph, Options, run};

/// Sources of searches, as GAP has several.
const SOURCES: usize = 4;

/// A graph, and the same as plain lists.
struct Verified {
    _folder: TempDir,
    graph: Graph,
    lists: Lists,
}

impl Verified {
    fn new(folder: TempDir, edges: &Path) -> Verified {
        let graph = lists::graph(edges);
        let text = std::fs::read_to_string(edges).unwrap();
        let (directed, vertices) = lists::head(&text);
        let edge = |line: &str| {
            let words: Vec<usize> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            (words[0], words[1], words[2] as u32)
        };
        let there = text.lines().skip(1).map(edge);
        let back = |(from, to, weight)| (!directed).then_some((to, from, weight));
        let edges = there.flat_map(|edge| [Some(edge), back(edge)]).flatten();
        Verified { _folder: folder, graph, lists: Lists::new(vertices, edges) }
    }

    /// A Kronecker graph, whose weights are from 1 to 255 as GAP's are.
    fn kronecker(scale: u32, directed: bool) -> Verified {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kronecker.edges");
        let mut edges = kronecker::edges(scale);
        if !directed {
            edges = edges.into_iter().map(|(one, other)| (one.min(other), one.max(other))).collect();
        }
        let mut text = format!("# {} {}\n", if directed { "directed" } else { "undirected" }, 1 << scale);
        for (from, to) in edges {
            writeln!(text, "{from} {to} {}", 1 + (from * 31 + to * 17) % 255).unwrap();
        }
        std::fs::write(&path, text).unwrap();
        Verified::new(folder, &path)
    }

    fn debian() -> Verified {
        let folder = written("references.py", &["--edges-only"]);
        let path = folder.path().join("debian.edges");
        Verified::new(folder, &path)
    }

    /// Vertices with outgoing edges, which GAP takes too.
    fn sources(&self) -> impl Iterator<Item = usize> {
        let degrees = self.graph.out_degrees();
        let some = (0..degrees.len()).filter(|vertex| degrees[*vertex] > 0);
        let apart = degrees.iter().filter(|degree| **degree > 0).count() / SOURCES;
        some.step_by(apart.max(1)).take(SOURCES)
    }

    fn ranks<R: Real>(&self, tolerance: f64) -> Vec<f64> {
        let mut program = PageRank::<R>::default();
        program.tolerance = tolerance;
        run(&self.graph, program, Options::default()).unwrap().own.iter().map(|rank| rank.number()).collect()
    }

    fn depths(&self, source: usize) -> Vec<Option<u32>> {
        let shown = run(&self.graph, Breadth { from: source }, Options::default()).unwrap().shown;
        shown.iter().map(|depth| Some(*depth).filter(|depth| *depth != UNREACHED)).collect()
    }

    fn distances(&self, source: usize) -> Vec<Option<u64>> {
        let program = ShortestPaths::<f64>::new(source, self.graph.vertices());
        let shown = run(&self.graph, program, Options::default()).unwrap().shown;
        // Sums of whole numbers, which f64 has.
        shown.iter().map(|far| Some(*far as u64).filter(|_| far.is_finite())).collect()
    }

    fn holds(&self) {
        let Verified { graph, lists, .. } = self;
        // GAP's own tolerance, ours, and one for which only f64 is precise enough.
        lists.ranks(&self.ranks::<f32>(1e-4), 0.85, 1e-4).unwrap();
        for tolerance in [1e-4, 1e-6, 1e-10] {
            lists.ranks(&self.ranks::<f64>(tolerance), 0.85, tolerance).unwrap();
        }
        for source in self.sources() {
            lists.depths(source, &self.depths(source)).unwrap();
            lists.distances(source, &self.distances(source)).unwrap();
        }
        lists.components(&run(graph, Components, Options::default()).unwrap().shown).unwrap();
        lists.components(&weak_components(graph, 2, None).unwrap()).unwrap();
        lists.triangles(clustering(graph, 2, None).unwrap().triangles).unwrap();
    }
}

#[test]
fn results_on_kronecker_graphs_are_verified_as_gap_does() {
    for directed in [false, true] {
        Verified::kronecker(12, directed).holds();
    }
}

#[test]
fn results_on_debians_packages_are_verified_as_gap_does() {
    Verified::debian().holds();
}

#[test]
fn what_is_not_right_is_not_verified() {
    let verified = Verified::kronecker(8, false);
    let lists = &verified.lists;
    let mut ranks = verified.ranks::<f64>(1e-10);
    assert!(lists.ranks(&ranks, 0.85, 1e-16).is_err());
    let hub = (0..ranks.len()).max_by(|one, other| ranks[*one].total_cmp(&ranks[*other])).unwrap();
    ranks.swap(hub, 0);
    assert!(lists.ranks(&ranks, 0.85, 1e-6).is_err());

    let source = verified.sources().next().unwrap();
    let right = verified.depths(source);
    let far = right.iter().flatten().max().copied();
    let [last, nowhere] = [far, None].map(|depth| right.iter().position(|of| *of == depth).unwrap());
    for (vertex, depth) in
        [(source, Some(1)), (last, far.map(|far| far + 1)), (last, None), (last, Some(0)), (nowhere, Some(1))]
    {
        let mut depths = right.clone();
        depths[vertex] = depth;
        assert!(lists.depths(source, &depths).is_err(), "{vertex}: {depth:?}");
    }

    let right = weak_components(&verified.graph, 1, None).unwrap();
    for (vertex, label) in [(source, nowhere as u64), (nowhere, right[source])] {
        let mut labels = right.clone();
        labels[vertex] = label;
        assert!(lists.components(&labels).is_err(), "{vertex}: {label}");
    }

    let mut distances = verified.distances(source);
    distances[last] = distances[last].map(|far| far - 1);
    assert!(lists.distances(source, &distances).is_err());
    let found = clustering(&verified.graph, 1, None).unwrap().triangles;
    assert!(found > 0 && lists.triangles(found + 1).is_err() && lists.triangles(found - 1).is_err());
}
