//! The edges of all vertices in one direction, as they are written: the neighbours at once, all else when they are done.

use super::temporary::Spool;
use crate::compressed::{BLOCK, Encoder};
use crate::error::{Error, ErrorKind};
use crate::file::Wide;
use std::path::Path;
use upcall_abi::Blit;
use upcall_soa::file::{ColumnWriter, NamedWriter};

pub(crate) struct Side<'w, 'f> {
    column: Option<ColumnWriter<'w, 'f>>,
    form: Form,
    buffer: Vec<u8>,
    offsets: Spool,
    degrees: Spool,
    /// So many vertices' offsets are written; the last one's is `begin`.
    vertices: u64,
    begin: u64,
    edges: u64,
}

/// How neighbours are written.
pub(crate) enum Form {
    Narrow,
    Wide,
    Compressed(Blocks),
}

/// Neighbours that are compressed.
pub(crate) struct Blocks {
    encoder: Encoder,
    /// Where each block begins.
    begins: Spool,
    /// How many bytes were written.
    bytes: u64,
}

impl Form {
    pub(crate) fn of(wide: bool, compress: bool, folder: &Path) -> Form {
        match (wide, compress) {
            (true, _) => Form::Wide,
            (false, false) => Form::Narrow,
            (false, true) => {
                Form::Compressed(Blocks { encoder: Encoder::new(), begins: Spool::new(folder), bytes: 0 })
            }
        }
    }
}

impl Blocks {
    #[inline]
    fn push(&mut self, column: &mut ColumnWriter<'_, '_>, major: u64, minor: u64) -> Result<(), Error> {
        let part = self.encoder.push(major, minor);
        if part.is_empty() {
            return Ok(());
        }
        self.bytes += part.len() as u64;
        Ok(column.write(part)?)
    }

    /// What was pushed so far is a block.
    fn end(&mut self, column: &mut ColumnWriter<'_, '_>) -> Result<(), Error> {
        let part = self.encoder.end();
        self.bytes += part.len() as u64;
        column.write(part)?;
        self.begins.push(&self.bytes.to_le_bytes())
    }
}

/// What is written behind the neighbours.
pub(crate) struct Ended {
    /// One u64 more than there are vertices.
    pub(crate) offsets: Spool,
    /// A u32 per vertex.
    pub(crate) degrees: Spool,
    /// Where blocks begin, and the last one ends, if they are compressed.
    pub(crate) blocks: Option<Spool>,
}

impl<'w, 'f> Side<'w, 'f> {
    /// Begins with the neighbours' column, if there is to be one.
    pub(crate) fn new(
        file: &'w mut NamedWriter<'f>,
        neighbours: Option<&str>,
        form: Form,
        folder: &Path,
    ) -> Result<Side<'w, 'f>, Error> {
        let (element, size) = match form {
            Form::Narrow => (u32::NAME, size_of::<u32>()),
            Form::Wide => (Wide::NAME, size_of::<Wide>()),
            Form::Compressed(_) => (u8::NAME, size_of::<u8>()),
        };
        let column = neighbours.map(|name| file.begin(name, element, size)).transpose()?;
        Ok(Side {
            column,
            form,
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
            let size = match &mut self.form {
                Form::Narrow => 4,
                Form::Wide => 5,
                Form::Compressed(blocks) => return blocks.push(column, major, minor),
            };
            if self.buffer.len() + 8 > Spool::BUFFER {
                column.write(&self.buffer)?;
                self.buffer.clear();
            }
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
            if self.vertices.is_multiple_of(BLOCK as u64) {
                self.end_block()?;
            }
            self.offsets.push(&self.edges.to_le_bytes())?;
            self.begin = self.edges;
            self.vertices += 1;
        }
        Ok(())
    }

    /// What was pushed behind the last block is another one.
    fn end_block(&mut self) -> Result<(), Error> {
        match (&mut self.form, &mut self.column) {
            (Form::Compressed(blocks), Some(column)) => blocks.end(column),
            _ => Ok(()),
        }
    }

    /// There are no more edges, and so many vertices.
    pub(crate) fn end(mut self, vertices: u64) -> Result<Ended, Error> {
        // Where the edges of one more would begin, those of the last one end.
        self.reach(vertices)?;
        if !vertices.is_multiple_of(BLOCK as u64) {
            self.end_block()?;
        }
        if let Some(mut column) = self.column {
            column.write(&self.buffer)?;
            column.end()?;
        }
        let blocks = match self.form {
            Form::Compressed(blocks) => Some(blocks.begins),
            Form::Narrow | Form::Wide => None,
        };
        Ok(Ended { offsets: self.offsets, degrees: self.degrees, blocks })
    }
}
