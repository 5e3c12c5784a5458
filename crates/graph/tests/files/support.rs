//! What tests of graphs that are made share: a model of what a graph's file should have in it.

use std::collections::BTreeMap;
use upcall_graph::{Direction, Duplicates, Graph, Ids, Loops, ValueType, Vertices, columns};

/// An edge of a list: from, to, value.
pub type Listed = (u64, u64, i32);

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    pub loops: Loops,
    pub duplicates: Duplicates,
    pub direction: Direction,
    pub vertices: Vertices,
    pub values: Option<ValueType>,
    pub outgoing: bool,
    pub wide: bool,
    /// Not where it is wide.
    pub compress: bool,
}

/// A graph, as plain as can be: its edges by the vertex that they go to and the one that they come from.
#[derive(Debug, PartialEq)]
pub struct Model {
    pub vertices: usize,
    pub directed: bool,
    /// To, from and value.
    pub incoming: Vec<(usize, usize, Option<f64>)>,
    /// From, to and the place among those that come in.
    pub outgoing: Option<Vec<(usize, usize, usize)>>,
    pub degrees: Vec<u32>,
    pub names: Option<Vec<String>>,
}

impl Model {
    /// Of a list. None where a policy refuses it.
    pub fn of(list: &[Listed], asked: &Asked) -> Option<Model> {
        let mut met: Vec<u64> = Vec::new();
        let mut place: BTreeMap<u64, usize> = BTreeMap::new();
        for called in list.iter().flat_map(|(from, to, _)| [*from, *to]) {
            place.entry(called).or_insert_with(|| {
                met.push(called);
                met.len() - 1
            });
        }
        let largest = place.keys().next_back().map_or(0, |largest| *largest as usize + 1);
        let vertices = match asked.vertices {
            Vertices::Keep => largest,
            Vertices::Count(count) => count as usize,
            Vertices::Dense | Vertices::Names => met.len(),
        };
        if asked.vertices == Vertices::Dense {
            met.sort_unstable();
            place = met.iter().enumerate().map(|(place, called)| (*called, place)).collect();
        }
        let kept = matches!(asked.vertices, Vertices::Keep | Vertices::Count(_));
        let place = |called: u64| if kept { called as usize } else { place[&called] };
        let mut edges: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
        for (from, to, value) in list {
            let (mut from, mut to) = (place(*from), place(*to));
            if from == to && asked.loops != Loops::Keep {
                if asked.loops == Loops::Refuse {
                    return None;
                }
                continue;
            }
            if asked.direction == Direction::Reversed {
                (from, to) = (to, from);
            }
            edges.entry((to, from)).or_default().push((*value).into());
            if asked.direction == Direction::Undirected && from != to {
                edges.entry((from, to)).or_default().push((*value).into());
            }
        }
        let mut incoming = Vec::new();
        for ((to, from), values) in edges {
            let values = match asked.duplicates {
                Duplicates::Keep => values,
                Duplicates::First => vec![values[0]],
                Duplicates::Last => vec![*values.last().unwrap()],
                Duplicates::Sum => vec![values.iter().sum()],
                Duplicates::Min => vec![values.iter().copied().fold(f64::INFINITY, f64::min)],
                Duplicates::Max => vec![values.iter().copied().fold(f64::NEG_INFINITY, f64::max)],
                Duplicates::Refuse if values.len() > 1 => return None,
                Duplicates::Refuse => values,
            };
            incoming.extend(values.into_iter().map(|value| (to, from, asked.values.map(|_| value))));
        }
        let mut outgoing: Vec<_> =
            incoming.iter().enumerate().map(|(place, (to, from, _))| (*from, *to, place)).collect();
        outgoing.sort_unstable();
        let mut degrees = vec![0; vertices];
        outgoing.iter().for_each(|(from, ..)| degrees[*from] += 1);
        let directed = asked.direction != Direction::Undirected;
        Some(Model {
            vertices,
            directed,
            incoming,
            outgoing: (directed && asked.outgoing).then_some(outgoing),
            degrees,
            names: (!kept).then(|| met.iter().map(u64::to_string).collect()),
        })
    }

    /// What is in a file.
    pub fn read(graph: &Graph) -> Model {
        let values = graph.file().entry(columns::VALUES).map(|entry| entry.element().to_owned());
        let value = |place: usize| match values.as_deref()? {
            "f32" => Some(graph.file().column::<f32>(columns::VALUES).unwrap()[place].into()),
            "f64" => Some(graph.file().column::<f64>(columns::VALUES).unwrap()[place]),
            "u32" => Some(graph.file().column::<u32>(columns::VALUES).unwrap()[place].into()),
            "i32" => Some(graph.file().column::<i32>(columns::VALUES).unwrap()[place].into()),
            "u64" => Some(graph.file().column::<u64>(columns::VALUES).unwrap()[place] as f64),
            "i64" => Some(graph.file().column::<i64>(columns::VALUES).unwrap()[place] as f64),
            other => panic!("{other}"),
        };
        let edges = graph.incoming();
        let incoming = (0..graph.vertices())
            .flat_map(|to| edges.of(to).map(move |place| (to, edges.neighbours.get(place), place)))
            .map(|(to, from, place)| (to, from, value(place)))
            .collect();
        let outgoing = graph.outgoing().filter(|_| graph.is_directed()).map(|edges| {
            let places = graph.file().column::<u64>(columns::OUT_PLACES).ok();
            let all = (0..graph.vertices()).flat_map(|from| edges.of(from).map(move |at| (from, at)));
            let mut all: Vec<_> = all.map(|(from, at)| (from, edges.neighbours.get(at), at)).collect();
            if let Some(places) = places {
                all.iter_mut().for_each(|edge| edge.2 = places[edge.2] as usize);
            } else {
                // Without values nothing says which is which: as they come.
                let mut incoming: Vec<(usize, usize)> = Vec::new();
                for to in 0..graph.vertices() {
                    incoming
                        .extend(graph.incoming().of(to).map(|at| (graph.incoming().neighbours.get(at), to)));
                }
                let mut order: Vec<usize> = (0..incoming.len()).collect();
                order.sort_by_key(|place| incoming[*place]);
                all.iter_mut().zip(order).for_each(|(edge, place)| edge.2 = place);
            }
            all
        });
        let names = match graph.file().column::<u64>(columns::NUMBERS) {
            Ok(numbers) => Some(numbers.iter().map(u64::to_string).collect()),
            Err(_) => graph.file().column::<u64>(columns::NAME_OFFSETS).ok().map(|offsets| {
                let text = graph.file().bytes(columns::NAMES).unwrap();
                let name =
                    |of: &[u64]| String::from_utf8(text[of[0] as usize..of[1] as usize].to_vec()).unwrap();
                offsets.windows(2).map(name).collect()
            }),
        };
        Model {
            vertices: graph.vertices(),
            directed: graph.is_directed(),
            incoming,
            outgoing,
            degrees: graph.out_degrees().to_vec(),
            names,
        }
    }
}

/// Whether neighbours have five bytes.
pub fn is_wide(graph: &Graph) -> bool {
    matches!(graph.incoming().neighbours, Ids::Wide(_))
}
