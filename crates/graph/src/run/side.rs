//! The edges of a graph in one direction, as a program looks at them.

use super::kernel::Needs;
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id, columns, places};
use crate::program::EdgeValue;
use crate::vertex::Values;
use std::ops::Range;

pub(super) struct Side<'g, I, V> {
    pub(super) offsets: &'g [u64],
    pub(super) ids: &'g [I],
    values: Values<'g, V>,
}

impl<'g, I: Id, V: Copy> Side<'g, I, V> {
    /// As [`Adjacency::of`](crate::Adjacency::of).
    #[inline(always)]
    pub(super) fn of(&self, vertex: usize) -> Range<usize> {
        places(self.offsets, vertex, self.ids.len())
    }

    #[inline(always)]
    pub(super) fn values(&self, range: Range<usize>) -> Values<'g, V> {
        match self.values {
            Values::None => Values::None,
            Values::Here(values) => Values::Here(&values[range]),
            Values::At(values, places) => Values::At(values, &places[range]),
        }
    }

    /// Whether the edges of these vertices are in order, and all lead to one that is there.
    pub(super) fn are_within(&self, vertices: Range<usize>, count: usize) -> bool {
        let offsets = &self.offsets[vertices.start..=vertices.end];
        let edges = self.of(vertices.start).start..self.of(vertices.end - 1).end;
        offsets.is_sorted()
            && offsets.last().is_some_and(|last| *last <= self.ids.len() as u64)
            && self.ids[edges].iter().fold(0, |most, id| id.vertex().max(most)) < count
    }
}

type Sides<'g, E, I> = (Side<'g, I, <E as EdgeValue>::Stored>, Option<Side<'g, I, <E as EdgeValue>::Stored>>);

/// The edges that come in, and those that go out, if the program looks at them.
pub(super) fn sides<E: EdgeValue, I: Id>(graph: &Graph, needs: Needs) -> Result<Sides<'_, E, I>, Error> {
    // Those that are written are not the file's.
    let values = if needs.writes { Values::None } else { values::<E>(graph)? };
    let file = graph.file();
    let incoming = || -> Result<_, Error> {
        Ok(Side {
            offsets: file.column(columns::IN_OFFSETS)?,
            ids: file.column(columns::IN_NEIGHBOURS)?,
            values,
        })
    };
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
        Values::Here(all) if needs.outgoing => Values::At(all, file.column(columns::OUT_PLACES)?),
        _ => Values::None,
    };
    let outgoing = Side {
        offsets: file.column(columns::OUT_OFFSETS)?,
        ids: file.column(columns::OUT_NEIGHBOURS)?,
        values,
    };
    Ok((incoming()?, Some(outgoing)))
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
