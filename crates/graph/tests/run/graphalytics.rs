//! The six algorithms of LDBC Graphalytics on its own validation graphs, compared with its answers by its rules.

use crate::model::Edges;
use crate::programs::on_threads;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use tempfile::TempDir;
use upcall_graph::programs::{
    Breadth, Components, Labels, PageRank, ShortestPaths, UNREACHED, clustering, weak_components,
};
use upcall_graph::{Graph, Options, run};

/// What a file of these says, by lines and words.
fn lines(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graphalytics").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    text.lines().map(words).filter(|words| !words.is_empty()).collect()
}

/// A graph, and which of its vertices have which of our numbers.
struct Given {
    _folder: TempDir,
    graph: Graph,
    vertices: usize,
    numbers: HashMap<String, usize>,
}

impl Given {
    /// Of vertices, each with those that its edges lead to; or of edges with weights, beside a file of all vertices.
    fn new(name: &str, directed: bool) -> Given {
        let (heads, edges) = match name.strip_suffix(".e") {
            Some(stem) => (lines(&format!("{stem}.v")), lines(name)),
            None => {
                let heads = lines(name);
                let of = |head: &Vec<String>| {
                    head[1..]
                        .iter()
                        .map(|to| vec![head[0].clone(), to.clone(), "0".into()])
                        .collect::<Vec<_>>()
                };
                let edges: Vec<Vec<String>> = heads.iter().flat_map(of).collect();
                (heads, edges)
            }
        };
        // Some are only where an edge leads to.
        let named = heads.iter().map(|head| &head[0]).chain(edges.iter().map(|edge| &edge[1]));
        let ids: BTreeSet<u64> = named.map(|id| id.parse().unwrap()).collect();
        let numbers: HashMap<String, usize> =
            ids.iter().enumerate().map(|(number, id)| (id.to_string(), number)).collect();
        let mut list = BTreeMap::new();
        for edge in &edges {
            let (from, to) = (numbers[&edge[0]], numbers[&edge[1]]);
            let ends = if directed { (from, to) } else { (from.min(to), from.max(to)) };
            list.insert(ends, edge[2].parse().unwrap());
        }
        let edges = Edges { vertices: ids.len(), directed, list };
        let (folder, graph) = edges.graph(false);
        Given { _folder: folder, graph, vertices: ids.len(), numbers }
    }

    /// The answers of a file, by our numbers of vertices: every vertex has one.
    fn answers(&self, name: &str) -> Vec<String> {
        let found: BTreeMap<usize, String> =
            lines(name).into_iter().map(|line| (self.numbers[&line[0]], line[1].clone())).collect();
        assert_eq!(found.len(), self.vertices, "{name}");
        found.into_values().collect()
    }
}

/// The same number, or both infinite, within 0.01 %: EpsilonValidationRule.
fn near(found: &[f64], wanted: &[String], what: &str) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        let wanted: f64 = wanted.parse().unwrap();
        let right =
            if wanted.is_infinite() { found.is_infinite() } else { (found - wanted).abs() <= 1e-4 * wanted };
        assert!(right, "{what}: {found} instead of {wanted}");
    }
}

/// The same vertices together: EquivalenceValidationRule.
fn equivalent(found: &[u64], wanted: &[String], what: &str) {
    assert_eq!(found.len(), wanted.len());
    let (mut to, mut back) = (HashMap::new(), HashMap::new());
    for (found, wanted) in found.iter().zip(wanted) {
        assert_eq!(to.entry(found).or_insert(wanted), &wanted, "{what}");
        assert_eq!(back.entry(wanted).or_insert(found), &found, "{what}");
    }
}

const EXAMPLES: [(&str, bool); 2] =
    [("example/example-directed", true), ("example/example-undirected", false)];

#[test]
fn breadth_first_search() {
    let of = |input: &str, output: &str, directed, from: &str| {
        let given = Given::new(input, directed);
        let found = on_threads(&given.graph, Breadth { from: given.numbers[from] }, u64::MAX).shown;
        // What is not reached has the largest number there is: MatchLongValidationRule.
        let wanted: Vec<u32> = given
            .answers(output)
            .iter()
            .map(|depth| u32::try_from(depth.parse::<i64>().unwrap()).unwrap_or(UNREACHED))
            .collect();
        assert_eq!(found, wanted, "{input}");
    };
    of("bfs/dir-input", "bfs/dir-output", true, "1");
    of("bfs/undir-input", "bfs/undir-output", false, "1");
    for ((name, directed), from) in EXAMPLES.into_iter().zip(["1", "2"]) {
        of(&format!("{name}-input"), &format!("{name}-BFS"), directed, from);
    }
}

#[test]
fn page_rank() {
    let of = |input: &str, output: &str, directed, iterations| {
        let given = Given::new(input, directed);
        let mut program = PageRank::<f64>::default();
        program.tolerance = -1.0;
        near(&on_threads(&given.graph, program, iterations).own, &given.answers(output), input);
    };
    of("pr/dir-input", "pr/dir-output", true, 14);
    of("pr/undir-input", "pr/undir-output", false, 26);
    for (name, directed) in EXAMPLES {
        of(&format!("{name}-input"), &format!("{name}-PR"), directed, 2);
    }
}

#[test]
fn weakly_connected_components() {
    let of = |input: &str, output: &str, directed| {
        let given = Given::new(input, directed);
        let wanted = given.answers(output);
        equivalent(&on_threads(&given.graph, Components, u64::MAX).shown, &wanted, input);
        equivalent(&weak_components(&given.graph, 2, None).unwrap(), &wanted, input);
    };
    of("wcc/dir-input", "wcc/dir-output", true);
    of("wcc/undir-input", "wcc/undir-output", false);
    for (name, directed) in EXAMPLES {
        of(&format!("{name}-input"), &format!("{name}-WCC"), directed);
    }
}

#[test]
fn community_detection_by_label_propagation() {
    let of = |input: &str, output: &str, directed, iterations| {
        let given = Given::new(input, directed);
        let found = on_threads(&given.graph, Labels, iterations).shown;
        // A label is the number of a vertex; Graphalytics' own have the same order.
        let wanted: Vec<u64> =
            given.answers(output).iter().map(|label| given.numbers[label] as u64).collect();
        assert_eq!(found, wanted, "{input}");
    };
    of("cdlp/dir-input", "cdlp/dir-output", true, 5);
    of("cdlp/undir-input", "cdlp/undir-output", false, 5);
    for (name, directed) in EXAMPLES {
        of(&format!("{name}-input"), &format!("{name}-CDLP"), directed, 2);
    }
}

#[test]
fn local_clustering_coefficients() {
    let of = |input: &str, output: &str, directed| {
        let given = Given::new(input, directed);
        near(&clustering(&given.graph, 2, None).unwrap().coefficients, &given.answers(output), input);
    };
    of("lcc/dir-input", "lcc/dir-output", true);
    of("lcc/undir-input", "lcc/undir-output", false);
    for (name, directed) in EXAMPLES {
        of(&format!("{name}-input"), &format!("{name}-LCC"), directed);
    }
}

#[test]
fn single_source_shortest_paths() {
    let of = |input: &str, output: &str, directed, from: &str| {
        let given = Given::new(input, directed);
        let program = ShortestPaths::<f64>::new(given.numbers[from], given.vertices);
        let found = run(&given.graph, program, Options::default()).unwrap();
        near(&found.shown, &given.answers(output), input);
    };
    of("sssp/dir-input.e", "sssp/dir-output", true, "1");
    of("sssp/undir-input.e", "sssp/undir-output", false, "1");
    for ((name, directed), from) in EXAMPLES.into_iter().zip(["1", "2"]) {
        of(&format!("{name}.e"), &format!("{name}-SSSP"), directed, from);
    }
}
