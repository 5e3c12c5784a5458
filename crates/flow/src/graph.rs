//! Pools and handlers as a graph: who watches what, what lies upstream of what, where the cycles are.

use crate::dead::ROOT as DEAD;
use crate::spec::FlowSpec;
use std::collections::VecDeque;

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
    let graph = Graph::new(spec);
    // Tarjan finds a component after all that lie behind it.
    let components = graph.components(&|_| true);
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
    let graph = Graph::new(spec);
    let within = |node: usize| graph.handler(node).is_none_or(included);
    let components = graph.components(&within);
    // In order of declaration: components come out back to front.
    let mut cycles: Vec<Cycle> =
        components.iter().filter_map(|part| graph.shortest_cycle(part, spec)).collect();
    cycles.sort_by_key(|cycle| cycle.handlers.iter().min().copied());
    cycles
}

/// Whether each handler is part of some cycle.
pub(crate) fn cyclic(spec: &FlowSpec) -> Vec<bool> {
    let graph = Graph::new(spec);
    let mut cyclic = vec![false; spec.handlers.len()];
    for component in graph.components(&|_| true).iter().filter(|component| component.len() > 1) {
        component.iter().filter_map(|node| graph.handler(*node)).for_each(|handler| cyclic[handler] = true);
    }
    cyclic
}

/// Nodes: the pools, their dead pools, the handlers. An edge is a way that objects take. No node has an edge
/// to itself, so that a cycle has two nodes at least.
struct Graph {
    pools: usize,
    paths: Vec<String>,
    next: Vec<Vec<usize>>,
}

impl Graph {
    fn new(spec: &FlowSpec) -> Graph {
        let pools = spec.pools.len();
        let dead = spec.pools.iter().map(|pool| format!("{DEAD}{}", pool.path));
        let paths: Vec<String> = spec.pools.iter().map(|pool| pool.path.clone()).chain(dead).collect();
        let mut next = vec![Vec::new(); paths.len() + spec.handlers.len()];
        for (index, handler) in spec.handlers.iter().enumerate() {
            let node = paths.len() + index;
            for (pool, _) in paths.iter().enumerate().filter(|(_, path)| covers(&handler.on, path)) {
                next[pool].push(node);
                // What fails goes to the dead pool; what fails there goes nowhere.
                if pool < pools {
                    next[node].push(pool + pools);
                }
            }
            let to = handler.to.iter().filter_map(|to| paths[..pools].iter().position(|path| path == to));
            next[node].extend(to);
        }
        Graph { pools, paths, next }
    }

    fn handler(&self, node: usize) -> Option<usize> {
        node.checked_sub(2 * self.pools)
    }

    /// The strongly connected components (Tarjan), a component after all that it leads to.
    fn components(&self, within: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let mut search = Search {
            graph: self,
            within,
            seen: vec![None; self.next.len()],
            low: vec![0; self.next.len()],
            open: vec![false; self.next.len()],
            stack: Vec::new(),
            count: 0,
            found: Vec::new(),
        };
        // From the last to the first, so that of two that are not connected the first declared comes out last.
        for node in (0..self.next.len()).rev().filter(|node| within(*node)) {
            search.visit(node);
        }
        search.found
    }

    /// The shortest way round within a component, from its first handler that is on one.
    fn shortest_cycle(&self, component: &[usize], spec: &FlowSpec) -> Option<Cycle> {
        if component.len() < 2 {
            return None;
        }
        let start = component.iter().copied().filter(|node| self.handler(*node).is_none()).min()?;
        let mut before = vec![None; self.next.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for &next in self.next[node].iter().filter(|next| component.contains(next)) {
                if before[next].is_some() {
                    continue;
                }
                before[next] = Some(node);
                if next == start {
                    return Some(self.told(start, &before, spec));
                }
                queue.push_back(next);
            }
        }
        None
    }

    fn told(&self, start: usize, before: &[Option<usize>], spec: &FlowSpec) -> Cycle {
        let mut nodes = vec![start];
        let mut at = start;
        while let Some(node) = before[at].filter(|node| *node != start) {
            nodes.push(node);
            at = node;
        }
        nodes.push(start);
        nodes.reverse();
        let name = |node: &usize| match self.handler(*node) {
            Some(handler) => format!("handler {}", spec.handlers[handler].name),
            None => self.paths[*node].clone(),
        };
        let path = nodes.iter().map(name).collect::<Vec<_>>().join(" -> ");
        let back_to = self.paths[start].clone();
        Cycle { handlers: nodes.iter().filter_map(|node| self.handler(*node)).collect(), path, back_to }
    }
}

struct Search<'a> {
    graph: &'a Graph,
    within: &'a dyn Fn(usize) -> bool,
    seen: Vec<Option<usize>>,
    low: Vec<usize>,
    open: Vec<bool>,
    stack: Vec<usize>,
    count: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Depth first, with a stack of its own: a chain of handlers may be as long as it likes.
    fn visit(&mut self, root: usize) {
        if self.seen[root].is_some() {
            return;
        }
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if let Some(&next) = self.graph.next[node].get(*edge) {
                *edge += 1;
                match self.seen[next] {
                    None if (self.within)(next) => {
                        self.enter(next);
                        path.push((next, 0));
                    }
                    Some(seen) if self.open[next] => self.low[node] = self.low[node].min(seen),
                    _ => {}
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
            if self.seen[node] == Some(self.low[node]) {
                let start = self.stack.iter().rposition(|open| *open == node).unwrap_or(0);
                let component = self.stack.split_off(start);
                component.iter().for_each(|node| self.open[*node] = false);
                self.found.push(component);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.seen[node] = Some(self.count);
        self.low[node] = self.count;
        self.count += 1;
        self.open[node] = true;
        self.stack.push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{OnSpec, PoolSpec};

    /// Handlers as name, on, to.
    fn flow(pools: &[&str], handlers: &[(&str, &str, &[&str])]) -> FlowSpec {
        let on = |(name, on, to): &(&str, &str, &[&str])| OnSpec {
            to: to.iter().map(|to| to.to_string()).collect(),
            ..OnSpec::new(*name, *on)
        };
        FlowSpec {
            pools: pools.iter().map(|path| PoolSpec::new(*path)).collect(),
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
