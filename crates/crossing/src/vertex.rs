//! VERTEX: vertices go in; what was written comes back. Where the graph and what vertices show are lent, the guest reads them in place;
//! else what the neighbours of each show is put side by side.

use super::theirs;
use crate::room::{Full, Room};
use std::mem::offset_of;
use std::ops::Range;
use upcall_abi::{Edges, ErrorSlot, Rel, VertexFrame, VertexTally, base, side_by_side};

/// Where things are that come back.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) at: u64,
    own: u64,
    next: u64,
    tallies: u64,
    woken: u64,
    next_values: u64,
}

/// Returns where the frame is.
///
/// # Safety
/// The frame must be as an engine passes it: all that it says is there, and all places of edges are within.
pub(super) unsafe fn cross(
    room: &mut impl Room,
    frame: &VertexFrame,
    error: ErrorSlot,
) -> Result<Written, Full> {
    let bases = frame.head.base;
    let (batch, output) = (bases[base::BATCH], bases[base::OUTPUT]);
    // SAFETY: the caller's promise, here and below.
    let (ids, own, before, next, degrees, gathered, tallies, next_values) = unsafe {
        (
            room.put_all(frame.ids.get(batch))?,
            room.put(frame.own.get(output))?,
            lent_or_put(room, frame.before.get(batch))?,
            room.put(frame.next.get(output))?,
            lent_or_put(room, frame.out_degrees.get(batch))?,
            room.put(frame.gathered.get(batch))?,
            room.put_all(frame.tallies.get(output))?,
            room.put(frame.next_values.get(output))?,
        )
    };
    let (woken, _) = room.give(frame.woken.len * size_of::<u32>() as u64)?;
    // SAFETY: as above.
    let (shown, incoming, outgoing) = match unsafe { in_place(room, frame)? } {
        Some(in_place) => in_place,
        // SAFETY: as above.
        None => unsafe { copied(room, frame)? },
    };
    let at = room.put_one(VertexFrame {
        head: theirs::<VertexFrame>(&frame.head, error),
        ids: Rel::new(ids, frame.ids.len),
        own: Rel::new(own, frame.own.len),
        before: Rel::new(before, frame.before.len),
        next: Rel::new(next, frame.next.len),
        out_degrees: Rel::new(degrees, frame.out_degrees.len),
        shown,
        incoming,
        outgoing,
        gathered: Rel::new(gathered, frame.gathered.len),
        tallies: Rel::new(tallies, frame.tallies.len),
        woken: Rel::new(woken, frame.woken.len),
        next_values: Rel::new(next_values, frame.next_values.len),
        ..*frame
    })?;
    Ok(Written { at, own, next, tallies, woken, next_values })
}

/// Where a lent array is for the guest, or a copy of it.
fn lent_or_put<T: Copy>(room: &mut impl Room, values: &[T]) -> Result<u64, Full> {
    match room.lent(values.as_ptr().expose_provenance() as u64, size_of_val(values) as u64) {
        Some(at) => Ok(at),
        None => room.put_all(values),
    }
}

/// What neighbours show, and the edges of both directions, where all that there is per edge is lent.
///
/// # Safety
/// As [`cross`].
unsafe fn in_place(
    room: &mut impl Room,
    frame: &VertexFrame,
) -> Result<Option<(Rel<u8>, Edges, Edges)>, Full> {
    let bases = frame.head.base;
    let (files, columns) = (bases[base::FILES], bases[base::COLUMNS]);
    let per_edge = |edges: &Edges| {
        Some(Edges {
            ids: lent(room, files, edges.ids)?,
            at: lent(room, columns, edges.at)?,
            values: lent(room, files, edges.values)?,
            places: lent(room, files, edges.places)?,
            ..*edges
        })
    };
    let all =
        || Some((lent(room, columns, frame.shown)?, per_edge(&frame.incoming)?, per_edge(&frame.outgoing)?));
    let Some((shown, mut incoming, mut outgoing)) = all() else { return Ok(None) };
    for edges in [&mut incoming, &mut outgoing] {
        for ends in [&mut edges.begins, &mut edges.ends] {
            // SAFETY: the caller's promise.
            ends.offset = lent_or_put(room, unsafe { ends.get(files) })?;
        }
    }
    Ok(Some((shown, incoming, outgoing)))
}

/// The same array as the guest sees it; an empty one is nowhere.
fn lent<T>(room: &impl Room, base: u64, array: Rel<T>) -> Option<Rel<T>> {
    if array.len == 0 {
        return Some(Rel::new(0, 0));
    }
    let bytes = array.len.checked_mul(size_of::<T>() as u64)?;
    Some(Rel::new(room.lent(base.wrapping_add(array.offset), bytes)?, array.len))
}

/// The same, copied: of the edges of each vertex what their other ends show, one behind the other.
///
/// # Safety
/// As [`cross`].
unsafe fn copied(room: &mut impl Room, frame: &VertexFrame) -> Result<(Rel<u8>, Edges, Edges), Full> {
    let size = frame.next.len.checked_div(frame.count).unwrap_or(0);
    // SAFETY: the caller's promise.
    let [incoming, outgoing] = unsafe { [ends(frame, &frame.incoming), ends(frame, &frame.outgoing)] };
    let (into, out_of) = (incoming.edges(), outgoing.edges());
    let bytes = (into + out_of).checked_mul(size).ok_or(Full)?;
    let (shown_at, shown_to) = room.give(bytes)?;
    // SAFETY: as above; there is room for what each edge's other end shows, behind each other.
    let (incoming, outgoing) = unsafe {
        (
            incoming.cross(room, 0, size, shown_to)?,
            outgoing.cross(room, into, size, shown_to.add((into * size) as usize))?,
        )
    };
    Ok((Rel::new(shown_at, bytes), incoming, outgoing))
}

/// A frame's edges in one direction.
struct Ends<'a> {
    begins: &'a [u64],
    ends: &'a [u64],
    ids: &'a [u32],
    at: &'a [u32],
    shown: *const u8,
    values: *const u8,
    places: &'a [u64],
    value_size: u64,
    /// Up to where edges follow each other, so that what they look up can be asked for ahead.
    end: usize,
}

/// # Safety
/// As [`cross`].
unsafe fn ends<'a>(frame: &'a VertexFrame, edges: &'a Edges) -> Ends<'a> {
    let (files, columns) = (frame.head.base[base::FILES], frame.head.base[base::COLUMNS]);
    // SAFETY: the caller's promise.
    unsafe {
        let ends = edges.ends.get(files);
        Ends {
            begins: edges.begins.get(files),
            ends,
            ids: edges.ids.get(files),
            at: edges.at.get(columns),
            shown: (columns + frame.shown.offset) as *const u8,
            values: (files + edges.values.offset) as *const u8,
            places: edges.places.get(files),
            value_size: if edges.values.len == 0 { 0 } else { frame.value_size.into() },
            end: if frame.ids.len == 0 { ends.last().map_or(0, |end| *end as usize) } else { 0 },
        }
    }
}

impl Ends<'_> {
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.begins.iter().zip(self.ends).map(|(begin, end)| *begin as usize..*end as usize)
    }

    /// How many edges the vertices have, of those that the frame says.
    fn edges(&self) -> u64 {
        if self.ids.is_empty() { 0 } else { self.ranges().map(|range| range.len() as u64).sum() }
    }

    /// Copies what edges look up at these places of `from` to `to`, where `done` such are in front.
    ///
    /// # Safety
    /// All of them are within, and there is room for as many.
    #[inline]
    unsafe fn look_up<P: Copy + Into<u64>, T: Copy>(
        &self,
        places: &[P],
        edges: Range<usize>,
        from: *const u8,
        to: *mut u8,
        done: usize,
    ) {
        assert!(edges.end <= places.len(), "a frame's edges are those that it has");
        // SAFETY: the caller's promise.
        let _ = unsafe {
            let (from, to) = ((from.cast::<T>(), usize::MAX), to.cast::<T>().add(done));
            side_by_side(places.as_ptr(), edges, self.end.min(places.len()), from, to)
        };
    }

    /// Copies them there, one vertex's behind another's, and what their other ends show to `shown`, where `before` such are in front.
    ///
    /// # Safety
    /// All places are within, `size` is that of what is shown, and there is room for as many as there are edges.
    unsafe fn cross(
        &self,
        room: &mut impl Room,
        before: u64,
        size: u64,
        shown: *mut u8,
    ) -> Result<Edges, Full> {
        let count = self.begins.len() as u64;
        if self.ids.is_empty() {
            let (begins, ends) = (room.put_all(self.begins)?, room.put_all(self.ends)?);
            return Ok(Edges { begins: Rel::new(begins, count), ends: Rel::new(ends, count), ..Edges::NONE });
        }
        let edges = self.edges();
        let (offsets_at, offsets) = room.give((count + 1) * size_of::<u64>() as u64)?;
        let (ids_at, ids) = room.give(edges * size_of::<u32>() as u64)?;
        let (at_at, at) = room.give(edges * size_of::<u32>() as u64)?;
        let (values_at, values) = room.give(edges * self.value_size)?;
        let first =
            u32::try_from(before).ok().filter(|first| u64::from(u32::MAX - first) >= edges).ok_or(Full)?;
        let (offsets, ids, at) = (offsets.cast::<u64>(), ids.cast::<u32>(), at.cast::<u32>());
        let mut done = 0;
        // SAFETY: there is room for so many of each, aligned to 16; the caller's promise for what is read.
        unsafe {
            offsets.write(0);
            for (index, range) in self.ranges().enumerate() {
                ids.add(done).copy_from_nonoverlapping(self.ids[range.clone()].as_ptr(), range.len());
                match size {
                    4 => self.look_up::<_, u32>(self.at, range.clone(), self.shown, shown, done),
                    8 => self.look_up::<_, u64>(self.at, range.clone(), self.shown, shown, done),
                    _ => {}
                }
                match (self.value_size, self.places.is_empty()) {
                    (0, _) => {}
                    (size, true) => {
                        let size = size as usize;
                        let from = self.values.add(range.start * size);
                        values.add(done * size).copy_from_nonoverlapping(from, range.len() * size);
                    }
                    (4, false) => {
                        self.look_up::<_, u32>(self.places, range.clone(), self.values, values, done);
                    }
                    (_, false) => {
                        self.look_up::<_, u64>(self.places, range.clone(), self.values, values, done);
                    }
                }
                done += range.len();
                offsets.add(index + 1).write(done as u64);
            }
            for index in 0..done {
                at.add(index).write(first + index as u32);
            }
        }
        Ok(Edges {
            begins: Rel::new(offsets_at, count),
            ends: Rel::new(offsets_at + size_of::<u64>() as u64, count),
            ids: Rel::new(ids_at, edges),
            at: Rel::new(at_at, edges),
            values: Rel::new(values_at, edges * self.value_size),
            places: Rel::EMPTY,
        })
    }
}

/// What was written comes back from where it was put. `None` where the guest's number of woken vertices is more than there is room for.
///
/// # Safety
/// `frame` must be the one that has crossed, and what is to be written the guest's meanwhile.
pub(super) unsafe fn back(room: &impl Room, written: &Written, frame: &mut VertexFrame) -> Option<()> {
    let output = frame.head.base[base::OUTPUT];
    let copy = |from: u64, to: u64, bytes: u64| -> Option<()> {
        let from = room.place(from, bytes)?;
        // SAFETY: the caller's promise; the copy there has as many bytes. Any bytes are numbers.
        unsafe { ((output + to) as *mut u8).copy_from_nonoverlapping(from, bytes as usize) };
        Some(())
    };
    let field = |offset: usize| written.at + offset as u64;
    // SAFETY: any bytes are numbers.
    let (wakes, ended): (u64, u32) = unsafe {
        (room.read(field(offset_of!(VertexFrame, wakes)))?, room.read(field(offset_of!(VertexFrame, ended)))?)
    };
    if wakes > frame.woken.len {
        return None;
    }
    copy(written.own, frame.own.offset, frame.own.len)?;
    copy(written.next, frame.next.offset, frame.next.len)?;
    let tallies = frame.tallies.len * size_of::<VertexTally>() as u64;
    copy(written.tallies, frame.tallies.offset, tallies)?;
    copy(written.woken, frame.woken.offset, wakes * size_of::<u32>() as u64)?;
    copy(written.next_values, frame.next_values.offset, frame.next_values.len)?;
    (frame.wakes, frame.ended) = (wakes, ended);
    Some(())
}
