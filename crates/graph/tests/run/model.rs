//! Small graphs, as lists of edges and as files, and what plain algorithms make of them.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use tempfile::TempDir;
use upcall_graph::{Builder, Direction, Format, Graph, Source, ValueType, Vertices};

/// Edges with weights, by what they come from and go to.
#[derive(Clone, Debug)]
pub struct Edges {
    pub vertices: usize,
    pub directed: bool,
    /// Of an undirected graph each is there once, from the lesser vertex.
    pub list: BTreeMap<(usize, usize), f64>,
}

/// Graphs with few edges and many, with and without direction, some with more than one block of vertices.
pub fn any_edges() -> impl Strategy<Value = Edges> {
    let size = prop_oneof![1usize..40, 1000usize..6000];
    (size, any::<bool>()).prop_flat_map(|(vertices, directed)| {
        let edge = ((0..vertices, 0..vertices), (0u32..100).prop_map(f64::from));
        proptest::collection::vec(edge, 0..200).prop_map(move |edges| {
            let inside = edges.into_iter().filter(|((from, to), _)| directed || from < to);
            Edges { vertices, directed, list: inside.collect() }
        })
    })
}

impl Edges {
    /// All edges, those of undirected graphs in both directions: by source, destination and weight.
    pub fn all(&self) -> Vec<(usize, usize, f64)> {
        let there = self.list.iter().map(|((from, to), weight)| (*from, *to, *weight));
        let back =
            self.list.iter().filter(|_| !self.directed).map(|((from, to), weight)| (*to, *from, *weight));
        there.chain(back).collect()
    }

    /// A file of it. Neighbours are compressed in every other one, which no program may notice.
    pub fn file(&self, wide: bool) -> (TempDir, PathBuf) {
        self.stored(wide, !wide && self.list.len() % 2 == 1)
    }

    /// A file of it, whose neighbours are compressed or not.
    pub fn stored(&self, wide: bool, compress: bool) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.graph");
        let lines = self.list.iter().map(|((from, to), weight)| format!("{from} {to} {weight}\n"));
        let lines: String = lines.collect();
        let direction = if self.directed { Direction::Directed } else { Direction::Undirected };
        Builder::new()
            .source(Source::reader("edges", lines.as_bytes(), Format::Text))
            .vertices(Vertices::Count(self.vertices as u64))
            .direction(direction)
            .values(ValueType::F64)
            .wide(wide)
            .compress(compress)
            .build(&path)
            .unwrap();
        (folder, path)
    }

    /// It as a graph, whose file stays as long as the folder.
    pub fn graph(&self, wide: bool) -> (TempDir, Graph) {
        let (folder, path) = self.file(wide);
        // SAFETY: nobody else knows the file.
        (folder, unsafe { Graph::map(path) }.unwrap())
    }

    /// The vertices with an edge to or from each.
    pub fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); self.vertices];
        for (from, to) in self.list.keys() {
            neighbours[*from].push(*to);
            neighbours[*to].push(*from);
        }
        neighbours
    }

    /// The least vertex of each one's component.
    pub fn components(&self) -> Vec<u64> {
        let neighbours = self.neighbours();
        let mut least = vec![u64::MAX; self.vertices];
        for first in 0..self.vertices {
            let mut ahead = vec![first];
            while let Some(vertex) = ahead.pop() {
                if least[vertex] == u64::MAX {
                    least[vertex] = first as u64;
                    ahead.extend(&neighbours[vertex]);
                }
            }
        }
        least
    }

    /// The shortest ways from a vertex, by weights or by edges.
    pub fn distances(&self, from: usize, weigh: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; self.vertices];
        distances[from] = 0.0;
        let edges = self.all();
        loop {
            let before = distances.clone();
            for (from, to, weight) in &edges {
                distances[*to] = distances[*to].min(distances[*from] + weigh(*weight));
            }
            if before == distances {
                return distances;
            }
        }
    }

    /// Ranks after so many iterations, with jumps to these vertices.
    pub fn ranks(&self, damping: f64, to: &[usize], iterations: u64) -> Vec<f64> {
        let jump: Vec<f64> = (0..self.vertices)
            .map(|vertex| if to.contains(&vertex) { 1.0 / to.len() as f64 } else { 0.0 })
            .collect();
        let edges = self.all();
        let mut degrees = vec![0.0; self.vertices];
        edges.iter().for_each(|(from, ..)| degrees[*from] += 1.0);
        let mut ranks = jump.clone();
        for _ in 0..iterations {
            let stuck: f64 =
                (0..self.vertices).filter(|vertex| degrees[*vertex] == 0.0).map(|vertex| ranks[vertex]).sum();
            let mut next: Vec<f64> =
                jump.iter().map(|jump| (1.0 - damping + damping * stuck) * jump).collect();
            edges.iter().for_each(|(from, to, _)| next[*to] += damping * ranks[*from] / degrees[*from]);
            ranks = next;
        }
        ranks
    }

    /// Labels after so many iterations.
    pub fn labels(&self, iterations: u64) -> Vec<u64> {
        let mut labels: Vec<u64> = (0..self.vertices as u64).collect();
        let neighbours = self.neighbours();
        for _ in 0..iterations {
            let next = |(vertex, neighbours): (usize, &Vec<usize>)| {
                let mut counts = BTreeMap::new();
                neighbours.iter().for_each(|other| *counts.entry(labels[*other]).or_insert(0) += 1);
                let most = counts.values().max();
                counts
                    .iter()
                    .find(|(_, count)| Some(*count) == most)
                    .map_or(labels[vertex], |(label, _)| *label)
            };
            labels = neighbours.iter().enumerate().map(next).collect();
        }
        labels
    }

    /// The core of each vertex, by taking away those with no more neighbours than a number, until there are none, and then by the next.
    pub fn cores(&self) -> Vec<u32> {
        let mut neighbours = self.neighbours();
        for (vertex, all) in neighbours.iter_mut().enumerate() {
            all.retain(|other| *other != vertex);
        }
        let (mut cores, mut there, mut core) = (vec![0; self.vertices], vec![true; self.vertices], 0);
        while there.contains(&true) {
            let left = |vertex: usize| neighbours[vertex].iter().filter(|other| there[**other]).count();
            let gone: Vec<usize> =
                (0..self.vertices).filter(|vertex| there[*vertex] && left(*vertex) <= core).collect();
            core += usize::from(gone.is_empty());
            gone.iter().for_each(|vertex| (cores[*vertex], there[*vertex]) = (core as u32, false));
        }
        cores
    }

    /// The share of edges among each vertex's neighbours that are there, and how many triangles there are.
    pub fn clustering(&self) -> (Vec<f64>, u64) {
        let all: BTreeSet<(usize, usize)> = self.all().iter().map(|(from, to, _)| (*from, *to)).collect();
        let mut triangles = 0;
        let one = |(vertex, mut around): (usize, Vec<usize>)| {
            around.retain(|other| *other != vertex);
            around.sort_unstable();
            around.dedup();
            let (mut edges, count) = (0u32, around.len() as f64);
            for (at, one) in around.iter().enumerate() {
                for other in &around[..at] {
                    let there = all.contains(&(*one, *other)) as u32 + all.contains(&(*other, *one)) as u32;
                    edges += there;
                    triangles += u64::from(there > 0);
                }
            }
            if count < 2.0 { 0.0 } else { f64::from(edges) / (count * (count - 1.0)) }
        };
        let coefficients = self.neighbours().into_iter().enumerate().map(one).collect();
        // Each is seen from its three vertices.
        (coefficients, triangles / 3)
    }
}
