//! Grids and graphs, against arithmetic on coordinates and lists of edges.

use crate::support::Stream;
use proptest::arbitrary::any;
use upcall_mpi::{Cartesian, Dimension, Edge, ErrorKind, Neighborhood, Sum};

/// What all ranks' neighbors are: sources and targets.
type Neighbors = (Vec<Option<usize>>, Vec<Option<usize>>);

/// Where parts of one rank go to at another: the nth edge between two ranks is the nth at both ends.
fn edge_of(all: &[Neighbors], me: usize, source: usize) -> Option<(usize, usize)> {
    let from = all[me].0[source]?;
    let before = all[me].0[..source].iter().filter(|other| **other == Some(from)).count();
    let mut edges = all[from].1.iter().enumerate().filter(|(_, target)| **target == Some(me));
    edges.nth(before).map(|(target, _)| (from, target))
}

/// All exchanges of one neighborhood, with random elements. `edge` tells which target of which rank a source of this one is.
fn exchanged(stream: &mut Stream, of: &Neighborhood, edge: impl Fn(usize) -> Option<(usize, usize)>) {
    let (me, size) = (of.rank(), of.size());
    let targets: Vec<usize> = of
        .all_gather(&[of.targets().len() as u64])
        .unwrap()
        .into_iter()
        .map(|count| count as usize)
        .collect();
    for round in 0..5 {
        // In the last rounds little is much.
        of.limit_counts(if round < 3 { i64::from(i32::MAX) } else { 100 }).unwrap();
        let even = stream.elements(&any::<u32>(), size, true);
        let each = even[0].len();
        let wanted: Vec<Vec<u32>> =
            of.sources().iter().map(|from| from.map_or(Vec::new(), |from| even[from].clone())).collect();
        let parts = of.neighbor_all_gather(&even[me]).unwrap();
        assert_eq!(parts.iter().map(<[_]>::to_vec).collect::<Vec<_>>(), wanted);
        assert_eq!(parts.counts.len(), of.sources().len());
        let mut into = vec![7; each * of.sources().len()];
        of.neighbor_all_gather_into(&even[me], &mut into).unwrap();
        for (source, part) in of.sources().iter().zip(into.chunks(each.max(1))) {
            assert_eq!(part, source.map_or(vec![7; each], |from| even[from].clone()));
        }
        let uneven = stream.elements(&any::<u64>(), size, false);
        let parts = of.neighbor_all_gather_parts(&uneven[me]).unwrap();
        let wanted: Vec<Vec<u64>> =
            of.sources().iter().map(|from| from.map_or(Vec::new(), |from| uneven[from].clone())).collect();
        assert_eq!(parts.iter().map(<[_]>::to_vec).collect::<Vec<_>>(), wanted);
        // What each rank has for each of its targets.
        let given: Vec<Vec<Vec<u32>>> =
            targets.iter().map(|count| stream.elements(&any::<u32>(), *count, false)).collect();
        let counts: Vec<usize> = given[me].iter().map(Vec::len).collect();
        let parts = of.neighbor_all_to_all_parts(&given[me].concat(), &counts).unwrap();
        let wanted: Vec<Vec<u32>> = (0..of.sources().len())
            .map(|source| edge(source).map_or(Vec::new(), |(from, target)| given[from][target].clone()))
            .collect();
        assert_eq!(parts.iter().map(<[_]>::to_vec).collect::<Vec<_>>(), wanted);
        let given: Vec<Vec<[u32; 2]>> = targets
            .iter()
            .map(|count| (0..*count).map(|_| stream.draw(any::<[u32; 2]>())).collect())
            .collect();
        let parts = of.neighbor_all_to_all(&given[me], 1).unwrap();
        let wanted: Vec<Vec<[u32; 2]>> = (0..of.sources().len())
            .map(|source| edge(source).map_or(Vec::new(), |(from, target)| vec![given[from][target]]))
            .collect();
        assert_eq!(parts.iter().map(<[_]>::to_vec).collect::<Vec<_>>(), wanted);
    }
    of.limit_counts(i64::from(i32::MAX)).unwrap();
}

/// The coordinates of a rank, in the order of rows.
fn place(mut rank: usize, dimensions: &[Dimension]) -> Vec<usize> {
    let mut at: Vec<usize> = Vec::new();
    for dimension in dimensions.iter().rev() {
        at.push(rank % dimension.size);
        rank /= dimension.size;
    }
    at.reverse();
    at
}

fn rank_at(at: &[isize], dimensions: &[Dimension]) -> Option<usize> {
    let mut rank = 0;
    for (at, dimension) in at.iter().zip(dimensions) {
        let inside = at.rem_euclid(dimension.size as isize);
        if inside != *at && !dimension.periodic {
            return None;
        }
        rank = rank * dimension.size + inside as usize;
    }
    Some(rank)
}

fn moved(at: &[usize], dimension: usize, steps: isize, dimensions: &[Dimension]) -> Option<usize> {
    let mut at: Vec<isize> = at.iter().map(|at| *at as isize).collect();
    at[dimension] += steps;
    rank_at(&at, dimensions)
}

fn is_right(grid: &Cartesian, stream: &mut Stream) {
    let dimensions = grid.dimensions().to_vec();
    assert_eq!(grid.coordinates(), place(grid.rank(), &dimensions));
    for rank in 0..grid.size() {
        assert_eq!(grid.coordinates_of(rank).unwrap(), place(rank, &dimensions));
    }
    for _ in 0..20 {
        let at: Vec<isize> = dimensions.iter().map(|_| stream.draw(-7..7isize)).collect();
        assert_eq!(grid.rank_of(&at).unwrap(), rank_at(&at, &dimensions), "{at:?} on {dimensions:?}");
    }
    for dimension in 0..dimensions.len() {
        for steps in [-2, -1, 1, 3] {
            let to = |steps| moved(grid.coordinates(), dimension, steps, &dimensions);
            assert_eq!(grid.shift(dimension, steps).unwrap(), (to(-steps), to(steps)));
        }
    }
}

crate::ranks! {
    fn grids_are_arithmetic_on_coordinates(world: [1, 2, 4, 5]) {
        let (mut stream, size) = (Stream::new(), world.size());
        for _ in 0..8 {
            let count = stream.draw(1..4usize);
            let mut dimensions: Vec<Dimension> = Vec::new();
            let mut left = size;
            for _ in 0..count {
                let one = stream.draw(1..=left);
                left /= one;
                dimensions.push(Dimension { size: one, periodic: stream.draw(any::<bool>()) });
            }
            let places: usize = dimensions.iter().map(|one| one.size).product();
            let reorder = stream.draw(any::<bool>());
            let grid = world.cartesian(&dimensions, reorder).unwrap();
            let is_there = world.all_reduce(&[u64::from(grid.is_some())], Sum).unwrap();
            assert_eq!(is_there, [places as u64]);
            // One random stream for all, wherever they are: those without a place draw as well.
            let mut stream = Stream::new();
            let Some(grid) = grid else { continue };
            assert_eq!((grid.dimensions(), grid.size()), (&dimensions[..], places));
            is_right(&grid, &mut stream);
            let twin = grid.duplicate().unwrap();
            assert_eq!((twin.dimensions(), twin.coordinates()), (grid.dimensions(), grid.coordinates()));
            let all: Vec<Vec<usize>> = (0..places).map(|rank| place(rank, &dimensions)).collect();
            // The part that a rank sends down arrives as the other's from above.
            let me = all[grid.rank()].clone();
            exchanged(&mut stream, &grid, |source| {
                let (dimension, side) = (source / 2, source % 2);
                let from = moved(&me, dimension, if side == 0 { -1 } else { 1 }, &dimensions)?;
                Some((from, 2 * dimension + (1 - side)))
            });
            let kept: Vec<bool> = dimensions.iter().map(|_| stream.draw(any::<bool>())).collect();
            let part = grid.sub_grid(&kept).unwrap();
            let with = |at: &[usize], keep: bool| -> Vec<usize> {
                at.iter().zip(&kept).filter(|(_, kept)| **kept == keep).map(|(at, _)| *at).collect()
            };
            assert_eq!(part.coordinates(), with(&me, true));
            let same = all.iter().filter(|at| with(at, false) == with(&me, false)).count();
            assert_eq!(part.size(), same);
            let mine: Vec<Dimension> =
                dimensions.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(one, _)| *one).collect();
            assert_eq!(part.dimensions(), mine);
        }
    }

    fn ranks_are_shared_among_dimensions(world: [1, 2, 4, 5]) {
        let size = world.size();
        let even = world.dimensions(&[0, 0]).unwrap();
        assert_eq!((even.iter().product::<usize>(), even[0] >= even[1]), (size, true));
        assert_eq!(world.dimensions(&[0, size, 0]).unwrap(), [1, size, 1]);
        assert_eq!(world.dimensions(&[1, 0]).unwrap(), [1, size]);
        let wrong = world.dimensions(&[3, 0]).unwrap_err();
        assert_eq!(wrong.to_string(), format!("share {size} ranks among the dimensions [3, 0]: those that are given have 3"));
        if size > 1 {
            assert_eq!(world.dimensions(&[1, 1]).unwrap_err().kind(), ErrorKind::Usage);
        }
    }

    fn wrong_places_are_told_on_all_ranks(world: [2, 4]) {
        let line = |size| [Dimension { size, periodic: false }];
        let refused = world.cartesian(&line(world.size() + 1), false).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Usage);
        assert_eq!(world.cartesian(&line(0), false).unwrap_err().kind(), ErrorKind::Usage);
        let grid = world.cartesian(&line(world.size()), false).unwrap().unwrap();
        assert_eq!(grid.coordinates_of(world.size()).unwrap_err().kind(), ErrorKind::Rank);
        assert_eq!(grid.rank_of(&[0, 0]).unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(grid.rank_of(&[isize::MAX]).unwrap(), None);
        assert_eq!(grid.shift(1, 1).unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(grid.shift(0, isize::MAX).unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(grid.sub_grid(&[]).unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(grid.neighbor_all_gather_into(&[1u8], &mut [0u8; 3]).unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(grid.neighbor_all_to_all_parts(&[1u8], &[1]).unwrap_err().kind(), ErrorKind::Usage);
        // A rank that is wrong on one rank is told to all of them: none waits for it.
        let strange = [Edge::from(if world.rank() == 1 { world.size() } else { 0 })];
        let refused = world.graph_adjacent(&strange, &[], false).unwrap_err();
        let told = refused.to_string();
        if world.rank() == 1 {
            assert_eq!(refused.kind(), ErrorKind::Rank);
        } else {
            assert!(told.ends_with("what rank 1 has given is wrong, as it is told"), "{told}");
        }
        assert!(world.graph(&[(0, &strange)], false).is_err());
        // It is a communicator in all else.
        assert_eq!(grid.all_reduce(&[1u32], Sum).unwrap(), [world.size() as u32]);
    }

    fn graphs_have_the_edges_that_were_said(world: [1, 3, 5]) {
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        for _ in 0..6 {
            // How heavy the edges between two ranks are: none to two of them, also from a rank to itself.
            let heavy: Vec<Vec<Vec<u32>>> = (0..size)
                .map(|_| {
                    let weights = |_| match stream.draw(any::<u32>()) % 9 {
                        0..4 => Vec::new(),
                        8 => vec![2, 1],
                        weight => vec![weight],
                    };
                    (0..size).map(weights).collect()
                })
                .collect();
            let edges = |rank: usize, weights: &[u32]| -> Vec<Edge> {
                weights.iter().map(|weight| Edge { rank, weight: *weight }).collect()
            };
            let out = |from: usize| -> Vec<Edge> {
                heavy[from].iter().enumerate().flat_map(|(rank, weights)| edges(rank, weights)).collect()
            };
            let inward = |to: usize| -> Vec<Edge> {
                heavy.iter().enumerate().flat_map(|(rank, from)| edges(rank, &from[to])).collect()
            };
            let all: Vec<Neighbors> = (0..size)
                .map(|rank| {
                    let ranks = |edges: Vec<Edge>| edges.iter().map(|edge| Some(edge.rank)).collect();
                    (ranks(inward(rank)), ranks(out(rank)))
                })
                .collect();
            let graph = world.graph_adjacent(&inward(me), &out(me), false).unwrap();
            assert_eq!((graph.edges_in(), graph.edges_out()), (&inward(me)[..], &out(me)[..]));
            assert_eq!((graph.sources(), graph.targets()), (&all[me].0[..], &all[me].1[..]));
            exchanged(&mut stream, &graph, |source| edge_of(&all, me, source));
            let twin = graph.duplicate().unwrap();
            assert_eq!((twin.edges_in(), twin.edges_out()), (graph.edges_in(), graph.edges_out()));
            // Rank 0 says all edges, or each rank those of the one behind it.
            let lists: Vec<Vec<Edge>> = (0..size).map(out).collect();
            let next = (me + 1) % size;
            let (whole, one) = (lists.iter().enumerate(), [(next, &lists[next][..])]);
            let whole: Vec<(usize, &[Edge])> = whole.map(|(rank, edges)| (rank, &edges[..])).collect();
            let said: &[_] = if stream.draw(any::<bool>()) { &one } else if me == 0 { &whole } else { &[] };
            let graph = world.graph(said, false).unwrap();
            let sorted = |edges: &[Edge]| {
                let mut edges = edges.to_vec();
                edges.sort_by_key(|edge| (edge.rank, edge.weight));
                edges
            };
            assert_eq!(sorted(graph.edges_in()), sorted(&inward(me)));
            assert_eq!(sorted(graph.edges_out()), sorted(&out(me)));
            let sources = graph.all_gather_parts(&graph.edges_in().iter().map(|edge| edge.rank as u64).collect::<Vec<_>>()).unwrap();
            let targets = graph.all_gather_parts(&graph.edges_out().iter().map(|edge| edge.rank as u64).collect::<Vec<_>>()).unwrap();
            let ranks = |part: &[u64]| part.iter().map(|rank| Some(*rank as usize)).collect::<Vec<_>>();
            let told: Vec<Neighbors> = sources.iter().map(ranks).zip(targets.iter().map(ranks)).collect();
            exchanged(&mut stream, &graph, |source| edge_of(&told, me, source));
        }
    }
}
