//! The C header back end: one file for C99 and later, and for C++11 and later, without warnings under
//! `-Wall -Wextra -pedantic`, which asserts every size, alignment and offset where the compiler reads it.
//!
//! | the model | C |
//! | --- | --- |
//! | struct, union | the same, with bytes named `padding_N` where no C member would lie as measured |
//! | transparent struct | a name for the type of its field, which it is passed as |
//! | bitfield | bytes named `bits_N`, `Type_get_field` and `Type_set_field` |
//! | enum | `enum Type : int32_t` in C++ and C23, before that an integer and `#define Type_NAME` |
//! | flags | an integer and `#define Type_NAME` |
//! | data-carrying enum | `Type_Tag`, `Type_VARIANT_Data` and, as RFC 2195 has it, a struct or a union of them |
//! | constant | `#define`, at the end of the file |
//! | fallible function | one more parameter, `struct Failure **failure` |
//! | `Slice`, `Str`, `Rel`, `Buffer`, `Text`, `Failure` | structs, with `static inline` helper functions |
//! | a name that C or C++ already uses | with `_` after it; such a symbol is named by an assembler label |

mod backend;
pub mod check;
mod functions;
mod helpers;
mod layout;
mod names;
pub(crate) mod spell;
mod types;
mod values;
mod writer;

use crate::File;
use crate::diagnostics::Diagnostics;
use crate::model::{Api, Int};
use std::path::PathBuf;
use writer::Writer;

/// The last line of `prelude.in`.
const BEHIND_MACROS: &str = "#endif /* UPCALL_HEADER_MACROS */\n";

/// How to write a header.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// The file's path in the output folder.
    pub file: PathBuf,
    /// Prefix of every type's name.
    pub prefix: String,
    /// The include guard; `UPCALL_LIBRARY_H` if it is not given.
    pub guard: Option<String>,
    /// Whether to assert sizes, alignments and offsets.
    pub assertions: bool,
    /// Whether to write `static inline` functions for bitfields, slices, text, buffers and failures.
    pub helpers: bool,
}

impl Default for Options {
    fn default() -> Options {
        let file = PathBuf::from("api.h");
        Options { file, prefix: String::new(), guard: None, assertions: true, helpers: true }
    }
}

/// The header of an API.
pub fn generate(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let mut writer = Writer {
        api,
        options,
        names: names::Names::new(api, &options.prefix),
        scope: names::scope(),
        diagnostics,
        text: String::new(),
    };
    let guard = options.guard.clone().unwrap_or_else(|| writer::guard(&api.library));
    writer.line("/* Made by upcall bindgen; do not edit. */");
    writer.line(&format!("#ifndef {guard}\n#define {guard}\n"));
    writer.text += include_str!("prelude.in");
    writer.line("\n#if defined(__cplusplus)\nextern \"C\" {\n#endif\n");
    writer.types();
    api.statics.iter().for_each(|variable| writer.variable(variable));
    api.functions.iter().for_each(|function| writer.function(function));
    writer.failure_release();
    api.constants.iter().for_each(|constant| writer.constant(constant));
    writer.line(&format!("\n#if defined(__cplusplus)\n}}\n#endif\n\n#endif /* {guard} */"));
    if ["memcpy(", "memset(", "strlen("].iter().any(|name| writer.text.contains(name)) {
        let after = "#include <stdint.h>\n";
        writer.text = writer.text.replacen(after, &format!("{after}#include <string.h>\n"), 1);
    }
    let int128 = [Int::I128, Int::U128].map(spell::integer);
    if int128.iter().any(|name| writer.text.contains(name)) {
        let with = format!("{BEHIND_MACROS}{}", include_str!("int128.in"));
        writer.text = writer.text.replacen(BEHIND_MACROS, &with, 1);
    }
    vec![File::new(&options.file, writer.text)]
}
