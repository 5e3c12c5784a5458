//! Communities by modularity, level by level: the Louvain method (Blondel, Guillaume, Lambiotte, Lefebvre 2008).

mod coarse;
mod edges;
mod moving;

use super::Weight;
use crate::error::{Error, ErrorKind};
use crate::file::Graph;
use coarse::Coarse;
use edges::{Edges, Stored};
use moving::{Moving, moved};
use std::sync::atomic::{AtomicBool, Ordering};

/// How communities are found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Louvain {
    /// How much chance weighs against edges: the larger, the smaller communities are; 1 by default, which is Newman's modularity.
    pub resolution: f64,
    /// It has ended when a pass over all vertices, a level, or a round gains no more modularity than this; 1e-7 by default.
    pub tolerance: f64,
    /// How often at most it begins again with single vertices, which may leave the communities that were found. 1 is the method as it
    /// was published; by default there is another one as long as there is a gain.
    pub rounds: usize,
}

impl Default for Louvain {
    fn default() -> Louvain {
        Louvain { resolution: 1.0, tolerance: 1e-7, rounds: usize::MAX }
    }
}

/// Communities, as [`louvain`] finds them.
#[derive(Clone, PartialEq, Debug)]
pub struct Communities {
    /// For each vertex the least vertex of its community.
    pub of: Vec<u64>,
    /// Their modularity: the share of edges inside communities, less what it would be by chance; 0 if there are no edges.
    pub modularity: f64,
    /// What was found on the way, from many small communities to the few of [`of`](Communities::of); the last level is these. There
    /// are none if no vertex has joined another.
    pub levels: Vec<Level>,
}

/// A level of communities. In a round each is made of some of the level before.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    /// How many communities there are.
    pub communities: usize,
    /// Their modularity.
    pub modularity: f64,
    /// Its round, from 0 on.
    pub round: usize,
    /// The place of each vertex's community, in the order of their least vertices.
    places: Vec<u32>,
}

impl Level {
    /// For each vertex the least vertex of its community.
    #[must_use]
    pub fn of(&self) -> Vec<u64> {
        let mut least = vec![None; self.communities];
        let one = |(vertex, place): (usize, &u32)| *least[*place as usize].get_or_insert(vertex as u64);
        self.places.iter().enumerate().map(one).collect()
    }
}

/// Finds communities with many edges inside and few between them. Edges have no direction here: each one of a directed graph counts
/// in both. They weigh what their values say, or 1 each with `()`.
///
/// Vertices move, one after the other, to the community of a neighbour by which modularity grows most; then communities are the
/// vertices of a smaller graph, and so on; and then there is another round, in which vertices may leave what they were put in (Rotta,
/// Noack 2011). Their order is shuffled, always in the same way, and it is done on one thread: results are
/// always the same bits. The graph's file is read once per pass of the first level, from front to
/// back, and once more community by community; the smaller graphs are in memory, with 12 bytes for each two communities that
/// have an edge, in each direction, and so are about 40 bytes per vertex, and 4 more
/// for each level.
///
/// # Errors
/// [`Usage`](ErrorKind::Usage): the file of a directed graph has no outgoing edges, or edges have no values of this type, or one weighs
/// less than 0 or is no finite number, or a setting is; [`TooLarge`](ErrorKind::TooLarge): there are more than 2^32 vertices, or
/// weights add up to more than f64 counts; [`Format`](ErrorKind::Format): an edge leads to no vertex;
/// [`Interrupted`](ErrorKind::Interrupted).
pub fn louvain<W: Weight>(
    graph: &Graph,
    settings: Louvain,
    stop: Option<&AtomicBool>,
) -> Result<Communities, Error> {
    for (name, value) in [("resolution", settings.resolution), ("tolerance", settings.tolerance)] {
        if !(value.is_finite() && value >= 0.0) {
            return Err(wrong(ErrorKind::Usage, &format!("the {name} is {value}, and 0 is the least")));
        }
    }
    let stored = Stored::<W>::of(graph, stop)?;
    let mut first = Moving::of(&stored, settings);
    if !first.all.is_finite() {
        return Err(wrong(ErrorKind::TooLarge, "weights add up to more than f64 counts"));
    }
    let alone = (0..stored.vertices() as u64).collect();
    if first.all == 0.0 {
        return Ok(Communities { of: alone, modularity: 0.0, levels: Vec::new() });
    }
    let (mut levels, mut modularity) = (Vec::<Level>::new(), first.modularity(&stored));
    for round in 0..settings.rounds {
        let before = modularity;
        if let Some(last) = levels.last() {
            first.begin(&last.places);
        }
        let mut last = up(&stored, &mut first, None, round, &mut levels, stop)?;
        while let Some(coarse) = last.filter(|_| gains(&levels, &mut modularity, settings.tolerance)) {
            let mut moving = Moving::of(&coarse, settings);
            last = up(&coarse, &mut moving, levels.len().checked_sub(1), round, &mut levels, stop)?;
        }
        if modularity - before <= settings.tolerance {
            break;
        }
    }
    let of = levels.last().map_or(alone, Level::of);
    Ok(Communities { of, modularity, levels })
}

/// Whether the last level has more modularity than what was there before.
fn gains(levels: &[Level], modularity: &mut f64, tolerance: f64) -> bool {
    let found = levels.last().map_or(*modularity, |level| level.modularity);
    let gain = found - *modularity;
    *modularity = found;
    gain > tolerance
}

/// Moves the vertices of a level, and adds what they come to as another one, unless all have stayed: the graph of communities.
fn up(
    edges: &impl Edges,
    moving: &mut Moving,
    below: Option<usize>,
    round: usize,
    levels: &mut Vec<Level>,
    stop: Option<&AtomicBool>,
) -> Result<Option<Coarse>, Error> {
    if !moved(edges, moving, stop)? {
        return Ok(None);
    }
    let (parents, communities) = coarse::numbered(&moving.communities);
    let next = Coarse::of(edges, &parents, communities, stop)?;
    let modularity = Moving::of(&next, moving.settings).modularity(&next);
    let places = match below {
        Some(below) => levels[below].places.iter().map(|place| parents[*place as usize]).collect(),
        None => parents,
    };
    levels.push(Level { communities, modularity, round, places });
    Ok(Some(next))
}

#[cold]
fn wrong(kind: ErrorKind, what: &str) -> Error {
    Error::new(kind, format!("find communities: {what}"))
}

/// Vertices between two looks at whether it is to stop.
const OFTEN: usize = 1 << 12;

/// An error if it is to stop, now and then.
fn goes_on(vertex: usize, stop: Option<&AtomicBool>) -> Result<(), Error> {
    match vertex.is_multiple_of(OFTEN) && stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
        true => Err(wrong(ErrorKind::Interrupted, "it was told to stop")),
        false => Ok(()),
    }
}
