//! A graph with changes, made of the one without by going once through its columns.

use super::cuts::damaged;
use super::{ChangeLog, Cut, Cuts};
use crate::compressed::InOrder;
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Head, Ids, VERSIONS, columns};
use crate::run::heard;
use crate::values::{nameless, place_of_nameless};
use crate::write_back;
use std::fs::File;
use std::io::BufWriter;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use upcall_abi::Blit as _;
use upcall_soa::file::{ColumnWriter, Entry, NamedWriter, write_to};

/// How much is written at a time. Whether it is to stop is looked at as often.
const BUFFER: usize = 1 << 20;

/// Where a graph is made that has come of changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made<'a> {
    /// In a nameless file in this folder, or in memory.
    pub(crate) folder: Option<&'a Path>,
    /// Whether what is written goes to the disk meanwhile.
    pub(crate) bounded: bool,
}

/// Makes the new graph.
///
/// # Errors
/// There is no room, a vertex has more edges than can be counted, the old graph's file is damaged, or it was told to stop.
pub(crate) fn merge(
    graph: &Graph,
    log: &ChangeLog,
    cuts: &Cuts,
    Made { folder, bounded }: Made<'_>,
    stop: Option<&AtomicBool>,
) -> Result<Graph, Error> {
    let place = place_of_nameless(folder);
    let failed = |error: std::io::Error| Error::io("keep the changed graph in", &place, &error);
    let file = nameless(folder).map_err(failed)?;
    let made = if bounded { Some(file.try_clone().map_err(failed)?) } else { None };
    let merge = Merge { graph, log, cuts, stop, made: made.as_ref().map(|file| (file, &*place)) };
    let all: Vec<&Entry> = graph.file().entries().iter().filter(|entry| merge.goes_on(entry)).collect();
    // Columns have a buffer of their own: see `Out`.
    let mut out = BufWriter::with_capacity(0, file);
    write_to(&mut out, &place, all.len(), |file| all.iter().try_for_each(|entry| merge.column(file, entry)))
        .map_err(|error: Error| match error.kind() {
            ErrorKind::Io | ErrorKind::NoSpace => {
                Error::new(error.kind(), format!("change the graph: {error}"))
            }
            _ => error,
        })?;
    let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
    // SAFETY: nobody else has the file but who maps it to read.
    unsafe { Graph::changed(file, &place) }
}

struct Merge<'a> {
    graph: &'a Graph,
    log: &'a ChangeLog,
    cuts: &'a Cuts,
    stop: Option<&'a AtomicBool>,
    /// The file that is written, where that goes to the disk meanwhile, and where it is.
    made: Option<(&'a File, &'a Path)>,
}

impl Merge<'_> {
    /// Whether the new graph has this column, too: not one of outgoing edges that nobody looks at, nor where compressed neighbours begin,
    /// as its own are plain.
    fn goes_on(&self, entry: &Entry) -> bool {
        if [columns::IN_BLOCKS, columns::OUT_BLOCKS].contains(&entry.name()) {
            return false;
        }
        let of_outgoing = [columns::OUT_OFFSETS, columns::OUT_NEIGHBOURS, columns::OUT_PLACES];
        self.cuts.outgoing.is_some() || !of_outgoing.contains(&entry.name())
    }

    fn column(&self, file: &mut NamedWriter<'_>, entry: &Entry) -> Result<(), Error> {
        if entry.name() == columns::HEAD {
            return Ok(file.column(columns::HEAD, &[self.head()])?);
        }
        let old = self.graph.file();
        let compressed = self.compressed(entry.name());
        let (element, size) = match compressed {
            Some(_) => (u32::NAME, size_of::<u32>()),
            None => (entry.element(), entry.size()),
        };
        let mut out = Out {
            column: file.begin(entry.name(), element, size)?,
            stop: self.stop,
            made: self.made,
            buffer: Vec::with_capacity(BUFFER),
        };
        let bytes = old.bytes(entry.name())?;
        let (incoming, outgoing) = (&*self.cuts.incoming, self.cuts.outgoing.as_deref().unwrap_or_default());
        // An id has its lowest bytes only.
        let id = |cut: &Cut, out: &mut Out<'_, '_, '_>| {
            let id = (cut.minor as u64).to_le_bytes();
            (0..cut.count()).try_for_each(|_| out.write(&id[..size]))
        };
        if let Some((side, cuts)) = compressed {
            decoded(&mut out, side, self.graph.vertices(), cuts, id)?;
            return out.end();
        }
        match entry.name() {
            columns::IN_OFFSETS => offsets(&mut out, old.column(columns::IN_OFFSETS)?, incoming)?,
            columns::OUT_OFFSETS => offsets(&mut out, old.column(columns::OUT_OFFSETS)?, outgoing)?,
            columns::OUT_DEGREES => self.degrees(&mut out)?,
            columns::IN_NEIGHBOURS => spliced(&mut out, bytes, size, incoming, id)?,
            columns::OUT_NEIGHBOURS => spliced(&mut out, bytes, size, outgoing, id)?,
            columns::VALUES => spliced(&mut out, bytes, size, incoming, |cut, out| {
                let calls = &self.cuts.calls[cut.added.clone()];
                calls.iter().try_for_each(|call| out.write(self.log.value(*call)))
            })?,
            columns::OUT_PLACES => self.places(&mut out, old.column(columns::OUT_PLACES)?, outgoing)?,
            _ => out.write(bytes)?,
        }
        out.end()
    }

    /// The neighbours that this column has, where they are compressed, and their cuts.
    fn compressed(&self, column: &str) -> Option<(InOrder<'_>, &[Cut])> {
        if !self.graph.is_compressed() {
            return None;
        }
        match column {
            columns::IN_NEIGHBOURS => Some((self.graph.incoming_in_order(), &self.cuts.incoming)),
            columns::OUT_NEIGHBOURS => {
                Some((self.graph.outgoing_in_order()?, self.cuts.outgoing.as_deref()?))
            }
            _ => None,
        }
    }

    fn head(&self) -> Head {
        let (head, changed) = (self.graph.head(), self.cuts.changed());
        Head { edges: head.edges + changed.added - changed.removed, version: VERSIONS[0], ..head }
    }

    /// How many edges go out of each vertex, where there may be no outgoing ones in the file.
    fn degrees(&self, out: &mut Out<'_, '_, '_>) -> Result<(), Error> {
        let by_major = |cut: &Cut| (cut.major, cut.count(), cut.old.len());
        match &self.cuts.outgoing {
            Some(cuts) => self.degrees_of(out, cuts.iter().map(by_major)),
            None if !self.graph.is_directed() => {
                self.degrees_of(out, self.cuts.incoming.iter().map(by_major))
            }
            None => {
                let by_minor = |cut: &Cut| (cut.minor, cut.count(), cut.old.len());
                let mut changes: Vec<_> = self.cuts.incoming.iter().map(by_minor).collect();
                changes.sort_unstable_by_key(|(vertex, ..)| *vertex);
                self.degrees_of(out, changes.into_iter())
            }
        }
    }

    /// The same with what changes by vertices, in ascending order: how many edges come, and how many go.
    fn degrees_of(
        &self,
        out: &mut Out<'_, '_, '_>,
        changes: impl Iterator<Item = (usize, usize, usize)>,
    ) -> Result<(), Error> {
        let mut changes = changes.peekable();
        for (vertex, old) in self.graph.out_degrees().iter().enumerate() {
            let mut degree = u64::from(*old);
            let (mut added, mut removed) = (0, 0);
            while let Some((_, more, less)) = changes.next_if(|(of, ..)| *of == vertex) {
                (added, removed) = (added + more as u64, removed + less as u64);
            }
            degree = (degree + added).checked_sub(removed).ok_or_else(damaged)?;
            let degree = u32::try_from(degree).map_err(|_| {
                let why =
                    format!("change the graph: vertex {vertex} has more than 4294967295 outgoing edges");
                Error::new(ErrorKind::TooLarge, why)
            })?;
            out.write(&degree.to_le_bytes())?;
        }
        Ok(())
    }

    /// Where each outgoing edge is among incoming ones.
    fn places(&self, out: &mut Out<'_, '_, '_>, old: &[u64], cuts: &[Cut]) -> Result<(), Error> {
        let mut begin = 0;
        for cut in cuts {
            let stay = &old[begin..cut.old.start];
            stay.iter().try_for_each(|place| out.write(&self.cuts.moved(*place).to_le_bytes()))?;
            cut.places().try_for_each(|place| out.write(&(place as u64).to_le_bytes()))?;
            begin = cut.old.end;
        }
        old[begin..].iter().try_for_each(|place| out.write(&self.cuts.moved(*place).to_le_bytes()))
    }
}

/// Where the edges of each vertex begin.
fn offsets(out: &mut Out<'_, '_, '_>, old: &[u64], cuts: &[Cut]) -> Result<(), Error> {
    let mut cuts = cuts.iter().peekable();
    let (mut added, mut removed) = (0, 0);
    for (vertex, offset) in old.iter().enumerate() {
        while let Some(cut) = cuts.next_if(|cut| cut.major < vertex) {
            (added, removed) = (added + cut.count() as u64, removed + cut.old.len() as u64);
        }
        let offset = offset.checked_add(added).and_then(|offset| offset.checked_sub(removed));
        out.write(&offset.ok_or_else(damaged)?.to_le_bytes())?;
    }
    Ok(())
}

/// A column of edges, of so many bytes each, without what goes and with what comes.
fn spliced<'w, 'f, 'a>(
    out: &mut Out<'w, 'f, 'a>,
    old: &[u8],
    size: usize,
    cuts: &[Cut],
    mut come: impl FnMut(&Cut, &mut Out<'w, 'f, 'a>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut begin = 0;
    for cut in cuts {
        out.write(&old[begin * size..cut.old.start * size])?;
        come(cut, out)?;
        begin = cut.old.end;
    }
    out.write(&old[begin * size..])
}

/// The same for neighbours that are compressed, of which a block is in memory at a time: they are written as they are decoded.
fn decoded<'w, 'f, 'a>(
    out: &mut Out<'w, 'f, 'a>,
    mut side: InOrder<'_>,
    vertices: usize,
    cuts: &[Cut],
    mut come: impl FnMut(&Cut, &mut Out<'w, 'f, 'a>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut cuts = cuts.iter().peekable();
    for vertex in 0..vertices {
        let (Range { start, end }, ids) = side.of(vertex)?;
        let Ids::Narrow(ids) = ids else { return Err(damaged()) };
        let mut begin = start;
        while let Some(cut) = cuts.next_if(|cut| cut.major == vertex) {
            out.ids(&ids[begin - start..cut.old.start - start])?;
            come(cut, out)?;
            begin = cut.old.end;
        }
        out.ids(&ids[begin - start..end - start])?;
    }
    Ok(())
}

/// A column that is written, with the only buffer that there is: a checksum of few bytes at a time takes long.
struct Out<'w, 'f, 'a> {
    column: ColumnWriter<'w, 'f>,
    stop: Option<&'a AtomicBool>,
    made: Option<(&'a File, &'a Path)>,
    buffer: Vec<u8>,
}

impl Out<'_, '_, '_> {
    #[inline]
    fn write(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while self.buffer.len() + bytes.len() > BUFFER {
            let (fits, rest) = bytes.split_at(BUFFER - self.buffer.len());
            self.buffer.extend_from_slice(fits);
            bytes = rest;
            self.flush()?;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    fn ids(&mut self, ids: &[u32]) -> Result<(), Error> {
        ids.iter().try_for_each(|id| self.write(&id.to_le_bytes()))
    }

    #[cold]
    fn flush(&mut self) -> Result<(), Error> {
        heard(self.stop)?;
        self.column.write(&self.buffer)?;
        self.buffer.clear();
        if let Some((file, place)) = self.made {
            write_back::written(file)
                .map_err(|error| Error::io("keep the changed graph in", place, &error))?;
        }
        Ok(())
    }

    fn end(mut self) -> Result<(), Error> {
        self.flush()?;
        Ok(self.column.end()?)
    }
}
