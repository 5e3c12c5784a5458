//! What a graph's programs come to, by ours, to compare peers with: who is fast and wrong is no peer.

use anyhow::{Result, ensure};
use upcall_graph::programs::{Breadth, PageRank, Real, UNREACHED, weak_components};
use upcall_graph::{Graph, Options, run};

/// Iterations of PageRank.
pub const ITERATIONS: u64 = 10;

/// When ranks have converged, where a peer goes on until they have: what PRPACK stops at.
pub const CONVERGED: f64 = 1e-10;

/// PageRank that runs until it is told to stop.
#[must_use]
pub fn rank<R: Real>() -> PageRank<R> {
    until(-1.0)
}

/// PageRank until ranks change by no more than this in one iteration.
#[must_use]
pub fn until<R: Real>(tolerance: f64) -> PageRank<R> {
    let mut program = PageRank::default();
    program.tolerance = tolerance;
    program
}

/// The vertex with most edges.
#[must_use]
pub fn hub(graph: &Graph) -> usize {
    let degrees = graph.out_degrees().iter().enumerate();
    degrees.max_by_key(|(vertex, degree)| (**degree, usize::MAX - vertex)).map_or(0, |(vertex, _)| vertex)
}

/// What programs come to.
#[derive(Debug)]
pub struct Known {
    /// Where breadth-first search begins.
    pub hub: usize,
    /// How many components there are.
    pub components: usize,
    /// How many vertices are reached from the hub, itself included.
    pub reached: usize,
    /// Who has the highest rank.
    pub first: First,
}

/// The vertex with the highest rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct First {
    /// Which it is.
    pub vertex: usize,
    /// Its rank.
    pub rank: f64,
}

impl First {
    /// Of ranks; of none it is vertex 0.
    pub fn of(ranks: impl IntoIterator<Item = impl Into<f64>>) -> First {
        let ranks = ranks.into_iter().map(Into::into).enumerate();
        let best = ranks.max_by(|(_, one), (_, other)| f64::total_cmp(one, other));
        best.map_or(First { vertex: 0, rank: 0.0 }, |(vertex, rank)| First { vertex, rank })
    }

    /// Compares the vertex with the highest rank, and its rank where it has one that adds up to 1 with the others.
    ///
    /// # Errors
    /// It is another one, or its rank is more than `tolerance` of itself away.
    pub fn check(&self, who: &str, vertex: usize, rank: Option<f64>, tolerance: f64) -> Result<()> {
        let near = rank.is_none_or(|rank| (rank / self.rank - 1.0).abs() <= tolerance);
        ensure!(
            vertex == self.vertex && near,
            "comparing ranks: {who} has vertex {vertex} first, with {rank:?}, ours is vertex {} with {}",
            self.vertex,
            self.rank
        );
        Ok(())
    }
}

impl Known {
    /// Of a graph.
    ///
    /// # Errors
    /// There is no memory, or the graph is broken.
    pub fn of(graph: &Graph) -> Result<Known> {
        let hub = hub(graph);
        let of = weak_components(graph, 0, None)?;
        let components = of.iter().enumerate().filter(|(vertex, least)| **least == *vertex as u64).count();
        let far = run(graph, Breadth { from: hub }, Options::default())?;
        let reached = far.shown.iter().filter(|far| **far != UNREACHED).count();
        let ranks = run(graph, until::<f64>(CONVERGED), Options::default())?;
        Ok(Known { hub, components, reached, first: First::of(ranks.own.iter().copied()) })
    }

    /// Compares a number of components.
    ///
    /// # Errors
    /// It is another one.
    pub fn check_components(&self, who: &str, components: usize) -> Result<()> {
        ensure!(
            components == self.components,
            "comparing components: {who} has {components}, ours are {}",
            self.components
        );
        Ok(())
    }

    /// Compares a number of vertices that are reached.
    ///
    /// # Errors
    /// It is another one.
    pub fn check_reached(&self, who: &str, reached: usize) -> Result<()> {
        ensure!(
            reached == self.reached,
            "comparing what is reached: {who} has {reached} vertices, ours are {}",
            self.reached
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upcall_graph::{Builder, Direction, Source};

    #[test]
    fn a_peer_that_comes_to_something_else_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (list, place) = (folder.path().join("edges.txt"), folder.path().join("edges.graph"));
        // A star and an edge apart.
        std::fs::write(&list, "1 0\n1 2\n1 3\n4 5\n").unwrap();
        Builder::new().source(Source::file(&list)).direction(Direction::Undirected).build(&place).unwrap();
        let known = Known::of(&Graph::read(&place).unwrap()).unwrap();
        assert_eq!((known.hub, known.components, known.reached, known.first.vertex), (1, 2, 4, 1));
        known.check_components("it", 2).unwrap();
        known.check_reached("it", 4).unwrap();
        let first = known.first;
        first.check("it", 1, None, 0.0).unwrap();
        first.check("it", 1, Some(first.rank * 1.001), 0.01).unwrap();
        assert!(known.check_components("it", 3).unwrap_err().to_string().contains("it has 3"));
        assert!(known.check_reached("it", 3).is_err() && first.check("it", 0, None, 0.0).is_err());
        assert!(first.check("it", 1, Some(first.rank * 1.1), 0.01).is_err());
    }
}
