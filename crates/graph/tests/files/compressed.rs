//! Graphs whose neighbours are compressed: the same as others, in fewer bytes, and an error where they are damaged.

use crate::forged::seal;
use crate::support::Model;
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use upcall_graph::programs::PageRank;
use upcall_graph::{Builder, Direction, ErrorKind, Format, Graph, Options, Source, Vertices, columns, run};

fn make(
    path: &Path,
    list: &[(u32, u32)],
    vertices: u64,
    direction: Direction,
    compress: bool,
    buffers: usize,
) {
    let bytes: Vec<u8> =
        list.iter().flat_map(|(from, to)| [from.to_le_bytes(), to.to_le_bytes()]).flatten().collect();
    Builder::new()
        .vertices(Vertices::Count(vertices))
        .direction(direction)
        .compress(compress)
        .buffers(buffers)
        .source(Source::reader("list", &bytes[..], Format::U32))
        .build(path)
        .unwrap();
}

fn export(graph: &Graph) -> Vec<u8> {
    let mut list = Vec::new();
    graph.export(&Format::Text, &mut list).unwrap();
    list
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Of one block, of several, of a last one that is short; with blocks without edges, and a hub.
    #[test]
    fn a_compressed_graph_is_the_same_graph(
        vertices in prop_oneof![Just(1u64), Just(1023), Just(1024), Just(1025), Just(5000)],
        edges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..3000),
        hub in prop_oneof![Just(0u32), 1u32..6000],
        direction in prop::sample::select(vec![Direction::Directed, Direction::Undirected]),
        buffers in prop_oneof![Just(1usize << 20), Just(4000usize)],
    ) {
        let folder = tempfile::tempdir().unwrap();
        let vertex = |index: &prop::sample::Index| index.index(vertices as usize) as u32;
        let mut list: Vec<(u32, u32)> = edges.iter().map(|(from, to)| (vertex(from), vertex(to) / 2)).collect();
        list.extend((0..hub).map(|from| (from % vertices as u32, vertices as u32 / 2)));
        let graphs = [false, true].map(|compress| {
            let path = folder.path().join(format!("{compress}.graph"));
            make(&path, &list, vertices, direction, compress, buffers);
            Graph::read(path).unwrap()
        });
        let [plain, compressed] = &graphs;
        prop_assert!(compressed.is_compressed() && !plain.is_compressed());
        compressed.check().unwrap();
        prop_assert_eq!(Model::read(plain), Model::read(compressed));
        prop_assert_eq!(plain.summary(), compressed.summary());
        prop_assert!(export(plain) == export(compressed));
    }
}

#[test]
fn neighbours_take_fewer_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let list: Vec<(u32, u32)> =
        (0..200_000u32).map(|edge| (edge.wrapping_mul(2_654_435_761) % 3000, edge % 3000)).collect();
    let bytes = [false, true].map(|compress| {
        let path = folder.path().join("made.graph");
        make(&path, &list, 3000, Direction::Directed, compress, 1 << 20);
        let graph = Graph::read(path).unwrap();
        graph.file().bytes(columns::IN_NEIGHBOURS).unwrap().len()
    });
    assert!(bytes[0] == 800_000 && bytes[1] < 400_000, "{bytes:?}");
}

#[test]
fn what_cannot_be_compressed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.graph");
    let builder =
        || Builder::new().compress(true).source(Source::reader("list", &b"0 1\n"[..], Format::Text));
    let error = builder().wide(true).build(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("neighbours of five bytes are not compressed"), "{error}");
    let error = builder().vertices(Vertices::Count(1 << 32)).build(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("leave compression out"), "{error}");
    assert!(!path.exists());
}

/// A graph of two blocks and many parts.
fn two_blocks(folder: &Path) -> PathBuf {
    let path = folder.join("made.graph");
    let list: Vec<(u32, u32)> = (0..9000u32).map(|edge| (edge * 7 % 1500, edge * 13 % 1500)).collect();
    make(&path, &list, 1500, Direction::Directed, true, 1 << 20);
    path
}

/// Where a column's bytes are in a file.
fn place(file: &[u8], column: &[u8]) -> usize {
    file.windows(column.len()).position(|bytes| bytes == column).unwrap()
}

/// As if somebody had made it so: checksums are right.
#[test]
fn a_byte_that_is_another_one_is_an_error_or_another_graph() {
    let folder = tempfile::tempdir().unwrap();
    let path = two_blocks(folder.path());
    let (bytes, columns) = {
        let graph = Graph::read(&path).unwrap();
        let columns =
            [columns::IN_NEIGHBOURS, columns::OUT_NEIGHBOURS, columns::IN_BLOCKS, columns::OUT_BLOCKS];
        (fs::read(&path).unwrap(), columns.map(|column| graph.file().bytes(column).unwrap().to_vec()))
    };
    let mut refused = 0;
    for column in columns {
        let begin = place(&bytes, &column);
        for at in (0..column.len()).step_by(column.len() / 24 + 1) {
            let mut damaged = bytes.clone();
            damaged[begin + at] ^= 0x55;
            seal(&mut damaged);
            fs::write(&path, damaged).unwrap();
            let Ok(graph) = Graph::read(&path) else {
                refused += 1;
                continue;
            };
            let format = |error: upcall_graph::Error| assert_eq!(error.kind(), ErrorKind::Format, "{error}");
            // The two directions are not of the same edges any more.
            format(graph.check().unwrap_err());
            let _ = graph.summary();
            if let Err(error) = graph.export(&Format::Text, &mut Vec::new()) {
                format(error);
            }
            let options = Options { iterations: 2, ..Options::default() };
            match run(&graph, PageRank::<f64>::default(), options) {
                Err(error) => {
                    refused += 1;
                    format(error);
                }
                Ok(found) => assert_eq!(found.shown.len(), 1500),
            }
        }
    }
    assert!(refused > 20, "{refused} were refused");
}

#[test]
fn a_run_says_which_vertices_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = two_blocks(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    let column = Graph::read(&path).unwrap().file().bytes(columns::IN_BLOCKS).unwrap().to_vec();
    // The second block begins a byte later.
    let begin = place(&bytes, &column) + 8;
    bytes[begin] += 1;
    seal(&mut bytes);
    fs::write(&path, bytes).unwrap();
    let graph = Graph::read(&path).unwrap();
    let said = "decode the graph's neighbours: those of vertices 0 to 1023 are not what was compressed: the graph's file is damaged, \
                make it again";
    let error = run(&graph, PageRank::<f64>::default(), Options::default()).unwrap_err();
    assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::Format, said));
    assert_eq!(graph.check().unwrap_err().to_string(), format!("check the graph: {said}"));
}
