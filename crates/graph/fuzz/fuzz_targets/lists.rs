//! Any bytes as a list of edges of any format: an error that says where, or a graph that is one, whose list makes the same.
//!
//! The first byte is the format, the second and third what was asked for.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use upcall_graph::{
    Builder, Column, Csv, Direction, Duplicates, ErrorKind, Format, Graph, Loops, Source, ValueType, Vertices,
};

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

fn format(byte: u8) -> Format {
    let csv = |delimiter, header, value| Csv {
        delimiter,
        header,
        source: Column::Number(usize::from(byte / 64) + 1),
        destination: if byte & 32 == 0 { Column::Number(2) } else { Column::Name("to".into()) },
        value,
    };
    match byte % 8 {
        0 | 1 => Format::Text,
        2 => Format::Csv(Csv::default()),
        3 => Format::Csv(csv(b',', byte & 16 != 0, Some(Column::Number(3)))),
        4 => Format::Csv(csv(b'\t', byte & 16 != 0, None)),
        5 => Format::MatrixMarket,
        6 => Format::U32,
        _ => Format::U64,
    }
}

fuzz_target!(|input: &[u8]| {
    let [written, asked, more, list @ ..] = input else { return };
    let values =
        [None, Some(ValueType::F32), Some(ValueType::F64), Some(ValueType::I32), Some(ValueType::U64)];
    // Not `Keep`: a graph of 16 million vertices takes long.
    let vertices = [Vertices::Dense, Vertices::Names, Vertices::Count(64), Vertices::Count(1 << 12)];
    let duplicates = [Duplicates::Keep, Duplicates::First, Duplicates::Sum, Duplicates::Refuse];
    let directions = [Direction::Directed, Direction::Reversed, Direction::Undirected];
    let loops = [Loops::Keep, Loops::Drop, Loops::Refuse];
    let values = values[usize::from(asked % 5)];
    let vertices = vertices[usize::from(asked / 5 % 4)];
    let (path, again) = (FOLDER.path().join("list.graph"), FOLDER.path().join("again.graph"));
    let builder = || {
        let of_values = usize::from(more % 4);
        let duplicates = duplicates[if of_values == 2 && values.is_none() { 0 } else { of_values }];
        let builder =
            Builder::new().values(values).vertices(vertices).duplicates(duplicates).buffers(1 << 14);
        builder.loops(loops[usize::from(more / 4 % 3)]).wide(asked & 0x80 != 0)
    };
    let direction = directions[usize::from(more / 12 % 3)];
    let source = Source::reader("list", list, format(*written));
    if let Err(error) = builder().direction(direction).source(source).build(&path) {
        let (kind, said) = (error.kind(), error.to_string());
        let known = matches!(kind, ErrorKind::Input | ErrorKind::TooLarge | ErrorKind::Usage);
        assert!(known, "{kind:?}: {said}");
        return;
    }
    let graph = Graph::read(&path).expect("it was made");
    graph.check().expect("it was made");
    let mut list = Vec::new();
    // What has a name that is no word is no text.
    if graph.export(&Format::Csv(Csv::default()), &mut list).is_err() {
        return;
    }
    let rules = Csv { header: true, ..Csv::default() };
    let direction = if graph.is_directed() { Direction::Directed } else { Direction::Undirected };
    let source = Source::reader("again", &*list, Format::Csv(rules));
    builder().direction(direction).source(source).build(&again).unwrap_or_else(|error| panic!("{error}"));
    let graph_again = Graph::read(&again).expect("it was made");
    // Names are met in another order, and so are edges; those without direction may be the other way round.
    let edges = |graph: &Graph| {
        let mut list = Vec::new();
        graph.export(&Format::Csv(Csv::default()), &mut list).expect("it was written before");
        let mut lines: Vec<Vec<u8>> = list.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(graph.edges(), graph_again.edges());
    if graph.is_directed() || vertices != Vertices::Names {
        assert_eq!(edges(&graph), edges(&graph_again));
    }
});
