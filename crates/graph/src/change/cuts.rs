//! Where changes cut a graph's columns of edges: which of them go, and how many come in their place.

use super::{ChangeLog, Changed};
use crate::compressed::InOrder;
use crate::error::{Error, ErrorKind};
use crate::file::Graph;
use crate::summary::first;
use std::ops::Range;

/// What becomes of the edges between two vertices in one direction.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The vertex whose edges these are: of incoming edges the one that they go to.
    pub(crate) major: usize,
    /// The vertex at their other ends.
    pub(crate) minor: usize,
    /// The places of the edges that go. Others come where it ends.
    pub(crate) old: Range<usize>,
    /// Those that come, in [`Cuts::calls`].
    pub(super) added: Range<usize>,
    /// The place, among the new graph's incoming edges, of the first of them.
    pub(crate) place: usize,
}

impl Cut {
    /// How many come.
    pub(crate) fn count(&self) -> usize {
        self.added.len()
    }

    /// The places of those that come, among the new graph's incoming edges.
    pub(super) fn places(&self) -> Range<usize> {
        self.place..self.place + self.count()
    }
}

/// What changes come to.
#[derive(Debug, Default)]
pub(crate) struct Cuts {
    /// Of incoming edges, in ascending order.
    pub(crate) incoming: Vec<Cut>,
    /// Of outgoing edges, in ascending order, where the graph is directed and has them.
    pub(crate) outgoing: Option<Vec<Cut>>,
    /// The change that each edge comes of.
    pub(super) calls: Vec<usize>,
}

impl Cuts {
    /// Of the changes from one on: those before it have come to nothing.
    ///
    /// # Errors
    /// The edges of the graph are not in order, or there is no memory to decode a block of them.
    pub(crate) fn of(graph: &Graph, log: &ChangeLog, begin: usize) -> Result<Cuts, Error> {
        let directions = if graph.is_directed() { 1 } else { 2 };
        let mut ends: Vec<(usize, usize, usize)> = Vec::with_capacity(directions * (log.len() - begin));
        for (index, call) in log.calls().iter().enumerate().skip(begin) {
            ends.push((call.to, call.from, index));
            if !graph.is_directed() && call.from != call.to {
                ends.push((call.from, call.to, index));
            }
        }
        ends.sort_unstable();
        let mut side = graph.incoming_in_order();
        let pairs = || ends.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1));
        let mut incoming: Vec<Cut> = Vec::with_capacity(pairs().count());
        let mut calls = Vec::with_capacity(ends.len());
        let (mut added, mut removed) = (0, 0);
        for same in pairs() {
            let (major, minor, _) = same[0];
            let last = same.iter().rposition(|(.., call)| !log.calls()[*call].adds);
            let stay = &same[last.map_or(0, |last| last + 1)..];
            let mut old = between(&mut side, major, minor)?;
            if last.is_none() {
                old.start = old.end;
            }
            if old.is_empty() && stay.is_empty() {
                continue;
            }
            removed += old.len();
            let place = (old.end + added).checked_sub(removed).ok_or_else(damaged)?;
            let begin = calls.len();
            calls.extend(stay.iter().map(|(.., call)| *call));
            added += stay.len();
            incoming.push(Cut { major, minor, old, added: begin..calls.len(), place });
        }
        drop(ends);
        in_order(&incoming)?;
        let outgoing = graph.outgoing_in_order().filter(|_| graph.is_directed());
        let outgoing = outgoing.map(|side| turned(&incoming, side)).transpose()?;
        Ok(Cuts { incoming, outgoing, calls })
    }

    /// Whether the graph stays as it is.
    pub(crate) fn is_empty(&self) -> bool {
        self.incoming.is_empty()
    }

    pub(crate) fn changed(&self) -> Changed {
        let removed = self.incoming.iter().map(|cut| cut.old.len() as u64).sum();
        Changed { added: self.calls.len() as u64, removed }
    }

    /// Where an incoming edge of the old graph is that stays.
    pub(super) fn moved(&self, place: u64) -> u64 {
        let before = self.incoming.partition_point(|cut| cut.old.end as u64 <= place);
        match self.incoming[..before].last() {
            None => place,
            // What a damaged file says is no place before and none after.
            Some(cut) => (place - cut.old.end as u64).wrapping_add(cut.places().end as u64),
        }
    }
}

/// The places of the edges between two vertices, the first of which is asked for in order.
fn between(side: &mut InOrder<'_>, major: usize, minor: usize) -> Result<Range<usize>, Error> {
    let (Range { start, .. }, ids) = side.of(major)?;
    Ok(start + first(&ids, minor)..start + first(&ids, minor + 1))
}

/// The same cuts in the other direction.
fn turned(incoming: &[Cut], mut side: InOrder<'_>) -> Result<Vec<Cut>, Error> {
    let turn = |cut: &Cut| Cut { major: cut.minor, minor: cut.major, ..cut.clone() };
    let mut all: Vec<Cut> = incoming.iter().map(turn).collect();
    all.sort_unstable_by_key(|cut| (cut.major, cut.minor));
    for cut in &mut all {
        let mut old = between(&mut side, cut.major, cut.minor)?;
        if cut.old.is_empty() {
            old.start = old.end;
        }
        if old.len() != cut.old.len() {
            return Err(damaged());
        }
        cut.old = old;
    }
    in_order(&all)?;
    Ok(all)
}

fn in_order(cuts: &[Cut]) -> Result<(), Error> {
    let are = cuts.windows(2).all(|two| two[0].old.end <= two[1].old.start);
    if are { Ok(()) } else { Err(damaged()) }
}

#[cold]
pub(super) fn damaged() -> Error {
    let why =
        "change the graph: its edges are not in order: its file is damaged, `upcall graph check` says where";
    Error::new(ErrorKind::Format, why)
}
