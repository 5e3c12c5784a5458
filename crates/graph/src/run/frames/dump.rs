//! One interval of a run, written as JSON: what its vertices saw, and what has become of them. The simulators of the SDKs replay it.

use super::super::Running;
use super::Frames;
use crate::error::{Error, ErrorKind};
use crate::guest::{Bits, Shape};
use crate::run::room::{Part, Parts};
use crate::run::{BLOCK, side::Side};
use crate::value::ValueType;
use crate::vertex::Context;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Which interval is dumped, and where to.
#[derive(Clone, Debug)]
pub struct Dump {
    /// The number of the interval: that of its first vertex divided by 1,024.
    pub interval: u64,
    /// The number of the iteration, from 0 on.
    pub iteration: u64,
    /// The file, which is written when the interval was updated.
    pub file: PathBuf,
}

/// An interval before it is updated.
pub(super) struct Dumped<'a> {
    to: &'a Path,
    head: Map<String, Value>,
    vertices: Vec<(usize, Map<String, Value>)>,
}

/// A number as JSON has it: what is not finite, and what has 64 bits, as text.
fn number(of: ValueType, bits: u64) -> Value {
    let mut text = Vec::new();
    of.print(bits, &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    match of {
        ValueType::U64 | ValueType::I64 => Value::String(text),
        ValueType::U32 | ValueType::I32 => text.parse::<i64>().map_or(Value::String(text), Value::from),
        // Of an f32 the shortest text that is read as the same f32: as an f64 it is another number, which is rounded to it again.
        ValueType::F32 | ValueType::F64 => {
            let number = text.parse().ok().and_then(serde_json::Number::from_f64);
            number.map_or(Value::String(text), Value::Number)
        }
    }
}

impl<O: Bits, S: Bits, E: Bits> Frames<'_, '_, O, S, E> {
    /// The interval to be dumped, if it is one of these blocks in this iteration.
    pub(super) fn dumped(
        &self,
        run: &Running<'_, Self, u32>,
        parts: &Parts<'_, u32>,
        blocks: &Range<usize>,
        context: Context,
        vertices: impl Iterator<Item = usize>,
    ) -> Option<Dumped<'_>> {
        let dump = self.dump.as_ref().filter(|dump| dump.iteration == context.iteration)?;
        let block = usize::try_from(dump.interval).ok().filter(|block| blocks.contains(block))?;
        let Shape { own, shown, edge, outgoing, writes, selective, gather } = &self.guest.shape;
        let name = |of: &Option<ValueType>| of.map(ValueType::name);
        let settings: Map<String, Value> =
            self.guest.settings.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        let interval = run.vertices_in(&run.intervals.blocks(&run.chunks));
        let Value::Object(head) = json!({
            "upcall": "interval", "version": 1, "program": self.guest.file, "settings": settings,
            "vertices": self.graph.vertices(), "edges": self.graph.edges(), "directed": self.graph.is_directed(),
            "iteration": context.iteration, "total": number(ValueType::F64, context.total.to_bits()),
            "own": name(own), "shown": shown.name(), "edge": name(edge), "outgoing": outgoing, "writes": writes, "selective": selective,
            "interval": { "first": interval.start, "end": interval.end, "pass": run.intervals.pass() },
            "gather": gather.map(|by| by.name()),
        }) else {
            return None;
        };
        let range = run.vertices_of(block);
        let within = vertices.filter(|id| range.contains(id));
        let vertices = within.map(|id| (id, self.row(run, parts, context, id))).collect();
        Some(Dumped { to: &dump.file, head, vertices })
    }

    /// What a vertex sees.
    fn row(
        &self,
        run: &Running<'_, Self, u32>,
        parts: &Parts<'_, u32>,
        context: Context,
        id: usize,
    ) -> Map<String, Value> {
        let shape = &self.guest.shape;
        // SAFETY: this interval is this worker's, and what vertices showed is only read.
        let (own, shown) = unsafe { (run.own.part(id..id + 1)[0], run.shown[run.now(context).0].whole()) };
        let shows = |id: usize| number(shape.shown, shown[id].wide());
        let (values, [places_in, places_out]) = self.values(run, context);
        let mut row = Map::new();
        row.insert("id".into(), id.into());
        if let Some(of) = shape.own {
            row.insert("own".into(), number(of, own.wide()));
        }
        row.insert("shown".into(), shows(id));
        row.insert("outDegree".into(), self.graph.out_degrees()[id].into());
        let mut edges = |name: &str, side: &Side<'_, u32, E>, part: Part<'_, u32>, places: &[u64]| {
            let all = side.of(id);
            let ids = part.get(all.clone());
            let mut found = Map::new();
            found.insert("ids".into(), ids.into());
            found.insert("shown".into(), ids.iter().map(|id| shows(*id as usize)).collect());
            if let Some(of) = shape.edge {
                let place = |edge: usize| places.get(edge).map_or(edge, |place| *place as usize);
                let values = all.map(|edge| number(of, of.at(values, place(edge))));
                found.insert("values".into(), values.collect());
            }
            row.insert(name.into(), found.into());
        };
        edges("incoming", &run.incoming, parts.incoming, places_in);
        if let Some(side) = run.outgoing.as_ref().filter(|_| run.needs.sees_outgoing()) {
            edges("outgoing", side, parts.outgoing, places_out);
        }
        if let Some(by) = shape.gather {
            let of = if by.keeps_type() { shape.shown } else { ValueType::F64 };
            let one = std::iter::once((parts.incoming.get(run.incoming.of(id)), &[][..]));
            let mut take = |bits| drop(row.insert("gathered".into(), number(of, bits)));
            // SAFETY: the edges of this vertex's block were looked at.
            unsafe { by.all(shape.shown, shown, one, &mut take) };
        }
        row
    }
}

impl Dumped<'_> {
    /// Writes it, with what its vertices keep and show now.
    pub(super) fn write<O: Bits, S: Bits, E: Bits>(
        mut self,
        frames: &Frames<'_, '_, O, S, E>,
        run: &Running<'_, Frames<'_, '_, O, S, E>, u32>,
        context: Context,
    ) -> Result<(), Error> {
        let shape = &frames.guest.shape;
        let sets = run.edges.as_ref().zip(run.outgoing.as_ref());
        let rows = self.vertices.into_iter().map(|(id, mut row)| {
            // SAFETY: this interval is this worker's.
            let (own, next) =
                unsafe { (run.own.part(id..id + 1)[0], run.shown[run.now(context).1].part(id..id + 1)[0]) };
            if let Some(of) = shape.own {
                row.insert("keeps".into(), number(of, own.wide()));
            }
            row.insert("shows".into(), number(shape.shown, next.wide()));
            if let (Some(of), Some((edges, side))) = (shape.edge, sets) {
                // SAFETY: as above.
                let set = unsafe { edges.values[run.now(context).1].part(side.of(id)) };
                row.insert("sets".into(), set.iter().map(|value| number(of, value.wide())).collect());
            }
            Value::Object(row)
        });
        self.head.insert("rows".into(), rows.collect());
        let failed = |error: std::io::Error| Error::io("dump the interval to", self.to, &error);
        let mut out = BufWriter::new(File::create(self.to).map_err(failed)?);
        let written = serde_json::to_writer(&mut out, &self.head).map_err(std::io::Error::from);
        written.and_then(|()| writeln!(out)).and_then(|()| out.flush()).map_err(failed)
    }
}

/// Refuses an interval that the graph does not have.
pub(super) fn check(dump: Option<&Dump>, vertices: usize) -> Result<(), Error> {
    let intervals = vertices.div_ceil(BLOCK) as u64;
    match dump.filter(|dump| dump.interval >= intervals) {
        None => Ok(()),
        Some(dump) => {
            let why = format!(
                "dump interval {}: the graph has {intervals} intervals of {BLOCK} vertices, from 0 on",
                dump.interval
            );
            Err(Error::new(ErrorKind::Usage, why))
        }
    }
}
