//! C headers, read through libclang, as a [`crate::model::Api`] with layouts.
//!
//! It asks libclang itself and does not read the `bindgen` crate's Rust text, because that text has lost what
//! must not be lost or guessed: it shows `long double` and vectors as integers and arrays, and has no source
//! locations, deprecation or bitfield storage units. The sizes and offsets that libclang reports are the
//! compiler's own layout for the target. The tests compare the result with both `bindgen` and C compilers.
//!
//! | C | the model |
//! | --- | --- |
//! | `struct`, `union`, `enum` tags; `typedef struct {…} name` | a type of that name; `struct_name` where two share one |
//! | `typedef struct tag name` | a type called `name`; a second `typedef` is an alias |
//! | `struct {…} field;` in `outer` | `outer_field` |
//! | `typedef struct {…} *name`, `struct {…} name` | `name_type` |
//! | `struct {…};` in `outer` | a field `anon1` of the type `outer_anon1` |
//! | an enum of bits (`1, 2, 4`) or with `flag_enum` | flags |
//! | an incomplete struct, one of a system header behind a pointer, an empty one | opaque |
//! | a flexible array member | an array of length 0 at its offset |
//! | `#define`s that clang can compute, `static const` variables, unnamed enums | constants |
//! | `static inline`, variadic functions | a shim ([`shims()`]), or a listed warning |
//! | `long double`, `_Complex`, vectors, `va_list`, thread-local variables | cannot cross: a diagnostic |

mod bits;
mod clang;
mod comments;
mod enums;
mod functions;
mod input;
mod macros;
mod reader;
mod records;
mod registers;
mod shims;
mod texts;
mod types;

pub use input::{Input, Variadic};
pub(crate) use registers::refuse;
pub(crate) use shims::arguments;
pub use shims::shims;

use crate::diagnostics::Diagnostics;
use crate::model::Api;

/// Reads the headers of `input`, layouts included. `None` if clang could not read them; `diagnostics` says
/// why.
pub fn read(input: &Input, diagnostics: &mut Diagnostics) -> Option<Api> {
    if let Err(message) = clang::open() {
        diagnostics.error(
            None,
            format!("libclang, which reads C headers, was not found: {message}"),
            "install it (`apt-get install libclang-dev`), or set LIBCLANG_PATH to the folder that holds libclang.so",
        );
        return None;
    }
    let headers = input.find_headers(diagnostics)?;
    let filter = input.filter(diagnostics)?;
    reader::read(input, &headers, &filter, diagnostics)
}
