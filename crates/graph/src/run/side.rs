//! The edges of a graph in one direction, as a program looks at them.

use super::kernel::Needs;
use super::room::Part;
use crate::compressed::Compressed;
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id, SIDES, columns, places};
use crate::program::EdgeValue;
use crate::vertex::Values;
use std::ops::Range;

pub(super) struct Side<'g, I, V> {
    pub(super) offsets: &'g [u64],
    pub(super) ids: Stored<'g, I>,
    /// How many edges there are.
    pub(super) count: usize,
    values: Values<'g, V>,
}

/// Where the edges of some vertices are, one vertex's behind the other's.
#[derive(Clone, Copy)]
pub(super) struct Row<'g> {
    offsets: &'g [u64],
}

impl Row<'_> {
    /// Those of some of them, from the first on counted.
    #[inline(always)]
    pub(super) fn of(&self, vertices: Range<usize>) -> Range<usize> {
        self.offsets[vertices.start] as usize..self.offsets[vertices.end] as usize
    }
}

/// The vertices at the edges' other ends.
pub(super) enum Stored<'g, I> {
    Plain(&'g [I]),
    Compressed(Compressed<'g>),
}

impl<'g, I: Id, V: Copy> Side<'g, I, V> {
    /// As [`Adjacency::of`](crate::Adjacency::of).
    #[inline(always)]
    pub(super) fn of(&self, vertex: usize) -> Range<usize> {
        places(self.offsets, vertex, self.count)
    }

    /// Where the edges of vertices that follow each other are, which are known to be [in order](Side::are_within).
    #[inline(always)]
    pub(super) fn row(&self, vertices: &Range<usize>) -> Row<'g> {
        Row { offsets: &self.offsets[vertices.start..][..vertices.len() + 1] }
    }

    /// The same for vertices that follow each other, if there are any: none where a damaged file has them in another order.
    pub(super) fn of_all(&self, vertices: Range<usize>) -> Range<usize> {
        if vertices.is_empty() {
            return 0..0;
        }
        let begin = self.of(vertices.start).start;
        begin..self.of(vertices.end - 1).end.max(begin)
    }

    #[inline(always)]
    pub(super) fn values(&self, range: Range<usize>) -> Values<'g, V> {
        match self.values {
            Values::None => Values::None,
            Values::Here(values) => Values::Here(&values[range]),
            Values::At(values, places, _) => Values::At(values, &places[range], &[]),
        }
    }

    /// An error unless the edges of all vertices are in order: those of each follow those of the one before.
    pub(super) fn is_in_order(&self) -> Result<(), Error> {
        if self.offsets.is_sorted() && self.offsets.last().is_none_or(|last| *last <= self.count as u64) {
            return Ok(());
        }
        let why = "run the program: the edges of vertices are not in order: the graph's file is damaged, `upcall graph check` says where";
        Err(Error::new(ErrorKind::Format, why))
    }

    /// Whether the edges of these vertices are in order, and all lead to one that is there.
    pub(super) fn are_within(&self, ids: Part<'_, I>, vertices: Range<usize>, count: usize) -> bool {
        let offsets = &self.offsets[vertices.start..=vertices.end];
        let edges = self.of(vertices.start).start..self.of(vertices.end - 1).end;
        offsets.is_sorted()
            && offsets.last().is_some_and(|last| *last <= self.count as u64)
            && ids.get(edges).iter().fold(0, |most, id| id.vertex().max(most)) < count
    }
}

type Sides<'g, E, I> = (Side<'g, I, <E as EdgeValue>::Stored>, Option<Side<'g, I, <E as EdgeValue>::Stored>>);

/// The edges that come in, and those that go out, if the program looks at them.
pub(super) fn sides<E: EdgeValue, I: Id>(graph: &Graph, needs: Needs) -> Result<Sides<'_, E, I>, Error> {
    // Those that are written are not the file's.
    let values = if needs.writes { Values::None } else { values::<E>(graph)? };
    let file = graph.file();
    let side = |side, values| -> Result<_, Error> {
        let (offsets, compressed) = graph.stored(side)?;
        let ids = match compressed {
            Some(compressed) => Stored::Compressed(compressed),
            None => Stored::Plain(file.column(SIDES[side][1])?),
        };
        Ok(Side { offsets, ids, count: graph.edges(), values })
    };
    let incoming = || side(0, values);
    if !needs.sees_outgoing() && !needs.selective {
        return Ok((incoming()?, None));
    }
    if !graph.is_directed() {
        return Ok((incoming()?, Some(incoming()?)));
    }
    if file.entry(columns::OUT_OFFSETS).is_none() {
        let why = "run the program: it needs outgoing edges, which the graph's file was made without: make it again with them";
        return Err(Error::new(ErrorKind::Usage, why));
    }
    let values = match values {
        Values::Here(all) if needs.outgoing => Values::At(all, file.column(columns::OUT_PLACES)?, &[]),
        _ => Values::None,
    };
    Ok((incoming()?, Some(side(1, values)?)))
}

pub(super) fn values<E: EdgeValue>(graph: &Graph) -> Result<Values<'_, E::Stored>, Error> {
    let Some(element) = E::ELEMENT else { return Ok(Values::None) };
    let found = graph.file().entry(columns::VALUES).map(|entry| entry.element().to_owned());
    if found.as_deref() == Some(element) {
        return Ok(Values::Here(graph.file().column(columns::VALUES)?));
    }
    let has = found.map_or("no values".to_owned(), |found| format!("values of {found}"));
    let why = format!(
        "run the program: it needs edges with values of {element}, and the graph's have {has}: make it again with these"
    );
    Err(Error::new(ErrorKind::Usage, why))
}
