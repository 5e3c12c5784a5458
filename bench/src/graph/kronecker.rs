//! Kronecker graphs as Graph500 specifies them: 2^scale vertices, edges by its four probabilities, vertices renamed.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Edges per vertex, before duplicates and loops are left out.
pub const EDGE_FACTOR: u64 = 16;

/// Of each bit of an edge's two vertices: how likely both are 0, and the source's or the destination's alone is 1.
const A: f64 = 0.57;
const B: f64 = 0.19;
const C: f64 = 0.19;

/// A list of edges, as pairs of little-endian u32, in a folder; made if it is not there.
///
/// # Errors
/// It cannot be written.
pub fn list(folder: &Path, scale: u32) -> Result<PathBuf> {
    let path = folder.join(format!("kronecker-{scale}.u32"));
    if path.exists() {
        return Ok(path);
    }
    let half = folder.join(format!("half-{scale}.u32"));
    let write = || -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&half)?);
        let mut random = Random(u64::from(scale) + 1);
        for _ in 0..EDGE_FACTOR << scale {
            let (source, destination) = edge(&mut random, scale);
            out.write_all(&renamed(source, scale).to_le_bytes())?;
            out.write_all(&renamed(destination, scale).to_le_bytes())?;
        }
        out.into_inner()?.sync_all()?;
        fs::rename(&half, &path)
    };
    write().with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

fn edge(random: &mut Random, scale: u32) -> (u32, u32) {
    let (mut source, mut destination) = (0, 0);
    for _ in 0..scale {
        let chance = random.share();
        let [first, second] = match chance {
            _ if chance < A => [0, 0],
            _ if chance < A + B => [0, 1],
            _ if chance < A + B + C => [1, 0],
            _ => [1, 1],
        };
        (source, destination) = (source << 1 | first, destination << 1 | second);
    }
    (source, destination)
}

/// Another name for each vertex, so that neighbours do not lie side by side: each step can be undone.
fn renamed(vertex: u32, scale: u32) -> u32 {
    let mask = ((1u64 << scale) - 1) as u32;
    let mut name = vertex;
    for odd in [0x9e37_79b1, 0x85eb_ca77] {
        name = name.wrapping_mul(odd) & mask;
        name ^= name >> (scale / 2).max(1);
    }
    name
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_vertex_has_a_name_of_its_own() {
        for scale in [1, 2, 5, 12] {
            let mut names: Vec<u32> = (0..1 << scale).map(|vertex| renamed(vertex, scale)).collect();
            names.sort_unstable();
            assert!(names.into_iter().eq(0..1 << scale), "scale {scale}");
        }
    }

    #[test]
    fn a_list_has_as_many_edges_as_it_should_and_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = list(folder.path(), 6).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes.len(), 8 * 16 * 64);
        assert!(bytes.as_chunks().0.iter().all(|vertex| u32::from_le_bytes(*vertex) < 64));
        fs::write(&path, "kept").unwrap();
        assert_eq!(fs::read(list(folder.path(), 6).unwrap()).unwrap(), b"kept");
    }
}
