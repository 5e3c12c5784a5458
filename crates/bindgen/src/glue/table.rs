use super::names::{failure_type, function_type, ident, rust_type};
use crate::model::{Api, Function, Linkage};
use std::fmt::Write as _;

/// Rust text of a module `table` beside the modules `mirror` and `runtime`, which opens the library at run time. It
/// offers
///
/// - `Table`, a struct with the address of each function under its source's name, of each static as a `*mut`,
///   and of `upcall_failure_release` where a function is fallible;
/// - `open(path: Option<&Path>) -> Result<&'static Table, String>`, which loads once: from `path`, else from
///   the path in the environment variable `<LIBRARY>_LIBRARY`, else from the folder of the module it is
///   compiled into, else as the system finds it. An error message names the library and the symbol, or says what
///   has changed since the bindings were made;
/// - `open_in(package: &Path)`, which looks in that folder in place of the module's;
/// - `table() -> &'static Table` for use after that.
///
/// Functions of [`Linkage::Inline`] are taken from the library `<library>_inline`, found beside that one or in that
/// folder.
#[must_use]
pub fn table(api: &Api, functions: &[&Function]) -> String {
    let mut entries = entries(api, functions);
    // Inline functions come last, so that a count separates the two.
    entries.sort_by_key(|entry| entry.inline);
    let inline = entries.iter().filter(|entry| entry.inline).count();
    let (mut fields, mut symbols, mut fingerprints) = (String::new(), String::new(), String::new());
    for entry in &entries {
        let _ = writeln!(fields, "    pub {}: {},", entry.name, entry.ty);
        let _ = writeln!(symbols, "    c{:?},", entry.symbol);
    }
    for line in api.fingerprints_of(functions) {
        let _ = writeln!(fingerprints, "    {:?},", format!("{line}\n"));
    }
    let (library, variable, count) = (&api.library, variable(&api.library), entries.len());
    format!(
        "{}//! The library, opened at run time.

#![allow(dead_code, improper_ctypes_definitions, non_snake_case, unused_imports)]

use super::mirror;
use super::runtime::library::Library;
use std::ffi::CStr;
use std::path::Path;

/// What the library exports.
#[repr(C)]
pub struct Table {{
{fields}}}

const SYMBOLS: [&CStr; {count}] = [
{symbols}];

/// What each function of the library takes and gives, in short.
const FINGERPRINTS: &str = concat!(
{fingerprints});

// SAFETY: the symbols are in the order of the table; the last {inline} are those of inline functions.
static LIBRARY: Library<Table, {count}> =
    unsafe {{ Library::new({library:?}, {variable:?}, SYMBOLS, {inline}, FINGERPRINTS) }};

/// What has been opened.
#[inline(always)]
pub fn table() -> &'static Table {{
    LIBRARY.table()
}}

/// Opens the library, once.
pub fn open(path: Option<&Path>) -> Result<&'static Table, String> {{
    LIBRARY.open(path, None)
}}

/// The same for a package in this folder.
pub fn open_in(package: &Path) -> Result<&'static Table, String> {{
    LIBRARY.open(None, Some(package))
}}
",
        super::HEADER
    )
}

/// The environment variable that says where a library is.
pub(crate) fn variable(library: &str) -> String {
    let upper = library.to_uppercase();
    let name: String =
        upper.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '_' }).collect();
    format!("{name}_LIBRARY")
}

struct Entry {
    name: String,
    symbol: String,
    ty: String,
    inline: bool,
}

fn entries(api: &Api, functions: &[&Function]) -> Vec<Entry> {
    const RELEASE: &str = "upcall_failure_release";
    let mut entries: Vec<Entry> = Vec::new();
    for function in functions {
        entries.push(Entry {
            name: ident(&function.name),
            symbol: function.symbol.clone(),
            ty: function_type(api, function),
            inline: function.linkage == Linkage::Inline,
        });
    }
    for item in &api.statics {
        entries.push(Entry {
            name: ident(&item.name),
            symbol: item.symbol.clone(),
            ty: format!("*mut {}", rust_type(api, &item.ty)),
            inline: false,
        });
    }
    let fallible = functions.iter().any(|function| function.fallible);
    if fallible && !entries.iter().any(|entry| entry.name == RELEASE) {
        let ty = format!("unsafe extern \"C\" fn(*mut {})", failure_type(api));
        entries.push(Entry { name: RELEASE.into(), symbol: RELEASE.into(), ty, inline: false });
    }
    entries
}
