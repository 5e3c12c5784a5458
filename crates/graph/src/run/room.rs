//! Neighbours that are at hand: those of the graph's file, or what a worker has decoded of them.

use super::Running;
use super::kernel::Kernel;
use super::side::{Side, Stored};
use crate::compressed::damaged;
use crate::error::Error;
use crate::file::Id;
use crate::program::EdgeValue;
use crate::values::{Place, Values};
use std::marker::PhantomData;
use std::ops::Range;
use upcall_abi::Blit;
use upcall_host::Lent;

/// The neighbours of some of a side's edges, by the places of these.
#[derive(Debug)]
pub(super) struct Part<'a, I> {
    /// Where the one at place 0 would be.
    zero: *const I,
    /// The places of those that are there.
    first: usize,
    end: usize,
    of: PhantomData<&'a [I]>,
}

impl<I> Clone for Part<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Part<'_, I> {}

impl<'a, I> Part<'a, I> {
    #[inline(always)]
    fn new(ids: &'a [I], first: usize) -> Self {
        Part { zero: ids.as_ptr().wrapping_sub(first), first, end: first + ids.len(), of: PhantomData }
    }

    /// All that are there.
    pub(super) fn all(self) -> &'a [I] {
        // SAFETY: they are there.
        unsafe { self.get_unchecked(self.places()) }
    }

    /// The places of all that are there.
    pub(super) fn places(self) -> Range<usize> {
        self.first..self.end
    }

    /// The neighbours at some places.
    ///
    /// # Panics
    /// Not all of them are there.
    #[inline(always)]
    pub(super) fn get(self, places: Range<usize>) -> &'a [I] {
        assert!(
            self.first <= places.start && places.start <= places.end && places.end <= self.end,
            "edges {places:?} are not at hand"
        );
        // SAFETY: they are there, as was just compared.
        unsafe { self.get_unchecked(places) }
    }

    /// # Safety
    /// All of them are there.
    #[inline(always)]
    pub(super) unsafe fn get_unchecked(self, places: Range<usize>) -> &'a [I] {
        // SAFETY: the caller's promise: the pointer is one into the slice that it comes from, of which so many elements follow.
        unsafe { std::slice::from_raw_parts(self.zero.wrapping_add(places.start), places.len()) }
    }
}

/// What a worker has at hand.
pub(super) struct Parts<'a, I> {
    pub(super) incoming: Part<'a, I>,
    /// Nothing where the program does not need them.
    pub(super) outgoing: Part<'a, I>,
}

/// A worker's room for neighbours that it decodes; of a graph that is not compressed it takes none.
pub(super) struct Room<I> {
    /// Of edges that come in, and of those that go out.
    sides: [Decoded<I>; 2],
}

struct Decoded<I> {
    ids: Values<I>,
    /// The places of the edges that are decoded into it, in part.
    places: Range<usize>,
}

impl<I: Blit> Decoded<I> {
    fn new(room: usize, place: Place<'_>) -> Result<Self, Error> {
        Ok(Decoded { ids: Values::zeroed(room, place)?, places: 0..0 })
    }

    fn part(&self) -> Part<'_, I> {
        let Range { start, end } = self.places;
        Part::new(&self.ids[..end - start], start)
    }

    /// Where those at some places are written.
    fn at(&mut self, places: Range<usize>) -> Option<&mut [I]> {
        let within =
            places.start.checked_sub(self.places.start)?..places.end.checked_sub(self.places.start)?;
        self.ids.elements().get_mut(within)
    }
}

impl<I: Blit> Room<I> {
    /// What other processes may map.
    pub(super) fn lent(&self) -> impl Iterator<Item = Lent> {
        self.sides.iter().filter_map(|side| side.ids.lent())
    }
}

type SideOf<'a, 'g, I, K> = &'a Side<'g, I, <<K as Kernel<I>>::Edge as EdgeValue>::Stored>;

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// Room for the chunk with the most edges.
    pub(super) fn room(&self, place: Place<'_>) -> Result<Room<I>, Error> {
        let most = |side: Option<&Side<'_, I, _>>| {
            let side = side.filter(|_| self.graph.is_compressed());
            let edges = |blocks: &Range<usize>| side.map_or(0, |side| self.places(side, blocks).len());
            self.chunks.iter().map(edges).max().unwrap_or_default()
        };
        let [incoming, outgoing] = self.decoded_sides();
        let sides = [Decoded::new(most(incoming), place)?, Decoded::new(most(outgoing), place)?];
        Ok(Room { sides })
    }

    /// Those of which neighbours are decoded: of an undirected graph both are the same.
    fn decoded_sides(&self) -> [Option<SideOf<'_, '_, I, K>>; 2] {
        [Some(&self.incoming), self.outgoing.as_ref().filter(|_| self.graph.is_directed())]
    }

    /// The places of the edges of some blocks.
    fn places<V: Copy>(&self, side: &Side<'_, I, V>, blocks: &Range<usize>) -> Range<usize> {
        let vertices = self.vertices_in(blocks);
        side.of_all(vertices)
    }

    /// The room is for these blocks from now on, each of which is decoded when it is [prepared](Running::prepare).
    #[inline]
    pub(super) fn begin(&self, room: &mut Room<I>, blocks: &Range<usize>) {
        if !self.graph.is_compressed() {
            return;
        }
        for (side, decoded) in self.decoded_sides().into_iter().zip(&mut room.sides) {
            let places = side.map_or(0..0, |side| self.places(side, blocks));
            // There is room for all chunks, unless the file is damaged.
            decoded.places = places.start..places.end.min(places.start + decoded.ids.count());
        }
    }

    /// Decodes a block of those that the room is for.
    #[inline(never)]
    pub(super) fn decode(&self, room: &mut Room<I>, block: usize) -> Result<(), Error> {
        let vertices = self.vertices_of(block);
        for (side, decoded) in self.decoded_sides().into_iter().zip(&mut room.sides) {
            let Some(side) = side else { continue };
            let Stored::Compressed(compressed) = &side.ids else { continue };
            let offsets = &side.offsets[vertices.start..=vertices.end];
            let places = offsets[0] as usize..offsets[vertices.len()] as usize;
            let ids = decoded.at(places).and_then(I::narrow);
            ids.and_then(|ids| compressed.decode(block, offsets, ids))
                .ok_or_else(|| damaged(block, vertices.len()))?;
        }
        Ok(())
    }

    /// The neighbours of the vertices that the room is for, or of all if they are not compressed.
    #[inline(always)]
    pub(super) fn at_hand<'a>(&'a self, room: &'a Room<I>) -> Parts<'a, I> {
        let part = |side: &'a Side<'_, I, _>, decoded: &'a Decoded<I>| match &side.ids {
            Stored::Plain(ids) => Part::new(ids, 0),
            Stored::Compressed(_) => decoded.part(),
        };
        let [incoming, outgoing] = &room.sides;
        Parts {
            incoming: part(&self.incoming, incoming),
            outgoing: match &self.outgoing {
                Some(side) => part(side, if self.graph.is_directed() { outgoing } else { incoming }),
                None => Part::new(&[], 0),
            },
        }
    }
}
