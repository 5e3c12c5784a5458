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
            Some((offsets, names)) => String::from_utf8_lossy(of(offsets, names, vertex)),
            None => vertex.to_string().into(),
        }
    }

    /// The vertex of this name. Where vertices have names of their own, all are compared.
    #[must_use]
    pub fn vertex(&self, name: &str) -> Option<usize> {
        if let Some((offsets, names)) = self.names() {
            return (0..self.vertices()).find(|vertex| of(offsets, names, *vertex) == name.as_bytes());
        }
        let number = name.parse::<u64>().ok()?;
        match self.file().column::<u64>(columns::NUMBERS) {
            Ok(numbers) => numbers.binary_search(&number).ok(),
            Err(_) => usize::try_from(number).ok().filter(|vertex| *vertex < self.vertices()),
        }
    }

    fn names(&self) -> Option<(&[u64], &[u8])> {
        Some((self.file().column(columns::NAME_OFFSETS).ok()?, self.file().bytes(columns::NAMES).ok()?))
    }
}

fn of<'n>(offsets: &[u64], names: &'n [u8], vertex: usize) -> &'n [u8] {
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(names.len());
    names.get(place(offsets[vertex])..place(offsets[vertex + 1])).unwrap_or_default()
}
