//! A graph's file: what its columns are, and a graph that is mapped or read.

use crate::error::{Error, ErrorKind};
use crate::value::ValueType;
use memmap2::{Mmap, MmapMut};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use upcall_derive::Blit;
use upcall_host::Lent;
use upcall_soa::file::Named;

/// The names of a file's columns. What is not said to be missing is in every file.
pub mod columns {
    /// One [`Head`](super::Head).
    pub const HEAD: &str = "graph";
    /// Where the incoming edges of each vertex begin, and behind the last where they end: one u64 more than there are vertices.
    pub const IN_OFFSETS: &str = "in.offsets";
    /// Whence each incoming edge comes, by the vertex that it goes to, in ascending order: u32, or `Wide`.
    pub const IN_NEIGHBOURS: &str = "in.neighbours";
    /// How many edges go out of each vertex, as u32.
    pub const OUT_DEGREES: &str = "out.degrees";
    /// As [`IN_OFFSETS`], of outgoing edges; missing where the file was made without them, and of undirected graphs.
    pub const OUT_OFFSETS: &str = "out.offsets";
    /// As [`IN_NEIGHBOURS`], where outgoing edges go to; missing with their offsets.
    pub const OUT_NEIGHBOURS: &str = "out.neighbours";
    /// For each outgoing edge its place among the incoming ones, where edges have values, as u64.
    pub const OUT_PLACES: &str = "out.places";
    /// The value of each incoming edge; missing where edges have none.
    pub const VALUES: &str = "edges.value";
    /// What the lists of edges called each vertex, as u64; missing where vertices are called by their places.
    pub const NUMBERS: &str = "ids.number";
    /// Where the name of each vertex begins in [`NAMES`], and where the last ends, as u64.
    pub const NAME_OFFSETS: &str = "ids.offset";
    /// The names of vertices one after the other, as UTF-8; missing where they are numbers.
    pub const NAMES: &str = "ids.name";
}

/// What a file says of its graph.
#[derive(Blit, Clone, Copy, Debug, PartialEq, Eq)]
#[blit(crate = upcall_abi)]
#[repr(C)]
pub struct Head {
    /// How many vertices there are: they are called 0 to this.
    pub vertices: u64,
    /// How many edges there are; each of an undirected graph counts once per direction.
    pub edges: u64,
    /// 1, or 0 where each edge is there in both directions.
    pub directed: u32,
    /// The version of what the columns mean: 1.
    pub version: u32,
}

/// A vertex in five bytes, little-endian: where there are more than u32 counts.
#[derive(Blit, Clone, Copy, Debug, PartialEq, Eq, Default)]
#[blit(crate = upcall_abi)]
#[repr(C)]
pub struct Wide {
    /// The bytes.
    pub bytes: [u8; 5],
}

impl Wide {
    /// The largest that there is.
    pub const MAX: u64 = (1 << 40) - 1;

    /// A vertex; of a number that has no room the higher bits are lost.
    #[must_use]
    pub fn new(vertex: u64) -> Wide {
        let [a, b, c, d, e, ..] = vertex.to_le_bytes();
        Wide { bytes: [a, b, c, d, e] }
    }
}

/// A vertex as a file has it.
pub trait Id: upcall_abi::Blit + Copy + Send + Sync {
    /// Its number.
    fn vertex(self) -> usize;
}

impl Id for u32 {
    #[inline(always)]
    fn vertex(self) -> usize {
        self as usize
    }
}

impl Id for Wide {
    #[inline(always)]
    fn vertex(self) -> usize {
        let [a, b, c, d, e] = self.bytes;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) as usize
    }
}

/// Neighbours, as a file has them.
#[derive(Clone, Copy, Debug)]
pub enum Ids<'a> {
    /// Of graphs with fewer than 2^32 vertices.
    Narrow(&'a [u32]),
    /// Of larger ones.
    Wide(&'a [Wide]),
}

impl Ids<'_> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Ids::Narrow(ids) => ids.len(),
            Ids::Wide(ids) => ids.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    ///
    /// # Panics
    /// There are fewer.
    #[must_use]
    pub fn get(&self, index: usize) -> usize {
        match self {
            Ids::Narrow(ids) => ids[index].vertex(),
            Ids::Wide(ids) => ids[index].vertex(),
        }
    }
}

/// The edges of all vertices in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Adjacency<'a> {
    /// Where those of each vertex begin, and where the last ones end.
    pub offsets: &'a [u64],
    /// The vertices at their other ends.
    pub neighbours: Ids<'a>,
}

impl Adjacency<'_> {
    /// The places of a vertex's edges. What a damaged file says of them is cut to those that there are.
    #[must_use]
    pub fn of(&self, vertex: usize) -> Range<usize> {
        places(self.offsets, vertex, self.neighbours.len())
    }
}

/// The places of a vertex's edges, of which there are `count` in all.
#[inline(always)]
pub(crate) fn places(offsets: &[u64], vertex: usize, count: usize) -> Range<usize> {
    let place = |offset: u64| usize::try_from(offset).unwrap_or(count).min(count);
    let end = place(offsets[vertex + 1]);
    place(offsets[vertex]).min(end)..end
}

/// How many bytes an element has that is a vertex or a number; nothing where it is something else, which edges' values may be.
fn size_of_element(name: &str) -> Option<usize> {
    match name {
        "Wide" => Some(size_of::<Wide>()),
        _ => ValueType::named(name).map(ValueType::size),
    }
}

/// Where a file's bytes are.
#[derive(Debug)]
enum Bytes {
    /// With the file, for guests in other processes to map.
    Mapped(Mmap, Arc<File>),
    Read(MmapMut),
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map, _) => map,
            Bytes::Read(memory) => memory,
        }
    }
}

/// A graph from a file.
#[derive(Debug)]
pub struct Graph {
    file: Named<Bytes>,
    head: Head,
}

impl Graph {
    /// Maps a graph's file: it is read when it is looked at, and lies in the memory that the system has to spare.
    ///
    /// # Errors
    /// The file cannot be mapped, is no graph, or says what cannot be of its columns' lengths. What is in the columns is not looked
    /// at: [`check`](Graph::check) does that.
    ///
    /// # Safety
    /// As long as the graph is there no one writes or shortens the file, in this process or another.
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Graph, Error> {
        let path = path.as_ref();
        let failed = |error| Error::io("map the graph", path, &error);
        let file = File::open(path).map_err(failed)?;
        // SAFETY: the caller's promise.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        Graph::of(Bytes::Mapped(map, Arc::new(file)), &format!("graph {}", path.display()))
    }

    /// Maps the nameless file, in this place, of a graph that has come of another one by changes.
    ///
    /// # Safety
    /// As of [`map`](Graph::map).
    pub(crate) unsafe fn changed(file: File, place: &Path) -> Result<Graph, Error> {
        // SAFETY: the caller's promise.
        let map = unsafe { Mmap::map(&file) }
            .map_err(|error| Error::io("map the changed graph in", place, &error))?;
        Graph::of(Bytes::Mapped(map, Arc::new(file)), "changed graph").map_err(|error| {
            error.hint("the file that it comes from is damaged, `upcall graph check` says where")
        })
    }

    /// Reads a graph's file into memory.
    ///
    /// # Errors
    /// As [`map`](Graph::map), or there is no memory for it.
    pub fn read(path: impl AsRef<Path>) -> Result<Graph, Error> {
        let path = path.as_ref();
        let failed = |error| Error::io("read the graph", path, &error);
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let length = usize::try_from(length).map_err(|_| {
            Error::new(
                ErrorKind::TooLarge,
                format!("read the graph {}: memory has less room", path.display()),
            )
        })?;
        let mut memory = MmapMut::map_anon(length.max(1)).map_err(failed)?;
        file.read_exact(&mut memory[..length]).map_err(failed)?;
        Graph::of(Bytes::Read(memory), &format!("graph {}", path.display()))
    }

    /// `name` is what messages call it.
    fn of(bytes: Bytes, name: &str) -> Result<Graph, Error> {
        let wrong = |why: String| Error::new(ErrorKind::Format, format!("read the {name}: {why}"));
        let file = Named::new(bytes).map_err(|error| wrong(error.to_string()))?;
        let head = match file.column::<Head>(columns::HEAD).map_err(|error| wrong(error.to_string()))? {
            [head] if head.version == 1 && head.directed <= 1 => *head,
            [head] => {
                return Err(wrong(format!(
                    "its head says {head:?}, and only version 1 is known: make it again"
                )));
            }
            heads => return Err(wrong(format!("it has {} heads instead of one", heads.len()))),
        };
        let graph = Graph { file, head };
        graph.whole().map_err(wrong)?;
        Ok(graph)
    }

    /// Whether the columns are there and as long as the head says.
    fn whole(&self) -> Result<(), String> {
        let Head { vertices, edges, .. } = self.head;
        if vertices > Wide::MAX {
            return Err(format!("it says that it has {vertices} vertices, more than 40 bits count"));
        }
        let has = |name: &str, rows: u64, elements: &[&str]| match self.file.entry(name) {
            Some(entry) if entry.rows() != rows => {
                Err(format!("its column {name} has {} rows instead of {rows}", entry.rows()))
            }
            Some(entry) if !elements.is_empty() && !elements.contains(&entry.element()) => Err(format!(
                "its column {name} is of {} instead of {}",
                entry.element(),
                elements.join(" or ")
            )),
            Some(entry) => match size_of_element(entry.element()) {
                Some(size) if size != entry.size() => Err(format!(
                    "its column {name} has elements {} of {} bytes instead of {size}",
                    entry.element(),
                    entry.size()
                )),
                _ => Ok(()),
            },
            None => Err(format!("its column {name} is missing")),
        };
        let ids: &[&str] = if vertices <= 1 << 32 { &["u32", "Wide"] } else { &["Wide"] };
        let sides =
            [(columns::IN_OFFSETS, columns::IN_NEIGHBOURS), (columns::OUT_OFFSETS, columns::OUT_NEIGHBOURS)];
        let directions = if self.file.entry(columns::OUT_OFFSETS).is_some() { 2 } else { 1 };
        for (offsets, neighbours) in &sides[..directions] {
            has(offsets, vertices + 1, &["u64"])?;
            has(neighbours, edges, ids)?;
            let offsets = self.file.column::<u64>(offsets).map_err(|error| error.to_string())?;
            let ends = offsets.first().zip(offsets.last());
            if ends != Some((&0, &edges)) {
                return Err(format!("its edges begin and end at {ends:?} instead of 0 and {edges}"));
            }
        }
        let element = |name| self.file.entry(name).map(upcall_soa::file::Entry::element);
        if directions == 2 && element(columns::IN_NEIGHBOURS) != element(columns::OUT_NEIGHBOURS) {
            return Err("its two directions have vertices of two widths".to_owned());
        }
        has(columns::OUT_DEGREES, vertices, &["u32"])?;
        for (name, rows, elements) in [
            (columns::VALUES, edges, &[][..]),
            (columns::OUT_PLACES, edges, &["u64"]),
            (columns::NUMBERS, vertices, &["u64"]),
            (columns::NAME_OFFSETS, vertices + 1, &["u64"]),
        ] {
            if self.file.entry(name).is_some() {
                has(name, rows, elements)?;
            }
        }
        Ok(())
    }

    /// Whether the columns of both have the same names, types and bytes: all of both is read.
    #[must_use]
    pub fn has_the_columns_of(&self, other: &Graph) -> bool {
        let count = |graph: &Graph| graph.file.entries().len();
        count(self) == count(other)
            && self.file.entries().iter().all(|entry| {
                let same = other.file.entry(entry.name()).filter(|other| other.element() == entry.element());
                same.is_some() && self.file.bytes(entry.name()).ok() == other.file.bytes(entry.name()).ok()
            })
    }

    /// What the file says of its graph.
    #[must_use]
    pub fn head(&self) -> Head {
        self.head
    }

    /// How many vertices there are.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.head.vertices as usize
    }

    /// How many edges there are; each of an undirected graph counts once per direction.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.head.edges as usize
    }

    /// Whether edges have a direction; where they have none, each is there in both.
    #[must_use]
    pub fn is_directed(&self) -> bool {
        self.head.directed == 1
    }

    /// The edges that come in, by the vertex that they go to.
    #[must_use]
    pub fn incoming(&self) -> Adjacency<'_> {
        self.side(columns::IN_OFFSETS, columns::IN_NEIGHBOURS)
            .expect("it was looked at when the file was opened")
    }

    /// The edges that go out, by the vertex that they come from: of an undirected graph those that come in.
    #[must_use]
    pub fn outgoing(&self) -> Option<Adjacency<'_>> {
        if !self.is_directed() {
            return Some(self.incoming());
        }
        self.side(columns::OUT_OFFSETS, columns::OUT_NEIGHBOURS)
    }

    /// How many edges go out of each vertex.
    #[must_use]
    pub fn out_degrees(&self) -> &[u32] {
        self.file.column(columns::OUT_DEGREES).expect("it was looked at when the file was opened")
    }

    /// The file's columns.
    #[must_use]
    pub fn file(&self) -> &Named<impl AsRef<[u8]>> {
        &self.file
    }

    /// The file where it is mapped, as guests in other processes map it.
    pub(crate) fn lent(&self) -> Option<Lent> {
        match self.file.file() {
            Bytes::Mapped(map, file) => Some(Lent::new(map, file.clone())),
            Bytes::Read(_) => None,
        }
    }

    /// Whether the file is mapped, and not read into memory.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self.file.file(), Bytes::Mapped(..))
    }

    /// Has the system fetch these elements of the file soon, which are a part of a column.
    pub(crate) fn will_need<T>(&self, elements: &[T]) {
        #[cfg(unix)]
        if let Bytes::Mapped(map, _) = self.file.file() {
            let offset = elements.as_ptr().addr().wrapping_sub(map.as_ptr().addr());
            // It is advice: where the system takes none, all is fetched when it is looked at.
            let _ = map.advise_range(memmap2::Advice::WillNeed, offset, size_of_val(elements));
        }
        #[cfg(not(unix))]
        let _ = elements;
    }

    fn side(&self, offsets: &str, neighbours: &str) -> Option<Adjacency<'_>> {
        let offsets = self.file.column(offsets).ok()?;
        let neighbours = match self.file.column(neighbours) {
            Ok(ids) => Ids::Narrow(ids),
            Err(_) => Ids::Wide(self.file.column(neighbours).ok()?),
        };
        Some(Adjacency { offsets, neighbours })
    }
}
