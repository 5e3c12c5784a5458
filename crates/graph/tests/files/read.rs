//! Lists of edges in every format, whole, damaged and hostile.

use flate2::Compression as Level;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use upcall_graph::{
    Builder, Built, Column, Compression, Csv, Direction, Error, ErrorKind, Format, Graph, Source, ValueType,
    Vertices, columns,
};

/// Makes a graph and returns it, or the error, after which nothing is left.
fn made<'a>(set: impl FnOnce(Builder<'a>) -> Builder<'a>) -> Result<(Built, Graph), Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.graph");
    match set(Builder::new()).build(&path) {
        Ok(built) => {
            let graph = Graph::read(&path).unwrap();
            graph.check().unwrap();
            Ok((built, graph))
        }
        Err(error) => {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{error}");
            Err(error)
        }
    }
}

fn list<'a>(bytes: &'a [u8], format: &str) -> Source<'a> {
    Source::reader("list", bytes, format.parse().unwrap())
}

/// The edges as text, by the vertex that they go to.
fn exported(graph: &Graph) -> String {
    let mut text = Vec::new();
    graph.export(&Format::Text, &mut text).unwrap();
    String::from_utf8(text).unwrap().lines().skip(1).collect::<Vec<_>>().join(", ")
}

#[test]
fn text_is_read_with_comments_tabs_crlf_and_without_a_last_newline() {
    let text = b"\xef\xbb\xbf# SNAP\r\n% KONECT\r\n\r\n  0\t1 \r\n2  1\r\n\t1 0";
    let (built, graph) = made(|builder| builder.source(list(text, "text"))).unwrap();
    assert_eq!((built.read, built.values_ignored), (3, false));
    assert_eq!(exported(&graph), "1 0, 0 1, 2 1");
}

#[test]
fn values_that_nobody_asked_for_are_told_and_those_that_were_refused_are_not() {
    let text = b"0 1 5 1082040961\n";
    assert!(made(|builder| builder.source(list(text, "text"))).unwrap().0.values_ignored);
    assert!(!made(|builder| builder.source(list(text, "text")).values(None)).unwrap().0.values_ignored);
    let (built, graph) = made(|builder| builder.source(list(text, "text")).values(ValueType::U32)).unwrap();
    assert!(!built.values_ignored);
    assert_eq!(exported(&graph), "0 1 5");
}

#[test]
fn csv_is_read_by_number_and_by_name() {
    let text = b"3,2,0.5\r\n1 , 2,1\r\n";
    let (_, graph) = made(|builder| builder.source(list(text, "csv")).values(ValueType::F32)).unwrap();
    assert_eq!(exported(&graph), "1 2 1, 3 2 0.5");
    let text = "\u{feff}cost;to;at;from\n7;\"b\"\"c\";x;\"a;\nz\"\n8;a;y;d";
    let rules = Csv {
        delimiter: b';',
        header: false,
        source: Column::Name("from".into()),
        destination: Column::Name("to".into()),
        value: Some(Column::Name("cost".into())),
    };
    let read = |rules: &Csv| {
        let source = Source::reader("list", text.as_bytes(), Format::Csv(rules.clone()));
        made(|builder| builder.source(source).vertices(Vertices::Names).values(ValueType::I64))
    };
    let (_, graph) = read(&rules).unwrap();
    let mut csv = Vec::new();
    graph.export(&Format::Csv(Csv::default()), &mut csv).unwrap();
    assert_eq!(
        String::from_utf8(csv.clone()).unwrap(),
        "source,destination,value\n\"a;\nz\",\"b\"\"c\",7\nd,a,8\n"
    );
    let again = Csv { header: true, ..Csv::default() };
    let source = Source::reader("again", &csv[..], Format::Csv(again));
    let (_, again) =
        made(|builder| builder.source(source).vertices(Vertices::Names).values(ValueType::I64)).unwrap();
    assert_eq!(again.file().bytes(columns::NAMES).unwrap(), graph.file().bytes(columns::NAMES).unwrap());
    let error = read(&Csv { value: Some(Column::Name("price".into())), ..rules.clone() }).unwrap_err();
    let said =
        "list, line 1: there is no column \"price\"; the header has \"cost\", \"to\", \"at\", \"from\"";
    assert_eq!(error.to_string(), said);
    let error = read(&Csv { value: None, ..rules }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[test]
fn matrices_are_read_by_their_symmetry() {
    let matrix =
        |head: &str, body: &str| format!("%%MatrixMarket matrix coordinate {head}\n% said by\n{body}");
    let read = |text: &str, direction, value: Option<ValueType>| {
        let source = list(text.as_bytes(), "mtx");
        made(|builder| builder.source(source).direction(direction).values(value)).map(|(_, graph)| graph)
    };
    let general = matrix("real general", "4 4 2\n1 2 0.5\n3 2 -1e3\n");
    let graph = read(&general, Direction::Directed, Some(ValueType::F64)).unwrap();
    assert_eq!((graph.vertices(), exported(&graph)), (4, "0 1 0.5, 2 1 -1000".into()));
    let symmetric = matrix("integer symmetric", "3 3 3\n2 1 7\n\n3 3 8\n3 1 9\n");
    let graph = read(&symmetric, Direction::Directed, Some(ValueType::I32)).unwrap();
    assert_eq!(exported(&graph), "1 0 7, 2 0 9, 0 1 7, 0 2 9, 2 2 8");
    let graph = read(&symmetric, Direction::Undirected, Some(ValueType::I32)).unwrap();
    assert_eq!((graph.edges(), exported(&graph)), (5, "0 1 7, 0 2 9, 2 2 8".into()));
    let mut again = Vec::new();
    graph.export(&Format::MatrixMarket, &mut again).unwrap();
    let said = "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 7\n3 1 9\n3 3 8\n";
    assert_eq!(String::from_utf8(again).unwrap(), said);
    let skew = matrix("real skew-symmetric", "2 2 1\n2 1 0.5");
    let graph = read(&skew, Direction::Directed, Some(ValueType::F32)).unwrap();
    assert_eq!(exported(&graph), "1 0 0.5, 0 1 -0.5");
    let error = read(&skew, Direction::Undirected, None).unwrap_err().to_string();
    assert!(error.starts_with("list, line 1: it is skew-symmetric"), "{error}");
    let pattern = matrix("pattern general", "2 2 1\n2 1");
    assert_eq!(exported(&read(&pattern, Direction::Directed, None).unwrap()), "1 0");
    // Names and dense numbers are those of the file.
    let source = list(pattern.as_bytes(), "mtx");
    let (_, graph) = made(|builder| builder.source(source).vertices(Vertices::Dense)).unwrap();
    assert_eq!(exported(&graph), "2 1");
}

/// A list, and what is said of it.
const HOSTILE: &[(&str, &[u8], &str)] = &[
    ("text", b"0 1\n0\n", "list, line 2: \"0\" is all of it, and an edge has two vertices"),
    ("text", b"0 1\n\n0 x1\n", "list, line 3: \"x1\" is no vertex's number"),
    ("text", b"0 -1\n", "line 1: \"-1\" is no vertex's number"),
    ("text", b"0 1.5\n", "line 1: \"1.5\" is no vertex's number"),
    ("text", b"0 1,2\n", "line 1: \"1,2\" is no vertex's number"),
    ("text", b"0 \x001\n", "line 1: \"\\x001\" is no vertex's number"),
    ("text", b"\xff\xfe0\x00 \x001\x00\n", "line 1: \"\\xff\\xfe0\\x00\" is no vertex's number"),
    (
        "text",
        b"0 18446744073709551616\n",
        "line 1: \"18446744073709551616\" is larger than 18446744073709551615",
    ),
    ("text", b"0 18446744073709551615\n", "line 1: vertex 18446744073709551615 is larger than 1099511627774"),
    ("text", b"0 1099511627775\n", "line 1: vertex 1099511627775 is larger than 1099511627774"),
    (
        "csv",
        b"from,to\n0,1\n",
        "line 1: \"from\" is no vertex's number: let vertices have names, or mend the list; if",
    ),
    ("csv", b"0,1\n0\n", "list, line 2: there is no column 2, with where it goes to: the record has 1"),
    ("csv", b"0,1\n,2\n", "line 2: \"\" is no vertex's number"),
    ("csv", b"0,\"1\n1,2\n3,", "line 1: \"1\\n1,2\\n3,\" is no vertex's number"),
    ("mtx", b"", "list, line 1: there is no header"),
    ("mtx", b"1 2\n", "line 1: \"1 2\" is no header of Matrix Market"),
    ("mtx", b"%%MatrixMarket matrix array real general\n2 2\n", "line 1: the matrix is an array"),
    ("mtx", b"%%MatrixMarket matrix coordinate complex general\n", "line 1: its entries are complex"),
    ("mtx", b"%%MatrixMarket matrix coordinate real hermitian\n", "line 1: it is hermitian"),
    ("mtx", b"%%MatrixMarket matrix coordinate real general\n2 3 1\n", "line 2: it has 2 rows and 3 columns"),
    ("mtx", b"%%MatrixMarket matrix coordinate real general\n2 2\n", "line 2: \"\" is no size"),
    ("mtx", b"%%MatrixMarket matrix coordinate real general\n", "line 2: it ends before its size is said"),
    (
        "mtx",
        b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n",
        "line 4: the size says 2 entries, and it ends after 1",
    ),
    (
        "mtx",
        b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n2 1 1",
        "line 4: the size says 1 entries, and here is another",
    ),
    (
        "mtx",
        b"%%MatrixMarket matrix coordinate real general\n2 2 1\n0 2 1\n",
        "line 3: \"0\" is no row: they are 1 to 2",
    ),
    (
        "mtx",
        b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n",
        "line 3: \"3\" is no column: they are 1 to 2",
    ),
    (
        "mtx",
        b"%%MatrixMarket matrix coordinate real general\n9999999999999 9999999999999 0\n",
        "line 2: there are 9999999999999 vertices",
    ),
    (
        "u32",
        &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0],
        "list, byte 8: the list ends with 3 bytes, and each edge has 8: two numbers of 4",
    ),
    ("u64", &[0xff; 16], "list, byte 0: vertex 18446744073709551615 is larger than"),
    ("u32", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0], "read list: about byte 8 of the gzip"),
    ("text", &[0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0], "read list: about byte 8 of the zstd"),
];

#[test]
fn what_is_no_list_is_told_with_its_line_or_byte_and_nothing_is_left() {
    for (format, bytes, said) in HOSTILE {
        let error = made(|builder| builder.source(list(bytes, format))).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{said}");
        assert!(error.to_string().contains(said), "{said:?} is not in {error}");
    }
}

#[test]
fn values_that_are_none_are_told() {
    for (value, text, said) in [
        (ValueType::F32, "0 1 2\n0 1 x\n", "list, line 2: the value \"x\" is no f32"),
        (ValueType::U32, "0 1 -2\n", "line 1: the value \"-2\" is no u32"),
        (ValueType::I32, "0 1 2147483648\n", "line 1: the value \"2147483648\" is no i32"),
        (ValueType::I64, "0 1 1.0\n", "line 1: the value \"1.0\" is no i64"),
        (ValueType::F64, "0 1\n", "line 1: there is no value behind the two vertices, and f64 was asked for"),
    ] {
        let source = list(text.as_bytes(), "text");
        let error = made(|builder| builder.source(source).values(value)).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(said), "{said:?} is not in {error}");
    }
    let huge = b"0 1 1e999\n1 2 NaN\n2 0 1e-999\n";
    let (_, graph) = made(|builder| builder.source(list(huge, "text")).values(ValueType::F64)).unwrap();
    assert_eq!(exported(&graph), "2 0 0, 0 1 inf, 1 2 NaN");
}

#[test]
fn lines_and_records_without_end_do_not_fill_memory() {
    for (format, first, said) in [
        ("text", "", "list, line 1: it is longer than 1048576 bytes"),
        ("csv", "0,1\n2,\"", "list, line 2: a record has no end: is a quote missing?"),
    ] {
        let endless = first.as_bytes().chain(std::io::repeat(b'0'));
        let source = Source::reader("list", endless, format.parse().unwrap());
        let error = made(|builder| builder.source(source)).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(said), "{said:?} is not in {error}");
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Level::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn compressed_lists_are_known_by_their_bytes_and_may_have_several_members() {
    let (one, other): (String, String) =
        ((0..5000).map(|i| format!("{i} {}\n", i + 1)).collect(), "7 3\n".into());
    let pack = |pack: &dyn Fn(&[u8]) -> Vec<u8>| [pack(one.as_bytes()), pack(other.as_bytes())].concat();
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    for packed in [pack(&gzip), pack(&zstd)] {
        let (built, _) = made(|builder| builder.source(list(&packed, "text"))).unwrap();
        assert_eq!((built.read, built.bytes), (5001, packed.len() as u64));
        // Of half a file nothing is kept, wherever it ends.
        for end in (5..packed.len()).step_by(packed.len() / 60).filter(|end| *end + 30 < packed.len()) {
            match made(|builder| builder.source(list(&packed[..end], "text"))) {
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Input);
                    assert!(error.to_string().contains("it is damaged, not all there"), "{error}");
                }
                // The first member was whole.
                Ok((built, _)) => assert_eq!(built.read, 5000),
            }
        }
    }
    let plain = [0x88b1f_u32.to_le_bytes(), 3_u32.to_le_bytes()].concat();
    let source = list(&plain, "u32").compression(Compression::Plain);
    assert_eq!(made(|builder| builder.source(source)).unwrap().0.vertices, 0x88b20);
}

#[test]
fn a_format_is_known_by_the_end_of_a_name_without_that_of_its_compression() {
    for (name, format) in [
        ("web.txt", "text"),
        ("out.dolphins", "text"),
        ("a.csv", "csv"),
        ("a.tsv.gz", "tsv"),
        ("b.mtx.zst", "mtx"),
        ("/c.d/e.u32", "u32"),
        ("e.u64.zstd", "u64"),
        ("edges", "text"),
    ] {
        assert_eq!(Format::of(Path::new(name)).to_string(), format, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn whatever_bytes_a_list_has_it_is_a_graph_or_an_error(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..80),
            "[0-9 ,;\t\n\"#%.a-]{0,60}".prop_map(String::into_bytes),
            "%%MatrixMarket matrix coordinate (real|pattern) (general|symmetric)\n[0-9]{1,3} [0-9]{1,3} [0-9]\n([0-9] [0-9] ?[0-9]?\n){0,4}"
                .prop_map(String::into_bytes),
        ],
        format in proptest::sample::select(vec!["text", "csv", "tsv", "mtx", "u32", "u64"]),
        vertices in proptest::sample::select(vec![Vertices::Count(1000), Vertices::Dense, Vertices::Names]),
        value in proptest::sample::select(vec![None, Some(ValueType::F32), Some(ValueType::I64)]),
    ) {
        let source = list(&bytes, format);
        if let Err(error) = made(|builder| builder.source(source).vertices(vertices).values(value)) {
            prop_assert_eq!(error.kind(), ErrorKind::Input);
        }
    }
}
