//! Takes edges from lists: finds their vertices' places, and gives them to be sorted in the directions that they are stored in.

use super::called::{beyond, named, number};
use super::labels::Labels;
use super::policy::{Direction, Loops, Vertices};
use super::record::Edge;
use super::sorter::{Both, Plan, Sort, Sorted, sorter};
use super::table::Table;
use super::temporary::Spool;
use super::watch::Watch;
use super::{Limits, Rules};
use crate::error::{Error, ErrorKind};
use crate::file::Wide;
use crate::read::{Called, Fault, Sink};
use crate::value::{Bits, ValueType};

/// How vertices' places are found.
enum Places {
    /// They are what they are called, below this.
    Kept { end: u64 },
    /// By a table of numbers, whose order is known at the end only: until then edges wait in a file.
    Dense { table: Table, waiting: Spool },
    /// By a table of names.
    Names { table: Table },
}

pub(crate) struct Collector<'w, 'a> {
    rules: Rules,
    limits: Limits,
    plan: Plan,
    places: Places,
    narrow: Option<Box<dyn Sort>>,
    wide: Option<Box<dyn Sort>>,
    watch: &'w mut Watch<'a>,
    /// One more than the largest place.
    end: u64,
    /// Edges that were read, and loops that were left out.
    pub(crate) read: u64,
    pub(crate) loops: u64,
    pub(crate) ignored: bool,
}

/// All edges.
pub(crate) struct Collected {
    pub(crate) edges: Sorted,
    pub(crate) vertices: u64,
    pub(crate) labels: Labels,
    pub(crate) read: u64,
    pub(crate) loops: u64,
    pub(crate) ignored: bool,
}

impl<'w, 'a> Collector<'w, 'a> {
    pub(crate) fn new(rules: &Rules, limits: &Limits, watch: &'w mut Watch<'a>) -> Collector<'w, 'a> {
        let places = match rules.vertices {
            Vertices::Keep => Places::Kept { end: Wide::MAX },
            Vertices::Count(count) => Places::Kept { end: count },
            Vertices::Dense => {
                Places::Dense { table: Table::of_numbers(limits.table), waiting: Spool::new(&limits.folder) }
            }
            Vertices::Names => Places::Names { table: Table::of_names(limits.table) },
        };
        Collector {
            rules: rules.clone(),
            plan: limits.plan(limits.sort, false),
            limits: limits.clone(),
            places,
            narrow: None,
            wide: None,
            watch,
            end: 0,
            read: 0,
            loops: 0,
            ignored: false,
        }
    }

    fn store(&mut self, from: u64, to: u64, payload: Bits) -> Result<(), Error> {
        let (from, to) = if self.rules.direction == Direction::Reversed { (to, from) } else { (from, to) };
        self.push(Edge { major: to, minor: from, payload })?;
        if self.rules.direction == Direction::Undirected && from != to {
            self.push(Edge { major: from, minor: to, payload })?;
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, edge: Edge) -> Result<(), Error> {
        let narrow = !self.rules.wide && (edge.major | edge.minor) <= u64::from(u32::MAX);
        match (&mut self.narrow, &mut self.wide) {
            (_, Some(sort)) => sort.push(edge),
            (Some(sort), None) if narrow => sort.push(edge),
            _ => self.first(edge, narrow),
        }
    }

    /// The first edge of all, or the first that is wide.
    #[cold]
    fn first(&mut self, edge: Edge, narrow: bool) -> Result<(), Error> {
        if let Some(before) = &mut self.narrow {
            before.retire()?;
        }
        let payload = self.rules.values.map_or(0, ValueType::size);
        let mut sort = sorter(self.plan.clone(), !narrow, payload);
        sort.push(edge)?;
        *(if narrow { &mut self.narrow } else { &mut self.wide }) = Some(sort);
        Ok(())
    }

    /// There are no more edges.
    pub(crate) fn end(mut self) -> Result<Collected, Error> {
        self.watch.look()?;
        let (labels, vertices) = match std::mem::replace(&mut self.places, Places::Kept { end: 0 }) {
            Places::Kept { .. } => (Labels::Places, self.kept()?),
            Places::Names { mut table } => {
                table.close();
                let vertices = table.len() as u64;
                (Labels::Names(table), vertices)
            }
            Places::Dense { mut table, waiting } => {
                table.close();
                let order = table.ordered();
                self.place(waiting, &order)?;
                let vertices = table.len() as u64;
                (Labels::Numbers(table, order), vertices)
            }
        };
        let Collector { narrow, wide, limits, watch, read, loops, ignored, .. } = self;
        let edges = match (narrow, wide) {
            (Some(narrow), Some(wide)) => {
                let first = narrow.sorted(limits.merge / 2, watch)?;
                let second = wide.sorted(limits.merge / 2, watch)?;
                let memory = first.memory + second.memory;
                Sorted { edges: Box::new(Both::new(first.edges, second.edges)?), memory }
            }
            (Some(sort), None) | (None, Some(sort)) => sort.sorted(limits.merge, watch)?,
            (None, None) => sorter(limits.plan(0, false), false, 0).sorted(0, watch)?,
        };
        Ok(Collected { edges, vertices, labels, read, loops, ignored })
    }

    /// How many vertices there are that are called by their places.
    fn kept(&self) -> Result<u64, Error> {
        if let Vertices::Count(count) = self.rules.vertices {
            return Ok(count);
        }
        // Every vertex takes twelve bytes of the file: a number that was never meant as a place would fill the disk.
        if self.end > 1 << 24 && self.end / 64 > self.read {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!(
                    "make a graph: its {} edges would be of {} vertices, as the largest is called {}: let the numbers be placed \
                     densely, or say how many vertices there are",
                    self.read,
                    self.end,
                    self.end - 1
                ),
            ));
        }
        Ok(self.end)
    }

    /// Gives the edges that waited their places.
    fn place(&mut self, waiting: Spool, order: &[u32]) -> Result<(), Error> {
        let mut places = vec![0u32; order.len()];
        for (place, met) in order.iter().enumerate() {
            places[*met as usize] = place as u32;
        }
        let size = self.waiting_size();
        let place = |bytes: &[u8]| {
            u64::from(places[u32::from_le_bytes(*bytes.first_chunk().expect("four")) as usize])
        };
        let take = |edges: &[u8]| {
            for edge in edges.chunks_exact(size) {
                let value = edge[8..].first_chunk().map_or(0, |bits| Bits::from_le_bytes(*bits));
                self.store(place(edge), place(&edge[4..]), value)?;
            }
            self.watch.look()
        };
        waiting.drain(take, size)
    }

    /// How many bytes an edge has that waits.
    fn waiting_size(&self) -> usize {
        if self.rules.values.is_some() { 16 } else { 8 }
    }
}

impl Sink for Collector<'_, '_> {
    fn values(&self) -> Option<ValueType> {
        self.rules.values
    }

    fn is_undirected(&self) -> bool {
        self.rules.direction == Direction::Undirected
    }

    fn is_kept(&self) -> bool {
        matches!(self.places, Places::Kept { .. })
    }

    fn window(&self) -> u32 {
        self.limits.window()
    }

    fn vertices(&mut self, count: u64) -> Result<(), Fault> {
        if let Places::Kept { end } = self.places {
            if count > end {
                return Err(Fault::Input(format!("there are {count} vertices, and {end} are the most")));
            }
            self.end = self.end.max(count);
        }
        Ok(())
    }

    #[inline]
    fn ignored(&mut self) {
        self.ignored = true;
    }

    #[inline]
    fn edge(&mut self, from: Called<'_>, to: Called<'_>, value: Bits) -> Result<(), Fault> {
        let place = |called| match &mut self.places {
            Places::Kept { end } => match number(called)? {
                number if number < *end => Ok(number),
                number => Err(beyond(number, *end)),
            },
            Places::Dense { table, .. } => table.place(&number(called)?.to_be_bytes(), || Ok(())),
            Places::Names { table } => named(table, called),
        };
        let [from, to] = {
            let mut place = place;
            [place(from)?, place(to)?]
        };
        self.end = self.end.max(from.max(to) + 1);
        self.read += 1;
        if from == to && self.rules.loops != Loops::Keep {
            if self.rules.loops == Loops::Refuse {
                return Err(Fault::Input(
                    "the edge is a loop, from a vertex to itself: these were refused".into(),
                ));
            }
            self.loops += 1;
            return Ok(());
        }
        self.watch.edge()?;
        let (size, places) = (self.waiting_size(), &mut self.places);
        if let Places::Dense { waiting, .. } = places {
            let mut edge = [0; 16];
            edge[..4].copy_from_slice(&(from as u32).to_le_bytes());
            edge[4..8].copy_from_slice(&(to as u32).to_le_bytes());
            edge[8..].copy_from_slice(&value.to_le_bytes());
            return Ok(waiting.push(&edge[..size])?);
        }
        Ok(self.store(from, to, value)?)
    }

    fn read(&mut self, bytes: u64) -> Result<(), Error> {
        self.watch.now.bytes += bytes;
        self.watch.look()
    }
}

#[cfg(test)]
mod tests {
    use super::super::policy::Duplicates;
    use super::*;

    /// A file of so many vertices would be too large for a test; what is written into it is not.
    #[test]
    fn edges_are_in_one_order_where_the_first_wide_vertex_comes_late() {
        for buffers in [256, 5000, 1 << 20] {
            let rules = Rules {
                loops: Loops::Keep,
                duplicates: Duplicates::Keep,
                direction: Direction::Directed,
                vertices: Vertices::Count(Wide::MAX),
                values: Some(ValueType::U32),
                outgoing: true,
                wide: false,
                compress: false,
            };
            let limits = Limits::new(buffers, rules.vertices, std::env::temp_dir());
            let mut watch = Watch::new(None, None);
            let mut collector = Collector::new(&rules, &limits, &mut watch);
            let wide = 1u64 << 33;
            let vertex = |number: u64| if number.is_multiple_of(3) { number % 7 } else { number % 5 + 1 };
            let mut model: Vec<Edge> = (0..1000)
                .map(|payload| Edge { minor: vertex(payload * 31), major: vertex(payload * 17), payload })
                .collect();
            for edge in &mut model[600..] {
                edge.major += if edge.payload.is_multiple_of(2) { wide } else { 0 };
                edge.minor += if edge.payload.is_multiple_of(5) { wide } else { 0 };
            }
            for edge in &model {
                let (from, to) = (Called::Number(edge.minor), Called::Number(edge.major));
                assert!(collector.edge(from, to, edge.payload).is_ok());
            }
            let mut edges = collector.end().unwrap().edges.edges;
            let mut found = Vec::new();
            while let Some(edge) = edges.next().unwrap() {
                found.push(edge);
            }
            model.sort_by_key(|edge| (edge.major, edge.minor));
            assert!(found == model, "{buffers} bytes of buffers");
        }
    }
}
