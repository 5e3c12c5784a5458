//! `upcall graph run … walks`.

use crate::support::{run, upcall};
use std::fs;
use upcall_graph::{Builder, Source, Vertices};

#[test]
fn visits_are_printed_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let [list, graph, values] =
        ["edges.txt", "some.graph", "values.tsv"].map(|name| folder.path().join(name));
    // One way from a to the end, and a choice from x.
    fs::write(&list, "a b\nb c\nx a\nx c\n").unwrap();
    Builder::new().source(Source::file(&list)).vertices(Vertices::Names).build(&graph).unwrap();
    let told = |arguments: &[&str]| {
        let mut command = upcall(&["graph", "run", graph.to_str().unwrap(), "walks"]);
        run(command.args(arguments).args(["-o", values.to_str().unwrap()]))
    };
    let found = told(&["--from", "a", "--from", "b", "--walks", "7", "--top", "1"]);
    assert_eq!(found.code, Some(0), "{}", found.err);
    assert_eq!(found.out, "21 steps; 14 walks have ended where no edge goes on\nvertex\tvisits\nc\t14\n");
    assert_eq!(fs::read_to_string(&values).unwrap(), "a\t0\nb\t7\nc\t14\nx\t0\n");

    let chosen = |arguments: &[&str]| -> u64 {
        let all = ["--from", "x", "--walks", "1000", "--length", "1"];
        assert_eq!(told(&[&all, arguments].concat()).code, Some(0));
        let text = fs::read_to_string(&values).unwrap();
        let visits = text.lines().next().unwrap().strip_prefix("a\t").unwrap().parse().unwrap();
        assert_eq!(text, format!("a\t{visits}\nb\t0\nc\t{}\nx\t0\n", 1000 - visits));
        visits
    };
    let one = chosen(&["--seed", "1", "--threads", "1"]);
    assert!((400..600).contains(&one), "{one}");
    assert_eq!(one, chosen(&["--seed", "1", "--threads", "3"]));
    assert_ne!(one, chosen(&["--seed", "2"]));

    // From all four vertices.
    let all = told(&["--walks", "2", "--length", "1", "--top", "0"]);
    assert_eq!(all.out, "6 steps; 2 walks have ended where no edge goes on\n");
    for (arguments, wanted) in [
        (&["--from", "nobody"][..], "the graph has no vertex nobody; it has 4"),
        (&["--walks", "18446744073709551615"], "walk at random: there are more than 2^64 steps"),
        (&["--iterations", "2"], "this program has no iterations"),
    ] {
        let refused = told(arguments);
        assert!(refused.code.is_some_and(|code| code > 0) && refused.err.contains(wanted), "{}", refused.err);
    }
}
