use super::{batch, emit, later, object};
use crate::py::{Outcome, Ref};
use std::sync::OnceLock;

/// The types of what a flow's handlers are given, made once per process.
pub struct Natives {
    /// `upcall.Object`, by kind.
    pub objects: [Ref; 4],
    /// `upcall.Batch`.
    pub batch: Ref,
    /// `upcall.Emit`.
    pub emit: Ref,
    /// `upcall._upcall.Items`.
    pub items: Ref,
    /// `upcall._upcall.Done`.
    pub done: Ref,
}

// SAFETY: types are immutable here, and references to them are counted by attached threads only.
unsafe impl Send for Natives {}
// SAFETY: as above.
unsafe impl Sync for Natives {}

static NATIVES: OnceLock<Natives> = OnceLock::new();

impl Natives {
    /// Makes the types, when they are not there yet.
    pub fn make() -> Outcome<&'static Natives> {
        if let Some(made) = NATIVES.get() {
            return Ok(made);
        }
        let made = Natives {
            objects: object::object_types()?,
            batch: batch::batch_type()?,
            emit: emit::emit_type()?,
            items: later::items_type()?,
            done: later::done_type()?,
        };
        Ok(NATIVES.get_or_init(|| made))
    }

    /// The types.
    #[inline]
    pub fn get() -> &'static Natives {
        NATIVES.get().expect("the types are made before any instance is")
    }
}
