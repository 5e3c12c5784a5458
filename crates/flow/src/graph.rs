//! Pools and handlers as a graph: who watches what, what lies upstream of what, where the cycles are.

use crate::dead::ROOT as DEAD;
use crate::spec::FlowSpec;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;
use std::collections::{HashMap, VecDeque};
use std::iter::successors;

/// Whether a handler on `on` watches the pool `path`: the pool of this path and all below it, by components.
/// Dead pools are watched only by a path that begins with theirs, so that a handler on `/` is not called with
/// its own failures.
pub(crate) fn covers(on: &str, path: &str) -> bool {
    let within = |root: &str, path: &str| {
        let rest = path.strip_prefix(root.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    within(on, path) && within(DEAD, on) == within(DEAD, path)
}

/// For each handler its place in the order of flushing: what lies upstream has a smaller number, handlers of
/// one cycle have the same.
pub(crate) fn ranks(spec: &FlowSpec) -> Vec<usize> {
    let graph = Graph::new(spec, &|_| true);
    let components = graph.components();
    let mut ranks = vec![0; spec.handlers.len()];
    for (rank, component) in components.iter().rev().enumerate() {
        for node in component {
            if let Some(handler) = graph.handler(*node) {
                ranks[handler] = rank;
            }
        }
    }
    ranks
}

/// A way round: the handlers on it, and the whole as text.
pub(crate) struct Cycle {
    /// In order.
    pub(crate) handlers: Vec<usize>,
    /// `/a -> handler x -> /b -> handler y -> /a`.
    pub(crate) path: String,
    /// The pool that the last handler leads back to.
    pub(crate) back_to: String,
}

/// One shortest cycle for each group of handlers among `included` that can reach each other.
pub(crate) fn cycles(spec: &FlowSpec, included: &dyn Fn(usize) -> bool) -> Vec<Cycle> {
    let graph = Graph::new(spec, included);
    let components = graph.components();
    let mut cycles: Vec<Cycle> =
        components.iter().filter_map(|part| graph.shortest_cycle(part, spec)).collect();
    // In order of declaration.
    cycles.sort_by_key(|cycle| cycle.handlers.iter().min().copied());
    cycles
}

/// Whether each handler is part of some cycle.
pub(crate) fn cyclic(spec: &FlowSpec) -> Vec<bool> {
    let graph = Graph::new(spec, &|_| true);
    let mut cyclic = vec![false; spec.handlers.len()];
    for component in graph.components().iter().filter(|component| component.len() > 1) {
        component.iter().filter_map(|node| graph.handler(*node)).for_each(|handler| cyclic[handler] = true);
    }
    cyclic
}

/// Nodes: the pools, their dead pools, the handlers. An edge is a way that objects take. No node has an edge
/// to itself, so that a cycle has two nodes at least.
struct Graph {
    pools: usize,
    paths: Vec<String>,
    ways: DiGraph<(), ()>,
}

impl Graph {
    /// The graph of these handlers; others are in it and lead nowhere.
    fn new(spec: &FlowSpec, included: &dyn Fn(usize) -> bool) -> Graph {
        let pools = spec.pools.len();
        let dead = spec.pools.iter().map(|pool| format!("{DEAD}{}", pool.path));
        let paths: Vec<String> = spec.pools.iter().map(|pool| pool.path.clone()).chain(dead).collect();
        let mut edges = Vec::new();
        for (index, handler) in spec.handlers.iter().enumerate().filter(|(index, _)| included(*index)) {
            let node = paths.len() + index;
            for (pool, _) in paths.iter().enumerate().filter(|(_, path)| covers(&handler.on, path)) {
                edges.push((pool, node));
                // What fails goes to the dead pool; what fails there goes nowhere.
                if pool < pools {
                    edges.push((node, pool + pools));
                }
            }
            let to = handler.to.iter().filter_map(|to| paths[..pools].iter().position(|path| path == to));
            edges.extend(to.map(|pool| (node, pool)));
        }
        let mut ways = DiGraph::with_capacity(paths.len() + spec.handlers.len(), edges.len());
        for _ in 0..paths.len() + spec.handlers.len() {
            ways.add_node(());
        }
        for (from, to) in edges {
            ways.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
        Graph { pools, paths, ways }
    }

    fn handler(&self, node: NodeIndex) -> Option<usize> {
        node.index().checked_sub(2 * self.pools)
    }

    /// The strongly connected components, one after all that it leads to; of two that are not connected, the first
    /// declared comes out last. By Kosaraju's algorithm and not by Tarjan's, which in petgraph calls itself: a chain of
    /// handlers may be as long as it likes.
    fn components(&self) -> Vec<Vec<NodeIndex>> {
        let mut left = vec![0; self.ways.node_count()];
        let (mut walk, mut count) = (DfsPostOrder::empty(&self.ways), 0);
        for root in self.ways.node_indices().rev() {
            walk.move_to(root);
            while let Some(node) = walk.next(&self.ways) {
                left[node.index()] = count;
                count += 1;
            }
        }
        let mut components = kosaraju_scc(&self.ways);
        components.sort_by_key(|nodes| nodes.iter().map(|node| left[node.index()]).max());
        components
    }

    /// The shortest way round within a component, from its first pool.
    fn shortest_cycle(&self, component: &[NodeIndex], spec: &FlowSpec) -> Option<Cycle> {
        if component.len() < 2 {
            return None;
        }
        let start = component.iter().copied().filter(|node| self.handler(*node).is_none()).min()?;
        let mut before = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            // Whoever leads back to the start is of its component, and so is all that is on the way.
            let next: Vec<NodeIndex> = self.ways.neighbors(node).collect();
            // In the order in which the edges were added: petgraph has the last one first.
            for next in next.into_iter().rev() {
                if before.contains_key(&next) {
                    continue;
                }
                before.insert(next, node);
                if next == start {
                    return Some(self.told(start, &before, spec));
                }
                queue.push_back(next);
            }
        }
        None
    }

    fn told(&self, start: NodeIndex, before: &HashMap<NodeIndex, NodeIndex>, spec: &FlowSpec) -> Cycle {
        let way_back = successors(Some(start), |at| before.get(at).copied());
        let mut nodes: Vec<NodeIndex> = way_back.skip(1).take_while(|node| *node != start).collect();
        nodes.push(start);
        nodes.reverse();
        nodes.push(start);
        let name = |node: &NodeIndex| match self.handler(*node) {
            Some(handler) => format!("handler {}", spec.handlers[handler].name),
            None => self.paths[node.index()].clone(),
        };
        let path = nodes.iter().map(name).collect::<Vec<_>>().join(" -> ");
        let back_to = self.paths[start.index()].clone();
        Cycle { handlers: nodes.iter().filter_map(|node| self.handler(*node)).collect(), path, back_to }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{OnSpec, Pool};

    /// Handlers as name, on, to.
    fn flow(pools: &[&str], handlers: &[(&str, &str, &[&str])]) -> FlowSpec {
        let on = |(name, on, to): &(&str, &str, &[&str])| OnSpec {
            to: to.iter().map(|to| to.to_string()).collect(),
            ..OnSpec::new(*name, *on)
        };
        FlowSpec {
            pools: pools.iter().map(|path| Pool::new(*path)).collect(),
            handlers: handlers.iter().map(on).collect(),
            ..FlowSpec::default()
        }
    }

    fn paths(spec: &FlowSpec) -> Vec<String> {
        cycles(spec, &|_| true).into_iter().map(|cycle| cycle.path).collect()
    }

    #[test]
    fn a_path_covers_what_lies_below_it_by_components() {
        assert!(covers("/a", "/a"));
        assert!(covers("/a", "/a/b"));
        assert!(covers("/", "/a/b"));
        assert!(covers("/dead/a", "/dead/a/b"));
        assert!(covers("/dead", "/dead/a"));
        assert!(!covers("/a", "/ab"));
        assert!(!covers("/a/b", "/a"));
        assert!(!covers("/", "/dead/a"));
    }

    #[test]
    fn ranks_grow_downstream_whatever_the_order_of_declaration() {
        let spec = flow(
            &["/a", "/b", "/c"],
            &[("last", "/c", &[]), ("middle", "/b", &["/c"]), ("first", "/a", &["/b", "/c"])],
        );
        let ranks = ranks(&spec);
        assert!(ranks[2] < ranks[1] && ranks[1] < ranks[0], "{ranks:?}");
    }

    #[test]
    fn whoever_watches_a_dead_pool_comes_after_those_whose_failures_land_there() {
        let spec = flow(&["/a"], &[("mourner", "/dead/a", &[]), ("worker", "/a", &[])]);
        let ranks = ranks(&spec);
        assert!(ranks[1] < ranks[0], "{ranks:?}");
        assert_eq!(paths(&spec), [""; 0]);
    }

    #[test]
    fn handlers_of_a_cycle_share_a_rank_between_what_is_before_and_behind() {
        let spec = flow(
            &["/in", "/a", "/b", "/out"],
            &[
                ("x", "/a", &["/b"]),
                ("out", "/out", &[]),
                ("y", "/b", &["/a", "/out"]),
                ("in", "/in", &["/a"]),
            ],
        );
        let ranks = ranks(&spec);
        assert_eq!(ranks[0], ranks[2]);
        assert!(ranks[3] < ranks[0] && ranks[0] < ranks[1], "{ranks:?}");
    }

    #[test]
    fn a_cycle_is_told_from_its_first_pool_by_the_shortest_way() {
        let spec = flow(
            &["/a", "/b", "/c"],
            &[("x", "/a", &["/b", "/c"]), ("y", "/b", &["/c"]), ("z", "/c", &["/a"])],
        );
        assert_eq!(paths(&spec), ["/a -> handler x -> /c -> handler z -> /a"]);
    }

    #[test]
    fn a_handler_that_emits_below_the_path_it_watches_goes_round() {
        let spec = flow(&["/a", "/a/b"], &[("x", "/a", &["/a/b"])]);
        assert_eq!(paths(&spec), ["/a/b -> handler x -> /a/b"]);
    }

    #[test]
    fn a_handler_that_puts_dead_items_back_closes_a_cycle() {
        let spec = flow(&["/a"], &[("x", "/a", &[]), ("again", "/dead/a", &["/a"])]);
        assert_eq!(paths(&spec), ["/a -> handler x -> /dead/a -> handler again -> /a"]);
        assert_eq!(cyclic(&spec), [true, true]);
    }

    #[test]
    fn two_cycles_that_do_not_meet_are_both_told() {
        let spec =
            flow(&["/a", "/b"], &[("x", "/a", &["/a"]), ("between", "/a", &["/b"]), ("y", "/b", &["/b"])]);
        assert_eq!(paths(&spec), ["/a -> handler x -> /a", "/b -> handler y -> /b"]);
        assert_eq!(cyclic(&spec), [true, false, true]);
    }

    #[test]
    fn a_long_chain_of_handlers_is_ranked() {
        let pools: Vec<String> = (0..100).map(|i| format!("/p{i}")).collect();
        let names: Vec<&str> = pools.iter().map(String::as_str).collect();
        let mut spec = flow(&names, &[]);
        for i in 0..99 {
            let mut on = OnSpec::new(format!("h{i}"), &pools[i]);
            on.to = vec![pools[i + 1].clone()];
            spec.handlers.push(on);
        }
        assert!(ranks(&spec).is_sorted());
    }
}
