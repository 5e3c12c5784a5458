use super::node::{Buffer, Node};
use crate::columns::{Column, Columns};
use crate::nested::Nested;
use crate::soa::{Pointers, Soa};
use std::ptr::NonNull;

/// An element that Arrow knows: numbers, `bool`, and arrays of them.
///
/// # Safety
/// The node describes `len` elements truly.
#[diagnostic::on_unimplemented(
    message = "Arrow has no type for `{Self}` here",
    note = "exported are i8 to i64, u8 to u64, f32, f64, `bool`, arrays of them, and flattened structs"
)]
pub unsafe trait ArrowElement: Send + Sync + 'static {
    /// Elements that follow one another.
    ///
    /// # Safety
    /// There are `len`, and they stay in place, unchanged, as long as the node or what is made from it.
    #[doc(hidden)]
    unsafe fn node(at: NonNull<Self>, len: usize) -> Node
    where
        Self: Sized;
}

macro_rules! numbers {
    ($($type:ident $format:literal,)*) => {$(
        // SAFETY: the format is this type's.
        unsafe impl ArrowElement for $type {
            unsafe fn node(at: NonNull<$type>, len: usize) -> Node {
                let buffer = if len == 0 { Buffer::Nothing } else { Buffer::Lent(at.cast()) };
                Node { format: $format.to_owned(), len, buffer: Some(buffer), children: Vec::new() }
            }
        }
    )*};
}
numbers! {
    i8 "c", u8 "C", i16 "s", u16 "S", i32 "i", u32 "I", i64 "l", u64 "L", f32 "f", f64 "g",
}

// SAFETY: a bit for each, from the lowest on.
unsafe impl ArrowElement for bool {
    unsafe fn node(at: NonNull<bool>, len: usize) -> Node {
        // SAFETY: the caller's promise.
        let flags = unsafe { NonNull::slice_from_raw_parts(at, len).as_ref() };
        let byte = |flags: &[bool]| flags.iter().rev().fold(0, |byte, flag| byte << 1 | u8::from(*flag));
        let bits = flags.chunks(8).map(byte).collect();
        Node { format: "b".to_owned(), len, buffer: Some(Buffer::Made(bits)), children: Vec::new() }
    }
}

// SAFETY: an array is its elements, side by side.
unsafe impl<C: ArrowElement, const N: usize> ArrowElement for [C; N] {
    unsafe fn node(at: NonNull<[C; N]>, len: usize) -> Node {
        // SAFETY: the caller's promise; the column's memory has as many, so the product is a number.
        let child = unsafe { C::node(at.cast(), len * N) };
        Node { format: format!("+w:{N}"), len, buffer: None, children: vec![("item", child)] }
    }
}

/// Columns whose elements Arrow knows.
///
/// # Safety
/// The nodes describe `len` rows truly, one for each name of [`Soa::FIELDS`].
#[diagnostic::on_unimplemented(message = "not every column of `{Self}` has a type in Arrow")]
pub unsafe trait ArrowColumns: Columns {
    /// The columns, in order.
    ///
    /// # Safety
    /// There are `len` rows, and they stay in place, unchanged, as long as the nodes or what is made from them.
    #[doc(hidden)]
    unsafe fn nodes(at: Self::Pointers, len: usize, nodes: &mut Vec<Node>);
}

/// The rows as a struct.
///
/// # Safety
/// As for [`ArrowColumns::nodes`].
pub unsafe fn structure<T: Soa>(at: Pointers<T>, len: usize) -> Node
where
    T::Columns: ArrowColumns,
{
    let mut nodes = Vec::new();
    // SAFETY: the caller's promise.
    unsafe { T::Columns::nodes(at, len, &mut nodes) };
    let children = T::FIELDS.iter().map(|field| field.name()).zip(nodes).collect();
    Node { format: "+s".to_owned(), len, buffer: None, children }
}

// SAFETY: one column, one node.
unsafe impl<C: ArrowElement> ArrowColumns for Column<C> {
    unsafe fn nodes(at: NonNull<C>, len: usize, nodes: &mut Vec<Node>) {
        // SAFETY: the caller's promise.
        nodes.push(unsafe { C::node(at, len) });
    }
}

// SAFETY: a flattened field is one struct.
unsafe impl<T: Soa> ArrowColumns for Nested<T>
where
    T::Columns: ArrowColumns,
{
    unsafe fn nodes(at: Pointers<T>, len: usize, nodes: &mut Vec<Node>) {
        // SAFETY: the caller's promise.
        nodes.push(unsafe { structure::<T>(at, len) });
    }
}

macro_rules! tuples {
    ($($list:ident $index:tt),+) => {
        // SAFETY: each list does so for its own columns, in order.
        unsafe impl<$($list: ArrowColumns),+> ArrowColumns for ($($list,)+) {
            unsafe fn nodes(at: Self::Pointers, len: usize, nodes: &mut Vec<Node>) {
                // SAFETY: the caller's promise, for each list.
                unsafe { $($list::nodes(at.$index, len, nodes);)+ }
            }
        }
    };
}
crate::every_size!(tuples);
