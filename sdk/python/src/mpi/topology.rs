//! Communicators whose ranks have neighbors, and what each does together with its own.

use super::buffer::Buffer;
use super::communicator::{Held, made_of, of};
use super::failure::{raise, raise_as};
use super::group::{listed, numbers, ranks};
use super::integer::counts;
use super::parts::told;
use super::{action, method, number, rank_or, truth, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;
use std::sync::Arc;
use upcall_mpi::{Cartesian, Dimension, Edge, Neighborhood};

pub fn methods(of: TypeOf) -> TypeOf {
    let of = of
        .method(
            c"dimensions",
            method!(dimensions as "dimensions"(sizes), 1),
            c"How many ranks to put along each dimension.",
        )
        .method(
            c"_cartesian",
            method!(cartesian as "cartesian"(of, sizes, periodic, reorder), 4),
            c"Ranks on a grid. Collective.",
        )
        .method(
            c"_graph_adjacent",
            method!(graph_adjacent as "graph_adjacent"(of, sources, source_weights, targets, target_weights, reorder), 6),
            c"Ranks with neighbors. Collective.",
        )
        .method(
            c"_graph",
            method!(graph as "graph"(of, sources, degrees, targets, reorder), 5),
            c"Ranks with neighbors. Collective.",
        )
        .action(c"_sizes", action!(sizes), c"Of a grid: how many lie along each dimension.")
        .action(c"_periodic", action!(periodic), c"Of a grid: whether each dimension is periodic.")
        .method(c"coordinates_of", method!(coordinates as "coordinates_of"(rank), 1), c"Where a rank is.")
        .method(c"rank_of", method!(rank_of as "rank_of"(coordinates), 1), c"Who is there; None is nobody.");
    of.method(
        c"_shift",
        method!(shift as "shift"(dimension, steps), 2),
        c"Of a grid: whom to receive from and send to.",
    )
    .method(c"_sub_grid", method!(sub_grid as "sub_grid"(of, kept), 2), c"Of a grid: a part. Collective.")
    .action(c"_sources", action!(sources), c"The ranks that this one receives from.")
    .action(c"_targets", action!(targets), c"The ranks that this one sends to.")
    .method(
        c"neighbor_all_gather_into",
        method!(all_gather_into as "neighbor_all_gather_into"(data, into), 2),
        c"neighbor_all_gather_into(data, into)",
    )
    .method(
        c"_neighbor_all_gather_parts",
        method!(all_gather_parts as "neighbor_all_gather_parts"(data), 1),
        c"Bytes and counts.",
    )
    .method(
        c"neighbor_all_to_all_into",
        method!(all_to_all_into as "neighbor_all_to_all_into"(data, into), 2),
        c"neighbor_all_to_all_into(data, into)",
    )
    .method(
        c"_neighbor_all_to_all_parts",
        method!(all_to_all_parts as "neighbor_all_to_all_parts"(data, counts), 2),
        c"Bytes and counts.",
    )
}

/// The grid of an object.
///
/// # Safety
/// It must be a communicator that stays alive while the result is used, here and below.
unsafe fn grid<'a>(this: *mut PyObject) -> Outcome<&'a Cartesian> {
    // SAFETY: the caller's promise.
    match unsafe { of(this)? } {
        Held::Grid(grid) => Ok(grid),
        _ => Err(raise_as("usage", "use a grid: this communicator is none; `cartesian` makes one")),
    }
}

unsafe fn neighborhood<'a>(this: *mut PyObject) -> Outcome<&'a Neighborhood> {
    // SAFETY: the caller's promise.
    match unsafe { of(this)? } {
        Held::Grid(grid) => Ok(grid),
        Held::Graph(graph) => Ok(graph),
        _ => Err(raise_as(
            "usage",
            "use neighbors: this communicator has none; `cartesian` and `graph_adjacent` make some",
        )),
    }
}

/// The truths of a sequence.
unsafe fn flags(object: *mut PyObject) -> Outcome<Vec<bool>> {
    // SAFETY: the caller's object is alive; the tuple keeps its items.
    unsafe {
        let given = Ref::steal(ffi::PySequence_Tuple(object))?;
        (0..py::len(&given)?).map(|index| truth(py::item(&given, index)?.as_ptr())).collect()
    }
}

fn integers(numbers: &[usize]) -> Outcome<Ref> {
    py::list(numbers.len(), |index| py::int(numbers[index] as u64))
}

unsafe fn dimensions(this: *mut PyObject, [sizes]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: a communicator that lives until this returns, here and below, as arguments do.
    let (comm, sizes) = unsafe { (of(this)?, counts(sizes, "sizes")?) };
    integers(&unlocked(|| comm.dimensions(&sizes)).map_err(raise)?)
}

unsafe fn cartesian(
    this: *mut PyObject,
    [kind, sizes, periodic, reorder]: [*mut PyObject; 4],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, sizes, periodic, reorder) =
            (of(this)?, counts(sizes, "sizes")?, flags(periodic)?, truth(reorder)?);
        if sizes.len() != periodic.len() {
            let message = format!(
                "put ranks on a grid: there are {} dimensions, and {} are said to be periodic or not",
                sizes.len(),
                periodic.len()
            );
            return Err(raise_as("usage", message));
        }
        let along = |(size, periodic)| Dimension { size, periodic };
        let dimensions: Vec<Dimension> = sizes.into_iter().zip(periodic).map(along).collect();
        let grid = unlocked(|| comm.cartesian(&dimensions, reorder)).map_err(raise)?;
        grid.map_or(Ok(py::none()), |grid| made_of(kind, Held::Grid(Arc::new(grid))))
    }
}

/// Edges to ranks, all as heavy where no weights are given.
unsafe fn edges(given: *mut PyObject, weights: *mut PyObject) -> Outcome<Vec<Edge>> {
    // SAFETY: the caller's objects are alive.
    let (ranks, weights) = unsafe { (ranks(given, "make a graph")?, counts(weights, "weights")?) };
    if !weights.is_empty() && weights.len() != ranks.len() {
        let message = format!("make a graph: there are {} edges and {} weights", ranks.len(), weights.len());
        return Err(raise_as("usage", message));
    }
    let weight =
        |index: usize| weights.get(index).map_or(1, |weight| u32::try_from(*weight).unwrap_or(u32::MAX));
    Ok(ranks.into_iter().enumerate().map(|(index, rank)| Edge { rank, weight: weight(index) }).collect())
}

unsafe fn graph_adjacent(
    this: *mut PyObject,
    [kind, sources, source_weights, targets, target_weights, reorder]: [*mut PyObject; 6],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, reorder) = (of(this)?, truth(reorder)?);
        let given =
            edges(sources, source_weights).and_then(|sources| Ok((sources, edges(targets, target_weights)?)));
        let (sources, targets) = match given {
            Ok(given) => given,
            Err(raised) => {
                // The others wait for this rank: an edge from nowhere tells them.
                let _ = unlocked(|| comm.graph_adjacent(&[Edge::from(usize::MAX)], &[], reorder));
                return Err(raised);
            }
        };
        let graph = unlocked(|| comm.graph_adjacent(&sources, &targets, reorder)).map_err(raise)?;
        made_of(kind, Held::Graph(Arc::new(graph)))
    }
}

/// `graph(of, sources, degrees, targets, reorder)`: so many of the targets are each source's.
unsafe fn graph(
    this: *mut PyObject,
    [kind, sources, degrees, targets, reorder]: [*mut PyObject; 5],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, reorder) = (of(this)?, truth(reorder)?);
        let what = "make a graph";
        let given = ranks(sources, what)
            .and_then(|sources| Ok((sources, ranks(targets, what)?, counts(degrees, "edges")?)));
        let (sources, targets, degrees) = match given {
            Ok(given) => given,
            Err(raised) => {
                // As above.
                let _ = unlocked(|| comm.graph(&[(usize::MAX, &[])], reorder));
                return Err(raised);
            }
        };
        let mut edges = targets.into_iter().map(Edge::from);
        let each = degrees.iter().map(|degree| edges.by_ref().take(*degree).collect());
        let lists: Vec<Vec<Edge>> = each.collect();
        let listed: Vec<(usize, &[Edge])> =
            sources.into_iter().zip(lists.iter().map(Vec::as_slice)).collect();
        let graph = unlocked(|| comm.graph(&listed, reorder)).map_err(raise)?;
        made_of(kind, Held::Graph(Arc::new(graph)))
    }
}

unsafe fn sizes(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let grid = unsafe { grid(this)? };
    let sizes: Vec<usize> = grid.dimensions().iter().map(|dimension| dimension.size).collect();
    integers(&sizes)
}

unsafe fn periodic(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let dimensions = unsafe { grid(this)? }.dimensions();
    py::list(dimensions.len(), |index| {
        // SAFETY: no argument to get wrong.
        unsafe { Ref::steal(ffi::PyBool_FromLong(dimensions[index].periodic.into())) }
    })
}

unsafe fn coordinates(this: *mut PyObject, [rank]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (grid, rank) = unsafe { (grid(this)?, rank_or(rank, 0, "look for a rank on a grid")?) };
    integers(&unlocked(|| grid.coordinates_of(rank)).map_err(raise)?)
}

unsafe fn rank_of(this: *mut PyObject, [coordinates]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (grid, coordinates) = unsafe { (grid(this)?, numbers(coordinates, "coordinates")?) };
    let coordinates: Vec<isize> = coordinates.into_iter().map(|coordinate| coordinate as isize).collect();
    let rank = unlocked(|| grid.rank_of(&coordinates)).map_err(raise)?;
    rank.map_or(Ok(py::none()), |rank| py::int(rank as u64))
}

unsafe fn shift(this: *mut PyObject, [dimension, steps]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let grid = grid(this)?;
        let along = usize::try_from(number(dimension, "dimension")?).unwrap_or(usize::MAX);
        let steps = number(steps, "steps")? as isize;
        let (from, to) = unlocked(|| grid.shift(along, steps)).map_err(raise)?;
        listed(&[from, to])
    }
}

unsafe fn sub_grid(this: *mut PyObject, [kind, kept]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (grid, kept) = (grid(this)?, flags(kept)?);
        let part = unlocked(|| grid.sub_grid(&kept)).map_err(raise)?;
        made_of(kind, Held::Grid(Arc::new(part)))
    }
}

unsafe fn sources(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    listed(unsafe { neighborhood(this)? }.sources())
}

unsafe fn targets(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    listed(unsafe { neighborhood(this)? }.targets())
}

unsafe fn all_gather_into(this: *mut PyObject, [data, into]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, what) = (neighborhood(this)?, "neighbor_all_gather_into");
        let (data, mut into) = (Buffer::read(data, what)?, Buffer::write(into, what)?);
        data.apart(&into, what, "gather into another one")?;
        unlocked(|| comm.neighbor_all_gather_into(data.bytes(), into.bytes_mut())).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn all_gather_parts(this: *mut PyObject, [data]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, data) = unsafe { (neighborhood(this)?, Buffer::read(data, "neighbor_all_gather_parts")?) };
    told(&unlocked(|| comm.neighbor_all_gather_parts(data.bytes())).map_err(raise)?)
}

unsafe fn all_to_all_into(this: *mut PyObject, [data, into]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, what) = (neighborhood(this)?, "neighbor_all_to_all_into");
        let (data, mut into) = (Buffer::read(data, what)?, Buffer::write(into, what)?);
        data.apart(&into, what, "receive into another one")?;
        let each = match (comm.targets().len(), comm.sources().len()) {
            (0, 0) => 0,
            (0, sources) => into.len() / sources,
            (targets, _) => data.len() / targets,
        };
        if !each.is_multiple_of(data.element()) {
            let message = format!(
                "exchange {} elements with {} neighbors: they cannot be shared evenly; use neighbor_all_to_all_parts",
                data.len() / data.element(),
                comm.targets().len()
            );
            return Err(raise_as("usage", message));
        }
        unlocked(|| comm.neighbor_all_to_all_into(data.bytes(), into.bytes_mut(), each)).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn all_to_all_parts(this: *mut PyObject, [data, sizes]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, data, sizes) = unsafe {
        (neighborhood(this)?, Buffer::read(data, "neighbor_all_to_all_parts")?, counts(sizes, "counts")?)
    };
    told(&unlocked(|| comm.neighbor_all_to_all_parts(data.bytes(), &sizes)).map_err(raise)?)
}
