//! Programs that are told of intervals and have them updated again, under the command.

use crate::support::{Folder, run, upcall};
use std::fmt::Write as _;

/// Each pass leaves its number behind those before; the second one is the last.
const PYTHON: &str = "
class Passes:
    own = 'f64'
    shown = 'u32'

    def before_interval(self, interval):
        self.interval = interval

    def update(self, vertex, context):
        assert self.interval.first <= vertex.id < self.interval.end, self.interval
        vertex.own = vertex.own * 10 + self.interval.pass_ + 1
        context.add_residual(1.0)

    def after_interval(self, interval):
        assert interval.updated == interval.residual == interval.end - interval.first, interval

    def repeat_updates(self, interval):
        return interval.pass_ == 0

    def after_iteration(self, iteration):
        return iteration.number == 1
";

const JAVASCRIPT: &str = "
export class Passes {
  static own = 'f64';
  static shown = 'u32';

  beforeInterval(interval) {
    this.pass = interval.pass;
    this.first = interval.first;
    this.end = interval.end;
  }

  update(vertex, context) {
    if (vertex.id < this.first || vertex.id >= this.end) throw new Error(`${vertex.id} is not in it`);
    vertex.own = vertex.own * 10 + this.pass + 1;
    context.addResidual(1);
  }

  afterInterval({ first, end, updated, residual }) {
    if (updated !== end - first || residual !== updated) throw new Error(`${updated} were updated`);
  }

  repeatUpdates(interval) {
    return interval.pass === 0;
  }

  afterIteration(iteration) {
    return iteration.number === 1;
  }
}
";

#[test]
fn an_interval_is_updated_as_often_as_a_program_wants() {
    let folder = Folder::new("");
    let (list, graph, to) =
        (folder.write("list.txt", "0 2999\n"), folder.path("some.graph"), folder.path("own"));
    let built = run(&mut upcall(&["graph", "build", &list, "-o", &graph]));
    assert_eq!(built.code, Some(0), "{}", built.err);
    let wanted = (0..3000).fold(String::new(), |mut all, vertex| {
        let _ = writeln!(all, "{vertex}\t1212");
        all
    });
    for file in [folder.write("passes.py", PYTHON), folder.write("passes.mjs", JAVASCRIPT)] {
        for how in [&[][..], &["--gauss-seidel=1024"], &["--isolate"]] {
            let arguments = ["graph", "run", &graph, &file, "--class", "Passes", "-o", &to];
            let ran = run(&mut upcall(&[&arguments[..], how].concat()));
            assert_eq!(ran.code, Some(0), "{file} {how:?}: {}", ran.err);
            assert!(folder.read("own") == wanted, "{file} {how:?}");
        }
    }
}

const WRITER: &str = "
class Marks:
    shown = 'u32'
    edge = 'u32'
    writes = True

    def update(self, vertex, context):
        for index in range(len(vertex.outgoing)):
            vertex.outgoing.set_value(index, 10 * vertex.id + index)

    def repeat_updates(self, interval):
        return self.again

    again = False

class Again(Marks):
    again = True

class Reads:
    shown = 'u32'

    def update(self, vertex, context):
        pass
";

#[test]
fn values_of_edges_are_written_by_the_names_of_their_vertices() {
    let folder = Folder::new("");
    let (list, graph) =
        (folder.write("list.txt", "Bonn Köln\nBonn Kiel\nKiel Bonn\n"), folder.path("some.graph"));
    let (file, edges) = (folder.write("marks.py", WRITER), folder.path("edges.tsv"));
    let built = run(&mut upcall(&["graph", "build", &list, "--ids", "names", "-o", &graph]));
    assert_eq!(built.code, Some(0), "{}", built.err);
    let ran = |class: &str, more: &[&str]| {
        let arguments = ["graph", "run", &graph, &file, "--class", class, "-i", "2"];
        run(&mut upcall(&[&arguments[..], more].concat()))
    };
    let before = std::fs::read(&graph).unwrap();
    let found = ran("Marks", &["--edges", &edges]);
    assert_eq!(found.code, Some(0), "{}", found.err);
    // Bonn is 0, Köln 1 and Kiel 2.
    assert_eq!(folder.read("edges.tsv"), "Kiel\tBonn\t20\nBonn\tKöln\t0\nBonn\tKiel\t1\n");
    assert!(std::fs::read(&graph).unwrap() == before, "the graph's file stays as it is");
    for (class, more, said) in [
        (
            "Reads",
            &["--edges", &edges][..],
            "program Reads sets no values of edges (it does not declare `writes`): leave --edges out",
        ),
        (
            "Marks",
            &["--gauss-seidel"],
            "it sets values of edges: it is not run in Gauss-Seidel's way, but in Jacobi's",
        ),
        ("Again", &[], "its updates are not repeated"),
        ("Marks", &["--edges", "/none/of/these"], "write the values of edges to /none/of/these"),
    ] {
        let found = ran(class, more);
        assert!(found.code != Some(0) && found.err.contains(said), "{class}: {}", found.err);
    }
    let found = run(&mut upcall(&["graph", "run", &graph, "pagerank", "--edges", &edges]));
    assert!(
        found.code == Some(2) && found.err.contains("--edges are about a file's program"),
        "{}",
        found.err
    );
}
