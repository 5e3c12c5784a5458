//! The edges of all vertices in one direction, as they are written: the neighbours at once, all else when they are done.

use super::temporary::Spool;
use crate::error::{Error, ErrorKind};
use crate::file::Wide;
use std::path::Path;
use upcall_abi::Blit;
use upcall_soa::file::{ColumnWriter, NamedWriter};

pub(crate) struct Side<'w, 'f> {
    column: Option<ColumnWriter<'w, 'f>>,
    wide: bool,
    buffer: Vec<u8>,
    offsets: Spool,
    degrees: Spool,
    /// So many vertices' offsets are written; the last one's is `begin`.
    vertices: u64,
    begin: u64,
    edges: u64,
}

/// What is written behind the neighbours.
pub(crate) struct Ended {
    /// One u64 more than there are vertices.
    pub(crate) offsets: Spool,
    /// A u32 per vertex.
    pub(crate) degrees: Spool,
}

impl<'w, 'f> Side<'w, 'f> {
    /// Begins with the neighbours' column, if there is to be one.
    pub(crate) fn new(
        file: &'w mut NamedWriter<'f>,
        neighbours: Option<&str>,
        wide: bool,
        folder: &Path,
    ) -> Result<Side<'w, 'f>, Error> {
        let (element, size) =
            if wide { (Wide::NAME, size_of::<Wide>()) } else { (u32::NAME, size_of::<u32>()) };
        let column = neighbours.map(|name| file.begin(name, element, size)).transpose()?;
        Ok(Side {
            column,
            wide,
            buffer: Vec::with_capacity(Spool::BUFFER),
            offsets: Spool::new(folder),
            degrees: Spool::new(folder),
            vertices: 0,
            begin: 0,
            edges: 0,
        })
    }

    /// How many edges there are so far.
    pub(crate) fn edges(&self) -> u64 {
        self.edges
    }

    /// Adds an edge; they come in order.
    #[inline]
    pub(crate) fn push(&mut self, major: u64, minor: u64) -> Result<(), Error> {
        if self.vertices <= major {
            self.reach(major)?;
        }
        self.edges += 1;
        if let Some(column) = &mut self.column {
            if self.buffer.len() + 8 > Spool::BUFFER {
                column.write(&self.buffer)?;
                self.buffer.clear();
            }
            let size = if self.wide { 5 } else { 4 };
            self.buffer.extend_from_slice(&minor.to_le_bytes()[..size]);
        }
        Ok(())
    }

    /// Writes where the edges begin of all vertices up to this.
    fn reach(&mut self, vertex: u64) -> Result<(), Error> {
        while self.vertices <= vertex {
            if self.vertices > 0 {
                let degree = u32::try_from(self.edges - self.begin).map_err(|_| {
                    Error::new(
                        ErrorKind::TooLarge,
                        format!("make a graph: vertex {} has more than 4294967295 edges", self.vertices - 1),
                    )
                })?;
                self.degrees.push(&degree.to_le_bytes())?;
            }
            self.offsets.push(&self.edges.to_le_bytes())?;
            self.begin = self.edges;
            self.vertices += 1;
        }
        Ok(())
    }

    /// There are no more edges, and so many vertices.
    pub(crate) fn end(mut self, vertices: u64) -> Result<Ended, Error> {
        // Where the edges of one more would begin, those of the last one end.
        self.reach(vertices)?;
        if let Some(mut column) = self.column {
            column.write(&self.buffer)?;
            column.end()?;
        }
        Ok(Ended { offsets: self.offsets, degrees: self.degrees })
    }
}
