//! What a shared library really exports.

use crate::diagnostics::Diagnostics;
use crate::model::{Api, Linkage};
use object::{BinaryFormat, Object};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Leaves out the functions and statics that `library` does not export, with one warning that lists them.
/// Functions in the shim beside the library stay.
pub(crate) fn keep_exported(api: &mut Api, library: &Path, diagnostics: &mut Diagnostics) {
    let exported = match exported(library) {
        Ok(exported) => exported,
        Err(error) => {
            let message = format!("reading the symbols of {}: {error}", library.display());
            return diagnostics.error(None, message, "`symbols` names the shared library itself");
        }
    };
    let mut missing = Vec::new();
    let mut keep = |symbol: &str| {
        let found = exported.contains(symbol);
        if !found {
            missing.push(symbol.to_owned());
        }
        found
    };
    api.functions.retain(|function| function.linkage != Linkage::Library || keep(&function.symbol));
    api.statics.retain(|variable| keep(&variable.symbol));
    if !missing.is_empty() {
        let (file, list) = (library.display(), missing.join("`, `"));
        let message = format!("{file} does not export {} declared names: `{list}`", missing.len());
        diagnostics.leaves_out(missing.len(), None, message, "they are left out");
    }
}

fn exported(library: &Path) -> Result<HashSet<String>, String> {
    let bytes = fs::read(library).map_err(|error| error.to_string())?;
    let file = object::File::parse(&*bytes).map_err(|error| error.to_string())?;
    let exports = file.exports().map_err(|error| error.to_string())?;
    // Mach-O puts an underscore before the names of C.
    let prefix = if file.format() == BinaryFormat::MachO { "_" } else { "" };
    let names = exports.iter().map(|export| String::from_utf8_lossy(export.name()).into_owned());
    Ok(names.map(|name| name.strip_prefix(prefix).map(str::to_owned).unwrap_or(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Severity, generate, rust};

    fn run(symbols: &Path, source: &Path) -> (Vec<String>, Diagnostics) {
        let rust = rust::Input { files: vec![source.into()], ..rust::Input::default() };
        let config = Config {
            library: "some".into(),
            symbols: Some(symbols.into()),
            rust: Some(rust),
            ..Config::default()
        };
        let mut diagnostics = Diagnostics::default();
        let generated = generate(&config, &mut diagnostics);
        let apis = generated.map(|generated| generated.apis).unwrap_or_default();
        let functions = apis.into_iter().flat_map(|api| api.functions);
        (functions.map(|function| function.name).collect(), diagnostics)
    }

    #[test]
    fn what_a_library_does_not_export_is_left_out_and_listed() {
        let folder = tempfile::tempdir().unwrap();
        let (code, source) = (folder.path().join("code.rs"), folder.path().join("lib.rs"));
        fs::write(&code, "#[unsafe(no_mangle)] pub extern \"C\" fn here() -> i32 { 1 }").unwrap();
        fs::write(&source, "unsafe extern \"C\" { pub fn here() -> i32; pub fn gone() -> i32; }").unwrap();
        let library = folder.path().join("library");
        let mut rustc = std::process::Command::new("rustc");
        rustc.args(["--crate-type", "cdylib", "-o"]).args([&library, &code]);
        assert!(rustc.status().unwrap().success());

        let (functions, diagnostics) = run(&library, &source);
        assert_eq!(functions, ["here"]);
        let [said] = &diagnostics.list[..] else { panic!("{:?}", diagnostics.list) };
        assert_eq!(said.severity, Severity::Warning);
        assert!(said.message.ends_with("does not export 1 declared names: `gone`"), "{said}");

        let (_, diagnostics) = run(&source, &source);
        assert!(diagnostics.failed());
    }
}
