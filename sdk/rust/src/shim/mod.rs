//! What the C functions that [`crate::export`] writes are made of. Only they use it: it may change with
//! every version.

mod argument;
mod call;
mod code;
mod extent;
mod handle;
mod returned;

pub use argument::{Referenced, Scope, lend, lend_mut};
pub use call::{Fault, call};
pub use code::{Coded, WithCode, WithoutCode};
pub use extent::Extent;
pub use handle::{Exclusive, Handle, Kept, Shared, own, release};
pub use returned::{Returned, buffer};
