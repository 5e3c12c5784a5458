//! A frame's memory: read and written by place, and never outside.

use super::says::{Form, Says};
use crate::number::Number;
use crate::view::Memory;
use std::marker::PhantomData;
use upcall_abi::{Edges, Rel, VertexFrame, VertexTally, base, phase, side_by_side};

/// Elements that the engine has lent, which may be the handler's to write.
pub struct Part<T> {
    start: *mut u8,
    len: usize,
    of: PhantomData<T>,
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Part<T> {}

impl<T: Copy> Part<T> {
    /// No elements.
    const NONE: Part<T> = Part { start: std::ptr::null_mut(), len: 0, of: PhantomData };

    fn of(part: Rel<T>, base: u64) -> Part<T> {
        Part { start: base.wrapping_add(part.offset) as *mut u8, len: part.len as usize, of: PhantomData }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// One of them.
    #[inline]
    fn get(&self, place: usize) -> Option<T> {
        // SAFETY: within what the engine has lent for as long as the frame is there.
        (place < self.len).then(|| unsafe { self.start.cast::<T>().add(place).read_unaligned() })
    }

    /// Writes one that is there.
    #[inline]
    fn set(&self, place: usize, value: T) {
        if place < self.len {
            // SAFETY: as above; the parts that are written are the handler's until the frame ends.
            unsafe { self.start.cast::<T>().add(place).write_unaligned(value) };
        }
    }
}

impl Part<u8> {
    /// The number at a place, in the low bytes.
    #[inline]
    pub fn word(&self, number: Number, place: usize) -> Option<u64> {
        let size = number.size();
        if !self.holds(place, size) {
            return None;
        }
        // SAFETY: within, as `get`; numbers of programs have 4 or 8 bytes.
        unsafe {
            let at = self.start.add(place * size);
            Some(if size == 4 {
                at.cast::<u32>().read_unaligned().into()
            } else {
                at.cast::<u64>().read_unaligned()
            })
        }
    }

    /// Writes the number at a place that is there.
    #[inline]
    pub fn put(&self, number: Number, place: usize, word: u64) {
        let size = number.size();
        if self.holds(place, size) {
            // SAFETY: as above.
            unsafe {
                let at = self.start.add(place * size);
                if size == 4 {
                    at.cast::<u32>().write_unaligned(word as u32);
                } else {
                    at.cast::<u64>().write_unaligned(word);
                }
            }
        }
    }

    /// Whether there is a number of this size at a place.
    #[inline]
    fn holds(&self, place: usize, size: usize) -> bool {
        place.checked_add(1).and_then(|count| count.checked_mul(size)).is_some_and(|end| end <= self.len)
    }

    /// All as numbers to be read.
    pub fn numbers(&self, number: Number) -> Memory {
        Memory::source(self.start, self.len / number.size(), number)
    }

    /// All as numbers to be written.
    pub fn numbers_mut(&self, number: Number) -> Memory {
        Memory::into(self.start, self.len / number.size(), number)
    }
}

impl Part<u32> {
    /// All of them.
    pub fn all(&self) -> Memory {
        Memory::source(self.start, self.len, Number::Unsigned(4))
    }
}

impl Part<u64> {
    /// All of them.
    pub fn all(&self) -> Memory {
        Memory::source(self.start, self.len, Number::Unsigned(8))
    }
}

/// The edges in one direction.
#[derive(Clone, Copy)]
pub struct Side {
    pub begins: Part<u64>,
    pub ends: Part<u64>,
    pub ids: Part<u32>,
    pub at: Part<u32>,
    pub values: Part<u8>,
    pub places: Part<u64>,
}

impl Side {
    const NONE: Side = Side {
        begins: Part::NONE,
        ends: Part::NONE,
        ids: Part::NONE,
        at: Part::NONE,
        values: Part::NONE,
        places: Part::NONE,
    };

    fn of(edges: &Edges, files: u64, columns: u64) -> Side {
        Side {
            begins: Part::of(edges.begins, files),
            ends: Part::of(edges.ends, files),
            ids: Part::of(edges.ids, files),
            at: Part::of(edges.at, columns),
            values: Part::of(edges.values, files),
            places: Part::of(edges.places, files),
        }
    }

    /// Where the edges of the vertex at a place are.
    #[inline]
    pub fn range(&self, place: usize) -> (usize, usize) {
        let ends = (self.begins.get(place).unwrap_or(0), self.ends.get(place).unwrap_or(0));
        (ends.0 as usize, ends.1.max(ends.0) as usize)
    }

    /// The other end of an edge.
    #[inline]
    pub fn id(&self, edge: usize) -> Option<u64> {
        self.ids.get(edge).map(u64::from)
    }

    /// The value of an edge.
    #[inline]
    pub fn value(&self, number: Number, edge: usize) -> Option<u64> {
        let place = if self.places.len == 0 { edge } else { self.places.get(edge)? as usize };
        self.values.word(number, place)
    }

    /// Whether all that there is of each vertex is there for this many, and all their edges or, where none are, no neighbours.
    fn fits(&self, count: usize, values: bool) -> bool {
        let all = [self.begins.len, self.ends.len] == [count; 2] && self.ids.len == self.at.len;
        let placed = self.places.len == 0 || self.places.len == self.ids.len;
        all && placed && (values || self.values.len == 0)
    }
}

/// A frame with vertices.
pub struct Frame {
    /// Whether it is about what vertices begin with.
    pub starts: bool,
    pub iteration: u64,
    pub total: f64,
    pub first: u64,
    pub count: usize,
    pub ids: Part<u32>,
    pub own: Part<u8>,
    pub before: Part<u8>,
    pub next: Part<u8>,
    pub out_degrees: Part<u32>,
    pub shown: Part<u8>,
    pub gathered: Part<u8>,
    /// Those that come in, and those that go out.
    pub sides: [Side; 2],
    /// The values that outgoing edges have next, those of one vertex behind those of the one before; empty at the start.
    pub next_values: Part<u8>,
    shift: u32,
    tallies: Part<VertexTally>,
    woken: Part<u32>,
    wakes: usize,
    /// Whether those woken are in order, and each there once.
    distinct: bool,
}

/// Which sum a vertex adds to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sum {
    Residual,
    Total,
}

impl Frame {
    /// What a frame has lent to a program that says this; why not, where it does not fit.
    ///
    /// # Safety
    /// The frame must be valid, and all that it points to there and nobody else's for as long as this is used.
    pub unsafe fn of(frame: &VertexFrame, says: &Says, directed: bool) -> Result<Frame, String> {
        let [batch, files, columns, output] =
            [base::BATCH, base::FILES, base::COLUMNS, base::OUTPUT].map(|which| frame.head.base[which]);
        let incoming = Side::of(&frame.incoming, files, columns);
        let outgoing = Side::of(&frame.outgoing, files, columns);
        let starts = frame.phase == phase::START;
        // Where values are written, each direction of an edge has its own.
        let same = !directed && outgoing.begins.len == 0 && (starts || !says.writes);
        let outgoing = if same { incoming } else { outgoing };
        let mut lent = Frame {
            starts,
            iteration: frame.iteration,
            total: frame.total,
            first: frame.first,
            count: frame.count as usize,
            ids: Part::of(frame.ids, batch),
            own: Part::of(frame.own, output),
            before: Part::of(frame.before, batch),
            next: Part::of(frame.next, output),
            out_degrees: Part::of(frame.out_degrees, batch),
            shown: Part::of(frame.shown, columns),
            gathered: Part::of(frame.gathered, batch),
            sides: [incoming, if says.sees_outgoing() { outgoing } else { Side::NONE }],
            next_values: Part::NONE,
            shift: frame.block.trailing_zeros(),
            tallies: Part::of(frame.tallies, output),
            woken: Part::of(frame.woken, output),
            wakes: 0,
            distinct: true,
        };
        let misfit = lent.misfit(frame.block, says).or_else(|| {
            let fits = starts || lent.lend_values(Part::of(frame.next_values, output), says);
            (!fits).then_some("edges' next values")
        });
        match misfit {
            None => Ok(lent),
            Some(what) => Err(format!(
                "the frame's {what} are not of its {} vertices: the engine breaks the rules",
                lent.count
            )),
        }
    }

    /// Takes the part in which values of outgoing edges are set, where the program sets any; whether it has all of them.
    fn lend_values(&mut self, part: Part<u8>, says: &Says) -> bool {
        let Some(number) = says.edge.filter(|_| says.writes) else { return true };
        let outgoing = &self.sides[1];
        let degrees = (0..self.count).map(|place| outgoing.range(place)).map(|(begin, end)| end - begin);
        let edges = degrees.fold(0, usize::saturating_add);
        let len = edges.saturating_mul(number.size());
        self.next_values = Part { len, ..part };
        len <= part.len
    }

    /// What of it is not as long as it must be.
    fn misfit(&self, block: u32, says: &Says) -> Option<&'static str> {
        let bytes = |number: Option<Number>| number.map_or(Some(0), |of| self.count.checked_mul(of.size()));
        let showing = bytes(Some(says.shown));
        let gathers = says.form == Form::Gather && !self.starts;
        let fits = [
            ("blocks", block.is_power_of_two()),
            ("ids", self.ids.len == 0 || self.ids.len == self.count),
            ("own values", Some(self.own.len) == bytes(says.own)),
            ("shown values", Some(self.next.len) == showing),
            ("values before", if self.starts { true } else { Some(self.before.len) == showing }),
            ("out degrees", self.out_degrees.len == 0 || self.out_degrees.len == self.count),
            ("gathered values", !gathers || Some(self.gathered.len) == bytes(Some(says.gathered()))),
            ("incoming edges", self.sides[0].fits(self.count, says.edge.is_some())),
            ("outgoing edges", !says.sees_outgoing() || self.sides[1].fits(self.count, says.edge.is_some())),
        ];
        fits.into_iter().find(|(_, fits)| !fits).map(|(what, _)| what)
    }

    /// The number of the vertex at a place, and which of `tallies` it adds to.
    #[inline]
    pub fn vertex(&self, place: usize) -> Option<(u64, usize)> {
        let id = match self.ids.len {
            0 => self.first.checked_add(place as u64)?,
            _ => self.ids.get(place)?.into(),
        };
        let tally = (id.checked_sub(self.first)? >> self.shift) as usize;
        (tally < self.tallies.len).then_some((id, tally))
    }

    /// How many edges go out of the vertex at a place, where the engine tells.
    #[inline]
    pub fn out_degree(&self, place: usize) -> Option<u32> {
        self.out_degrees.get(place)
    }

    /// What the other end of an edge shows.
    #[inline]
    pub fn neighbour(&self, side: usize, number: Number, edge: usize) -> Option<u64> {
        self.shown.word(number, self.sides[side].at.get(edge)? as usize)
    }

    /// Puts what is shown at the other ends of all vertices' edges into the room, those of one vertex behind those of the one before, as
    /// numbers of this size: how many there are; none where an edge leads out of the frame.
    pub fn shown_beside<T: Copy>(&self, side: usize, room: &mut Vec<u64>) -> Option<usize> {
        const { assert!(size_of::<T>() == 4 || size_of::<T>() == 8) };
        let edges = &self.sides[side];
        let ranges = || (0..self.count).map(|place| edges.range(place));
        let count = ranges().try_fold(0_usize, |sum, (begin, end)| {
            if end > edges.at.len { None } else { sum.checked_add(end - begin) }
        })?;
        room.clear();
        room.resize(count.checked_mul(size_of::<T>())?.div_ceil(size_of::<u64>()), 0);
        // Vertices with consecutive numbers have their edges behind each other.
        let last = if self.ids.len == 0 { ranges().next_back().map_or(0, |(_, end)| end) } else { 0 };
        let shown = (self.shown.start.cast_const().cast::<T>(), self.shown.len / size_of::<T>());
        let (row, mut to) = (edges.at.start.cast_const().cast::<u32>(), room.as_mut_ptr().cast::<T>());
        for (begin, end) in ranges() {
            // SAFETY: each range is within the places, as was just looked at; there is room for as many as there are edges.
            unsafe {
                side_by_side(row, begin..end, last, shown, to)?;
                to = to.add(end - begin);
            }
        }
        Some(count)
    }

    /// All vertices begin with zeros.
    pub fn clear(&self) {
        for part in [self.own, self.next] {
            if part.len > 0 {
                // SAFETY: as `Part::set`.
                unsafe { part.start.write_bytes(0, part.len) };
            }
        }
    }

    /// Adds to one of the sums of a block.
    #[inline]
    pub fn add(&self, tally: usize, which: Sum, amount: f64) {
        let Some(mut sums) = self.tallies.get(tally) else { return };
        match which {
            Sum::Residual => sums.residual += amount,
            Sum::Total => sums.total += amount,
        }
        self.tallies.set(tally, sums);
    }

    /// Has a vertex updated in the next iteration. `None` where there is no room.
    pub fn wake(&mut self, vertex: u32) -> Option<()> {
        if self.wakes == self.woken.len && !self.distinct {
            self.drop_duplicates();
        }
        if self.wakes == self.woken.len {
            return self.is_woken(vertex).then_some(());
        }
        self.woken.set(self.wakes, vertex);
        self.wakes += 1;
        self.distinct = false;
        Some(())
    }

    #[cold]
    fn drop_duplicates(&mut self) {
        let mut woken: Vec<u32> = (0..self.wakes).filter_map(|place| self.woken.get(place)).collect();
        woken.sort_unstable();
        woken.dedup();
        self.wakes = woken.len();
        for (place, vertex) in woken.into_iter().enumerate() {
            self.woken.set(place, vertex);
        }
        self.distinct = true;
    }

    /// Whether a vertex is among those woken, which are in order.
    #[cold]
    fn is_woken(&self, vertex: u32) -> bool {
        let (mut low, mut high) = (0, self.wakes);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.woken.get(middle) {
                Some(found) if found == vertex => return true,
                Some(found) if found < vertex => low = middle + 1,
                _ => high = middle,
            }
        }
        false
    }

    /// How many were woken.
    pub fn wakes(&self) -> u64 {
        self.wakes as u64
    }
}
