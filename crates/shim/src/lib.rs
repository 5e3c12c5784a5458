//! The convention of `#[upcall::export]`: which C function an ordinary Rust function becomes.
//!
//! It is a crate of its own because two must agree on it: the attribute, which writes the C functions
//! ([`expand`]), and the binding generator, which reads the same source and must know them without expanding
//! macros ([`describe`]).
//!
//! # What crosses
//!
//! | Rust | in the C function | checked when it comes in |
//! | --- | --- | --- |
//! | integers, floats, raw pointers | as they are | |
//! | `bool`, `char` | one byte, four bytes | 0 or 1; a Unicode scalar value |
//! | an enum with `#[repr(u8)]` or the like and `#[derive(Enum)]` | its integer | one of its variants |
//! | a struct with `#[repr(C)]` and `#[derive(Blit)]` | as it is | |
//! | `&T`, `&mut T` of such a struct | its address | not null, aligned |
//! | `Option<&T>`, `Option<&mut T>` | its address, null for none | aligned |
//! | `&str` | `Str`: address and bytes | UTF-8 |
//! | `&[T]`, `&mut [T]` | `Slice<T>`, `SliceMut<T>`: address and elements | not null unless empty, aligned, not too long |
//! | `extern "C" fn(…)`, an `Option` of one | as it is | not null |
//! | `&dyn Fn(A) -> R`, `&mut dyn FnMut(A) -> R`, `impl Fn(A) -> R` | `extern "C" fn(context, A) -> R`, then `context`: `*mut c_void` | not null; what it returns is a value of its type |
//! | `Box<dyn Fn(A) -> R + Send + Sync>` | `extern "C" fn(context, A) -> R`, `context`, then `release`: `extern "C" fn(context)`, or null for none | not null; what it returns is a value of its type |
//! | returned: `String`, `Vec<T>` | `Text`, `Buffer<T>`: owned by the caller, who calls their `release` | |
//! | returned: `&'static str` | `Str` | |
//! | returned: a handle | its address, owned by the caller | |
//! | returned: `Result<T, E>`, with `E: Display` | as `T`, and the failure | |
//!
//! An element of a slice and what a `Vec` holds is blittable. Memory that a function may write and that
//! overlaps with another argument is refused too.
//!
//! # Kept callbacks
//!
//! A callback in a `Box` may be kept beyond the call, and be called from any thread, several at once. Its context
//! belongs to the function with the call, whatever becomes of that: `release(context)` is called exactly once, by
//! whoever drops the box, on whatever thread. That is before the call returns if it fails, or if another argument
//! is invalid. Nothing is called with the context after that, and no call is running, unless the box is dropped by
//! one that came through it. A kept callback without arguments and result is a waker: what a promise, a task or
//! a future of another language needs to be told that it can go on.
//!
//! A result that is no value of its type panics in the thread that called, which is the library's own.
//!
//! # Failures
//!
//! One more parameter follows those of the Rust function: `failure: *mut *mut Failure`. When the function
//! fails, the address of a failure is written there, which the caller releases with the library's
//! `upcall_failure_release`; the result is all zeroes then. Otherwise nothing is written. With a null
//! pointer there a failure goes unheard.
//!
//! | code | why | message |
//! | --- | --- | --- |
//! | what `upcall::Code` says; the variant's number if the error is an enum with `#[derive(Enum)]`; else 1 | the function returned an `Err` | the error's own |
//! | -1 | it panicked | the panic's |
//! | -2 | an argument is not a value of its type | the argument's name, and why |
//! | -3 | a handle is in use by a call that excludes this one | which type |
//!
//! A panic goes through the panic hook as usual, so it is also printed unless the library sets one. A library
//! built with `panic = "abort"` aborts instead.
//!
//! # Handles
//!
//! The values of a type with an exported `impl` block are handles: a constructor (a function without
//! receiver that returns `Self` or `Result<Self, E>`) puts one on the heap, its address belongs to the
//! caller, and `type_release` frees it. A panic in its destructor is swallowed. Any exported function may
//! take handles by `&T` and `&mut T`, and return them.
//!
//! Another language knows no borrow checker, so borrows are counted at run time. Any number of calls may
//! have a handle as `&T`, on any threads, or one call alone as `&mut T`; a call that would break this,
//! for example from within a callback, fails with code -3. A handle that is released while calls use it
//! lives until the last of them returns. Handles are `Send` and `Sync`, which the compiler checks. What is
//! left to the caller: no use and no second release after the release. A method that panicked leaves its
//! handle as it was at that moment.
//!
//! # What is the caller's duty
//!
//! An address that is neither null nor misaligned is that of what its type says, for the length of the call;
//! memory given as `&mut` is not used by others meanwhile, nor that given as `&` written. No check can know.
//!
//! # What is refused, with a reason at its place
//!
//! Type and const parameters, `async`, `impl Trait` and trait objects other than callbacks, `Box<dyn FnMut>` and `Box<dyn FnOnce>`, methods outside
//! of their `impl` block, `self` by value, trait impls, tuples and arrays by value, `Option` of anything but
//! an address, `'static` arguments, borrowed results, and types that own what another language cannot have
//! allocated (`String`, `Vec`, `Box` as parameters).
//!
//! # Fingerprints
//!
//! Beside each shim lies its fingerprint: a line in a section of the library that tells what the function takes and
//! gives, as the compiler has it. Bindings carry those of the functions that they were made for, and ask the
//! library's `upcall_changes` for what has changed since. In it are the names and types of parameters, the result, the
//! fields of structs with `#[derive(Blit)]`, with their places, the variants of enums with `#[derive(Enum)]`, with their
//! numbers, those of an error type too; of other types name and size, of handles the name.
//!
//! # For a binding generator
//!
//! ```
//! use quote::ToTokens;
//! use upcall_shim::{Role, describe};
//!
//! let item: syn::ItemFn = syn::parse_quote! {
//!     /// How many words.
//!     pub fn count(text: &str, found: &dyn Fn(u32) -> bool) -> Result<u64, Error> { todo!() }
//! };
//! // The first argument is what stands in the parentheses of the attribute, if anything does.
//! let shims = describe(proc_macro2::TokenStream::new(), item.to_token_stream())?;
//! let [count] = &shims[..] else { panic!("one function, one shim") };
//! assert_eq!((count.symbol.as_str(), count.fallible), ("count", true));
//! let types: Vec<String> = count.params.iter().map(|param| param.ty.to_token_stream().to_string()).collect();
//! assert_eq!(types, [
//!     ":: upcall :: abi :: Str",
//!     "extern \"C\" fn (context : * mut :: core :: ffi :: c_void , arg0 : u32) -> bool",
//!     "* mut :: core :: ffi :: c_void",
//! ]);
//! assert_eq!((count.params[1].context, count.params[2].context_of), (Some(0), Some(1)));
//!
//! let item: syn::ItemImpl = syn::parse_quote! {
//!     impl Counter {
//!         pub fn new() -> Self { todo!() }
//!         pub fn add(&mut self, by: u32) { todo!() }
//!     }
//! };
//! let shims = describe(proc_macro2::TokenStream::new(), item.to_token_stream())?;
//! let roles: Vec<_> = shims.iter().filter_map(|shim| Some((shim.symbol.as_str(), shim.member.as_ref()?.role))).collect();
//! assert_eq!(roles, [
//!     ("counter_new", Role::Constructor),
//!     ("counter_add", Role::Method),
//!     ("counter_release", Role::Release),
//! ]);
//! # Ok::<(), syn::Error>(())
//! ```

mod block;
mod describe;
mod fingerprint;
mod function;
mod given;
mod mark;
mod options;
mod read;
mod refusal;
mod shim;
mod taken;
mod write;

pub use fingerprint::shape_of;
pub use mark::{MEASURING, READING, unmark};
pub use shim::{Member, Param, Role, Shim};

use options::is_export;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use read::Exported;
use syn::{ImplItem, Item};

/// The item and its shims, or the item and what is wrong with it.
///
/// `attribute` is what stands in the parentheses of `#[upcall::export(…)]`.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    if std::env::var_os(READING).is_some() {
        return mark::marked(&attribute, item);
    }
    match Exported::read(attribute, item.clone()) {
        Ok(exported) => {
            let krate = &exported.krate;
            let handle = exported.handle.iter();
            let traits = handle.clone().map(|handle| write::handle(handle, krate));
            let prints = exported.functions.iter().map(|function| fingerprint::fingerprint(function, krate));
            let item = without_export(exported.item.clone());
            let mut all = quote!(#item #(#traits)* #(#prints)*);
            if std::env::var_os(MEASURING).is_none() {
                let shims = exported.functions.iter().map(|function| write::function(function, krate));
                all.extend(shims.chain(handle.map(|handle| write::release(handle, krate))));
            }
            all
        }
        Err(error) => {
            let error = error.into_compile_error();
            // The item stays, so that its users do not give errors too.
            let item =
                syn::parse2(item.clone()).map_or(item, |item| without_export(item).into_token_stream());
            quote!(#item #error)
        }
    }
}

/// The C functions that [`expand`] writes for this item.
///
/// # Errors
/// Those that the compiler shows for the item, each at its place.
pub fn describe(attribute: TokenStream, item: TokenStream) -> syn::Result<Vec<Shim>> {
    Ok(describe::describe(&Exported::read(attribute, item)?))
}

/// Without the options on the functions of an `impl` block.
fn without_export(mut item: Item) -> Item {
    if let Item::Impl(block) = &mut item {
        for item in &mut block.items {
            if let ImplItem::Fn(function) = item {
                function.attrs.retain(|attribute| !is_export(attribute));
            }
        }
    }
    item
}
