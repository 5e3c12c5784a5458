//! What vertices were called where the graph comes from.

use crate::file::{Graph, columns};
use std::borrow::Cow;

impl Graph {
    /// What the lists of edges called a vertex: a number, or a name. Of names that are damaged, what can be read.
    ///
    /// # Panics
    /// There is no such vertex.
    #[must_use]
    pub fn name(&self, vertex: usize) -> Cow<'_, str> {
        assert!(
            vertex < self.vertices(),
            "the graph has {} vertices, and {vertex} was asked for",
            self.vertices()
        );
        if let Ok(numbers) = self.file().column::<u64>(columns::NUMBERS) {
            return numbers[vertex].to_string().into();
        }
        match self.names() {
            Some(names) => String::from_utf8_lossy(names.of(vertex).unwrap_or_default()),
            None => vertex.to_string().into(),
        }
    }

    /// The vertex of this name. Where vertices have names of their own, all are compared.
    #[must_use]
    pub fn vertex(&self, name: &str) -> Option<usize> {
        if let Some(names) = self.names() {
            return (0..self.vertices()).find(|vertex| names.of(*vertex) == Some(name.as_bytes()));
        }
        let number = name.parse::<u64>().ok()?;
        match self.file().column::<u64>(columns::NUMBERS) {
            Ok(numbers) => numbers.binary_search(&number).ok(),
            Err(_) => usize::try_from(number).ok().filter(|vertex| *vertex < self.vertices()),
        }
    }

    /// The names of vertices, if they have any.
    pub(crate) fn names(&self) -> Option<Names<'_>> {
        let offsets = self.file().column(columns::NAME_OFFSETS).ok()?;
        Some(Names { offsets, bytes: self.file().bytes(columns::NAMES).ok()? })
    }
}

/// The names of all vertices, and where each begins.
#[derive(Clone, Copy)]
pub(crate) struct Names<'g> {
    pub(crate) offsets: &'g [u64],
    bytes: &'g [u8],
}

impl<'g> Names<'g> {
    /// That of a vertex, unless the file is damaged.
    pub(crate) fn of(&self, vertex: usize) -> Option<&'g [u8]> {
        let place = |vertex: usize| usize::try_from(self.offsets[vertex]).unwrap_or(usize::MAX);
        self.bytes.get(place(vertex)..place(vertex + 1))
    }
}
