//! Vertices that move from community to community.

use super::edges::Edges;
use super::{Louvain, goes_on, wrong};
use crate::error::{Error, ErrorKind};
use crate::programs::random::random;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The least part of a vertex's weight that a move must gain: more than the error of adding up weights, so that it ends.
const LEAST: f64 = 1e-10;

/// Vertices that are shuffled at a time: few enough that a file is read from front to back.
const BLOCK: usize = 4096;

/// The communities of a level's vertices.
pub(super) struct Moving {
    pub(super) settings: Louvain,
    /// The weight of all edges, in both directions.
    pub(super) all: f64,
    /// That of each vertex's edges.
    weights: Vec<f64>,
    /// That of each community's vertices.
    totals: Vec<f64>,
    /// The community of each vertex, called by some vertex.
    pub(super) communities: Vec<u32>,
}

impl Moving {
    /// Each vertex is a community of its own at first.
    pub(super) fn of(edges: &impl Edges, settings: Louvain) -> Moving {
        let weight = |vertex| {
            let mut weight = 0.0;
            edges.each(vertex, |_, more| weight += more);
            weight
        };
        let weights: Vec<f64> = (0..edges.vertices()).map(weight).collect();
        let communities = (0..edges.vertices() as u32).collect();
        Moving { settings, all: weights.iter().sum(), totals: weights.clone(), weights, communities }
    }

    /// Has vertices begin in these communities, of which there are no more than vertices.
    pub(super) fn begin(&mut self, communities: &[u32]) {
        self.communities.copy_from_slice(communities);
        self.totals.fill(0.0);
        for (community, weight) in communities.iter().zip(&self.weights) {
            self.totals[*community as usize] += weight;
        }
    }

    /// The modularity of the level's vertices, each as a community.
    pub(super) fn modularity(&self, edges: &impl Edges) -> f64 {
        let one = |(vertex, weight): (usize, &f64)| {
            let mut inside = 0.0;
            edges.each(vertex, |other, weight| inside += if other == vertex { weight } else { 0.0 });
            inside / self.all - self.settings.resolution * (weight / self.all).powi(2)
        };
        self.weights.iter().enumerate().map(one).sum()
    }
}

/// Has all vertices move until they stay: whether any has moved.
pub(super) fn moved(
    edges: &impl Edges,
    moving: &mut Moving,
    stop: Option<&AtomicBool>,
) -> Result<bool, Error> {
    let vertices = edges.vertices();
    // What the vertex at hand has with each community that it has edges with: less than 0 for those that it has none with.
    let (mut with, mut near) = (vec![-1.0; vertices], Vec::<u32>::new());
    let mut order = Vec::new();
    let (mut any, mut all_gained) = (false, 0.0);
    loop {
        let (mut gained, mut moves) = (0.0, 0u64);
        for at in 0..vertices {
            goes_on(at, stop)?;
            if at.is_multiple_of(BLOCK) {
                shuffle(&mut order, at..vertices.min(at + BLOCK));
            }
            let vertex = order[at % BLOCK];
            let (own, weight) = (moving.communities[vertex], moving.weights[vertex]);
            edges.each(vertex, |other, weight| {
                if other != vertex {
                    let community = moving.communities[other];
                    let with = &mut with[community as usize];
                    if *with < 0.0 {
                        *with = 0.0;
                        near.push(community);
                    }
                    *with += weight;
                }
            });
            moving.totals[own as usize] -= weight;
            // Half of what modularity gains, times all weights.
            let gain = |community: u32, with: f64| {
                let chance = weight * (moving.totals[community as usize] / moving.all);
                with - moving.settings.resolution * chance
            };
            let stays = gain(own, with[own as usize].max(0.0));
            let mut best = (stays + LEAST * weight, own);
            for community in near.drain(..) {
                let found = gain(community, std::mem::replace(&mut with[community as usize], -1.0));
                let sooner = found == best.0 && best.1 != own && community < best.1;
                if community != own && (found > best.0 || sooner) {
                    best = (found, community);
                }
            }
            moving.totals[best.1 as usize] += weight;
            if best.1 != own {
                moving.communities[vertex] = best.1;
                gained += 2.0 * (best.0 - stays) / moving.all;
                moves += 1;
            }
        }
        any |= moves > 0;
        all_gained += gained;
        // Modularity is between that and 1. Where an edge is in one direction only, vertices may move forever.
        if all_gained > 1.5 + moving.settings.resolution {
            let why = "edges are not the same in both directions: the file is damaged, `upcall graph check` says where";
            return Err(wrong(ErrorKind::Format, why));
        }
        if moves == 0 || gained <= moving.settings.tolerance {
            return Ok(any);
        }
    }
}

/// Puts vertices in an order that has nothing to do with their numbers, and is always the same: where numbers follow edges, as
/// on a ring, each vertex would follow the last into its community.
fn shuffle(order: &mut Vec<usize>, vertices: Range<usize>) {
    order.clear();
    order.extend(vertices);
    order.sort_by_cached_key(|vertex| random(0, 0, *vertex as u64));
}
