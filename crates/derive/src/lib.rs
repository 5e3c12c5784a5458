//! The derive macros of Upcall: a type is described once, in Rust.
//!
//! A crate of its own because a procedural macro must be one. Nobody depends on it by name: `upcall`
//! re-exports [`Blit`] beside the trait of that name, which it implements.

mod blit;
mod repr;

use proc_macro::TokenStream;

/// Implements `upcall::abi::Blit` for a struct whose bytes mean the same in every language.
///
/// The struct is `#[repr(C)]` (also with `align` or `packed`) or `#[repr(transparent)]`, `Copy`, and all of
/// its fields are blittable themselves. What it gets is its table of fields: name, type, offset, size and
/// alignment of each, from which its mirrors in other languages follow.
///
/// ```
/// use upcall::Blit;
///
/// #[derive(Clone, Copy, Blit)]
/// #[repr(C)]
/// struct Reading {
///     sensor: u32,
///     flags: u8,
///     celsius: [f64; 2],
/// }
///
/// assert_eq!(Reading::NAME, "Reading");
/// let celsius = Reading::FIELDS[2];
/// assert_eq!((celsius.name, celsius.type_name), ("celsius", "f64"));
/// assert_eq!((celsius.offset, celsius.size, celsius.align), (8, 16, 8));
/// assert!(Reading::PADDED); // three bytes behind `flags`
/// ```
///
/// # What is refused
///
/// Each with a message that says what to do instead:
/// - a struct without `#[repr(C)]` or `#[repr(transparent)]`: its layout is the compiler's to choose;
/// - an enum or a union: some of their bytes are no value, or have several meanings;
/// - type, const or lifetime parameters: one name would stand for several layouts;
/// - a struct without fields: C# and C++ give it a byte, Rust none;
/// - a packed struct with a field that is not aligned: no language may take a reference to it;
/// - a field that is not blittable (a reference, a pointer, `bool`, `char`, `usize`, `String`, …);
/// - a struct that is not `Copy`.
///
/// # Where the trait is
///
/// The generated code names it `::upcall::abi::Blit`. A crate that depends on `upcall-abi` alone, or knows
/// `upcall` by another name, says where it is:
///
/// ```
/// #[derive(Clone, Copy, upcall_derive::Blit)]
/// #[blit(crate = upcall_abi)]
/// #[repr(C)]
/// struct Point {
///     x: f32,
///     y: f32,
/// }
/// # assert!(!<Point as upcall_abi::Blit>::PADDED);
/// ```
#[proc_macro_derive(Blit, attributes(blit))]
pub fn blit(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    blit::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
