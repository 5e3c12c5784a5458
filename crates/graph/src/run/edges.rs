//! Values of edges that a program writes.

use super::checkpoint::bytes_mut;
use super::kernel::Kernel;
use super::shared::Shared;
use super::side::Side;
use super::{Running, last_and_other};
use crate::change::Cut;
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id, columns};
use crate::program::EdgeValue;
use crate::values::{Place, Values as Numbers};
use crate::vertex::{Context, Values};
use crate::write_back::{Front, WriteBack as _, pieces};
use std::ops::Range;
use upcall_abi::{Blit, ahead};
use upcall_host::Lent;

/// In the order of outgoing edges: what a vertex sets lies side by side, and nobody else writes there. What it reads of incoming ones lies
/// apart, and is asked for ahead; a file has them the other way around.
pub(super) struct Edges<V> {
    /// Those of the last iteration, which are read, and those of this one, as [`Running::now`] says.
    pub(super) values: [Shared<V>; 2],
    /// Of each incoming edge, where it is among outgoing ones.
    places: Numbers<u64>,
}

/// Those that were set of the graph before this one.
pub(super) struct Set<V> {
    pub(super) values: Numbers<V>,
    /// Which array is read next.
    pub(super) read: usize,
    /// Where the outgoing edges differ.
    pub(super) cuts: Vec<Cut>,
}

impl<V: Blit + Send + Sync> Edges<V> {
    /// With the values of these bytes, which are in the order of incoming edges, or 0 where there are none; but those that edges were set
    /// to in the graph before.
    pub(super) fn new<I: Id>(
        graph: &Graph,
        first: &[u8],
        set: Option<Set<V>>,
        (incoming, outgoing): (&Side<'_, I, V>, &Side<'_, I, V>),
        (place, place_of_places): (Place<'_>, Place<'_>),
    ) -> Result<Self, Error> {
        let places = places(graph, incoming, outgoing, place_of_places)?;
        let values = || Numbers::zeroed(outgoing.count, place);
        let (mut now, read) = (values()?, set.as_ref().map_or(0, |set| set.read));
        if !first.is_empty() {
            if first.len() / size_of::<V>() != places.count() {
                let why =
                    "run the program: there is not one value for each edge: the graph's file is damaged";
                return Err(Error::new(ErrorKind::Format, why));
            }
            match place {
                Place::Bounded(_) => in_order(graph, first, &places, &mut now)?,
                _ => at_their_places(first, &places, now.elements()),
            }
        }
        if let Some(set) = set {
            let (mut from, mut to, mut front) = (0, 0, Front::default());
            let behind = set.values.len()..set.values.len();
            for (old, come) in set.cuts.iter().map(|cut| (cut.old.clone(), cut.count())).chain([(behind, 0)])
            {
                for stay in pieces::<V>(from..old.start) {
                    let end = to + stay.len();
                    now.elements()[to..end].copy_from_slice(&set.values[stay]);
                    to = end;
                    front.reaches(&now, to)?;
                }
                (from, to) = (old.end, to + come);
            }
            front.ends(&now)?;
            // Those of the graph before are gone when the second array is made: there are never three.
        }
        let (now, next) = (Shared::new(now), Shared::new(values()?));
        let values = if read == 0 { [now, next] } else { [next, now] };
        Ok(Edges { values, places })
    }

    /// What other processes may map.
    pub(super) fn lent(&self) -> impl Iterator<Item = Lent> {
        self.values.iter().filter_map(Shared::lent).chain(self.places.lent())
    }

    /// As [`WriteBack::will_need`], of where the values of these incoming edges are.
    pub(super) fn will_need_places(&self, edges: Range<usize>) {
        self.places.will_need(edges);
    }

    /// Of each incoming edge, where its value is.
    pub(super) fn places(&self) -> &[u64] {
        &self.places
    }

    /// Those that the last iteration has written, in the order of incoming edges.
    pub(super) fn into_files_order(self, iterations: u64) -> Result<Numbers<V>, Error> {
        let (from, mut to) = last_and_other(self.values, iterations);
        let all = 0..self.places.count();
        let from = Values::At(&from, &self.places, behind(&self.places, all.clone(), all.end));
        let mut front = Front::default();
        for piece in pieces::<V>(all) {
            for (index, to) in piece.clone().zip(&mut to.elements()[piece.clone()]) {
                *to = from.get(index).unwrap_or(*to);
            }
            front.reaches(&to, piece.end)?;
        }
        front.ends(&to)?;
        Ok(to)
    }
}

/// Puts values that are in the order of incoming edges at the places that these edges have among outgoing ones.
fn at_their_places<V: Blit>(first: &[u8], places: &[u64], to: &mut [V]) {
    for (place, value) in places.iter().zip(first.chunks_exact(size_of::<V>())) {
        bytes_mut(std::slice::from_mut(&mut to[*place as usize])).copy_from_slice(value);
    }
}

/// The same in the order in which they are written, as pages that are written at random are dirty all at once.
fn in_order<V: Blit>(graph: &Graph, first: &[u8], places: &[u64], to: &mut Numbers<V>) -> Result<(), Error> {
    // Of each outgoing edge, where it is among incoming ones. In an undirected graph the edge back is there, and so the other way around.
    let back = match graph.is_directed() {
        true => graph.file().column::<u64>(columns::OUT_PLACES)?,
        false => places,
    };
    are_within(back, places.len())?;
    let mut front = Front::default();
    for piece in pieces::<V>(0..to.count()) {
        for (to, place) in to.elements()[piece.clone()].iter_mut().zip(&back[piece.clone()]) {
            let value = *place as usize * size_of::<V>();
            bytes_mut(std::slice::from_mut(to)).copy_from_slice(&first[value..value + size_of::<V>()]);
        }
        front.reaches(to, piece.end)?;
    }
    front.ends(to)
}

/// Those of these places that are looked up some time after each of a range.
fn behind(places: &[u64], these: Range<usize>, end: usize) -> &[u64] {
    &places[ahead(these, end)]
}

/// Whether each of these edges has a value: of so many, the one at its place.
pub(super) fn are_within(places: &[u64], count: usize) -> Result<(), Error> {
    if places.iter().any(|place| *place >= count as u64) {
        let why = "run the program: an edge has no value: the graph's file is damaged";
        return Err(Error::new(ErrorKind::Format, why));
    }
    Ok(())
}

/// Of each incoming edge, where it is among outgoing ones. Both sides have neighbours in ascending order: as vertices are gone through, the
/// outgoing edges of each come one after the other.
fn places<I: Id, V: Copy>(
    graph: &Graph,
    incoming: &Side<'_, I, V>,
    outgoing: &Side<'_, I, V>,
    place: Place<'_>,
) -> Result<Numbers<u64>, Error> {
    outgoing.is_in_order()?;
    let mut places = Numbers::zeroed(incoming.count, place)?;
    let vertices = graph.vertices();
    let mut next: Vec<u64> = (0..vertices).map(|vertex| outgoing.of(vertex).start as u64).collect();
    let (mut all, mut front) = (graph.incoming_in_order(), Front::default());
    for vertex in 0..vertices {
        let (edges, ids) = all.of(vertex)?;
        let first = edges.start;
        for piece in pieces::<u64>(edges) {
            for (edge, place) in piece.clone().zip(&mut places.elements()[piece.clone()]) {
                let next = next.get_mut(ids.get(edge - first)).ok_or_else(|| {
                    let why = format!(
                        "run the program: an edge of vertex {vertex} comes from none: the graph's file is damaged"
                    );
                    Error::new(ErrorKind::Format, why)
                })?;
                *place = *next;
                *next += 1;
            }
            front.reaches(&places, piece.end)?;
        }
    }
    front.ends(&places)?;
    are_within(&places, outgoing.count)?;
    Ok(places)
}

/// The values of a vertex's edges, and where it sets those of outgoing ones.
pub(super) struct Seen<'a, V> {
    pub(super) incoming: Values<'a, V>,
    pub(super) outgoing: Values<'a, V>,
    pub(super) next: &'a mut [V],
}

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// Has the outgoing edges of a block go on with the values that they have: what is not set in this iteration stays.
    pub(super) fn carry(&self, block: usize, context: Context) {
        let (Some(edges), Some(side)) = (&self.edges, &self.outgoing) else { return };
        let (range, (read, written)) = (side.of_all(self.vertices_of(block)), self.now(context));
        // SAFETY: those of the last iteration are only read for as long as vertices are updated; the others are of this block alone, as
        // outgoing edges are in order, and each block is in one chunk, of which each is taken once.
        unsafe {
            edges.values[written].part(range.clone()).copy_from_slice(&edges.values[read].whole()[range])
        }
    }

    /// What a vertex with these incoming and outgoing edges sees and sets. Incoming edges before `end` are looked at soon.
    ///
    /// # Safety
    /// This thread alone has the block of the vertex, and nothing else of it that this has returned.
    #[inline]
    pub(super) unsafe fn seen(
        &self,
        context: Context,
        (incoming, end): (Range<usize>, usize),
        outgoing: Range<usize>,
    ) -> Option<Seen<'_, <K::Edge as EdgeValue>::Stored>> {
        let edges = self.edges.as_ref()?;
        let (read, written) = self.now(context);
        // SAFETY: those of the last iteration are only read for as long as vertices are updated.
        let all = unsafe { edges.values[read].whole() };
        // SAFETY: outgoing edges are in order, so that nobody else has these.
        let next = unsafe { edges.values[written].part(outgoing.clone()) };
        let (places, ahead) = (&edges.places[incoming.clone()], behind(&edges.places, incoming, end));
        Some(Seen { incoming: Values::At(all, places, ahead), outgoing: Values::Here(&all[outgoing]), next })
    }
}
