//! Pairs of numbers, as they are in memory.

use super::open::Opened;
use super::{Called, Fault, Place, Sink};
use crate::error::Error;

/// How much is read at a time, about.
const BUFFER: usize = 1 << 18;

/// Vertices have `N` bytes.
pub(super) fn read<const N: usize>(
    mut input: Opened<'_>,
    place: &Place<'_>,
    sink: &mut impl Sink,
) -> Result<(), Error> {
    let value = sink.values().map_or(0, |value| value.size());
    let size = 2 * N + value;
    let mut buffer = vec![0; BUFFER / size * size];
    let mut begin = 0;
    let number = |bytes: &[u8]| {
        let mut number = [0; 8];
        number[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(number)
    };
    loop {
        let read = input.fill(&mut buffer, place)?;
        sink.read(input.taken())?;
        let (edges, rest) = buffer[..read].split_at(read / size * size);
        for (index, edge) in edges.chunks_exact(size).enumerate() {
            let (from, to) = (Called::Number(number(&edge[..N])), Called::Number(number(&edge[N..2 * N])));
            sink.edge(from, to, number(&edge[2 * N..]))
                .map_err(|fault| place.byte(begin + (index * size) as u64, fault))?;
        }
        begin += edges.len() as u64;
        if !rest.is_empty() {
            let what = format!(
                "the list ends with {} bytes, and each edge has {size}: two numbers of {N}{}",
                rest.len(),
                if value > 0 { format!(" and a value of {value}") } else { String::new() }
            );
            return Err(place.byte(begin, Fault::Input(what)));
        }
        if read < buffer.len() {
            return Ok(());
        }
    }
}
