//! Shapes that were made before.

use super::Shape;
use crate::Error;
use ::serde::Deserialize;

/// The shape of a type: the same for all lifetimes in it.
#[cfg(feature = "std")]
pub(super) fn shape<'de, T: Deserialize<'de>>() -> Result<Shape, Error> {
    use super::type_id::type_id;
    use core::any::TypeId;
    use std::collections::HashMap;
    use std::sync::{LazyLock, PoisonError, RwLock};

    static KNOWN: LazyLock<RwLock<HashMap<TypeId, Shape>>> = LazyLock::new(RwLock::default);
    let key = type_id::<T>();
    // Nothing panics while it is held, and a map that is whole stays so.
    if let Some(shape) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(shape.clone());
    }
    let shape = Shape::of::<T>()?;
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(key, shape.clone());
    Ok(shape)
}

/// The shape of a type: without locks, it is made each time.
#[cfg(not(feature = "std"))]
pub(super) fn shape<'de, T: Deserialize<'de>>() -> Result<Shape, Error> {
    Shape::of::<T>()
}
