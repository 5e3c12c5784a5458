use crate::PageRank;
use upcall::vertex::{Graph, Iteration, Program, Vertex};
use upcall::{Context, Describe, Failure};

/// PageRank as GraphChi does it: each vertex sets the values of its outgoing edges to its rank divided by how many there are, and
/// adds up those of its incoming ones. The first iteration sets them only, so that each later one comes to what [`PageRank`]'s
/// before it does.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageRankEdges(pub PageRank);

impl Program for PageRankEdges {
    type Own = f64;
    type Shown = f64;
    type Edge = f64;

    const WRITES: bool = true;

    fn describe(&self, describe: &mut Describe<'_>) {
        PageRank::describe(describe);
    }

    fn open(&mut self, context: &Context<'_>, _: &Graph) -> Result<(), Failure> {
        self.0.open(context)
    }

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let rank = 1.0 / vertex.graph().vertices as f64;
        vertex.keep(rank);
        vertex.show(rank);
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let rank = match vertex.iteration() {
            0 => vertex.own(),
            _ => self.0.rank(vertex, vertex.incoming().fold(0.0, |sum, _, share| sum + share)),
        };
        vertex.add_residual((rank - vertex.own()).abs());
        vertex.keep(rank);
        vertex.show(rank);
        let degree = vertex.out_degree();
        for index in 0..degree as usize {
            vertex.set_value(index, rank / f64::from(degree));
        }
        if degree == 0 {
            vertex.add_total(rank);
        }
        Ok(())
    }

    fn after_iteration(&mut self, done: &Iteration) -> Result<bool, Failure> {
        Ok(done.number > 0 && done.residual <= self.0.tolerance)
    }
}
