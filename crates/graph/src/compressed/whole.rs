//! All neighbours of one direction, decoded.

use super::{BLOCK, Compressed};
use crate::error::{Error, ErrorKind};

/// In memory, 4 bytes each.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) ids: Vec<u32>,
    /// The first block that is damaged. The ids of such blocks are [`NOBODY`].
    pub(crate) damaged: Option<usize>,
}

/// No vertex of a graph that is compressed.
const NOBODY: u32 = u32::MAX;

impl Whole {
    /// Of so many edges, which begin and end where `offsets` say.
    pub(crate) fn of(compressed: Compressed<'_>, offsets: &[u64], edges: usize) -> Result<Whole, Error> {
        let mut ids = room(edges)?;
        ids.resize(edges, NOBODY);
        let mut damaged = None;
        let vertices = offsets.len() - 1;
        for block in 0..vertices.div_ceil(BLOCK) {
            let offsets = &offsets[block * BLOCK..=vertices.min((block + 1) * BLOCK)];
            let ends = offsets.first().zip(offsets.last()).map(|(begin, end)| *begin as usize..*end as usize);
            let Some(ids) = ends.and_then(|range| ids.get_mut(range)) else {
                damaged.get_or_insert(block);
                continue;
            };
            if compressed.decode(block, offsets, ids).is_none() {
                ids.fill(NOBODY);
                damaged.get_or_insert(block);
            }
        }
        Ok(Whole { ids, damaged })
    }
}

/// Room for so many neighbours.
pub(super) fn room(edges: usize) -> Result<Vec<u32>, Error> {
    let mut room = Vec::new();
    room.try_reserve_exact(edges).map_err(|error| {
        let message = format!("decode the graph's neighbours: make room for {edges} of them: {error}");
        Error::new(ErrorKind::TooLarge, message)
    })?;
    Ok(room)
}
