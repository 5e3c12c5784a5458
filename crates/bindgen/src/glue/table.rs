use super::names::{failure_type, function_type, ident, rust_type};
use crate::model::{Api, Function, Linkage};
use std::fmt::Write as _;

/// Rust text of a module `table` beside the module `mirror`, which opens the library at run time. It offers
///
/// - `Table`, a struct with the address of each function under its source's name, of each static as a `*mut`,
///   and of `upcall_failure_release` where a function is fallible;
/// - `open(path: Option<&Path>) -> Result<&'static Table, String>`, which loads once: from `path`, else from
///   the path in the environment variable `<LIBRARY>_LIBRARY`, else from the folder of the module it is
///   compiled into, else as the system finds it. An error message names the library and the symbol, or says what
///   has changed since the bindings were made;
/// - `table() -> &'static Table` for use after that.
///
/// Functions of [`Linkage::Inline`] are taken from the library `<library>_inline`, found the same way.
#[must_use]
pub fn table(api: &Api, functions: &[&Function]) -> String {
    let mut entries = entries(api, functions);
    // Inline functions come last, so that a count separates the two.
    entries.sort_by_key(|entry| entry.inline);
    let inline = entries.iter().filter(|entry| entry.inline).count();

    let mut text = String::from(super::HEADER);
    text.push_str(include_str!("table.head.in"));
    let variable = variable(&api.library);
    let _ = write!(
        text,
        "\n/// The library's name.\npub const LIBRARY: &str = {:?};\n\
         /// The environment variable that says where it is.\npub const VARIABLE: &str = {variable:?};\n\
         /// How many of the last symbols are in the library of inline functions.\nconst INLINE: usize = {inline};\n\n\
         const SYMBOLS: [&CStr; {}] = [\n",
        api.library,
        entries.len(),
    );
    for entry in &entries {
        let _ = writeln!(text, "    c{:?},", entry.symbol);
    }
    text.push_str("];\n\n/// What each function of the library takes and gives, in short.\nconst FINGERPRINTS: &str = concat!(\n");
    for line in api.fingerprints_of(functions) {
        let _ = writeln!(text, "    {:?},", format!("{line}\n"));
    }
    text.push_str(");\n\n/// What the library exports.\n#[repr(C)]\npub struct Table {\n");
    for entry in &entries {
        let _ = writeln!(text, "    pub {}: {},", entry.name, entry.ty);
    }
    text.push_str("}\n\n");
    text.push_str(include_str!("table.tail.in"));
    text.push_str(include_str!("changes.in"));
    text
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
