//! A graph's file: what its columns are, and a graph that is mapped or read.

pub(crate) use crate::adjacency::places;
pub use crate::adjacency::{Adjacency, Id, Ids, Wide};
use crate::compressed::{BLOCK, Compressed, InOrder, Whole, damaged};
use crate::error::{Error, ErrorKind};
use crate::value::ValueType;
use memmap2::{Mmap, MmapMut};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use upcall_derive::Blit;
use upcall_host::Lent;
use upcall_soa::file::Named;

/// The names of a file's columns. What is not said to be missing is in every file.
pub mod columns {
    /// One [`Head`](super::Head).
    pub const HEAD: &str = "graph";
    /// Where the incoming edges of each vertex begin, and behind the last where they end: one u64 more than there are vertices.
    pub const IN_OFFSETS: &str = "in.offsets";
    /// Whence each incoming edge comes, by the vertex that it goes to, in ascending order: u32, or `Wide`; where they are compressed,
    /// bytes.
    pub const IN_NEIGHBOURS: &str = "in.neighbours";
    /// Where in [`IN_NEIGHBOURS`] each block of 1,024 vertices begins, and behind the last where it ends, as u64; missing unless
    /// neighbours are compressed.
    pub const IN_BLOCKS: &str = "in.blocks";
    /// How many edges go out of each vertex, as u32.
    pub const OUT_DEGREES: &str = "out.degrees";
    /// As [`IN_OFFSETS`], of outgoing edges; missing where the file was made without them, and of undirected graphs.
    pub const OUT_OFFSETS: &str = "out.offsets";
    /// As [`IN_NEIGHBOURS`], where outgoing edges go to; missing with their offsets.
    pub const OUT_NEIGHBOURS: &str = "out.neighbours";
    /// As [`IN_BLOCKS`], of outgoing edges.
    pub const OUT_BLOCKS: &str = "out.blocks";
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
    /// The version of what the columns mean: 1, or 2 where neighbours are compressed.
    pub version: u32,
}

/// The version of a file whose neighbours are not compressed, and of one whose are.
pub(crate) const VERSIONS: [u32; 2] = [1, 2];

/// The columns of edges that come in, and of those that go out: offsets, neighbours, and where blocks of these begin.
pub(crate) const SIDES: [[&str; 3]; 2] = [
    [columns::IN_OFFSETS, columns::IN_NEIGHBOURS, columns::IN_BLOCKS],
    [columns::OUT_OFFSETS, columns::OUT_NEIGHBOURS, columns::OUT_BLOCKS],
];

/// How many bytes an element has that is a vertex or a number; nothing where it is something else, which edges' values may be.
fn size_of_element(name: &str) -> Option<usize> {
    match name {
        "Wide" => Some(size_of::<Wide>()),
        "u8" => Some(size_of::<u8>()),
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
    /// The neighbours of each side, where they are compressed and were asked for.
    decoded: [OnceLock<Whole>; 2],
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
            [head] if VERSIONS.contains(&head.version) && head.directed <= 1 => *head,
            [head] => {
                return Err(wrong(format!(
                    "its head says {head:?}, and only versions 1 and 2 are known: make it again"
                )));
            }
            heads => return Err(wrong(format!("it has {} heads instead of one", heads.len()))),
        };
        let graph = Graph { file, head, decoded: Default::default() };
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
        let compressed = self.is_compressed();
        if compressed && vertices > u64::from(u32::MAX) {
            return Err(format!(
                "it is compressed, and says that it has {vertices} vertices, more than 32 bits count"
            ));
        }
        let ids: &[&str] = if vertices <= 1 << 32 { &["u32", "Wide"] } else { &["Wide"] };
        let directions = if self.file.entry(columns::OUT_OFFSETS).is_some() { 2 } else { 1 };
        for [offsets, neighbours, blocks] in &SIDES[..directions] {
            has(offsets, vertices + 1, &["u64"])?;
            if compressed {
                has(blocks, vertices.div_ceil(BLOCK as u64) + 1, &["u64"])?;
                let bytes = self.file.entry(neighbours).map_or(0, upcall_soa::file::Entry::rows);
                has(neighbours, bytes, &["u8"])?;
                self.ends(blocks, bytes, "compressed neighbours")?;
                if edges > bytes {
                    return Err(format!(
                        "its column {neighbours} has {bytes} bytes, too few for {edges} edges"
                    ));
                }
            } else {
                has(neighbours, edges, ids)?;
            }
            self.ends(offsets, edges, "edges")?;
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

    /// Whether what a column of places says of its first and its last is so.
    fn ends(&self, column: &str, last: u64, what: &str) -> Result<(), String> {
        let places = self.file.column::<u64>(column).map_err(|error| error.to_string())?;
        let ends = places.first().zip(places.last());
        match ends == Some((&0, &last)) {
            true => Ok(()),
            false => Err(format!("its {what} begin and end at {ends:?} instead of 0 and {last}")),
        }
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

    /// Whether neighbours are compressed.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.head.version == VERSIONS[1]
    }

    /// Whether neighbours have five bytes.
    pub(crate) fn is_wide(&self) -> bool {
        self.file.entry(columns::IN_NEIGHBOURS).is_some_and(|entry| entry.element() == "Wide")
    }

    /// Whether it is known which edges go out of each vertex, which a directed graph's file may be made without.
    #[must_use]
    pub fn has_outgoing(&self) -> bool {
        !self.is_directed() || self.file.entry(columns::OUT_OFFSETS).is_some()
    }

    /// How many edges come into a vertex.
    ///
    /// # Panics
    /// There is no such vertex.
    #[must_use]
    pub fn in_degree(&self, vertex: usize) -> usize {
        places(self.in_offsets(), vertex, self.edges()).len()
    }

    pub(crate) fn in_offsets(&self) -> &[u64] {
        self.file.column(columns::IN_OFFSETS).expect("it was looked at when the file was opened")
    }

    /// The edges that come in, by the vertex that they go to. Of a graph that is compressed all of them are decoded when this is first
    /// called, and stay in memory, 4 bytes each; [`incoming_in_order`](Graph::incoming_in_order) takes less. What of them is damaged leads to no
    /// vertex, as [`check`](Graph::check) says.
    ///
    /// # Panics
    /// The graph is compressed, and there is no memory.
    #[must_use]
    pub fn incoming(&self) -> Adjacency<'_> {
        self.side(0).expect("it was looked at when the file was opened")
    }

    /// The edges that go out, by the vertex that they come from: of an undirected graph those that come in. As
    /// [`incoming`](Graph::incoming) where the graph is compressed.
    #[must_use]
    pub fn outgoing(&self) -> Option<Adjacency<'_>> {
        if !self.is_directed() {
            return Some(self.incoming());
        }
        self.side(1)
    }

    /// The edges that come in, for whoever asks for vertices in order.
    #[must_use]
    pub fn incoming_in_order(&self) -> InOrder<'_> {
        match self.compressed(0) {
            Some((offsets, compressed)) => InOrder::compressed(compressed, offsets),
            None => InOrder::plain(self.incoming()),
        }
    }

    /// Those that go out, of a graph that has them.
    pub(crate) fn outgoing_in_order(&self) -> Option<InOrder<'_>> {
        if !self.is_directed() {
            return Some(self.incoming_in_order());
        }
        match self.compressed(1) {
            Some((offsets, compressed)) => Some(InOrder::compressed(compressed, offsets)),
            None => self.outgoing().map(InOrder::plain),
        }
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

    /// Has the system fetch these elements of the file soon, which are a part of a column: how many bytes they have.
    pub(crate) fn will_need<T>(&self, elements: &[T]) -> usize {
        #[cfg(unix)]
        if let Bytes::Mapped(map, _) = self.file.file() {
            let offset = elements.as_ptr().addr().wrapping_sub(map.as_ptr().addr());
            // It is advice: where the system takes none, all is fetched when it is looked at.
            let _ = map.advise_range(memmap2::Advice::WillNeed, offset, size_of_val(elements));
        }
        size_of_val(elements)
    }

    /// Has the system fetch what is missing of a mapped file without what lies around it, or with it, as it does otherwise.
    pub(crate) fn fetches_around(&self, around: bool) {
        #[cfg(unix)]
        if let Bytes::Mapped(map, _) = self.file.file() {
            // It is advice.
            let _ = map.advise(if around { memmap2::Advice::Normal } else { memmap2::Advice::Random });
        }
        #[cfg(not(unix))]
        let _ = around;
    }

    /// The offsets of those edges that come in, 0, or go out, 1, and their neighbours if they are compressed.
    pub(crate) fn stored(&self, side: usize) -> Result<(&[u64], Option<Compressed<'_>>), Error> {
        let [offsets, neighbours, blocks] = SIDES[side];
        let compressed = match self.is_compressed() {
            true => Some(Compressed::new(self.file.column(blocks)?, self.file.column(neighbours)?)),
            false => None,
        };
        Ok((self.file.column(offsets)?, compressed))
    }

    /// Both, of a graph that is compressed and has them.
    fn compressed(&self, side: usize) -> Option<(&[u64], Compressed<'_>)> {
        let (offsets, compressed) = self.stored(side).ok()?;
        Some((offsets, compressed?))
    }

    /// Decodes all neighbours of a graph that is compressed, so that [`incoming`](Graph::incoming) and [`outgoing`](Graph::outgoing) have them.
    ///
    /// # Errors
    /// There is no memory, or the file is damaged.
    pub(crate) fn decode(&self) -> Result<(), Error> {
        for (side, decoded) in self.decoded.iter().enumerate() {
            let Some((offsets, compressed)) = self.compressed(side) else { continue };
            let whole = match decoded.get() {
                Some(whole) => whole,
                None => {
                    let whole = Whole::of(compressed, offsets, self.edges())?;
                    decoded.get_or_init(|| whole)
                }
            };
            if let Some(block) = whole.damaged {
                return Err(damaged(block, (self.vertices() - block * BLOCK).min(BLOCK)));
            }
        }
        Ok(())
    }

    fn side(&self, side: usize) -> Option<Adjacency<'_>> {
        let [offsets, neighbours, _] = SIDES[side];
        if let Some((offsets, compressed)) = self.compressed(side) {
            let whole = self.decoded[side].get_or_init(|| {
                Whole::of(compressed, offsets, self.edges()).unwrap_or_else(|error| panic!("{error}"))
            });
            return Some(Adjacency { offsets, neighbours: Ids::Narrow(&whole.ids) });
        }
        let offsets = self.file.column(offsets).ok()?;
        let neighbours = match self.file.column(neighbours) {
            Ok(ids) => Ids::Narrow(ids),
            Err(_) => Ids::Wide(self.file.column(neighbours).ok()?),
        };
        Some(Adjacency { offsets, neighbours })
    }
}
