//! Reductions and columns: ours, plain iterators, polars' kernels, soa_derive and soa-rs in one process, in turn.
//!
//! Prints one JSON object per line: function, type, elements, who, and nanoseconds per call (the least of many).
//! `cargo xtask bench soa` runs it. It is a package of its own because of what polars pulls in.

mod limit;
mod points;
mod reductions;
mod turns;

/// Elements that fit the first two levels of cache.
const SMALL: usize = 10_000;
/// Bytes that fit none.
const LARGE: usize = 100_000_000;

fn main() {
    reductions::all(SMALL);
    points::all(SMALL);
    reductions::large(LARGE);
}
