//! `upcall graph run … louvain`.

use crate::support::{run, upcall};
use std::fs;
use upcall_graph::{Builder, Direction, Source, ValueType, Vertices};

#[test]
fn communities_are_printed_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let [list, graph, values] =
        ["edges.txt", "some.graph", "values.tsv"].map(|name| folder.path().join(name));
    // Two triangles and a bridge.
    fs::write(&list, "a b 1\nb c 1\nc a 1\nc x 1\nx y 1\ny z 1\nz x 1\n").unwrap();
    let build = |values| {
        let builder = Builder::new().source(Source::file(&list)).direction(Direction::Undirected);
        builder.vertices(Vertices::Names).values(values).build(&graph).unwrap();
    };
    let told = |arguments: &[&str]| {
        let mut command = upcall(&["graph", "run", graph.to_str().unwrap(), "louvain"]);
        run(command.args(arguments))
    };
    for kind in [None, Some(ValueType::U32), Some(ValueType::F64)] {
        build(kind);
        let found = told(&["-o", values.to_str().unwrap()]);
        assert_eq!(found.code, Some(0), "{}", found.err);
        // Six of seven edges are inside, and half of all ends are in each.
        let modularity = found.out.lines().next().unwrap().strip_prefix("modularity ").unwrap();
        assert!((modularity.parse::<f64>().unwrap() - (6.0 / 7.0 - 0.5)).abs() < 1e-12, "{modularity}");
        let rest = found.out.split_once('\n').unwrap().1;
        assert_eq!(rest, "2 communities, of which 0 are one vertex\nvertex\tvertices\na\t3\nx\t3\n");
        assert!(found.err.contains("level 0: 2 communities, modularity 0.35714"), "{}", found.err);
        assert_eq!(fs::read_to_string(&values).unwrap(), "a\ta\nb\ta\nc\ta\nx\tx\ny\tx\nz\tx\n");
    }
    let found = told(&["--resolution", "9", "--top", "0"]);
    assert!(found.out.ends_with("6 communities, of which 6 are one vertex\n"), "{}", found.out);
    for (arguments, wanted) in [
        (["--resolution=-1"], "the resolution is -1, and 0 is the least"),
        (["--iterations=3"], "has no iterations"),
    ] {
        let refused = told(&arguments);
        assert_eq!(refused.code, Some(2), "{}", refused.err);
        assert!(refused.err.contains(wanted), "{}", refused.err);
    }
}
