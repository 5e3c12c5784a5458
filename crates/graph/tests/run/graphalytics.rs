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
    name: String,
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
        Given { name: name.to_owned(), _folder: folder, graph, vertices: ids.len(), numbers }
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

/// Of an algorithm the validation graph with directions and that without, and the two examples: each with its answers
/// and with what is given there.
fn each<T>(folder: &str, example: &str, given: [T; 4], check: impl Fn(&Given, &[String], T)) {
    // Ways have lengths, which only lists of edges have.
    let (small, kind) = if folder == "sssp" { ("-input.e", ".e") } else { ("-input", "-input") };
    let [dir, undir, directed, undirected] = given;
    let examples = "example/example";
    for (input, output, has_direction, given) in [
        (format!("{folder}/dir{small}"), format!("{folder}/dir-output"), true, dir),
        (format!("{folder}/undir{small}"), format!("{folder}/undir-output"), false, undir),
        (format!("{examples}-directed{kind}"), format!("{examples}-directed-{example}"), true, directed),
        (
            format!("{examples}-undirected{kind}"),
            format!("{examples}-undirected-{example}"),
            false,
            undirected,
        ),
    ] {
        let graph = Given::new(&input, has_direction);
        check(&graph, &graph.answers(&output), given);
    }
}

#[test]
fn breadth_first_search() {
    each("bfs", "BFS", ["1", "1", "1", "2"], |given, wanted, from| {
        let found = on_threads(&given.graph, Breadth { from: given.numbers[from] }, u64::MAX).shown;
        // What is not reached has the largest number there is: MatchLongValidationRule.
        let depth = |text: &String| u32::try_from(text.parse::<i64>().unwrap()).unwrap_or(UNREACHED);
        assert_eq!(found, wanted.iter().map(depth).collect::<Vec<_>>(), "{}", given.name);
    });
}

#[test]
fn page_rank() {
    each("pr", "PR", [14, 26, 2, 2], |given, wanted, iterations| {
        let mut program = PageRank::<f64>::default();
        program.tolerance = -1.0;
        near(&on_threads(&given.graph, program, iterations).own, wanted, &given.name);
    });
}

#[test]
fn weakly_connected_components() {
    each("wcc", "WCC", [(); 4], |given, wanted, ()| {
        equivalent(&on_threads(&given.graph, Components, u64::MAX).shown, wanted, &given.name);
        equivalent(&weak_components(&given.graph, 2, None).unwrap(), wanted, &given.name);
    });
}

#[test]
fn community_detection_by_label_propagation() {
    each("cdlp", "CDLP", [5, 5, 2, 2], |given, wanted, iterations| {
        // A label is the number of a vertex; Graphalytics' own have the same order.
        let wanted: Vec<u64> = wanted.iter().map(|label| given.numbers[label] as u64).collect();
        assert_eq!(on_threads(&given.graph, Labels, iterations).shown, wanted, "{}", given.name);
    });
}

#[test]
fn local_clustering_coefficients() {
    each("lcc", "LCC", [(); 4], |given, wanted, ()| {
        near(&clustering(&given.graph, 2, None).unwrap().coefficients, wanted, &given.name);
    });
}

#[test]
fn single_source_shortest_paths() {
    each("sssp", "SSSP", ["1", "1", "1", "2"], |given, wanted, from| {
        let program = ShortestPaths::<f64>::new(given.numbers[from], given.vertices);
        near(&run(&given.graph, program, Options::default()).unwrap().shown, wanted, &given.name);
    });
}
