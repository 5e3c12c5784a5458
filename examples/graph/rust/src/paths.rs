use upcall::vertex::{Graph, Program, Vertex};
use upcall::{Context, Describe, Failure};

/// How far each vertex is from the vertex `from`: the least sum of edges' values on a way there.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShortestPaths {
    from: u64,
}

impl Program for ShortestPaths {
    type Own = ();
    type Shown = f64;
    type Edge = f64;

    const SELECTIVE: bool = true;

    fn describe(&self, describe: &mut Describe<'_>) {
        describe.parameter("from", "u64", Some("0"), None);
    }

    fn open(&mut self, context: &Context<'_>, _: &Graph) -> Result<(), Failure> {
        if let Some(from) = context.setting("from") {
            self.from = from
                .parse()
                .map_err(|_| Failure::new(format!("setting `from` is {from}, and no number of a vertex")))?;
        }
        Ok(())
    }

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        if vertex.id() == self.from {
            vertex.schedule(vertex.id());
        }
        vertex.show(f64::INFINITY);
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let known = if vertex.id() == self.from { vertex.shown().min(0.0) } else { vertex.shown() };
        let shortest = vertex.incoming().fold(known, |shortest, other, length| shortest.min(other + length));
        if shortest < vertex.shown() {
            vertex.show(shortest);
        }
        Ok(())
    }
}
