//! Whether all that a graph's file says is so.

use crate::error::{Error, ErrorKind};
use crate::file::{Adjacency, Graph, columns};

/// What is wrong, and where.
#[cold]
fn wrong(column: &str, row: usize, what: &str) -> Error {
    let message = format!("check the graph: column {column}, row {row}: {what}: make the file again");
    Error::new(ErrorKind::Format, message)
}

impl Graph {
    /// Looks at all of the file: whether its columns are what was written, their numbers in order and of vertices that there are,
    /// and whether what they say of the same edges is the same. It takes four bytes of memory per vertex, and four per edge that is
    /// compressed, in each direction.
    ///
    /// # Errors
    /// The first thing that is wrong, with its column and row.
    pub fn check(&self) -> Result<(), Error> {
        self.file().verify(|_| {}).map_err(|error| {
            Error::new(ErrorKind::Format, format!("check the graph: {error}: make the file again"))
        })?;
        self.decode().map_err(|error| Error::new(error.kind(), format!("check the graph: {error}")))?;
        let incoming = self.incoming();
        self.check_side(&incoming, [columns::IN_OFFSETS, columns::IN_NEIGHBOURS])?;
        match self.outgoing() {
            Some(outgoing) => {
                if self.is_directed() {
                    self.check_side(&outgoing, [columns::OUT_OFFSETS, columns::OUT_NEIGHBOURS])?;
                }
                self.check_degrees(|vertex| outgoing.offsets[vertex + 1] - outgoing.offsets[vertex])?;
                self.check_transpose(&incoming, &outgoing)?;
            }
            None => {
                let mut counts = vec![0u32; self.vertices()];
                for place in 0..self.edges() {
                    // More than there are would not be the same, either.
                    let count = &mut counts[incoming.neighbours.get(place)];
                    *count = count.saturating_add(1);
                }
                self.check_degrees(|vertex| counts[vertex].into())?;
            }
        }
        self.check_names()
    }

    fn check_side(&self, side: &Adjacency<'_>, [offsets, neighbours]: [&str; 2]) -> Result<(), Error> {
        for vertex in 0..self.vertices() {
            let (begin, end) = (side.offsets[vertex], side.offsets[vertex + 1]);
            if begin > end {
                return Err(wrong(offsets, vertex + 1, &format!("{end} comes behind {begin}")));
            }
            // The last is as many as there are, and so none that ascends to it is more.
            if end > self.edges() as u64 {
                return Err(wrong(offsets, vertex + 1, &format!("{end} is more than there are edges")));
            }
            let mut last = 0;
            for place in side.of(vertex) {
                let neighbour = side.neighbours.get(place);
                if neighbour >= self.vertices() {
                    let what = format!("there is no vertex {neighbour}, as there are {}", self.vertices());
                    return Err(wrong(neighbours, place, &what));
                }
                if neighbour < last {
                    let what = format!("{neighbour} comes behind {last} among the edges of vertex {vertex}");
                    return Err(wrong(neighbours, place, &what));
                }
                last = neighbour;
            }
        }
        Ok(())
    }

    fn check_degrees(&self, degree: impl Fn(usize) -> u64) -> Result<(), Error> {
        for (vertex, said) in self.out_degrees().iter().enumerate() {
            let found = degree(vertex);
            if found != u64::from(*said) {
                let what = format!("it says that {said} edges go out of vertex {vertex}, and {found} do");
                return Err(wrong(columns::OUT_DEGREES, vertex, &what));
            }
        }
        Ok(())
    }

    /// Both are of the same edges: those of each vertex that go out are met in their order when those that come in are.
    fn check_transpose(&self, incoming: &Adjacency<'_>, outgoing: &Adjacency<'_>) -> Result<(), Error> {
        let column = if self.is_directed() { columns::OUT_NEIGHBOURS } else { columns::IN_NEIGHBOURS };
        let places = self.file().column::<u64>(columns::OUT_PLACES).ok();
        let values = self.file().entry(columns::VALUES).is_some();
        if values && self.is_directed() && places.is_none() {
            return Err(wrong(columns::OUT_PLACES, 0, "it is missing, and edges have values"));
        }
        let mut met = vec![0u32; self.vertices()];
        for to in 0..self.vertices() {
            for place in incoming.of(to) {
                let from = incoming.neighbours.get(place);
                let all = outgoing.of(from);
                let at = all.start + met[from] as usize;
                if at >= all.end {
                    let what = format!("an edge from {from} to {to} comes in that does not go out");
                    return Err(wrong(column, all.end.saturating_sub(1), &what));
                }
                let found = outgoing.neighbours.get(at);
                if found != to {
                    let what = format!("an edge from {from} to {found} is there instead of one to {to}");
                    return Err(wrong(column, at, &what));
                }
                if let Some(said) = places.map(|places| places[at]).filter(|said| *said != place as u64) {
                    return Err(wrong(columns::OUT_PLACES, at, &format!("{said} instead of {place}")));
                }
                met[from] += 1;
            }
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), Error> {
        if let Ok(numbers) = self.file().column::<u64>(columns::NUMBERS)
            && let Some(row) = numbers.windows(2).position(|pair| pair[0] >= pair[1])
        {
            let what = format!("{} comes behind {}", numbers[row + 1], numbers[row]);
            return Err(wrong(columns::NUMBERS, row + 1, &what));
        }
        if self.file().entry(columns::NAME_OFFSETS).is_none() {
            return Ok(());
        }
        let Some(names) = self.names() else {
            return Err(wrong(columns::NAMES, 0, "it is missing, and its offsets are there"));
        };
        for vertex in 0..self.vertices() {
            if names.of(vertex).is_none_or(|name| std::str::from_utf8(name).is_err()) {
                let offsets = names.offsets;
                let what =
                    format!("bytes {} to {} are no name in UTF-8", offsets[vertex], offsets[vertex + 1]);
                return Err(wrong(columns::NAME_OFFSETS, vertex, &what));
            }
        }
        Ok(())
    }
}
