use upcall::vertex::{Gather, Graph, Iteration, Program, Vertex};
use upcall::{Context, Describe, Failure};

/// The share of time that somebody spends at a vertex who follows edges at random, and now and then jumps to any vertex: kept as
/// `own`. A vertex shows its rank divided by its outgoing edges.
#[derive(Clone, Copy, Debug)]
pub struct PageRank {
    /// How likely an edge is followed.
    pub damping: f64,
    /// It has converged when all ranks together have changed by no more than this in one iteration.
    pub tolerance: f64,
}

impl Default for PageRank {
    fn default() -> Self {
        PageRank { damping: 0.85, tolerance: 1e-6 }
    }
}

impl PageRank {
    pub(crate) fn describe(describe: &mut Describe<'_>) {
        describe.parameter("damping", "f64", Some("0.85"), Some("0..=1"));
        describe.parameter("tolerance", "f64", Some("1e-6"), None);
    }

    pub(crate) fn open(&mut self, context: &Context<'_>) -> Result<(), Failure> {
        for (name, value) in [("damping", &mut self.damping), ("tolerance", &mut self.tolerance)] {
            if let Some(text) = context.setting(name) {
                *value = text
                    .parse()
                    .map_err(|_| Failure::new(format!("setting `{name}` is {text}, and no number")))?;
            }
        }
        Ok(())
    }

    fn start<P: Program<Own = f64, Shown = f64>>(vertex: &mut Vertex<'_, P>) {
        let rank = 1.0 / vertex.graph().vertices as f64;
        PageRank::keep(vertex, rank);
    }

    /// The rank of a vertex that is given so much along its incoming edges.
    #[inline]
    pub(crate) fn rank<P: Program>(&self, vertex: &Vertex<'_, P>, sum: f64) -> f64 {
        let jump = 1.0 / vertex.graph().vertices as f64;
        let jumps = (1.0 - self.damping + self.damping * vertex.total()) * jump;
        jumps + self.damping * sum
    }

    #[inline]
    fn update<P: Program<Own = f64, Shown = f64>>(&self, vertex: &mut Vertex<'_, P>, sum: f64) {
        let rank = self.rank(vertex, sum);
        vertex.add_residual((rank - vertex.own()).abs());
        PageRank::keep(vertex, rank);
    }

    #[inline]
    fn keep<P: Program<Own = f64, Shown = f64>>(vertex: &mut Vertex<'_, P>, rank: f64) {
        vertex.keep(rank);
        if vertex.out_degree() == 0 {
            vertex.add_total(rank);
            vertex.show(0.0);
        } else {
            vertex.show(rank / f64::from(vertex.out_degree()));
        }
    }
}

impl Program for PageRank {
    type Own = f64;
    type Shown = f64;
    type Edge = ();

    fn describe(&self, describe: &mut Describe<'_>) {
        PageRank::describe(describe);
    }

    fn open(&mut self, context: &Context<'_>, _: &Graph) -> Result<(), Failure> {
        self.open(context)
    }

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        PageRank::start(vertex);
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let sum = vertex.incoming().fold(0.0, |sum, share, ()| sum + share);
        PageRank::update(self, vertex, sum);
        Ok(())
    }

    fn after_iteration(&mut self, done: &Iteration) -> Result<bool, Failure> {
        Ok(done.residual <= self.tolerance)
    }
}

/// The same, whose neighbours the engine sums up.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageRankGather(pub PageRank);

impl Program for PageRankGather {
    type Own = f64;
    type Shown = f64;
    type Edge = ();

    const GATHER: Option<Gather> = Some(Gather::Sum);

    fn describe(&self, describe: &mut Describe<'_>) {
        PageRank::describe(describe);
    }

    fn open(&mut self, context: &Context<'_>, _: &Graph) -> Result<(), Failure> {
        self.0.open(context)
    }

    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        PageRank::start(vertex);
        Ok(())
    }

    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        self.0.update(vertex, vertex.gathered());
        Ok(())
    }

    fn after_iteration(&mut self, done: &Iteration) -> Result<bool, Failure> {
        Ok(done.residual <= self.0.tolerance)
    }
}
