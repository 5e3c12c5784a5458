//! Writes the columns of a graph: edges come in order, once as those that come in, and once more as those that go out.

use super::collect::Collected;
use super::labels::Labels;
use super::policy::Direction;
use super::record::Edge;
use super::side::{Form, Side};
use super::sorter::{Sort, sorter};
use super::temporary::Spool;
use super::together::Together;
use super::watch::{Phase, Watch};
use super::{Limits, Rules};
use crate::error::{Error, ErrorKind};
use crate::file::{Head, VERSIONS, columns};
use std::path::Path;
use upcall_soa::file::{NamedWriter, save};

/// What was written.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) edges: u64,
    pub(crate) duplicates: u64,
}

/// How the edges that go out of each vertex are found.
enum Outgoing {
    /// They are those that come in.
    Same,
    /// They are counted in memory.
    Counted(Vec<u32>),
    /// They are sorted.
    Sorted(Box<dyn Sort>),
}

/// Writes a graph of what was collected.
pub(crate) fn graph(
    path: &Path,
    rules: &Rules,
    limits: &Limits,
    collected: Collected,
    watch: &mut Watch<'_>,
) -> Result<Written, Error> {
    let values = usize::from(rules.values.is_some());
    let blocks = usize::from(rules.compress);
    let twin = if rules.has_twin() { 2 + blocks + values } else { 0 };
    let mut written = Written::default();
    save(path, 4 + blocks + values + twin + collected.labels.columns(), |file| -> Result<(), Error> {
        written = columns_of(file, rules, limits, collected, watch)?;
        watch.look()
    })?;
    Ok(written)
}

fn columns_of(
    file: &mut NamedWriter<'_>,
    rules: &Rules,
    limits: &Limits,
    collected: Collected,
    watch: &mut Watch<'_>,
) -> Result<Written, Error> {
    let Collected { edges, vertices, labels, .. } = collected;
    let (directed, twin) = (rules.direction != Direction::Undirected, rules.has_twin());
    let wide = rules.wide || vertices > 1 << 32;
    if rules.compress && vertices > u64::from(u32::MAX) {
        let message = format!(
            "make a graph: it has {vertices} vertices, and neighbours are compressed where these are less than 2^32: leave \
             compression out"
        );
        return Err(Error::new(ErrorKind::Usage, message));
    }
    let form = || Form::of(wide, rules.compress, &limits.folder);
    let values = rules.values.is_some();
    watch.begin(Phase::Incoming)?;
    let rest = limits.memory.saturating_sub(edges.memory + labels.memory());
    let mut outgoing = match (directed, twin) {
        (false, _) => Outgoing::Same,
        (true, false) if 4 * vertices <= rest as u64 => Outgoing::Counted(vec![0; vertices as usize]),
        (true, _) => {
            let payload = if twin && values { 8 } else { 0 };
            Outgoing::Sorted(sorter(limits.plan(rest, true), wide, payload))
        }
    };
    let mut edges = Together::new(edges.edges, rules);
    let mut side = Side::new(file, Some(columns::IN_NEIGHBOURS), form(), &limits.folder)?;
    let mut value_column = Spool::new(&limits.folder);
    while let Some(Edge { major, minor, payload }) = edges.next(&labels)? {
        if let Some(value) = rules.values {
            value_column.push(&payload.to_le_bytes()[..value.size()])?;
        }
        match &mut outgoing {
            Outgoing::Same => {}
            Outgoing::Counted(degrees) => degrees[minor as usize] = one_more(degrees[minor as usize])?,
            Outgoing::Sorted(sort) => {
                sort.push(Edge { major: minor, minor: major, payload: side.edges() })?
            }
        }
        side.push(major, minor)?;
        watch.edge()?;
    }
    let written = Written { edges: side.edges(), duplicates: edges.left_out() };
    drop(edges);
    let incoming = side.end(vertices)?;
    copy(file, columns::IN_OFFSETS, ("u64", 8), incoming.offsets)?;
    if let Some(blocks) = incoming.blocks {
        copy(file, columns::IN_BLOCKS, ("u64", 8), blocks)?;
    }
    if let Some(value) = rules.values {
        copy(file, columns::VALUES, (value.name(), value.size()), value_column)?;
    }
    match outgoing {
        Outgoing::Same => copy(file, columns::OUT_DEGREES, ("u32", 4), incoming.degrees)?,
        Outgoing::Counted(degrees) => file.column(columns::OUT_DEGREES, &degrees)?,
        Outgoing::Sorted(sort) => {
            let name = twin.then_some(columns::OUT_NEIGHBOURS);
            let mut side = Side::new(file, name, form(), &limits.folder)?;
            let mut places = Spool::new(&limits.folder);
            let mut edges = sort.sorted(limits.merge, watch)?.edges;
            watch.begin(Phase::Outgoing)?;
            while let Some(Edge { major, minor, payload }) = edges.next()? {
                if twin && values {
                    places.push(&payload.to_le_bytes())?;
                }
                side.push(major, minor)?;
                watch.edge()?;
            }
            let ended = side.end(vertices)?;
            if twin {
                copy(file, columns::OUT_OFFSETS, ("u64", 8), ended.offsets)?;
            }
            if let Some(blocks) = ended.blocks.filter(|_| twin) {
                copy(file, columns::OUT_BLOCKS, ("u64", 8), blocks)?;
            }
            if twin && values {
                copy(file, columns::OUT_PLACES, ("u64", 8), places)?;
            }
            copy(file, columns::OUT_DEGREES, ("u32", 4), ended.degrees)?;
        }
    }
    called(file, &labels)?;
    let head = Head {
        vertices,
        edges: written.edges,
        directed: directed.into(),
        version: VERSIONS[usize::from(rules.compress)],
    };
    file.column(columns::HEAD, &[head])?;
    Ok(written)
}

fn one_more(degree: u32) -> Result<u32, Error> {
    degree.checked_add(1).ok_or_else(|| {
        Error::new(ErrorKind::TooLarge, "make a graph: a vertex has more than 4294967295 outgoing edges")
    })
}

fn copy(
    file: &mut NamedWriter<'_>,
    name: &str,
    (element, size): (&str, usize),
    spool: Spool,
) -> Result<(), Error> {
    let mut column = file.begin(name, element, size)?;
    spool.drain(|bytes| Ok(column.write(bytes)?), size)?;
    Ok(column.end()?)
}

/// Writes what vertices are called.
fn called(file: &mut NamedWriter<'_>, labels: &Labels) -> Result<(), Error> {
    match labels {
        Labels::Places => {}
        Labels::Numbers(table, order) => {
            let mut column = file.begin(columns::NUMBERS, "u64", 8)?;
            for place in order {
                column.write(&table.number(*place as usize).to_le_bytes())?;
            }
            column.end()?;
        }
        Labels::Names(table) => {
            file.column(columns::NAME_OFFSETS, table.offsets())?;
            file.column(columns::NAMES, table.bytes())?;
        }
    }
    Ok(())
}
