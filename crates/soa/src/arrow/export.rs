use super::abi::{ArrowArray, ArrowSchema};
use super::element::{ArrowColumns, structure};
use crate::fixed::SoaBox;
use crate::soa::Soa;
use std::any::Any;
use std::sync::Arc;

/// The rows as a struct array, whose children are the columns where they lie.
///
/// The container lives until array and children have been released, by whichever thread.
///
/// ```
/// # #[derive(upcall_derive::Soa)]
/// # #[soa(crate = upcall_soa)]
/// # struct Point { x: f32, y: f32 }
/// let points = PointSoa::from([Point { x: 1.0, y: 2.0 }]);
/// let (schema, array) = upcall_soa::arrow::export(points.into());
/// assert_eq!((array.length(), array.n_children(), schema.n_children()), (1, 2, 2));
/// ```
pub fn export<T: Soa>(rows: Arc<SoaBox<T>>) -> (ArrowSchema, ArrowArray)
where
    T::Columns: ArrowColumns,
    SoaBox<T>: Send + Sync,
{
    // SAFETY: nobody writes rows that are shared, and `array` keeps them.
    let node = unsafe { structure::<T>(rows.at, rows.len()) };
    let keep: Arc<dyn Any + Send + Sync> = rows;
    (node.schema(""), node.array(&keep))
}
