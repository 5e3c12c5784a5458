//! Communicators whose ranks have neighbors, and what each rank does together with its own.

mod cartesian;
mod exchange;
mod graph;

pub use cartesian::{Cartesian, Dimension};
pub use graph::{Edge, Graph};

use crate::communicator::Communicator;
use std::ops::Deref;

/// A communicator whose ranks have neighbors: those that a rank receives from, and those that it sends to.
///
/// It is a [`Communicator`] in all else. A [`Cartesian`] and a [`Graph`] are ones.
#[derive(Debug)]
pub struct Neighborhood {
    comm: Communicator,
    sources: Vec<Option<usize>>,
    targets: Vec<Option<usize>>,
    /// As which source's the library has the part of each source arrive, where it mixes them up: where all parts are as large, and
    /// where they are not.
    crossed: [Option<Vec<usize>>; 2],
}

impl Neighborhood {
    /// The ranks that this one receives from, in the order in which their parts arrive. `None`: nobody is there, as beyond the
    /// border of a grid.
    #[must_use]
    pub fn sources(&self) -> &[Option<usize>] {
        &self.sources
    }

    /// The ranks that this one sends to, in the order of their parts.
    #[must_use]
    pub fn targets(&self) -> &[Option<usize>] {
        &self.targets
    }
}

impl Deref for Neighborhood {
    type Target = Communicator;

    fn deref(&self) -> &Communicator {
        &self.comm
    }
}
