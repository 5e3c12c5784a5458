//! Neighbours of vertices that are asked for in order, so that one block is decoded at a time.

use super::{BLOCK, Compressed, whole};
use crate::error::{Error, ErrorKind};
use crate::file::{Adjacency, Ids};
use std::ops::Range;

/// The edges of a graph in one direction, for whoever asks for vertices in order: [`Graph::incoming_in_order`].
///
/// Of a graph that is compressed it has the neighbours of 1,024 vertices in memory, and decodes others when it is asked for these.
///
/// [`Graph::incoming_in_order`]: crate::Graph::incoming_in_order
#[derive(Debug)]
pub struct InOrder<'g> {
    stored: Stored<'g>,
}

#[derive(Debug)]
enum Stored<'g> {
    Plain(Adjacency<'g>),
    Compressed {
        from: Compressed<'g>,
        offsets: &'g [u64],
        /// The block that is decoded, and the place of its first edge.
        block: Option<(usize, usize)>,
        ids: Vec<u32>,
    },
}

impl<'g> InOrder<'g> {
    pub(crate) fn plain(edges: Adjacency<'g>) -> InOrder<'g> {
        InOrder { stored: Stored::Plain(edges) }
    }

    pub(crate) fn compressed(from: Compressed<'g>, offsets: &'g [u64]) -> InOrder<'g> {
        InOrder { stored: Stored::Compressed { from, offsets, block: None, ids: Vec::new() } }
    }

    /// The places of a vertex's edges among all, and the vertices at their other ends.
    ///
    /// # Errors
    /// [`Format`](ErrorKind::Format): the file is damaged; [`TooLarge`](ErrorKind::TooLarge): there is no memory for what is decoded.
    ///
    /// # Panics
    /// There is no such vertex.
    pub fn of(&mut self, vertex: usize) -> Result<(Range<usize>, Ids<'_>), Error> {
        let (from, offsets, at, ids) = match &mut self.stored {
            Stored::Plain(edges) => {
                let places = edges.of(vertex);
                return Ok((places.clone(), edges.neighbours.within(places)));
            }
            Stored::Compressed { from, offsets, block, ids } => (from, offsets, block, ids),
        };
        let block = vertex / BLOCK;
        let begin = match *at {
            Some((decoded, begin)) if decoded == block => begin,
            _ => {
                *at = None;
                let offsets = &offsets[block * BLOCK..=(offsets.len() - 1).min((block + 1) * BLOCK)];
                let begin = decode(from, block, offsets, ids)?;
                *at = Some((block, begin));
                begin
            }
        };
        // They are in order, as the block was decoded by them.
        let places = offsets[vertex] as usize..offsets[vertex + 1] as usize;
        Ok((places.clone(), Ids::Narrow(&ids[places.start - begin..places.end - begin])))
    }
}

/// Decodes a block: the place of its first edge.
fn decode(from: &Compressed<'_>, block: usize, offsets: &[u64], ids: &mut Vec<u32>) -> Result<usize, Error> {
    let (begin, end) = (offsets[0], offsets[offsets.len() - 1]);
    // No number has less than a byte.
    let most = from.bytes_of(block..block + 1).map_or(0, <[u8]>::len);
    let edges = end.checked_sub(begin).and_then(|edges| usize::try_from(edges).ok());
    let edges = edges.filter(|edges| *edges <= most).ok_or_else(|| damaged(block, offsets.len() - 1))?;
    if edges > ids.capacity() {
        *ids = whole::room(edges)?;
    }
    ids.resize(edges, 0);
    from.decode(block, offsets, ids).ok_or_else(|| damaged(block, offsets.len() - 1))?;
    Ok(begin as usize)
}

/// The block of so many vertices is damaged.
#[cold]
pub(crate) fn damaged(block: usize, vertices: usize) -> Error {
    let (first, last) = (block * BLOCK, block * BLOCK + vertices.max(1) - 1);
    let message = format!(
        "decode the graph's neighbours: those of vertices {first} to {last} are not what was compressed: the graph's file is damaged, \
         make it again"
    );
    Error::new(ErrorKind::Format, message)
}
