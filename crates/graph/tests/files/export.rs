//! Lists that are written of graphs: the graphs that are made of them are the same.

use crate::support::{Asked, Model};
use proptest::prelude::*;
use std::fmt::Write;
use upcall_graph::{
    Builder, Csv, Direction, Duplicates, ErrorKind, Format, Graph, Loops, Source, ValueType, Vertices,
};

/// What has the same edges, whatever its vertices are called by place: names come in another order of first appearance.
fn by_name(model: &Model) -> Vec<(String, String, Option<f64>)> {
    let name = |vertex: usize| {
        model.names.as_ref().map_or_else(|| vertex.to_string(), |names| names[vertex].clone())
    };
    let mut edges: Vec<_> =
        model.incoming.iter().map(|(to, from, value)| (name(*from), name(*to), *value)).collect();
    // A stable order: edges between the same vertices stay as they are.
    edges.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    edges
}

/// A list that is written has a header.
fn csv(header: bool) -> Format {
    Format::Csv(Csv { header, ..Csv::default() })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_graph_made_of_the_list_of_a_graph_is_the_same(
        list in prop::collection::vec((0u64..30, 0u64..30, -1000i32..1000), 0..200),
        direction in proptest::sample::select(vec![Direction::Directed, Direction::Reversed, Direction::Undirected]),
        vertices in proptest::sample::select(vec![Vertices::Keep, Vertices::Dense, Vertices::Names]),
        value in proptest::sample::select(vec![None, Some(ValueType::F32), Some(ValueType::F64), Some(ValueType::I64)]),
        format in proptest::sample::select(vec![Format::Text, csv(false), Format::MatrixMarket, Format::U32, Format::U64]),
        wide in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let text = list.iter().fold(String::new(), |mut text, (from, to, value)| {
            writeln!(text, "{from} {to} {value}").unwrap();
            text
        });
        let asked = Asked {
            loops: Loops::Keep,
            duplicates: Duplicates::Keep,
            direction,
            vertices,
            values: value,
            outgoing: true,
            wide,
            compress: !wide && list.len() % 2 == 1,
        };
        let make = |name: &str, asked: &Asked, bytes: &[u8], format: Format| {
            let path = folder.path().join(name);
            Builder::new()
                .direction(asked.direction)
                .vertices(asked.vertices)
                .values(asked.values)
                .wide(asked.wide)
                .compress(asked.compress)
                .source(Source::reader("list", bytes, format))
                .build(&path)
                .unwrap();
            Graph::read(&path).unwrap()
        };
        let graph = make("one", &asked, text.as_bytes(), Format::Text);
        let mut exported = Vec::new();
        let done = graph.export(&format, &mut exported);
        let speaks = match format {
            Format::MatrixMarket => vertices == Vertices::Keep,
            Format::U32 | Format::U64 => vertices != Vertices::Names || list.is_empty(),
            _ => true,
        };
        if !speaks {
            prop_assert_eq!(done.unwrap_err().kind(), ErrorKind::Usage);
            return Ok(());
        }
        done.unwrap();
        let again = Asked {
            // A graph of reversed edges is written as it is.
            direction: if direction == Direction::Reversed { Direction::Directed } else { direction },
            vertices: if vertices == Vertices::Keep { Vertices::Count(graph.vertices() as u64) } else { vertices },
            ..asked
        };
        let format = if matches!(format, Format::Csv(_)) { csv(true) } else { format };
        let other = make("other", &again, &exported, format);
        other.check().unwrap();
        let (one, other) = (Model::read(&graph), Model::read(&other));
        match vertices {
            Vertices::Names => prop_assert_eq!(by_name(&one), by_name(&other)),
            _ => prop_assert_eq!(one, other),
        }
    }
}

#[test]
fn what_a_format_has_no_words_for_is_an_error_that_names_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.graph");
    let list = [u64::MAX.to_le_bytes(), 1u64.to_le_bytes()].concat();
    let source = Source::reader("list", &list[..], Format::U64);
    Builder::new().vertices(Vertices::Dense).source(source).build(&path).unwrap();
    let graph = Graph::read(&path).unwrap();
    let error = graph.export(&Format::U32, &mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(
        error.to_string().contains("18446744073709551615 has no room in a u32: write them as u64"),
        "{error}"
    );
    let mut same = Vec::new();
    graph.export(&Format::U64, &mut same).unwrap();
    assert_eq!(same, list);
}
