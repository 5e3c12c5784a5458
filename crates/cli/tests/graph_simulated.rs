//! A whole run in the simulator comes to the engine's bits, in Gauss-Seidel's way too.

use crate::support::{Folder, example, root, run, upcall};
use std::fmt::Write;
use std::process::Command;

#[test]
fn pythons_simulator_comes_to_the_engines_ranks() {
    let folder = Folder::new("");
    let (mut text, mut number) = (String::new(), 99u64);
    let mut any = |below: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % below
    };
    for _ in 0..9_000 {
        writeln!(text, "{} {}", any(2_500), any(2_500)).unwrap();
    }
    let (list, graph, to) =
        (folder.write("list.txt", text), folder.path("some.graph"), folder.path("ranks.tsv"));
    let built = run(&mut upcall(&["graph", "build", &list, "-o", &graph, "--vertices", "2500"]));
    assert_eq!(built.code, Some(0), "{}", built.err);
    let mut seen = Vec::new();
    for order in [None, Some("1024"), Some("2048")] {
        let how: Vec<String> = order.iter().map(|vertices| format!("--gauss-seidel={vertices}")).collect();
        let mut engine = upcall(&["graph", "run", &graph, "pagerank", "-o", &to]);
        let ran = run(engine.args(&how));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let wanted: Vec<f64> = folder.read("ranks.tsv").lines().map(|line| number_at(line, 1)).collect();

        let mut python = Command::new(root().join(".setup/venv/bin/python"));
        python.args(["-m", "upcall.graph_simulator"]).arg(example("graph/python/pagerank.py")).arg(&list);
        python.args(["--vertices", "2500", "--class", "PageRank"]).args(&how);
        let simulated = run(python.env("PYTHONPATH", root().join("sdk/python")));
        assert_eq!(simulated.code, Some(0), "{}", simulated.err);
        let found: Vec<f64> = simulated.out.lines().map(|line| number_at(line, 2)).collect();
        assert_eq!((found.len(), &found), (2500, &wanted), "{order:?}");
        seen.push(wanted);
    }
    assert!(seen[0] != seen[1] && seen[1] != seen[2], "each order has ranks of its own");
}

fn number_at(line: &str, column: usize) -> f64 {
    line.split('\t').nth(column).unwrap().parse().unwrap()
}
