use upcall::Failure;
use upcall::vertex::{Iteration, Program, Vertex};

/// Communities: each vertex shows the label that most of its neighbours show, of several the least; at first its own number.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    labels: Vec<u32>,
}

impl Program for Labels {
    type Own = ();
    type Shown = u32;
    type Edge = ();

    const OUTGOING: bool = true;

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.show(vertex.id() as u32);
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let labels = &mut self.labels;
        labels.clear();
        vertex.incoming().fold((), |(), label, ()| labels.push(label));
        if vertex.graph().directed {
            vertex.outgoing().fold((), |(), label, ()| labels.push(label));
        }
        labels.sort_unstable();
        let mut most = (0, vertex.shown());
        for same in labels.chunk_by(|one, other| one == other) {
            if same.len() > most.0 {
                most = (same.len(), same[0]);
            }
        }
        if most.1 != vertex.shown() {
            vertex.add_residual(1.0);
            vertex.show(most.1);
        }
        Ok(())
    }

    fn after_iteration(&mut self, done: &Iteration) -> Result<bool, Failure> {
        Ok(done.residual == 0.0)
    }
}
