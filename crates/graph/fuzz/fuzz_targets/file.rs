//! Any bytes as a graph's file: an error, or a graph of which all can be asked.
//!
//! The first byte says whether the rest is the file, or patches of one that was made, four bytes each: where, in two, what is
//! done, and by which byte. Checksums are made right behind them, unless it says otherwise.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use upcall_graph::Graph;
use upcall_graph_fuzz::forged::{ask, files, seal};

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| files(FOLDER.path()));

fuzz_target!(|input: &[u8]| {
    let [how, rest @ ..] = input else { return };
    let mut file = match usize::from(how & 0x7f).checked_sub(1) {
        None => rest.to_vec(),
        Some(which) => patched(FILES[which % FILES.len()].clone(), rest),
    };
    if how & 0x80 == 0 {
        seal(&mut file);
    }
    let path = FOLDER.path().join("forged.graph");
    std::fs::write(&path, &file).expect("the folder takes it");
    // SAFETY: nobody else knows of the file, and it is not written before the graph is gone.
    let Ok(graph) = (unsafe { Graph::map(&path) }) else { return };
    ask(&graph);
});

fn patched(mut file: Vec<u8>, patches: &[u8]) -> Vec<u8> {
    for [low, high, what, byte] in patches.as_chunks().0 {
        let place = usize::from(u16::from_le_bytes([*low, *high])) % file.len().max(1);
        match what % 8 {
            0..=3 => file[place] = *byte,
            4 => file[place] ^= 1 << (byte % 8),
            5 => file[place..].iter_mut().take(8).for_each(|at| *at = *byte),
            6 => file[place] = file[place].wrapping_add(byte % 5).wrapping_sub(2),
            _ if *byte == 0 => file.truncate(place.max(1)),
            _ => file.extend([0; 64].iter().take(usize::from(*byte))),
        }
    }
    file
}
