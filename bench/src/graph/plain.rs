//! PageRank as a plain loop over the mapped file: what GAP does, in f32, on one thread, without an engine.

use upcall_graph::{Graph, Ids};

/// Ranks after so many iterations.
pub fn pagerank(graph: &Graph, iterations: usize) -> Vec<f32> {
    const DAMPING: f32 = 0.85;
    let (incoming, degrees) = (graph.incoming(), graph.out_degrees());
    let Ids::Narrow(ids) = incoming.neighbours else { return Vec::new() };
    let base = (1.0 - DAMPING) / degrees.len() as f32;
    let mut ranks = vec![1.0 / degrees.len() as f32; degrees.len()];
    let mut shares = vec![0.0; degrees.len()];
    for _ in 0..iterations {
        for ((share, rank), degree) in shares.iter_mut().zip(&ranks).zip(degrees) {
            *share = rank / *degree as f32;
        }
        for (rank, edges) in ranks.iter_mut().zip(incoming.offsets.windows(2)) {
            let ids = &ids[edges[0] as usize..edges[1] as usize];
            let sum: f32 = ids.iter().map(|id| shares[*id as usize]).sum();
            *rank = base + DAMPING * sum;
        }
    }
    ranks
}
