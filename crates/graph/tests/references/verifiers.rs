//! What GAP's programs are held to (Beamer, Asanović, Patterson 2015: `PRVerifier`, `BFSVerifier`, `CCVerifier`, `SSSPVerifier` and
//! `TCVerifier` of gapbs), over lists of neighbours that the engine knows nothing of.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A graph, as plain lists: of each vertex the others and the weights of edges, in ascending order.
pub struct Lists {
    pub outgoing: Vec<Vec<(usize, u32)>>,
    pub incoming: Vec<Vec<(usize, u32)>>,
}

impl Lists {
    pub fn new(vertices: usize, edges: impl Iterator<Item = (usize, usize, u32)>) -> Lists {
        let mut lists = Lists { outgoing: vec![Vec::new(); vertices], incoming: vec![Vec::new(); vertices] };
        for (from, to, weight) in edges {
            lists.outgoing[from].push((to, weight));
            lists.incoming[to].push((from, weight));
        }
        lists.outgoing.iter_mut().chain(&mut lists.incoming).for_each(|list| list.sort_unstable());
        lists
    }

    fn vertices(&self) -> usize {
        self.outgoing.len()
    }

    /// Of each vertex those with an edge to or from it, each once.
    fn around(&self) -> Vec<Vec<usize>> {
        let both = self.outgoing.iter().zip(&self.incoming).map(|(outgoing, incoming)| {
            let mut all: Vec<usize> = outgoing.iter().chain(incoming).map(|(other, _)| *other).collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        both.collect()
    }

    /// One more sweep changes all ranks together by less than the tolerance. GAP lets ranks get lost where no edge leads on; here they
    /// jump from there.
    pub fn ranks(&self, ranks: &[f64], damping: f64, tolerance: f64) -> Result<(), String> {
        let vertices = self.vertices() as f64;
        let stuck: f64 = ranks
            .iter()
            .zip(&self.outgoing)
            .filter(|(_, edges)| edges.is_empty())
            .map(|(rank, _)| rank)
            .sum();
        let base = (1.0 - damping + damping * stuck) / vertices;
        let mut sums = vec![0.0; ranks.len()];
        for (rank, edges) in ranks.iter().zip(&self.outgoing) {
            edges.iter().for_each(|(to, _)| sums[*to] += rank / edges.len() as f64);
        }
        let error: f64 = ranks.iter().zip(&sums).map(|(rank, sum)| (base + damping * sum - rank).abs()).sum();
        // A NaN is no small error either.
        if error < tolerance { Ok(()) } else { Err(format!("another sweep changes ranks by {error}")) }
    }

    /// The source has depth 0, each vertex that is reached an incoming neighbour that is nearer by one, by depths that a serial search
    /// finds; and no other is reached. None is the depth of what is not.
    pub fn depths(&self, source: usize, found: &[Option<u32>]) -> Result<(), String> {
        let mut depths = vec![None; self.vertices()];
        depths[source] = Some(0);
        let (mut queue, mut at) = (vec![source], 0);
        while let Some(vertex) = queue.get(at).copied() {
            at += 1;
            for (to, _) in &self.outgoing[vertex] {
                if depths[*to].is_none() {
                    depths[*to] = depths[vertex].map(|depth: u32| depth + 1);
                    queue.push(*to);
                }
            }
        }
        for vertex in 0..self.vertices() {
            match (found[vertex], depths[vertex]) {
                (None, None) => {}
                (Some(0), Some(0)) if vertex == source => {}
                (Some(depth), Some(_)) if depth > 0 && vertex != source => {
                    let mut others = self.incoming[vertex].iter().map(|(other, _)| *other);
                    let parent = others.find(|other| found[*other] == Some(depth - 1));
                    let parent =
                        parent.ok_or_else(|| format!("vertex {vertex} has no neighbour that is nearer"))?;
                    if depths[parent].map(|depth| depth + 1) != depths[vertex] {
                        return Err(format!("wrong depths of {vertex} and {parent}"));
                    }
                }
                (found, wanted) => {
                    return Err(format!("vertex {vertex} has depth {found:?}, not {wanted:?}"));
                }
            }
        }
        Ok(())
    }

    /// No edge leads from one label to another, and one search for each label, from any of its vertices, comes to all vertices.
    pub fn components(&self, labels: &[u64]) -> Result<(), String> {
        let sources: HashMap<u64, usize> =
            labels.iter().enumerate().map(|(vertex, label)| (*label, vertex)).collect();
        let mut visited = vec![false; self.vertices()];
        for (label, source) in sources {
            visited[source] = true;
            let mut ahead = vec![source];
            while let Some(vertex) = ahead.pop() {
                for (other, _) in self.outgoing[vertex].iter().chain(&self.incoming[vertex]) {
                    if labels[*other] != label {
                        return Err(format!("an edge joins {vertex} and {other}, of different components"));
                    }
                    if !std::mem::replace(&mut visited[*other], true) {
                        ahead.push(*other);
                    }
                }
            }
        }
        match visited.iter().position(|visited| !visited) {
            None => Ok(()),
            Some(vertex) => Err(format!("vertex {vertex} is not connected with others of its component")),
        }
    }

    /// Distances are those of Dijkstra's algorithm; None is that of what is not reached.
    pub fn distances(&self, source: usize, found: &[Option<u64>]) -> Result<(), String> {
        let mut distances = vec![None; self.vertices()];
        let mut queue = BinaryHeap::from([Reverse((0u64, source))]);
        while let Some(Reverse((distance, vertex))) = queue.pop() {
            if distances[vertex].is_some() {
                continue;
            }
            distances[vertex] = Some(distance);
            queue.extend(
                self.outgoing[vertex]
                    .iter()
                    .map(|(to, weight)| Reverse((distance + u64::from(*weight), *to))),
            );
        }
        match (0..self.vertices()).find(|vertex| found[*vertex] != distances[*vertex]) {
            None => Ok(()),
            Some(vertex) => {
                Err(format!("vertex {vertex} is {:?} away, not {:?}", found[vertex], distances[vertex]))
            }
        }
    }

    /// The number of triangles is that of common neighbours over all edges in both directions, whatever the edges' direction was, which
    /// sees each one six times.
    pub fn triangles(&self, found: u64) -> Result<(), String> {
        let around = self.around();
        let common = |one: usize, other: usize| {
            let (few, many) = match around[one].len() < around[other].len() {
                true => (&around[one], &around[other]),
                false => (&around[other], &around[one]),
            };
            few.iter().filter(|vertex| many.binary_search(vertex).is_ok()).count() as u64
        };
        let all: u64 = around
            .iter()
            .enumerate()
            .flat_map(|(one, others)| others.iter().map(move |other| (one, *other)))
            .map(|(one, other)| common(one, other))
            .sum();
        match found == all / 6 && all.is_multiple_of(6) {
            true => Ok(()),
            false => Err(format!("there are {} triangles, not {found}", all / 6)),
        }
    }
}
