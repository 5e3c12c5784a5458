//! The macros of Upcall: a type or a function is described once, in Rust.
//!
//! A separate crate because procedural macros need one. Nobody depends on it by name: `upcall`
//! re-exports [`Blit`] beside the trait of that name, which it implements, [`Enum`], [`macro@Soa`] and [`macro@export`].
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

mod abi_path;
mod blit;
mod enumeration;
mod pack;
mod repr;
mod shape;
mod soa;

use proc_macro::TokenStream;

/// Implements `upcall::abi::Blit` for a struct whose bytes mean the same in every language.
///
/// The struct is `#[repr(C)]` (also with `align` or `packed`) or `#[repr(transparent)]`, `Copy`, and all of
/// its fields are blittable themselves. It gets a table of its fields: name, type, offset, size and
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
/// - an enum or a union: some of their bytes are not a value, or have several meanings;
/// - type, const or lifetime parameters: one name would stand for several layouts;
/// - a struct without fields: C# and C++ give it a byte, Rust none;
/// - a packed struct with a field that is not aligned: no language may take a reference to it;
/// - a field that is not blittable (a reference, a pointer, `bool`, `char`, `usize`, `String`, …);
/// - a struct that is not `Copy`.
///
/// # Where the trait is
///
/// The generated code names it `::upcall::abi::Blit`. A crate that depends on `upcall-abi` alone, or under
/// another name on `upcall`, says where it is:
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

/// Implements `upcall::abi::Value` for a fieldless enum with an integer `repr`, so that exported functions
/// can take and return it: a number that is not one of its variants is refused on the way in.
///
/// ```
/// use upcall::abi::{Invalid, Value};
///
/// #[derive(Debug, PartialEq, upcall::Enum)]
/// #[repr(i8)]
/// enum Turn {
///     Left = -1,
///     Right = 1,
/// }
///
/// assert_eq!(Turn::check(-1), Ok(Turn::Left));
/// assert_eq!(Turn::check(0), Err(Invalid::NotVariant { of: "Turn", value: 0 }));
/// assert_eq!(Turn::Right.raw(), 1);
/// ```
///
/// A crate that depends on `upcall-abi` alone, or under another name on `upcall`, says where it is:
/// `#[value(crate = upcall_abi)]`.
#[proc_macro_derive(Enum, attributes(value))]
pub fn enumeration(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    enumeration::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `upcall::pack::Pack` and `Unpack`: MemoryPack's wire form of a struct or an enum.
///
/// ```
/// use upcall_pack::Pack;
///
/// #[derive(Debug, PartialEq, Pack)]
/// #[pack(crate = upcall_pack)]
/// struct Order<'a> {
///     customer: &'a str,
///     lines: Vec<Line>,
///     #[pack(utf16)]
///     note: Option<String>,
///     #[pack(ignore)]
///     seen: bool,
/// }
///
/// #[derive(Clone, Copy, Debug, PartialEq, Pack)]
/// #[pack(raw, crate = upcall_pack)]
/// #[repr(C)]
/// struct Line {
///     article: u32,
///     kind: Kind,
///     cents: u64,
/// }
///
/// #[derive(Clone, Copy, Debug, PartialEq, Pack)]
/// #[pack(crate = upcall_pack)]
/// #[repr(i32)]
/// enum Kind {
///     Goods,
///     Service,
/// }
///
/// let lines = vec![Line { article: 7, kind: Kind::Service, cents: 1250 }];
/// let order = Order { customer: "Ada", lines, note: None, seen: false };
/// let bytes = upcall_pack::to_vec(&order)?;
/// assert_eq!(upcall_pack::from_slice::<Order>(&bytes)?, order);
/// # Ok::<(), upcall_pack::Error>(())
/// ```
///
/// # The C# counterpart
///
/// | on the type | is |
/// | --- | --- |
/// | nothing, on a struct | a class: null only through `Option` |
/// | nothing, on an enum without fields and with an integer `repr` | an enum, checked when it is read |
/// | `#[pack(struct)]` | a managed struct, never null itself |
/// | `#[pack(raw)]`, with `#[repr(C)]` or `#[repr(C, packed(n))]` | an unmanaged struct: every field is raw, bytes between them are zero |
/// | `#[pack(version_tolerant)]`, also with `struct` | members may be added and removed: each follows its length |
/// | `#[pack(circular)]` | the same, whose objects refer to one another: see `Graph`, `Ref` |
/// | `#[pack(union)]`, on an enum of variants that hold one class each | a union; `#[pack(tag = 300)]` on a variant, else its index |
/// | `#[pack(crate = path)]` | where `upcall-pack` is, if not at `::upcall::pack` |
///
/// # Members
///
/// | on a field | is |
/// | --- | --- |
/// | `#[pack(order = 3)]` | its place, on all fields or on none. A version-tolerant type may skip places |
/// | `#[pack(ignore)]` | not a member; gets its `Default` when the value is read |
/// | `#[pack(include)]` | a member that is private in the C# type written by bindgen |
/// | `#[pack(utf8)]`, `#[pack(utf16)]` | how its strings are written, whatever the options say |
/// | `#[pack(with = Formatter)]` | written and read by a type that implements `PackWith` and `UnpackWith` |
///
/// An object written by an older version may have fewer members than its type. The missing ones get their
/// `Default`; if a type has none, that is an error. Type parameters are taken to be packed themselves.
///
/// # What is refused
///
/// Each with a message that says what to do instead: more than 249 members; orders given to some fields
/// only, twice, or with a gap; a raw struct with a field that is not raw; a union of anything but classes, or with
/// a tag given twice; an enum without an integer `repr`; a field whose type has no wire form.
#[proc_macro_derive(Pack, attributes(pack))]
pub fn pack(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    pack::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `upcall::soa::Soa` for a struct or an enum whose values are kept in columns, and names
/// its containers and rows.
///
/// ```
/// #[derive(Debug, PartialEq, upcall_derive::Soa)]
/// #[soa(crate = upcall_soa)]
/// struct Point {
///     x: f32,
///     y: f32,
/// }
///
/// let mut points: PointSoaVec = (0..100).map(|i| Point { x: i as f32, y: 1.0 }).collect();
/// points.y_mut().fill(2.0);
/// assert_eq!(points.x().iter().sum::<f32>(), 4950.0);
/// let PointRef { x, y } = points.row(7);
/// assert_eq!((*x, *y), (7.0, 2.0));
/// assert_eq!(points.pop(), Some(Point { x: 99.0, y: 2.0 }));
/// ```
///
/// The crate `upcall-soa` describes what it makes of a struct `Point`. An enum `Shape` is split into a column
/// of tags (`ShapeTag`) and one of payloads, and its rows are enums of references (`ShapeRef`).
///
/// # Options
///
/// | option | on | meaning |
/// | --- | --- | --- |
/// | `flatten` | a field | its type is `Soa` too, and its columns are this one's |
/// | `spans` | a struct | makes `PointSpans`, the columns as other languages see them, and `spans()`, which gives them |
/// | `crate = path` | the type | where `upcall-soa` is, if not at `::upcall::soa` |
///
/// # What is refused
///
/// - lifetime parameters: a row that borrows would tie its container to what it borrows from. Types and
///   numbers may be parameters; types must be `'static`;
/// - a tuple struct, as columns have names; a struct without fields; an enum whose variants have no fields;
/// - a union.
#[proc_macro_derive(Soa, attributes(soa))]
pub fn soa(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    soa::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Exports an ordinary Rust function, or the functions of an `impl` block, to other languages.
///
/// The function stays as it is. Beside it comes its shim, a C function of the same name that checks its
/// arguments, catches panics, and reports errors. `upcall bindgen` writes the callers in C#, Python,
/// TypeScript and Java.
///
/// ```
/// /// The mean of the values.
/// #[upcall::export]
/// pub fn mean(values: &[f64]) -> Result<f64, String> {
///     if values.is_empty() {
///         return Err("the mean of nothing".into());
///     }
///     Ok(values.iter().sum::<f64>() / values.len() as f64)
/// }
///
/// pub struct Counter {
///     count: u64,
/// }
///
/// /// Other languages hold a `Counter` by its address and release it.
/// #[upcall::export]
/// impl Counter {
///     /// `counter_new`
///     pub fn new(start: u64) -> Self {
///         Counter { count: start }
///     }
///
///     /// `counter_add`
///     pub fn add(&mut self, by: u64) -> u64 {
///         self.count += by;
///         self.count
///     }
/// } // and `counter_release`
/// ```
///
/// The crate `upcall-shim` describes what may be taken and returned, how handles are used, and what the C
/// functions look like.
///
/// # Options
///
/// | option | on | meaning |
/// | --- | --- | --- |
/// | `name = "symbol"` | a function | its symbol |
/// | `name = "prefix"` | an `impl` block | what its symbols begin with, instead of the type's name in snake case |
/// | `extend` | an `impl` block | one more block of a type that is already exported: no second release function |
/// | `marked` | the first block of a type | calls are cheaper and releases cost more: calls mark the handle in memory of their thread instead of counting; no method may take `&mut self` |
/// | `skip` | a function in an exported block | it is public, but not exported |
/// | `crate = path` | both | where `upcall` is, if not at `::upcall` |
#[proc_macro_attribute]
pub fn export(attribute: TokenStream, item: TokenStream) -> TokenStream {
    upcall_shim::expand(attribute.into(), item.into()).into()
}
