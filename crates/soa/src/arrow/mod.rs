//! Columns as a struct array of Arrow's C data interface, for whatever speaks Arrow.
//!
//! Numbers are lent as they lie, arrays in a column as lists of a fixed size, flattened fields as structs.
//! `bool`s are copied, because Arrow's are bits. Nothing is null.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface.html> is the specification.

mod abi;
mod element;
mod export;
mod node;

pub use abi::{ArrowArray, ArrowSchema};
pub use element::{ArrowColumns, ArrowElement};
pub use export::export;
