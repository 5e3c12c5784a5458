//! Programs of vertices and of whole graphs, compared with what others say.

use crate::answers::{Said, expected};
use crate::{lists, walks};
use std::path::Path;
use upcall_graph::programs::{
    Breadth, Communities, Components, Cores, Labels, Louvain, PageRank, ShortestPaths, UNREACHED, clustering,
    louvain, strong_components, weak_components,
};
use upcall_graph::{Graph, Options, run};

/// As many iterations as Graphalytics has for its labels.
const LABELS: u64 = 10;

/// What a graph's programs are compared with.
struct Compared<'a> {
    name: &'a str,
    vertices: usize,
    expected: &'a [Said],
    programs: Vec<&'static str>,
}

impl Compared<'_> {
    /// The answers of all who have this program.
    fn answers(&mut self, program: &'static str) -> impl Iterator<Item = &Said> {
        self.programs.push(program);
        self.expected.iter().filter(move |said| said.program == program)
    }

    /// Each vertex's number, infinite where others have none.
    fn same(&mut self, program: &'static str, found: impl Fn(usize) -> f64, tolerance: f64) {
        let (name, vertices) = (self.name, self.vertices);
        for said in self.answers(program) {
            for vertex in 0..vertices {
                let (found, wanted) = (found(vertex), said.of(vertex).unwrap_or(f64::INFINITY));
                let near = found == wanted || (found - wanted).abs() <= tolerance;
                assert!(near, "{name}, {program} of {vertex}: {found}, and {} has {wanted}", said.whose);
            }
        }
    }

    /// Communities depend on the order of vertices, which others have by chance: the worst of their runs is not better by much.
    fn near(&mut self, program: &'static str, found: Communities) {
        let (name, found) = (self.name, found.modularity);
        assert!(found > 0.0, "{name}, {program}: {found}");
        for said in self.answers(program) {
            let least = said.least();
            assert!(
                found >= least - 0.001,
                "{name}, {program}: {found}, and {} has at least {least}",
                said.whose
            );
        }
    }
}

/// How many answers there are to compare with.
pub fn compare(edges: &Path) -> usize {
    let name = edges.file_stem().unwrap().to_str().unwrap();
    let graph = lists::graph(edges);
    let vertices = graph.vertices();
    let expected = expected(&edges.with_extension("expected"));
    let mut compared = Compared { name, vertices, expected: &expected, programs: Vec::new() };
    ranks(&graph, &mut compared);
    groups(&graph, &mut compared);
    distances(&graph, &mut compared);
    neighbours(&graph, &mut compared);
    for (from_all, programs) in [false, true].into_iter().zip(walks::PROGRAMS) {
        let (count, steps) = walks::steps(&graph, from_all);
        for (program, came) in programs.into_iter().zip(&steps) {
            let what = format!("{name}, {program}");
            compared.answers(program).for_each(|said| walks::compare(&what, came, count, from_all, said));
        }
    }
    for Said { whose, program, .. } in &expected {
        let known = compared.programs.contains(&program.as_str());
        assert!(known, "{whose}'s {program} was compared with nothing");
    }
    expected.len()
}

fn ranks(graph: &Graph, compared: &mut Compared<'_>) {
    // NetworkX has converged when ranks change by less than 1e-12 per vertex.
    let vertices = graph.vertices() as f64;
    let ranks = |mut program: PageRank<f64>| {
        program.tolerance = 1e-12 * vertices;
        run(graph, program, Options::default()).unwrap().own
    };
    let (everywhere, personal) = (ranks(PageRank::default()), ranks(PageRank::personal(vec![0, 5])));
    let tolerance = 1e-11 * vertices;
    compared.same("pagerank", |vertex| everywhere[vertex], tolerance);
    compared.same("personal", |vertex| personal[vertex], tolerance);
}

fn groups(graph: &Graph, compared: &mut Compared<'_>) {
    let components = run(graph, Components, Options::default()).unwrap().shown;
    compared.same("components", |vertex| components[vertex] as f64, 0.0);
    let sooner = weak_components(graph, 2, None).unwrap();
    compared.same("components", |vertex| sooner[vertex] as f64, 0.0);
    let strong = strong_components(graph, None).unwrap();
    let program = if graph.is_directed() { "strong" } else { "components" };
    compared.same(program, |vertex| strong[vertex] as f64, 0.0);
    let labels = run(graph, Labels, Options { iterations: LABELS, ..Options::default() }).unwrap().shown;
    compared.same("labels", |vertex| labels[vertex] as f64, 0.0);
    compared.near("louvain", louvain::<()>(graph, Louvain::default(), None).unwrap());
    compared.near("louvain-weighted", louvain::<f64>(graph, Louvain::default(), None).unwrap());
}

fn distances(graph: &Graph, compared: &mut Compared<'_>) {
    let breadth = run(graph, Breadth { from: 0 }, Options::default()).unwrap().shown;
    let far =
        |vertex: usize| if breadth[vertex] == UNREACHED { f64::INFINITY } else { f64::from(breadth[vertex]) };
    compared.same("breadth-first", far, 0.0);
    let program = ShortestPaths::<f64>::new(0, graph.vertices());
    let paths = run(graph, program, Options::default()).unwrap().shown;
    compared.same("shortest-paths", |vertex| paths[vertex], 0.0);
}

fn neighbours(graph: &Graph, compared: &mut Compared<'_>) {
    let cores = run(graph, Cores, Options::default()).unwrap().shown;
    compared.same("cores", |vertex| f64::from(cores[vertex]), 0.0);
    let found = clustering(graph, 2, None).unwrap();
    compared.same("clustering", |vertex| found.coefficients[vertex], 1e-12);
    let triangles = |vertex: usize| if vertex == 0 { found.triangles as f64 } else { f64::INFINITY };
    compared.same("triangles", triangles, 0.0);
}
