//! Communities as the vertices of a smaller graph.

use super::edges::Edges;
use super::goes_on;
use crate::error::Error;
use std::sync::atomic::AtomicBool;

/// No community.
const NONE: u32 = u32::MAX;

/// Numbers communities anew, in the order of their least vertices: that of each vertex, and how many there are.
pub(super) fn numbered(communities: &[u32]) -> (Vec<u32>, usize) {
    let (mut numbers, mut count) = (vec![NONE; communities.len()], 0);
    let number = |community: &u32| {
        let number = &mut numbers[*community as usize];
        if *number == NONE {
            *number = count;
            count += 1;
        }
        *number
    };
    let numbered = communities.iter().map(number).collect();
    (numbered, count as usize)
}

/// The edges among communities, all between the same two as one.
pub(super) struct Coarse {
    offsets: Vec<usize>,
    ids: Vec<u32>,
    weights: Vec<f64>,
}

impl Coarse {
    /// From the community of each vertex.
    pub(super) fn of(
        edges: &impl Edges,
        communities: &[u32],
        count: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Coarse, Error> {
        let (begins, members) = members(communities, count);
        let mut sums = vec![0.0; count];
        let (mut last, mut seen) = (vec![NONE; count], Vec::new());
        let mut coarse = Coarse { offsets: vec![0], ids: Vec::new(), weights: Vec::new() };
        for community in 0..count {
            let begin = begins[community];
            for (at, member) in members[begin..begins[community + 1]].iter().enumerate() {
                goes_on(begin + at, stop)?;
                edges.each(*member as usize, |other, weight| {
                    let other = communities[other];
                    if last[other as usize] != community as u32 {
                        last[other as usize] = community as u32;
                        sums[other as usize] = 0.0;
                        seen.push(other);
                    }
                    sums[other as usize] += weight;
                });
            }
            seen.sort_unstable();
            coarse.weights.extend(seen.iter().map(|other| sums[*other as usize]));
            coarse.ids.append(&mut seen);
            coarse.offsets.push(coarse.ids.len());
        }
        Ok(coarse)
    }
}

/// The vertices of all communities one after the other, and where those of each begin.
fn members(communities: &[u32], count: usize) -> (Vec<usize>, Vec<u32>) {
    let mut begins = vec![0; count + 1];
    communities.iter().for_each(|community| begins[*community as usize + 1] += 1);
    for community in 0..count {
        begins[community + 1] += begins[community];
    }
    let (mut next, mut members) = (begins.clone(), vec![0; communities.len()]);
    for (vertex, community) in communities.iter().enumerate() {
        let place = &mut next[*community as usize];
        members[*place] = vertex as u32;
        *place += 1;
    }
    (begins, members)
}

impl Edges for Coarse {
    fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline]
    fn each(&self, vertex: usize, mut one: impl FnMut(usize, f64)) {
        let range = self.offsets[vertex]..self.offsets[vertex + 1];
        let all = self.ids[range.clone()].iter().zip(&self.weights[range]);
        all.for_each(|(other, weight)| one(*other as usize, *weight));
    }
}
