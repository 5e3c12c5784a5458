//! Vertex programs: what a class with `update`, `apply` or `interval` is given of a graph.
//!
//! Of what Python is given nothing outlives its call: each cursor knows the moment that it is of. A frame's memory is touched in
//! `frame` only, by numbers that were converted before.

mod beside;
mod body;
mod context;
mod cursor;
mod edges;
mod frame;
mod hooks;
mod interval;
mod says;
mod state;

pub use body::body;

use crate::py::{Outcome, Ref};
use std::sync::OnceLock;

/// The types of what vertex programs are given, made once per process.
pub struct Natives {
    vertex: Ref,
    edges: Ref,
    context: Ref,
    interval: Ref,
    interval_edges: Ref,
}

// SAFETY: types are immutable here, and references to them are counted by attached threads only.
unsafe impl Send for Natives {}
// SAFETY: as above.
unsafe impl Sync for Natives {}

static NATIVES: OnceLock<Natives> = OnceLock::new();

impl Natives {
    /// Makes the types, when they are not there yet.
    pub fn make() -> Outcome<()> {
        if NATIVES.get().is_none() {
            let made = Natives {
                vertex: cursor::vertex_type()?,
                edges: edges::edges_type()?,
                context: context::context_type()?,
                interval: interval::interval_type()?,
                interval_edges: interval::edges_type()?,
            };
            NATIVES.get_or_init(|| made);
        }
        Ok(())
    }

    /// The types.
    #[inline]
    fn get() -> &'static Natives {
        NATIVES.get().expect("the types are made before any instance is")
    }
}
