//! PageRank as GraphChi has it: ranks travel as values of edges, which each vertex sets.

use upcall_graph::{Context, Id, Program, Start, Vertex};

/// Adds in f32; the rank of vertices without outgoing edges is lost. Its first iteration only sets the edges' values.
#[derive(Debug, Default)]
pub struct EdgeRanks {
    jump: f32,
}

const DAMPING: f32 = 0.85;

impl Program for EdgeRanks {
    type Own = f32;
    type Shown = u32;
    type Edge = f32;
    type Scratch = ();

    const NAME: &'static str = "pagerank by edges";
    const WRITES: bool = true;

    fn start(&self, vertex: &mut Start<'_>) -> (f32, u32) {
        (1.0 / vertex.vertices() as f32, 0)
    }

    fn before_iteration(&mut self, context: Context) {
        self.jump = (1.0 - DAMPING) / context.vertices as f32;
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        if vertex.context().iteration > 0 {
            let sum = vertex.incoming().fold(0.0, |sum, _, share| sum + share);
            *vertex.own = self.jump + DAMPING * sum;
        }
        let degree = vertex.out_degree();
        let share = *vertex.own / degree as f32;
        (0..degree as usize).for_each(|index| vertex.set_value(index, share));
    }
}

#[cfg(test)]
mod tests {
    use super::EdgeRanks;
    use upcall_graph::{Builder, Format, Graph, Options, Source, run};

    #[test]
    fn ranks_are_those_of_a_circle_with_a_chord() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().join("circle.graph");
        let list = "0 1\n1 2\n2 0\n0 2\n";
        Builder::new().source(Source::reader("edges", list.as_bytes(), Format::Text)).build(&place).unwrap();
        // SAFETY: nobody writes it.
        let graph = unsafe { Graph::map(&place) }.unwrap();
        let found =
            run(&graph, EdgeRanks::default(), Options { iterations: 100, ..Options::default() }).unwrap();
        let (a, b, c) = (found.own[0], found.own[1], found.own[2]);
        assert!((a - (0.05 + 0.85 * c)).abs() < 1e-6, "{a} {c}");
        assert!((b - (0.05 + 0.85 * a / 2.0)).abs() < 1e-6, "{b} {a}");
        assert!((a + b + c - 1.0).abs() < 1e-5);
    }
}
