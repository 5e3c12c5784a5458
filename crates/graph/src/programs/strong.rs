//! Strongly connected components (Tarjan 1972), without recursion.

use crate::error::{Error, ErrorKind};
use crate::file::Graph;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// The least vertex of each one's strongly connected component: of those from which it can be reached and which it can reach, along
/// the direction of edges.
///
/// It walks through the outgoing edges once, on one thread, in the order of a depth-first search: of a graph that is larger than
/// memory this reads the file in no order. 24 bytes per vertex are in memory, and 16 more for each on the walk.
///
/// # Errors
/// [`Usage`](ErrorKind::Usage): the file of a directed graph has no outgoing edges; [`TooLarge`](ErrorKind::TooLarge): there is no
/// memory; [`Format`](ErrorKind::Format): an edge leads to no vertex; [`Interrupted`](ErrorKind::Interrupted).
pub fn strong_components(graph: &Graph, stop: Option<&AtomicBool>) -> Result<Vec<u64>, Error> {
    const NONE: u64 = u64::MAX;
    /// Vertices between two looks at whether it is to stop.
    const OFTEN: u64 = 1 << 16;
    let vertices = graph.vertices();
    graph.decode()?;
    let outgoing = graph.outgoing().ok_or_else(|| {
        let why = "find strong components: the graph's file was made without outgoing edges: make it again with them";
        Error::new(ErrorKind::Usage, why)
    })?;
    let room = |value: u64| {
        let mut all = Vec::new();
        all.try_reserve_exact(vertices).map_err(|error| {
            let why = format!("find strong components: make room for {vertices} vertices: {error}");
            Error::new(ErrorKind::TooLarge, why)
        })?;
        all.resize(vertices, value);
        Ok::<Vec<u64>, Error>(all)
    };
    // When a vertex was first seen, from 1 on, and the earliest that can be reached from there and is still without a component.
    let (mut seen, mut earliest, mut components) = (room(0)?, room(0)?, room(NONE)?);
    let mut count = 0;
    // Those on the walk, with the edges that are still to be followed; and all that were seen and have no component.
    let (mut walk, mut open) = (Vec::<(usize, Range<usize>)>::new(), Vec::<usize>::new());
    for first in 0..vertices {
        let mut next = Some(first).filter(|first| seen[*first] == 0);
        loop {
            if let Some(vertex) = next.take() {
                count += 1;
                if count % OFTEN == 0 && stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                    return Err(Error::new(
                        ErrorKind::Interrupted,
                        "find strong components: it was told to stop",
                    ));
                }
                (seen[vertex], earliest[vertex]) = (count, count);
                open.push(vertex);
                walk.push((vertex, outgoing.of(vertex)));
            }
            let Some((vertex, edges)) = walk.last_mut() else { break };
            let vertex = *vertex;
            if let Some(edge) = edges.next() {
                let to = outgoing.neighbours.get(edge);
                if to >= vertices {
                    let why = format!(
                        "find strong components: an edge of vertex {vertex} leads to {to}, and there is none: the file is damaged"
                    );
                    return Err(Error::new(ErrorKind::Format, why));
                }
                match seen[to] {
                    0 => next = Some(to),
                    when if components[to] == NONE => earliest[vertex] = earliest[vertex].min(when),
                    _ => {}
                }
                continue;
            }
            walk.pop();
            if let Some((before, _)) = walk.last() {
                earliest[*before] = earliest[*before].min(earliest[vertex]);
            }
            if earliest[vertex] == seen[vertex] {
                let begin = open.iter().rposition(|open| *open == vertex).unwrap_or(0);
                let members = open.split_off(begin);
                let least = members.iter().min().map_or(NONE, |least| *least as u64);
                members.into_iter().for_each(|member| components[member] = least);
            }
        }
    }
    Ok(components)
}
