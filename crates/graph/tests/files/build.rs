//! Graphs that are made, compared with a plain model: whatever is asked for, however small the buffers are.

use crate::support::{Asked, Listed, Model, is_wide};
use proptest::prelude::*;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use upcall_graph::{
    Builder, Built, Direction, Duplicates, Error, ErrorKind, Format, Graph, Loops, Phase, Source, ValueType,
    Vertices,
};

fn text(list: &[Listed], values: bool) -> String {
    list.iter().fold(String::new(), |mut text, (from, to, value)| {
        match values {
            true => writeln!(text, "{from}\t{to} {value}"),
            false => writeln!(text, "{from} {to}"),
        }
        .unwrap();
        text
    })
}

/// The list as numbers of `size` bytes, and values of the type that is asked for.
fn binary(list: &[Listed], size: usize, values: Option<ValueType>) -> Vec<u8> {
    list.iter().fold(Vec::new(), |mut bytes, (from, to, value)| {
        bytes.extend(&from.to_le_bytes()[..size]);
        bytes.extend(&to.to_le_bytes()[..size]);
        match values {
            None => {}
            Some(ValueType::F32) => bytes.extend((*value as f32).to_le_bytes()),
            Some(ValueType::F64) => bytes.extend(f64::from(*value).to_le_bytes()),
            Some(wanted) => bytes.extend(&i64::from(*value).to_le_bytes()[..wanted.size()]),
        }
        bytes
    })
}

fn builder<'a>(asked: &Asked, buffers: usize) -> Builder<'a> {
    Builder::new()
        .loops(asked.loops)
        .duplicates(asked.duplicates)
        .direction(asked.direction)
        .vertices(asked.vertices)
        .values(asked.values)
        .outgoing(asked.outgoing)
        .wide(asked.wide)
        .compress(asked.compress)
        .buffers(buffers)
}

fn same(
    built: Result<Built, Error>,
    path: &Path,
    list: &[Listed],
    asked: &Asked,
) -> Result<(), TestCaseError> {
    let Some(model) = Model::of(list, asked) else {
        prop_assert_eq!(built.unwrap_err().kind(), ErrorKind::Input);
        prop_assert!(!path.exists());
        return Ok(());
    };
    let built = built.unwrap();
    let graph = Graph::read(path).unwrap();
    prop_assert_eq!(built.read, list.len() as u64);
    prop_assert_eq!((built.vertices, built.edges), (graph.vertices() as u64, graph.edges() as u64));
    prop_assert_eq!((is_wide(&graph), graph.is_compressed()), (asked.wide, asked.compress));
    graph.check().unwrap();
    prop_assert_eq!(Model::read(&graph), model);
    Ok(())
}

fn asked() -> impl Strategy<Value = Asked> {
    let values =
        prop_oneof![2 => Just(None), 3 => proptest::sample::select(&ValueType::ALL[..]).prop_map(Some)];
    (
        proptest::sample::select(vec![Loops::Keep, Loops::Drop, Loops::Refuse]),
        proptest::sample::select(vec![
            Duplicates::Keep,
            Duplicates::First,
            Duplicates::Last,
            Duplicates::Sum,
            Duplicates::Min,
            Duplicates::Max,
            Duplicates::Refuse,
        ]),
        proptest::sample::select(vec![Direction::Directed, Direction::Reversed, Direction::Undirected]),
        proptest::sample::select(vec![
            Vertices::Keep,
            Vertices::Count(40),
            Vertices::Count(700),
            Vertices::Dense,
            Vertices::Names,
        ]),
        values,
        any::<bool>(),
        prop_oneof![Just((false, false)), Just((true, false)), Just((false, true))],
    )
        .prop_map(|(loops, duplicates, direction, vertices, values, outgoing, (wide, compress))| {
            let of_values = matches!(duplicates, Duplicates::Sum | Duplicates::Min | Duplicates::Max);
            let duplicates = if of_values && values.is_none() { Duplicates::First } else { duplicates };
            Asked { loops, duplicates, direction, vertices, values, outgoing, wide, compress }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_graph_is_what_its_list_says_whatever_is_asked_for(
        asked in asked(),
        list in prop::collection::vec((0u64..40, 0u64..40, 0i32..1000), 0..300),
        buffers in prop_oneof![Just(1usize << 20), 48usize..4000],
        format in 0..3,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made.graph");
        // Names and dense numbers need no room for more than there are.
        let buffers = if matches!(asked.vertices, Vertices::Dense | Vertices::Names) { buffers.max(1 << 17) } else { buffers };
        let (format, bytes) = match format {
            0 => (Format::Text, text(&list, asked.values.is_some()).into_bytes()),
            1 => (Format::U32, binary(&list, 4, asked.values)),
            _ => (Format::U64, binary(&list, 8, asked.values)),
        };
        let built = builder(&asked, buffers).source(Source::reader("list", &bytes[..], format)).build(&path);
        same(built, &path, &list, &asked)?;
        prop_assert!(std::fs::read_dir(folder.path()).unwrap().all(|file| file.unwrap().path() == path));
    }

    #[test]
    fn several_lists_are_one_behind_the_other(
        asked in asked(),
        list in prop::collection::vec((0u64..20, 0u64..20, 0i32..1000), 0..100),
        cut in 0.0f64..1.0,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made.graph");
        let (one, other) = list.split_at((list.len() as f64 * cut) as usize);
        let (one, other) = (text(one, true), binary(other, 4, asked.values));
        let built = builder(&asked, 1 << 20)
            .source(Source::reader("one", one.as_bytes(), Format::Text))
            .source(Source::reader("other", &other[..], Format::U32))
            .build(&path);
        same(built, &path, &list, &asked)?;
    }
}

#[test]
fn what_outgrows_its_buffers_many_times_is_merged_in_several_passes() {
    let mut random = 1u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let list: Vec<Listed> = (0..100_000).map(|_| (next(5000), next(3000), next(100) as i32)).collect();
    for (duplicates, direction, values) in [
        (Duplicates::Keep, Direction::Directed, Some(ValueType::F64)),
        (Duplicates::Sum, Direction::Undirected, Some(ValueType::I32)),
        (Duplicates::Keep, Direction::Directed, None),
    ] {
        let (loops, vertices) = (Loops::Keep, Vertices::Keep);
        let asked = Asked {
            loops,
            duplicates,
            direction,
            vertices,
            values,
            outgoing: true,
            wide: false,
            compress: values.is_none(),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made.graph");
        let bytes = binary(&list, 4, values);
        // Some hundred runs, of which two or three are merged at a time.
        let built =
            builder(&asked, 9000).source(Source::reader("list", &bytes[..], Format::U32)).build(&path);
        same(built, &path, &list, &asked).unwrap();
    }
}

#[test]
fn whenever_it_is_stopped_nothing_is_left_and_what_was_there_stays() {
    let list: Vec<Listed> = (0..120_000).map(|i| (i * 7919 % 5003, i % 4001, i as i32)).collect();
    let bytes = binary(&list, 4, None);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.graph");
    std::fs::write(&path, "as before").unwrap();
    let mut phases = Vec::new();
    for moment in 0.. {
        let (stop, mut seen, mut last) = (AtomicBool::new(false), 0, Phase::Reading);
        // Reading, merging in several passes, and both directions are each stopped several times.
        let built = Builder::new()
            .buffers(100_000)
            .source(Source::reader("list", &bytes[..], Format::U32))
            .stop(&stop)
            .progress(|now| {
                last = now.phase;
                stop.store(seen == moment, Relaxed);
                seen += 1;
            })
            .build(&path);
        match built {
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Interrupted);
                phases.push(last);
                assert_eq!(std::fs::read(&path).unwrap(), b"as before");
                assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            }
            Ok(built) => {
                assert_eq!(built.edges, 120_000);
                break;
            }
        }
    }
    for phase in [Phase::Reading, Phase::Merging, Phase::Incoming, Phase::Outgoing] {
        assert!(phases.iter().filter(|seen| **seen == phase).count() > 1, "{phase:?} of {phases:?}");
    }
    Graph::read(&path).unwrap().check().unwrap();
}

#[test]
fn a_list_without_edges_is_a_graph_without_vertices_or_with_as_many_as_are_asked_for() {
    for (vertices, count) in
        [(Vertices::Keep, 0), (Vertices::Count(3), 3), (Vertices::Dense, 0), (Vertices::Names, 0)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made.graph");
        let built = Builder::new()
            .vertices(vertices)
            .source(Source::reader("list", &b"# nothing\n"[..], Format::Text))
            .build(&path)
            .unwrap();
        assert_eq!((built.vertices, built.edges), (count, 0));
        assert_eq!(Graph::read(&path).unwrap().vertices() as u64, count);
    }
}

#[test]
fn numbers_that_cannot_be_meant_as_places_are_refused_before_they_fill_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.graph");
    let list = "1 2\n3 900000000000\n";
    let source = || Source::reader("list", list.as_bytes(), Format::Text);
    let error = Builder::new().source(source()).build(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(error.to_string().contains("2 edges would be of 900000000001 vertices"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let built = Builder::new().vertices(Vertices::Dense).source(source()).build(&path).unwrap();
    assert_eq!((built.vertices, built.edges), (4, 2));
}

#[test]
fn a_table_of_names_that_outgrows_memory_is_an_error_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.graph");
    let list: String = (0..400_000).map(|i| format!("vertex{i} vertex{}\n", i + 1)).collect();
    let build = |memory: usize| {
        let source = Source::reader("list", list.as_bytes(), Format::Text);
        Builder::new().vertices(Vertices::Names).memory(memory).source(source).build(&path)
    };
    let error = build(8 << 20).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(error.to_string().contains("allow more memory"), "{error}");
    assert!(!path.exists());
    assert_eq!(build(64 << 20).unwrap().vertices, 400_001);
}
