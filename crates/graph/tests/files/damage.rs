//! Graphs' files that are damaged, or were never made by us: an error or the same graph, whatever is in them.

use crate::forged;
use crate::support::Model;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use upcall_graph::{
    Builder, Direction, ErrorKind, Format, Graph, Head, Source, ValueType, Vertices, Wide, columns,
};
use upcall_soa::file::{NamedWriter, save};

/// Makes a small graph with all columns that there are.
fn make(path: &Path, vertices: Vertices, direction: Direction, compress: bool) {
    let list = "3 0 1\n1 2 2\n0 3 5\n2 2 4\n1 2 9\n";
    Builder::new()
        .vertices(vertices)
        .direction(direction)
        .values(ValueType::I32)
        .compress(compress)
        .source(Source::reader("list", list.as_bytes(), Format::Text))
        .build(path)
        .unwrap();
}

/// Asks all that can be asked of a graph.
fn ask(graph: &Graph) {
    for format in ["text", "csv", "mtx", "u64"] {
        let _ = graph.export(&format.parse().unwrap(), &mut Vec::new());
    }
    let _ = graph.summary();
}

#[test]
fn each_bit_that_is_another_one_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.graph");
    for (vertices, direction, compress) in [
        (Vertices::Names, Direction::Directed, false),
        (Vertices::Dense, Direction::Undirected, false),
        (Vertices::Keep, Direction::Directed, false),
        (Vertices::Keep, Direction::Directed, true),
        (Vertices::Keep, Direction::Undirected, true),
    ] {
        make(&path, vertices, direction, compress);
        let model = Model::read(&Graph::read(&path).unwrap());
        let bytes = fs::read(&path).unwrap();
        let (mut found, mut same) = (0, 0);
        for place in 0..bytes.len() {
            for mask in [1, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] ^= mask;
                fs::write(&path, damaged).unwrap();
                let Ok(graph) = Graph::read(&path) else {
                    found += 1;
                    continue;
                };
                ask(&graph);
                match graph.check() {
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::Format);
                        found += 1;
                    }
                    // What is between columns means nothing.
                    Ok(()) => {
                        assert_eq!(Model::read(&graph), model, "byte {place}");
                        same += 1;
                    }
                }
            }
        }
        assert!(found > same, "{found} were found, and {same} made no difference");
    }
}

#[test]
fn a_file_that_ends_anywhere_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.graph");
    for compress in [false, true] {
        make(&path, Vertices::Names, Direction::Directed, compress);
        let bytes = fs::read(&path).unwrap();
        for end in 0..bytes.len() {
            fs::write(&path, &bytes[..end]).unwrap();
            assert_eq!(Graph::read(&path).unwrap_err().kind(), ErrorKind::Format, "{end}");
        }
    }
}

/// Numbers that are mostly small: right ones among them.
fn numbers(count: usize) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop_oneof![8 => 0u64..6, 1 => Just(u64::MAX), 1 => any::<u64>()], count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Checksums are right, and the numbers are anything.
    #[test]
    fn a_file_whose_numbers_make_no_sense_is_an_error(
        (vertices, edges) in (0usize..5, 0usize..5),
        seed in numbers(64),
        wide in any::<bool>(),
        directed in 0u32..2,
        has in prop::array::uniform4(any::<bool>()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made.graph");
        let mut seed = seed.into_iter().cycle();
        let mut next = |count: usize| -> Vec<u64> { seed.by_ref().take(count).collect() };
        let mut offsets = || {
            let mut offsets = next(vertices + 1);
            // What is looked at when it is opened.
            offsets[0] = 0;
            offsets[vertices] = edges as u64;
            offsets
        };
        let (into, out) = (offsets(), offsets());
        let [twin, places, numbered, named] = has;
        let count = 4 + if twin { 2 } else { 0 } + usize::from(places) + usize::from(numbered) + if named { 2 } else { 0 };
        save(&path, count, |file| {
            let ids = |file: &mut NamedWriter<'_>, name: &str, ids: Vec<u64>| match wide {
                true => file.column(name, &ids.iter().map(|id| Wide::new(*id)).collect::<Vec<_>>()),
                false => file.column(name, &ids.iter().map(|id| *id as u32).collect::<Vec<_>>()),
            };
            file.column(columns::IN_OFFSETS, &into)?;
            ids(file, columns::IN_NEIGHBOURS, next(edges))?;
            let degrees: Vec<u32> = next(vertices).into_iter().map(|degree| degree as u32).collect();
            file.column(columns::OUT_DEGREES, &degrees)?;
            if twin {
                file.column(columns::OUT_OFFSETS, &out)?;
                ids(file, columns::OUT_NEIGHBOURS, next(edges))?;
            }
            if places {
                file.column(columns::OUT_PLACES, &next(edges))?;
            }
            if numbered {
                file.column(columns::NUMBERS, &next(vertices))?;
            }
            if named {
                file.column(columns::NAME_OFFSETS, &next(vertices + 1))?;
                file.column(columns::NAMES, b"ab\xff\xc3\xa9")?;
            }
            let head = Head { vertices: vertices as u64, edges: edges as u64, directed, version: 1 };
            file.column(columns::HEAD, &[head])
        })
        .unwrap();
        let Ok(graph) = Graph::read(&path) else { return Ok(()) };
        ask(&graph);
        if graph.check().is_ok() {
            // Then it is a graph, and its list says so.
            let model = Model::read(&graph);
            prop_assert_eq!(model.incoming.len(), edges);
            if let Some(mut outgoing) = model.outgoing {
                let mut incoming: Vec<_> =
                    model.incoming.iter().enumerate().map(|(place, (to, from, _))| (*from, *to, place)).collect();
                incoming.sort_unstable();
                outgoing.sort_unstable();
                prop_assert_eq!(incoming, outgoing);
            }
        }
    }
}

/// Made once, as each is written to the disk.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| forged::files(tempfile::tempdir().unwrap().path()));

/// A byte of a file that is another one: where, about, and which.
fn patches() -> impl Strategy<Value = Vec<(u16, u8)>> {
    prop::collection::vec((any::<u16>(), prop_oneof![3 => 0u8..9, 1 => any::<u8>()]), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// As a fuzz target does for hours: the head says anything, too.
    #[test]
    fn a_file_that_was_patched_and_sealed_again_panics_nowhere(which in 0usize..7, patches in patches()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("forged.graph");
        let mut file = FILES[which].clone();
        for (place, byte) in patches {
            let place = usize::from(place) % file.len();
            file[place] = byte;
        }
        forged::seal(&mut file);
        fs::write(&path, &file).unwrap();
        // SAFETY: nobody else knows of the file.
        if let Ok(graph) = unsafe { Graph::map(&path) } {
            forged::ask(&graph);
        }
    }
}

#[test]
fn elements_of_another_size_than_their_type_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forged.graph");
    for wrong in [columns::IN_NEIGHBOURS, columns::OUT_DEGREES, columns::VALUES] {
        save(&path, 5, |file| {
            file.column(columns::HEAD, &[Head { vertices: 2, edges: 2, directed: 1, version: 1 }])?;
            file.column(columns::IN_OFFSETS, &[0u64, 1, 2])?;
            for (name, element, size) in [
                (columns::IN_NEIGHBOURS, "u32", 4),
                (columns::OUT_DEGREES, "u32", 4),
                (columns::VALUES, "f64", 8),
            ] {
                let size = if name == wrong { 12 - size } else { size };
                let mut column = file.begin(name, element, size)?;
                column.write(&vec![0; 2 * size])?;
                column.end()?;
            }
            Ok::<(), upcall_soa::Error>(())
        })
        .unwrap();
        let error = Graph::read(&path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Format, "{wrong}");
        let found = format!("its column {wrong} has elements ");
        assert!(error.to_string().contains(&found), "{error}");
    }
}

#[test]
fn compressed_neighbours_of_elements_that_are_no_bytes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forged.graph");
    save(&path, 5, |file| {
        file.column(columns::HEAD, &[Head { vertices: 2, edges: 2, directed: 0, version: 2 }])?;
        file.column(columns::IN_OFFSETS, &[0u64, 1, 2])?;
        let mut column = file.begin(columns::IN_NEIGHBOURS, "u8", 6)?;
        column.write(&[0; 6 * 4])?;
        column.end()?;
        file.column(columns::IN_BLOCKS, &[0u64, 4])?;
        file.column(columns::OUT_DEGREES, &[1u32, 1])?;
        Ok::<(), upcall_soa::Error>(())
    })
    .unwrap();
    let error = Graph::read(&path).unwrap_err();
    assert!(error.to_string().contains("has elements u8 of 6 bytes instead of 1"), "{error}");
}
