use upcall::Failure;
use upcall::vertex::{Program, Vertex};

/// Which vertices are connected, whatever the direction of edges: each shows the least one of its component.
#[derive(Clone, Copy, Debug, Default)]
pub struct Components;

impl Program for Components {
    type Own = ();
    type Shown = u32;
    type Edge = ();

    const OUTGOING: bool = true;
    const SELECTIVE: bool = true;

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        vertex.schedule(vertex.id());
        vertex.show(vertex.id() as u32);
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let mut least = vertex.incoming().fold(vertex.shown(), |least, other, ()| least.min(other));
        if vertex.graph().directed {
            least = vertex.outgoing().fold(least, |least, other, ()| least.min(other));
        }
        vertex.show(least);
        Ok(())
    }
}
