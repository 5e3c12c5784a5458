//! Programs come to what NetworkX and scikit-network do, on graphs that NetworkX brings, on that of Debian's packages, and on
//! the real ones of graph-tool's collection.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_graph::programs::{
    Breadth, Communities, Components, Cores, Louvain, PageRank, ShortestPaths, UNREACHED, clustering,
    louvain, strong_components,
};
use upcall_graph::{Builder, Direction, Graph, Options, Source, ValueType, Vertices, run};

/// What `cargo xtask setup` makes.
fn setup() -> Option<PathBuf> {
    let mut roots = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    roots.find_map(|root| Some(root.join(".setup")).filter(|setup| setup.is_dir()))
}

/// The interpreter in it, with both.
fn python() -> PathBuf {
    let given = std::env::var_os("UPCALL_PYTHON").map(PathBuf::from);
    let made = || setup().map(|setup| setup.join("venv/bin/python")).filter(|python| python.exists());
    given.or_else(made).expect("run cargo xtask setup: .setup/venv has the Python of the tests")
}

/// What one of them says of a program: values by vertex.
struct Said {
    whose: String,
    program: String,
    values: BTreeMap<usize, f64>,
}

fn expected(file: &Path) -> Vec<Said> {
    let mut all = BTreeMap::<_, BTreeMap<_, _>>::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let [whose, program, vertex, value] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let key = (whose.to_owned(), program.to_owned());
        all.entry(key).or_default().insert(vertex.parse().unwrap(), value.parse().unwrap());
    }
    all.into_iter().map(|((whose, program), values)| Said { whose, program, values }).collect()
}

#[test]
fn programs_come_to_what_networkx_and_scikit_network_do() {
    let (graphs, answers) = compared(&[]);
    // Of NetworkX 9 to 10 per graph, of scikit-network 4 to 6.
    assert!(graphs == 10 && answers > 140, "{graphs} graphs, {answers} answers");
}

/// `cargo xtask test` says so where there is none: apt has it on Debian, but not on Ubuntu.
#[test]
fn programs_come_to_the_same_on_graph_tools_collection() {
    let collection = setup().map(|setup| setup.join("graphs"));
    if let Some(collection) = collection.filter(|folder| folder.is_dir()) {
        let (graphs, answers) = compared(&[&collection]);
        assert!(graphs == 17 && answers > 11 * graphs, "{graphs} graphs, {answers} answers");
    }
}

/// How many graphs there are, and answers to compare with.
fn compared(collection: &[&Path]) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/references.py");
    let made = Command::new(python()).arg(script).arg(folder.path()).args(collection).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (mut graphs, mut answers) = (0, 0);
    for file in std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|extension| extension == "edges") {
            answers += compare(&file);
            graphs += 1;
        }
    }
    (graphs, answers)
}

/// How many answers there are to compare with.
fn compare(edges: &Path) -> usize {
    let name = edges.file_stem().unwrap().to_str().unwrap();
    let text = std::fs::read_to_string(edges).unwrap();
    let head = text.lines().next().unwrap();
    let place = edges.with_extension("graph");
    let direction = if head.starts_with("# directed") { Direction::Directed } else { Direction::Undirected };
    // The last vertices may have no edges.
    let count = head.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
    let built = Builder::new()
        .source(Source::file(edges))
        .direction(direction)
        .vertices(Vertices::Count(count))
        .values(ValueType::F64)
        .build(&place);
    built.unwrap();
    // SAFETY: nobody else knows the file.
    let graph = unsafe { Graph::map(&place) }.unwrap();
    let vertices = graph.vertices();
    assert_eq!(vertices as u64, count, "{name}");

    let expected = expected(&edges.with_extension("expected"));
    let mut compared = Vec::new();
    let mut same = |program: &'static str, found: &dyn Fn(usize) -> f64, tolerance: f64| {
        compared.push(program);
        for Said { whose, values, .. } in expected.iter().filter(|said| said.program == program) {
            for vertex in 0..vertices {
                let (found, wanted) = (found(vertex), values.get(&vertex).copied().unwrap_or(f64::INFINITY));
                let near = found == wanted || (found - wanted).abs() <= tolerance;
                assert!(near, "{name}, {program} of {vertex}: {found}, and {whose} has {wanted}");
            }
        }
    };
    let ranks = |mut program: PageRank<f64>| {
        program.tolerance = 1e-13;
        run(&graph, program, Options::default()).unwrap().own
    };
    let (everywhere, personal) = (ranks(PageRank::default()), ranks(PageRank::personal(vec![0, 5])));
    // NetworkX has converged when ranks change by less than 1e-12 per vertex.
    let tolerance = 1e-11 * vertices as f64;
    same("pagerank", &|vertex| everywhere[vertex], tolerance);
    same("personal", &|vertex| personal[vertex], tolerance);
    let components = run(&graph, Components, Options::default()).unwrap().shown;
    same("components", &|vertex| components[vertex] as f64, 0.0);
    let breadth = run(&graph, Breadth { from: 0 }, Options::default()).unwrap().shown;
    let far =
        |vertex: usize| if breadth[vertex] == UNREACHED { f64::INFINITY } else { f64::from(breadth[vertex]) };
    same("breadth-first", &far, 0.0);
    let paths = run(&graph, ShortestPaths::<f64>::new(0, vertices), Options::default()).unwrap().shown;
    same("shortest-paths", &|vertex| paths[vertex], 0.0);
    let strong = strong_components(&graph, None).unwrap();
    same(if graph.is_directed() { "strong" } else { "components" }, &|vertex| strong[vertex] as f64, 0.0);
    if !graph.is_directed() {
        let cores = run(&graph, Cores, Options::default()).unwrap().shown;
        same("cores", &|vertex| f64::from(cores[vertex]), 0.0);
        let found = clustering(&graph, 2, None).unwrap();
        same("clustering", &|vertex| found.coefficients[vertex], 1e-12);
        same("triangles", &|vertex| if vertex == 0 { found.triangles as f64 } else { f64::INFINITY }, 0.0);
    }
    // Communities depend on the order of vertices, which both have by chance: the worst of their runs is not better by much.
    let mut near = |program: &'static str, found: Communities| {
        compared.push(program);
        let found = found.modularity;
        assert!(found > 0.0, "{name}, {program}: {found}");
        for Said { whose, values, .. } in expected.iter().filter(|said| said.program == program) {
            let least = values.values().fold(f64::INFINITY, |least, value| least.min(*value));
            assert!(found >= least - 0.001, "{name}, {program}: {found}, and {whose} has at least {least}");
        }
    };
    near("louvain", louvain::<()>(&graph, Louvain::default(), None).unwrap());
    near("louvain-weighted", louvain::<f64>(&graph, Louvain::default(), None).unwrap());
    for Said { whose, program, .. } in &expected {
        assert!(compared.contains(&program.as_str()), "{whose}'s {program} was compared with nothing");
    }
    expected.len()
}
