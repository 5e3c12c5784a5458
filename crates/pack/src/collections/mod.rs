//! Collections: what is written as a count and items, and what is made of more than one value.

mod array;
mod dictionary;
mod key_value;
mod list;
mod lookup;
mod set;
mod stack;
mod tuple;
mod value_tuple;

pub use array::{Array2, Array3, Array4, ArrayN};
pub use key_value::KeyValue;
pub use lookup::{Grouping, Lookup};
pub use stack::{PriorityQueue, Stack};
pub use tuple::Tuple;
