//! Values of edges that a program writes.

use super::Running;
use super::checkpoint::bytes_mut;
use super::kernel::Kernel;
use super::shared::Shared;
use super::side::Side;
use crate::change::Cut;
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id, columns};
use crate::program::EdgeValue;
use crate::values::{Place, Values as Numbers};
use crate::vertex::{Context, Values};
use std::ops::{Deref as _, Range};
use upcall_abi::Blit;
use upcall_host::Lent;

/// In the order of incoming edges, as a file has them.
pub(super) struct Edges<'g, V> {
    /// Those of the last iteration, which are read, and those of this one, as [`Running::now`] says.
    pub(super) values: [Shared<V>; 2],
    places: Places<'g>,
}

/// Those that were set of the graph before this one.
pub(super) struct Set<V> {
    pub(super) values: Numbers<V>,
    /// Which array is read next.
    pub(super) read: usize,
    /// Where the incoming edges differ.
    pub(super) cuts: Vec<Cut>,
}

/// How what is not set goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Carry {
    /// All values are copied.
    All,
    /// Those are that were set in the last iteration: the two arrays have the same of all others.
    Set,
}

/// How much longer it takes to copy a value here and there than one after the other.
const FEW: usize = 8;

/// Of each outgoing edge, where it is among incoming ones.
enum Places<'g> {
    File(&'g [u64]),
    Made(Numbers<u64>),
}

impl<'g, V: Blit + Send + Sync> Edges<'g, V> {
    /// With the values of these bytes, or 0 where there are none; but those that edges were set to in the graph before.
    pub(super) fn new<I: Id>(
        graph: &'g Graph,
        first: &[u8],
        set: Option<Set<V>>,
        (incoming, outgoing): (&Side<'g, I, V>, &Side<'g, I, V>),
        place: Place<'_>,
    ) -> Result<Self, Error> {
        let file = graph.file();
        let count = incoming.count;
        let values = || Numbers::zeroed(count, place).map(Shared::new);
        let (now, read) = (values()?, set.as_ref().map_or(0, |set| set.read));
        // SAFETY: nobody else has it yet.
        let begin = unsafe { now.part(0..count) };
        if !first.is_empty() {
            let all = bytes_mut(begin);
            if all.len() != first.len() {
                let why =
                    "run the program: there is not one value for each edge: the graph's file is damaged";
                return Err(Error::new(ErrorKind::Format, why));
            }
            all.copy_from_slice(first);
        }
        if let Some(set) = set {
            let (mut from, mut to) = (0, 0);
            let behind = set.values.len()..set.values.len();
            for (old, come) in set.cuts.iter().map(|cut| (cut.old.clone(), cut.count())).chain([(behind, 0)])
            {
                let stay = &set.values[from..old.start];
                begin[to..to + stay.len()].copy_from_slice(stay);
                (from, to) = (old.end, to + stay.len() + come);
            }
            // Those of the graph before are gone when the second array is made: there are never three.
        }
        let next = values()?;
        let values = if read == 0 { [now, next] } else { [next, now] };
        let places = match graph.is_directed() && file.entry(columns::OUT_PLACES).is_some() {
            true => Places::File(file.column(columns::OUT_PLACES)?),
            false => Places::Made(made(graph, incoming, outgoing, place)?),
        };
        let edges = Edges { values, places };
        are_within(edges.places(), count)?;
        Ok(edges)
    }

    /// What other processes may map.
    pub(super) fn lent(&self) -> impl Iterator<Item = Lent> {
        let made = match &self.places {
            Places::File(_) => None,
            Places::Made(places) => places.lent(),
        };
        self.values.iter().filter_map(Shared::lent).chain(made)
    }

    /// Of each outgoing edge, where its value is.
    pub(super) fn places(&self) -> &[u64] {
        match &self.places {
            Places::File(places) => places,
            Places::Made(places) => places.deref(),
        }
    }
}

/// Whether each outgoing edge has a value: of so many, the one at its place.
pub(super) fn are_within(places: &[u64], count: usize) -> Result<(), Error> {
    if places.iter().any(|place| *place >= count as u64) {
        let why = "run the program: an outgoing edge has no value: the graph's file is damaged";
        return Err(Error::new(ErrorKind::Format, why));
    }
    Ok(())
}

/// Both sides have neighbours in ascending order: as vertices are gone through, the incoming edges of each come one after the other.
fn made<I: Id, V: Copy>(
    graph: &Graph,
    incoming: &Side<'_, I, V>,
    outgoing: &Side<'_, I, V>,
    place: Place<'_>,
) -> Result<Numbers<u64>, Error> {
    let places = Shared::new(Numbers::zeroed(outgoing.count, place)?);
    let vertices = graph.vertices();
    let mut next: Vec<usize> = (0..vertices).map(|vertex| incoming.of(vertex).start).collect();
    let Some(mut all) = graph.outgoing_in_order() else { return Ok(places.into_inner()) };
    for vertex in 0..vertices {
        let (edges, ids) = all.of(vertex)?;
        // SAFETY: nobody else has it yet.
        let places = unsafe { places.part(edges) };
        for (index, place) in places.iter_mut().enumerate() {
            let next = next.get_mut(ids.get(index)).ok_or_else(|| {
                let why = format!(
                    "run the program: an edge of vertex {vertex} leads to none: the graph's file is damaged"
                );
                Error::new(ErrorKind::Format, why)
            })?;
            *place = *next as u64;
            *next += 1;
        }
    }
    Ok(places.into_inner())
}

/// Where a vertex writes the values of its outgoing edges.
pub(crate) struct Writes<'a, V> {
    to: &'a Shared<V>,
    places: &'a [u64],
}

/// The values of a vertex's edges, and where it sets those of outgoing ones.
pub(super) struct Seen<'a, V> {
    pub(super) incoming: Values<'a, V>,
    pub(super) outgoing: Values<'a, V>,
    pub(super) writes: Writes<'a, V>,
}

impl<V: Blit> Writes<'_, V> {
    /// # Panics
    /// There is no such edge, or the file is damaged and says that it is none.
    #[inline]
    pub(crate) fn set(&self, index: usize, value: V) {
        let Some(place) = self.places.get(index) else {
            panic!("the vertex has {} outgoing edges, and {index} was set", self.places.len())
        };
        // SAFETY: those of this iteration are only written for as long as vertices are updated.
        unsafe { self.to.set(*place as usize, value) }
    }
}

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// Copying all is quicker than looking for what was set by many.
    pub(super) fn how_to_carry(&self) -> Carry {
        // SAFETY: no worker is at work.
        let states = unsafe { self.states.whole() };
        let speak = states.iter().filter(|state| !state.silent).count();
        if speak * FEW > states.len() { Carry::All } else { Carry::Set }
    }

    /// What is not set in this iteration goes on as it is: for each chunk a part of all edges, or what its own vertices have set in the
    /// last iteration.
    pub(super) fn carry(&self, how: Carry, chunk: usize, context: Context) {
        let Some(edges) = &self.edges else { return };
        let (read, written) = self.now(context);
        // SAFETY: nobody updates a vertex meanwhile.
        let from = unsafe { edges.values[read].whole() };
        if how == Carry::All {
            let (count, chunks) = (from.len() as u128, self.chunks.len() as u128);
            let at = |chunk: usize| (count * chunk as u128 / chunks) as usize;
            let range = at(chunk)..at(chunk + 1);
            // SAFETY: each chunk is taken once.
            unsafe { edges.values[written].part(range.clone()) }.copy_from_slice(&from[range]);
            return;
        }
        let Some(side) = &self.outgoing else { return };
        for block in self.chunks[chunk].clone() {
            // SAFETY: nobody writes it meanwhile.
            if unsafe { self.states.whole() }[block].silent {
                continue;
            }
            let vertices = self.vertices_of(block);
            let set = side.of(vertices.start).start..side.of(vertices.end - 1).end;
            for place in &edges.places()[set] {
                let place = *place as usize;
                // SAFETY: nobody reads it meanwhile, and all write it in this way.
                unsafe { edges.values[written].set(place, from[place]) };
            }
        }
    }

    /// What a vertex with these incoming and outgoing edges sees and sets.
    #[inline]
    pub(super) fn seen(
        &self,
        context: Context,
        incoming: Range<usize>,
        outgoing: Range<usize>,
    ) -> Option<Seen<'_, <K::Edge as EdgeValue>::Stored>> {
        let edges = self.edges.as_ref()?;
        let (read, written) = self.now(context);
        // SAFETY: those of the last iteration are only read for as long as vertices are updated.
        let all = unsafe { edges.values[read].whole() };
        let places = &edges.places()[outgoing];
        let writes = Writes { to: &edges.values[written], places };
        Some(Seen { incoming: Values::Here(&all[incoming]), outgoing: Values::At(all, places), writes })
    }
}
