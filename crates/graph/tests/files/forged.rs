//! Graphs' files that say what they like, with all checksums right: whatever is asked of them, there is an answer or an error.
//! Fuzz targets have it too.

use std::path::Path;
use upcall_graph::programs::{
    Als, Breadth, Components, Cores, Factorisation, Labels, Louvain, PageRank, ShortestPaths, Walks, Weight,
    clustering, louvain, strong_components, walks, weak_components,
};
use upcall_graph::{
    Builder, Changes, Direction, Error, ErrorKind, Format, Graph, Iteration, Options, Program, Source,
    ValueType, Vertices, columns, run,
};

/// The head of a file of named columns: 32 bytes, of which a hash of the columns' types are the third eight, and 80 for each column.
const HEADER: usize = 32;
const ENTRY: usize = 80;

/// Files to begin with: all columns that there are, in few bytes.
pub fn files(folder: &Path) -> Vec<Vec<u8>> {
    let list = "3 0 1\n1 2 2\n0 3 5\n2 2 4\n1 2 9\n";
    let make = |index: usize, vertices, direction, values: Option<ValueType>, (wide, compress)| {
        let path = folder.join(format!("{index}.graph"));
        let source = Source::reader("list", list.as_bytes(), Format::Text);
        let builder = Builder::new().vertices(vertices).direction(direction).values(values);
        let builder = builder.wide(wide).compress(compress);
        builder.temporaries(folder).source(source).build(&path).unwrap();
        std::fs::read(&path).unwrap()
    };
    vec![
        make(0, Vertices::Keep, Direction::Directed, Some(ValueType::F64), (false, false)),
        make(1, Vertices::Keep, Direction::Undirected, None, (false, false)),
        make(2, Vertices::Dense, Direction::Directed, None, (true, false)),
        make(3, Vertices::Names, Direction::Directed, Some(ValueType::F32), (false, false)),
        make(4, Vertices::Names, Direction::Undirected, Some(ValueType::U64), (true, false)),
        make(5, Vertices::Keep, Direction::Directed, Some(ValueType::F64), (false, true)),
        make(6, Vertices::Keep, Direction::Undirected, None, (false, true)),
    ]
}

/// Makes the checksums right: that of the head, the hash of the columns' types, and those of columns that are where the head says.
pub fn seal(file: &mut [u8]) {
    let Some(columns) = file.get(12..16).map(|four| number(four) as usize) else { return };
    let end = columns.saturating_mul(ENTRY).saturating_add(HEADER);
    if end.saturating_add(4) > file.len() {
        return;
    }
    let mut types = String::new();
    for at in (HEADER..end).step_by(ENTRY) {
        let entry = &file[at..at + ENTRY];
        let (name, element) = (text(&entry[..32]), text(&entry[32..56]));
        let (size, rows, offset) = (number(&entry[56..60]), number(&entry[64..72]), number(&entry[72..80]));
        types.push_str(&format!("{name}:{element}:{size}\n"));
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let begin = place(offset);
        let column = file.get(begin..begin.saturating_add(place(rows.saturating_mul(size))));
        if let Some(checksum) = column.map(crc32fast::hash) {
            file[at + 60..at + 64].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    // FNV-1a.
    let hash = types.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    file[16..24].copy_from_slice(&hash.to_le_bytes());
    let checksum = crc32fast::hash(&file[..end]);
    file[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn text(bytes: &[u8]) -> &str {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).unwrap_or_default()
}

/// Asks all that can be asked of a graph: nothing of it panics, and of one that was checked nothing says that it is damaged.
pub fn ask(graph: &Graph) {
    let sound = graph.check();
    if let Err(error) = &sound {
        assert_eq!(error.kind(), ErrorKind::Format, "{error}");
    }
    let sound = sound.is_ok();
    let answer = |outcome: Result<(), Error>| {
        if let Err(error) = outcome {
            let kind = error.kind();
            assert!(kind == ErrorKind::Usage || kind == ErrorKind::Format && !sound, "{kind:?}: {error}");
        }
    };
    for format in ["text", "csv", "mtx", "u32", "u64"] {
        answer(graph.export(&format.parse().unwrap(), &mut Vec::new()));
    }
    let _ = graph.summary();
    for vertex in 0..graph.vertices() {
        let found = graph.vertex(&graph.name(vertex));
        assert!(found.is_some() || !sound);
    }
    answer(over(graph, PageRank::<f64>::default()));
    answer(over(graph, Components));
    answer(over(graph, Cores));
    answer(over(graph, Labels));
    answer(over(graph, Breadth { from: 0 }));
    answer(changing(graph, sound));
    weighed::<()>(graph, answer);
    weighed::<f64>(graph, answer);
    weighed::<f32>(graph, answer);
    weighed::<u64>(graph, answer);
    answer(weak_components(graph, 1, None).map(drop));
    answer(strong_components(graph, None).map(drop));
    answer(clustering(graph, 1, None).map(drop));
    let from = (0..graph.vertices()).collect();
    answer(walks(graph, &Walks { from, walks: 2, length: 3, seed: 1 }, 1, None).map(drop));
}

/// What looks at edges' values.
fn weighed<W: Weight>(graph: &Graph, answer: impl Fn(Result<(), Error>)) {
    answer(over(graph, ShortestPaths::<W>::new(0, graph.vertices())));
    answer(Factorisation::of(graph).and_then(|of| over(graph, Als::<f32, W, 4>::new(of)?)));
    let settings = Louvain { rounds: 2, ..Louvain::default() };
    match louvain::<W>(graph, settings, None) {
        // Weights add up to more than there is.
        Err(error) if error.kind() == ErrorKind::TooLarge => {}
        other => answer(other.map(drop)),
    }
}

/// Edges come and go between all vertices, the first of which has others.
fn changing(graph: &Graph, sound: bool) -> Result<(), Error> {
    let valued = graph.file().entry(columns::VALUES).is_some();
    let mut change = |_: &Iteration, changes: &mut Changes<'_>| {
        for vertex in 0..graph.vertices() {
            changes.remove(vertex, (vertex + 1) % graph.vertices())?;
            // Of another type than these are, it is refused.
            if valued { changes.add_valued(0, vertex, 1i32)? } else { changes.add(0, vertex)? }
        }
        Ok(())
    };
    let options = Options { threads: 1, iterations: 3, change: Some(&mut change), ..Options::default() };
    let changed = run(graph, PageRank::<f64>::default(), options)?.graph;
    changed.filter(|_| sound).map_or(Ok(()), |changed| changed.check())
}

fn over<P: Program>(graph: &Graph, program: P) -> Result<(), Error> {
    let options = Options { threads: 1, iterations: 4, ..Options::default() };
    run(graph, program, options).map(drop)
}
