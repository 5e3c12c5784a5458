//! Ranks with whatever neighbors are said.

use super::Neighborhood;
use crate::communicator::Communicator;
use crate::error::{Error, ErrorKind};
use crate::operation::{Max, Min};
use std::ffi::c_int;
use std::ops::Deref;

/// A neighbor of a rank, and how much goes there, compared with others: MPI may place ranks by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The rank at its other end.
    pub rank: usize,
    /// How much goes along it: 1 where nothing is known.
    pub weight: u32,
}

impl From<usize> for Edge {
    /// One as heavy as others: 1.
    fn from(rank: usize) -> Edge {
        Edge { rank, weight: 1 }
    }
}

/// Ranks that have the neighbors that were said.
#[derive(Debug)]
pub struct Graph {
    neighborhood: Neighborhood,
    sources: Vec<Edge>,
    targets: Vec<Edge>,
}

impl Deref for Graph {
    type Target = Neighborhood;

    fn deref(&self) -> &Neighborhood {
        &self.neighborhood
    }
}

/// Ranks and weights as MPI has them, with one more each: the library may be given no null.
fn split(edges: &[Edge], comm: &Communicator, what: impl Fn() -> String) -> Result<[Vec<c_int>; 2], Error> {
    let (mut ranks, mut weights) = (Vec::with_capacity(edges.len() + 1), Vec::with_capacity(edges.len() + 1));
    for edge in edges {
        ranks.push(comm.peer(edge.rank, &what)?);
        weights.push(c_int::try_from(edge.weight).map_err(|_| {
            Error::new(ErrorKind::Usage, format!("{}: the weight {} is too large", what(), edge.weight))
        })?);
    }
    ranks.push(0);
    weights.push(0);
    Ok([ranks, weights])
}

/// How many edges with the same rank come before each.
fn repeats(edges: &[Edge]) -> Vec<u64> {
    let before =
        |(at, edge): (usize, &Edge)| edges[..at].iter().filter(|other| other.rank == edge.rank).count();
    edges.iter().enumerate().map(before).map(|count| count as u64).collect()
}

/// A count as MPI has it.
fn narrow(count: usize, what: impl FnOnce() -> String) -> Result<c_int, Error> {
    c_int::try_from(count).map_err(|_| Error::new(ErrorKind::Count, format!("{}: too many", what())))
}

impl Communicator {
    /// Each rank says whom it receives from and whom it sends to; what the two of an edge say is the same. Of several edges
    /// from one rank to another the first is the first at both. Where `reorder` is set, MPI may give a rank another number
    /// there. Collective.
    ///
    /// # Errors
    /// There is no such rank, on any of the ranks; or MPI refuses.
    pub fn graph_adjacent(&self, sources: &[Edge], targets: &[Edge], reorder: bool) -> Result<Graph, Error> {
        let what = || format!("make a graph with {} sources and {} targets", sources.len(), targets.len());
        let given = split(sources, self, what).and_then(|sources| Ok((sources, split(targets, self, what)?)));
        let ([from, from_weights], [to, to_weights]) = self.all_or_none(given, what)?;
        let (inward, outward) = (narrow(sources.len(), what)?, narrow(targets.len(), what)?);
        let mut made = 0;
        self.library.call(
            // SAFETY: a communicator of this MPI's, here and below, and so many edges.
            |table| unsafe {
                (table.graph_adjacent)(
                    self.handle,
                    inward,
                    from.as_ptr(),
                    from_weights.as_ptr(),
                    outward,
                    to.as_ptr(),
                    to_weights.as_ptr(),
                    c_int::from(reorder),
                    &mut made,
                )
            },
            what,
        )?;
        Graph::new(Communicator::new(self.library, made, true)?)
    }

    /// Each rank says some of the edges, of whichever ranks: from the first to those of its list. Together they are the graph.
    /// Where `reorder` is set, MPI may give a rank another number there. Collective.
    ///
    /// # Errors
    /// As [`graph_adjacent`](Communicator::graph_adjacent).
    pub fn graph(&self, edges: &[(usize, &[Edge])], reorder: bool) -> Result<Graph, Error> {
        let what = || format!("make a graph of edges from {} ranks", edges.len());
        let listed: Vec<Edge> = edges.iter().flat_map(|(_, targets)| targets.iter().copied()).collect();
        let from: Vec<Edge> = edges.iter().map(|(source, _)| Edge::from(*source)).collect();
        let given = split(&from, self, what).and_then(|sources| Ok((sources, split(&listed, self, what)?)));
        let ([sources, _], [to, weights]) = self.all_or_none(given, what)?;
        let mut degrees =
            edges.iter().map(|(_, targets)| narrow(targets.len(), what)).collect::<Result<Vec<_>, _>>()?;
        degrees.push(0);
        let (count, all, mut made) = (narrow(edges.len(), what)?, narrow(listed.len(), what)?, 0);
        self.library.call(
            // SAFETY: as above.
            |table| unsafe {
                (table.graph_create)(
                    self.handle,
                    count,
                    sources.as_ptr(),
                    degrees.as_ptr(),
                    all,
                    to.as_ptr(),
                    weights.as_ptr(),
                    c_int::from(reorder),
                    &mut made,
                )
            },
            what,
        )?;
        Graph::new(Communicator::new(self.library, made, true)?)
    }

    /// What this rank gives, where all ranks have given something that is right: the others would wait for one that has not.
    pub(crate) fn all_or_none<T>(
        &self,
        given: Result<T, Error>,
        what: impl FnOnce() -> String,
    ) -> Result<T, Error> {
        // The lowest rank that has not, or none.
        let mine = if given.is_err() { self.rank() as u64 } else { u64::MAX };
        let first = self.all_reduce(&[mine], Min)?[0];
        match given {
            Ok(_) if first != u64::MAX => {
                let message = format!("{}: what rank {first} has given is wrong, as it is told", what());
                Err(Error::new(ErrorKind::Usage, message))
            }
            given => given,
        }
    }
}

impl Graph {
    fn new(comm: Communicator) -> Result<Graph, Error> {
        let what = || "look at a graph".to_owned();
        let (mut inward, mut outward) = (0, 0);
        comm.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.graph_degrees)(comm.handle, &mut inward, &mut outward) },
            what,
        )?;
        let room = |count: c_int| vec![0; usize::try_from(count).unwrap_or(0) + 1];
        let (mut from, mut from_weights) = (room(inward), room(inward));
        let (mut to, mut to_weights) = (room(outward), room(outward));
        comm.library.call(
            // SAFETY: as above, with room for as many edges.
            |table| unsafe {
                let (to, to_weights) = (to.as_mut_ptr(), to_weights.as_mut_ptr());
                let (from, from_weights) = (from.as_mut_ptr(), from_weights.as_mut_ptr());
                (table.graph_neighbors)(comm.handle, inward, from, from_weights, outward, to, to_weights)
            },
            what,
        )?;
        let edges = |ranks: &[c_int], weights: &[c_int], count: c_int| -> Vec<Edge> {
            let edges = ranks.iter().zip(weights).take(usize::try_from(count).unwrap_or(0));
            edges
                .map(|(rank, weight)| Edge {
                    rank: usize::try_from(*rank).unwrap_or(0),
                    weight: u32::try_from(*weight).unwrap_or(0),
                })
                .collect()
        };
        let (sources, targets) = (edges(&from, &from_weights, inward), edges(&to, &to_weights, outward));
        let ranks = |edges: &[Edge]| edges.iter().map(|edge| Some(edge.rank)).collect();
        let (told, wanted) = (repeats(&targets), repeats(&sources));
        let neighborhood = Neighborhood {
            comm,
            sources: ranks(&sources),
            targets: ranks(&targets),
            crossed: Default::default(),
        };
        let mut graph = Graph { neighborhood, sources, targets };
        // One rank alone may have two edges to another: all of them look then.
        let most = told.iter().max().copied().unwrap_or(0);
        if graph.all_reduce(&[most], Max)?[0] > 0 {
            graph.neighborhood.look_for_crossings(&told, &wanted)?;
        }
        Ok(graph)
    }

    /// The same graph, whose messages never meet those of this one. Collective.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn duplicate(&self) -> Result<Graph, Error> {
        Graph::new(Communicator::duplicate(self)?)
    }

    /// The edges to this rank.
    #[must_use]
    pub fn edges_in(&self) -> &[Edge] {
        &self.sources
    }

    /// The edges from this rank.
    #[must_use]
    pub fn edges_out(&self) -> &[Edge] {
        &self.targets
    }
}
