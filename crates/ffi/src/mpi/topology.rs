//! Communicators whose ranks have neighbors: they are communicators in all else.

use super::communicator::{Held, UpcallMpiCommunicator};
use super::failure::MpiFailure;
use super::group::{amounts, numbers, or_none};
use super::parts::{has_room, sizes, told};
use super::rank;
use std::sync::Arc;
use upcall_mpi::{Cartesian, Dimension, Edge, Neighborhood};

impl UpcallMpiCommunicator {
    fn grid(&self) -> Result<&Cartesian, MpiFailure> {
        match self.get()? {
            Held::Grid(grid) => Ok(grid),
            _ => Err(MpiFailure::usage("use a grid: this communicator is none; `cartesian` makes one")),
        }
    }

    fn neighborhood(&self) -> Result<&Neighborhood, MpiFailure> {
        match self.get()? {
            Held::Grid(grid) => Ok(grid),
            Held::Graph(graph) => Ok(graph),
            _ => Err(MpiFailure::usage(
                "use neighbors: this communicator has none; one that is a grid or a graph has",
            )),
        }
    }
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// How many ranks to put along each dimension, so that all are as many as here and the dimensions are as equal as can be. One
    /// that is not 0 stays as it is.
    pub fn dimensions(&self, sizes: &mut [i32]) -> Result<(), MpiFailure> {
        let shared = self.get()?.dimensions(&amounts(sizes, "share ranks among dimensions")?)?;
        for (to, size) in sizes.iter_mut().zip(shared) {
            *to = size as i32;
        }
        Ok(())
    }

    /// Ranks on a grid, in the order of rows: so many along each dimension, of which each may be periodic (not 0). Where `reorder`
    /// is set, MPI may give a rank another number there; none for ranks that have no place. Collective.
    pub fn cartesian(&self, sizes: &[i32], periodic: &[u8], reorder: bool) -> Result<Self, MpiFailure> {
        let what = "put ranks on a grid";
        if sizes.len() != periodic.len() {
            let (sizes, periodic) = (sizes.len(), periodic.len());
            let message = format!(
                "{what}: there are {sizes} dimensions, and {periodic} are said to be periodic or not"
            );
            return Err(MpiFailure::usage(message));
        }
        let dimensions: Vec<Dimension> = amounts(sizes, what)?
            .into_iter()
            .zip(periodic)
            .map(|(size, periodic)| Dimension { size, periodic: *periodic != 0 })
            .collect();
        let grid = self.get()?.cartesian(&dimensions, reorder)?;
        Ok(UpcallMpiCommunicator::perhaps(grid.map(|grid| Held::Grid(Arc::new(grid)))))
    }

    /// Of a grid: how many ranks lie along each dimension.
    pub fn cartesian_sizes(&self) -> Result<Vec<i32>, MpiFailure> {
        Ok(self.grid()?.dimensions().iter().map(|dimension| dimension.size as i32).collect())
    }

    /// Of a grid: 1 for each dimension whose last rank's neighbor is the first, else 0.
    pub fn cartesian_periodic(&self) -> Result<Vec<u8>, MpiFailure> {
        Ok(self.grid()?.dimensions().iter().map(|dimension| dimension.periodic.into()).collect())
    }

    /// Of a grid: where a rank is.
    pub fn cartesian_coordinates(&self, of: i32) -> Result<Vec<i32>, MpiFailure> {
        let coordinates = self.grid()?.coordinates_of(rank(of, "look for a rank on a grid")?)?;
        Ok(coordinates.into_iter().map(|coordinate| coordinate as i32).collect())
    }

    /// Of a grid: who is there; -1 where nobody is.
    pub fn cartesian_rank(&self, coordinates: &[i32]) -> Result<i32, MpiFailure> {
        let coordinates: Vec<isize> = coordinates.iter().map(|coordinate| *coordinate as isize).collect();
        Ok(or_none(self.grid()?.rank_of(&coordinates)?))
    }

    /// Of a grid: whose this rank's place is, and whose place is its, after so many steps along a dimension: the rank that it
    /// receives from, and the one that it sends to; -1 where nobody is.
    pub fn cartesian_shift(&self, dimension: u32, steps: i32) -> Result<Vec<i32>, MpiFailure> {
        let (from, to) = self.grid()?.shift(dimension as usize, steps as isize)?;
        Ok(vec![or_none(from), or_none(to)])
    }

    /// Of a grid: this rank's part of it with the dimensions that are kept (not 0). Collective.
    pub fn cartesian_part(&self, kept: &[u8]) -> Result<Self, MpiFailure> {
        let kept: Vec<bool> = kept.iter().map(|kept| *kept != 0).collect();
        let part = self.grid()?.sub_grid(&kept)?;
        Ok(UpcallMpiCommunicator::perhaps(Some(Held::Grid(Arc::new(part)))))
    }

    /// Each rank says whom it receives from and whom it sends to, and how much goes there compared with others (all 1 where
    /// nothing is said); what the two ranks of an edge say is the same. Collective.
    pub fn graph_adjacent(
        &self,
        sources: &[i32],
        source_weights: &[u32],
        targets: &[i32],
        target_weights: &[u32],
        reorder: bool,
    ) -> Result<Self, MpiFailure> {
        let comm = self.get()?;
        let given =
            edges(sources, source_weights).and_then(|sources| Ok((sources, edges(targets, target_weights)?)));
        let (sources, targets) = match given {
            Ok(given) => given,
            Err(failure) => {
                // The others wait for this rank: an edge from nowhere tells them.
                let _ = comm.graph_adjacent(&[Edge::from(usize::MAX)], &[], reorder);
                return Err(failure);
            }
        };
        let graph = comm.graph_adjacent(&sources, &targets, reorder)?;
        Ok(UpcallMpiCommunicator::perhaps(Some(Held::Graph(Arc::new(graph)))))
    }

    /// Each rank says some of the edges, of whichever ranks: `degrees[s]` of the targets, one after the other, are those of
    /// `sources[s]`. Together they are the graph. Weights as in `graph_adjacent`. Collective.
    pub fn graph(
        &self,
        sources: &[i32],
        degrees: &[i32],
        targets: &[i32],
        weights: &[u32],
        reorder: bool,
    ) -> Result<Self, MpiFailure> {
        let comm = self.get()?;
        let given = listed(sources, degrees, targets, weights);
        let listed = match given {
            Ok(listed) => listed,
            Err(failure) => {
                // The others wait for this rank, as above.
                let _ = comm.graph(&[(usize::MAX, &[])], reorder);
                return Err(failure);
            }
        };
        let listed: Vec<(usize, &[Edge])> = listed.iter().map(|(rank, edges)| (*rank, &edges[..])).collect();
        let graph = comm.graph(&listed, reorder)?;
        Ok(UpcallMpiCommunicator::perhaps(Some(Held::Graph(Arc::new(graph)))))
    }

    /// The ranks that this one receives from, in the order in which their parts arrive; -1 where nobody is.
    pub fn neighbor_sources(&self) -> Result<Vec<i32>, MpiFailure> {
        Ok(self.neighborhood()?.sources().iter().copied().map(or_none).collect())
    }

    /// The ranks that this one sends to, in the order of their parts; -1 where nobody is.
    pub fn neighbor_targets(&self) -> Result<Vec<i32>, MpiFailure> {
        Ok(self.neighborhood()?.targets().iter().copied().map(or_none).collect())
    }

    /// Gives the bytes to each target, and gets those of each source, of which all have as many. The room of a source that is
    /// nobody stays as it is.
    pub fn neighbor_all_gather(&self, data: &[u8], into: &mut [u8]) -> Result<(), MpiFailure> {
        Ok(self.neighborhood()?.neighbor_all_gather_into(data, into)?)
    }

    /// As `neighbor_all_gather`, where each may have another number of bytes: how many each source has is written.
    pub fn neighbor_all_gather_parts(&self, data: &[u8], counts: &mut [u64]) -> Result<Vec<u8>, MpiFailure> {
        let neighbors = self.neighborhood()?;
        has_room(counts, neighbors.sources().len(), "gather of neighbors in parts")?;
        Ok(told(neighbors.neighbor_all_gather_parts(data)?, counts))
    }

    /// Gives each target `each` bytes of its own, and gets as many of each source.
    pub fn neighbor_all_to_all(&self, data: &[u8], into: &mut [u8], each: usize) -> Result<(), MpiFailure> {
        Ok(self.neighborhood()?.neighbor_all_to_all_into(data, into, each)?)
    }

    /// Gives each target `counts[t]` bytes of its own, and writes how many each source has given.
    pub fn neighbor_all_to_all_parts(
        &self,
        data: &[u8],
        counts: &[u64],
        received: &mut [u64],
    ) -> Result<Vec<u8>, MpiFailure> {
        let neighbors = self.neighborhood()?;
        has_room(received, neighbors.sources().len(), "exchange with neighbors in parts")?;
        Ok(told(neighbors.neighbor_all_to_all_parts(data, &sizes(counts))?, received))
    }
}

fn edges(ranks: &[i32], weights: &[u32]) -> Result<Vec<Edge>, MpiFailure> {
    let ranks = numbers(ranks, "make a graph")?;
    if !weights.is_empty() && weights.len() != ranks.len() {
        let message = format!("make a graph: there are {} edges and {} weights", ranks.len(), weights.len());
        return Err(MpiFailure::usage(message));
    }
    let weight = |index: usize| weights.get(index).copied().unwrap_or(1);
    Ok(ranks.into_iter().enumerate().map(|(index, rank)| Edge { rank, weight: weight(index) }).collect())
}

/// The edges of each source.
fn listed(
    sources: &[i32],
    degrees: &[i32],
    targets: &[i32],
    weights: &[u32],
) -> Result<Vec<(usize, Vec<Edge>)>, MpiFailure> {
    let (sources, degrees) = (numbers(sources, "make a graph")?, amounts(degrees, "make a graph")?);
    let mut edges = edges(targets, weights)?;
    let sum = degrees.iter().try_fold(0usize, |sum, degree| sum.checked_add(*degree));
    if sources.len() != degrees.len() || sum != Some(edges.len()) {
        let message = format!(
            "make a graph: there is one degree for each of the {} sources, and together they are the {} targets",
            sources.len(),
            edges.len()
        );
        return Err(MpiFailure::usage(message));
    }
    Ok(sources
        .into_iter()
        .zip(degrees)
        .map(|(source, degree)| (source, edges.drain(..degree).collect()))
        .collect())
}
