//! Graphs in which edges come and go, as plain as can be.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use upcall_graph::{
    Builder, Change, Changes, Direction, Error, Format, Graph, Iteration, Options, Resume, Source, ValueType,
    Vertices,
};

/// A change: an edge with a value is added, or all are removed between two vertices.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub from: usize,
    pub to: usize,
    pub value: Option<f64>,
}

/// A graph in which there may be several edges between two vertices.
#[derive(Clone, Debug)]
pub struct Multigraph {
    pub vertices: usize,
    pub directed: bool,
    pub valued: bool,
    pub outgoing: bool,
    pub wide: bool,
    /// In the order in which they came; of an undirected graph each is there once.
    pub list: Vec<(usize, usize, f64)>,
}

impl Multigraph {
    /// A file of it that is mapped.
    pub fn graph(&self, folder: &Path) -> Graph {
        self.stored(folder, false)
    }

    /// One whose neighbours are compressed, unless they are wide.
    pub fn stored(&self, folder: &Path, compress: bool) -> Graph {
        let line = |(from, to, value): &(usize, usize, f64)| match self.valued {
            true => format!("{from} {to} {value}\n"),
            false => format!("{from} {to}\n"),
        };
        let lines: String = self.list.iter().map(line).collect();
        let direction = if self.directed { Direction::Directed } else { Direction::Undirected };
        let file = tempfile::Builder::new().tempfile_in(folder).unwrap();
        let (_, path) = file.keep().unwrap();
        Builder::new()
            .source(Source::reader("edges", lines.as_bytes(), Format::Text))
            .vertices(Vertices::Count(self.vertices as u64))
            .direction(direction)
            .values(self.valued.then_some(ValueType::F64))
            .outgoing(self.outgoing)
            .wide(self.wide)
            .compress(compress && !self.wide)
            .build(&path)
            .unwrap();
        // SAFETY: nobody else knows the file.
        unsafe { Graph::map(path) }.unwrap()
    }

    pub fn change(&mut self, changes: &[Asked]) {
        for Asked { from, to, value } in changes.iter().copied() {
            match value {
                Some(value) => self.list.push((from, to, value)),
                None => self.list.retain(|(one, other, _)| {
                    let back = !self.directed && (*one, *other) == (to, from);
                    (*one, *other) != (from, to) && !back
                }),
            }
        }
    }

    /// Edges by what they go to and what they come from, in the order in which they came: those of an undirected graph in both
    /// directions.
    pub fn incoming(&self) -> BTreeMap<(usize, usize), Vec<f64>> {
        let mut all = BTreeMap::<_, Vec<f64>>::new();
        for (from, to, value) in &self.list {
            all.entry((*to, *from)).or_default().push(*value);
            if !self.directed && from != to {
                all.entry((*from, *to)).or_default().push(*value);
            }
        }
        all
    }

    pub fn out_degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.vertices];
        self.incoming().iter().for_each(|((_, from), all)| degrees[*from] += all.len() as u32);
        degrees
    }
}

/// Whether two runs have ended with the same graph, or both without another than the first.
pub fn are_same(one: Option<&Graph>, other: Option<&Graph>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => one.has_the_columns_of(other),
        _ => false,
    }
}

/// Asks for changes as the graph's edges have values or none.
pub fn ask(changes: &mut Changes<'_>, asked: &[Asked], valued: bool) -> Result<(), Error> {
    asked.iter().try_for_each(|Asked { from, to, value }| match value {
        None => changes.remove(*from, *to),
        Some(value) if valued => changes.add_valued(*from, *to, *value),
        Some(_) => changes.add(*from, *to),
    })
}

/// Options with somebody who changes the graph.
pub fn with<'a, 'long: 'a>(options: Options<'long>, change: Change<'a>) -> Options<'a> {
    let Options {
        threads,
        edges_at_once,
        iterations,
        gauss_seidel,
        stop,
        report,
        resume,
        folder,
        checkpoint,
        ..
    } = options;
    let report = report.map(|report| report as &mut dyn FnMut(&Iteration));
    let resume = resume.map(|resume| resume as Resume<'_>);
    let change = Some(change);
    Options {
        threads,
        edges_at_once,
        iterations,
        gauss_seidel,
        stop,
        report,
        change,
        resume,
        folder,
        checkpoint,
        ..Options::default()
    }
}

/// A graph, and what changes behind each iteration.
#[derive(Clone, Debug)]
pub struct Story {
    pub first: Multigraph,
    pub batches: Vec<Vec<Asked>>,
}

impl Story {
    /// What changes behind an iteration.
    pub fn behind(&self, iteration: u64) -> &[Asked] {
        self.batches.get(iteration as usize).map_or(&[], Vec::as_slice)
    }

    /// The graph behind so many iterations, of which the last is not followed by a change.
    pub fn after(&self, iterations: u64) -> Multigraph {
        let mut graph = self.first.clone();
        (1..iterations).for_each(|ended| graph.change(self.behind(ended - 1)));
        graph
    }

    /// Asks for what changes behind an iteration.
    pub fn tell(&self, done: &Iteration, changes: &mut Changes<'_>) -> Result<(), Error> {
        ask(changes, self.behind(done.number), self.first.valued)
    }
}

/// Stories of graphs of every shape, with several batches, some of them empty, in which edges are added, once or more often, and removed,
/// whether or not they are there.
pub fn any_story() -> impl Strategy<Value = Story> {
    let shape = (prop_oneof![1usize..12, 1000usize..6000], any::<[bool; 4]>());
    shape.prop_flat_map(|(vertices, [directed, valued, outgoing, wide])| {
        // Few of them have most edges, so that some are between the same ones.
        let vertex = move || prop_oneof![0..vertices.min(9), 0..vertices];
        let edge = move || (vertex(), vertex(), (0u32..100).prop_map(f64::from));
        let asked = (edge(), any::<bool>(), proptest::option::of(any::<prop::sample::Index>()));
        let batch = prop_oneof![Just(Vec::new()), proptest::collection::vec(asked, 0..30)];
        let list = proptest::collection::vec(edge(), 0..120);
        (list, proptest::collection::vec(batch, 0..5)).prop_map(move |(list, batches)| {
            let first = Multigraph { vertices, directed, valued, outgoing, wide, list };
            let mut now = first.clone();
            let batches = batches.into_iter().map(|batch| {
                let one = |((from, to, value), adds, there): (
                    (usize, usize, f64),
                    bool,
                    Option<prop::sample::Index>,
                )| {
                    // An edge that is there, in one of its directions.
                    let (from, to) = match there.filter(|_| !now.list.is_empty()) {
                        Some(index) => {
                            let (one, other, _) = now.list[index.index(now.list.len())];
                            if directed || from < to { (one, other) } else { (other, one) }
                        }
                        None => (from, to),
                    };
                    let change = Asked { from, to, value: adds.then_some(value) };
                    now.change(&[change]);
                    change
                };
                batch.into_iter().map(one).collect()
            });
            let batches = batches.collect();
            Story { first, batches }
        })
    })
}
