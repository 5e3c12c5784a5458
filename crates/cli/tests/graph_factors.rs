//! `upcall graph run … als` and `sgd`.

use crate::support::{run, upcall};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use upcall_graph::{Builder, Direction, Source, ValueType, Vertices};

/// How much each of these people likes each of these books, by two properties of both.
fn entry(person: u32, book: u32) -> f64 {
    let (person, book) = (f64::from(person), f64::from(book));
    (1.0 + person % 5.0) * (book % 3.0) / 4.0 + (person % 7.0) * (1.0 + book % 4.0) / 8.0
}

#[test]
fn vectors_are_written_whose_products_are_the_entries() {
    let folder = tempfile::tempdir().unwrap();
    let [list, graph, values] =
        ["edges.txt", "some.graph", "values.tsv"].map(|name| folder.path().join(name));
    let mut lines = String::new();
    for (person, book) in (0..60).flat_map(|person| (0..20).map(move |book| (person, book))) {
        if (person * 7 + book * 3) % 5 != 0 {
            writeln!(lines, "p{person} b{book} {}", entry(person, book)).unwrap();
        }
    }
    fs::write(&list, lines).unwrap();
    let build = |direction, values| {
        let builder = Builder::new().source(Source::file(&list)).direction(direction);
        builder.vertices(Vertices::Names).values(values).build(&graph).unwrap();
    };
    let told = |arguments: &[&str]| {
        let mut command = upcall(&["graph", "run", graph.to_str().unwrap()]);
        run(command.args(arguments).args(["-o", values.to_str().unwrap()]))
    };
    build(Direction::Directed, Some(ValueType::F64));
    for arguments in [
        &["als", "--rank", "4", "--lambda", "1e-5", "-i", "60"][..],
        &["sgd", "--rank", "8", "--lambda", "0", "--rate", "0.03", "--seed", "5", "-i", "600"],
    ] {
        let one = told(&[arguments, &["--threads", "1"]].concat());
        assert_eq!(one.code, Some(0), "{}", one.err);
        let text = fs::read_to_string(&values).unwrap();
        let three = told(&[arguments, &["--threads", "3"]].concat());
        assert_eq!((&one.out, &text), (&three.out, &fs::read_to_string(&values).unwrap()));

        let (head, error) = one.out.trim_end().split_once('\n').unwrap();
        assert_eq!(head, "60 rows, 20 columns, 960 entries");
        let error: f64 = error.strip_prefix("root of the mean squared error ").unwrap().parse().unwrap();
        assert!(error < 0.05, "{arguments:?}: {error}");
        let vectors: HashMap<&str, Vec<f64>> = text.lines().map(vector).collect();
        assert_eq!(vectors["p0"].len(), arguments[2].parse::<usize>().unwrap());
        // One that was left out.
        let product: f64 = vectors["p5"].iter().zip(&vectors["b10"]).map(|(one, other)| one * other).sum();
        assert!((product - entry(5, 10)).abs() < 0.3, "{arguments:?}: {product}");
    }
    for (arguments, code, wanted) in [
        (&["als", "--rank", "5"][..], 2, "--rank is 5, and there are 4, 8, 16 and 32"),
        (&["als", "--lambda", "0"], 2, "lambda is 0, and it must be more than 0"),
        (&["sgd", "--rate", "90"], 1, "the error has grown without end: take a smaller --rate"),
    ] {
        let refused = told(arguments);
        assert_eq!(refused.code, Some(code), "{}", refused.err);
        assert!(refused.err.contains(wanted), "{}", refused.err);
    }
    for (direction, values, wanted) in [
        (Direction::Undirected, Some(ValueType::F32), "edges have no direction"),
        (Direction::Directed, None, "and the graph's have none: make it again with --values f32"),
    ] {
        build(direction, values);
        let refused = told(&["sgd"]);
        assert_eq!(refused.code, Some(2), "{}", refused.err);
        assert!(refused.err.contains(wanted), "{}", refused.err);
    }
}

/// A line's name and numbers.
fn vector(line: &str) -> (&str, Vec<f64>) {
    let (name, numbers) = line.split_once('\t').unwrap();
    (name, numbers.split('\t').map(|number| number.parse().unwrap()).collect())
}
