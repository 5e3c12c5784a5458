use crate::diagnostics::Diagnostics;
use regex::RegexSet;
use std::path::{Path, PathBuf};

/// C headers and how to read them.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Input {
    /// The shared library's name, without prefix and suffix.
    pub library: String,
    /// What to read, in this order: paths from the working folder, or as an `#include` would find them in
    /// `include`. One that only the system has (`stdio.h`) is there for those behind it: nothing of it is taken for its
    /// own sake.
    pub headers: Vec<PathBuf>,
    /// Folders to search for includes (`-I`).
    pub include: Vec<PathBuf>,
    /// Macros to define (`-D`): `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// More arguments for clang.
    pub clang: Vec<String>,
    /// The target as rustc names it; `None` for the current machine.
    pub target: Option<String>,
    /// Regular expressions: functions, types, constants and variables whose names match are taken, with all
    /// types they use. If empty, everything is taken that no system header declares.
    pub allow: Vec<String>,
    /// Regular expressions: items whose names match are left out, unless something that is taken uses them.
    pub block: Vec<String>,
    /// Whether `static inline` functions get a shim. If not, a warning lists them.
    pub wrap_static: bool,
    /// Shims for variadic functions, with the arguments to call them with.
    pub variadics: Vec<Variadic>,
    /// Whether a `void*` right after a callback that takes one `void*` is its context.
    pub contexts: bool,
}

impl Default for Input {
    fn default() -> Input {
        Input {
            library: String::new(),
            headers: Vec::new(),
            include: Vec::new(),
            define: Vec::new(),
            clang: Vec::new(),
            target: None,
            allow: Vec::new(),
            block: Vec::new(),
            wrap_static: true,
            variadics: Vec::new(),
            contexts: true,
        }
    }
}

/// One way to call a variadic function.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variadic {
    /// The variadic function.
    pub function: String,
    /// The shim's name.
    pub name: String,
    /// C types of what follows the function's own parameters (`const char *`, `int`).
    pub arguments: Vec<String>,
}

impl Input {
    /// The arguments for clang; the user's come last.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut arguments = vec!["-xc".to_owned(), "-std=gnu11".to_owned(), "-ferror-limit=0".to_owned()];
        if let Some(resources) = super::clang::resources() {
            arguments.push(format!("-resource-dir={}", resources.display()));
        }
        if let Some(target) = &self.target {
            arguments.push(format!("--target={}", clang_target(target)));
        }
        arguments.extend(self.include.iter().map(|folder| format!("-I{}", folder.display())));
        arguments.extend(self.define.iter().map(|define| format!("-D{define}")));
        arguments.extend(self.clang.iter().cloned());
        arguments
    }

    /// Where the headers are. Reports one that cannot be found.
    pub(super) fn find_headers(&self, diagnostics: &mut Diagnostics) -> Option<Vec<PathBuf>> {
        if self.headers.is_empty() {
            diagnostics.error(None, "no header to read", "name at least one");
            return None;
        }
        let found: Vec<Option<PathBuf>> = self.headers.iter().map(|header| self.find(header)).collect();
        // One that the others want (`--header stdio.h --header api.h`) is where clang finds it.
        if found.iter().any(Option::is_some) {
            return Some(
                found.into_iter().zip(&self.headers).map(|(path, own)| path.unwrap_or(own.clone())).collect(),
            );
        }
        self.headers.iter().for_each(|header| self.missing(&header.display().to_string(), diagnostics));
        None
    }

    /// Where a header is, unless clang has to find it.
    pub(super) fn find(&self, header: &Path) -> Option<PathBuf> {
        let folders = self.include.iter().map(|folder| folder.join(header));
        std::iter::once(header.to_owned()).chain(folders).find(|path| path.is_file())
    }

    /// Reports a header that cannot be found.
    pub(super) fn missing(&self, header: &str, diagnostics: &mut Diagnostics) {
        let folders =
            self.include.iter().map(|folder| format!(", `{}`", folder.display())).collect::<String>();
        let message = format!("header `{header}` does not exist: looked in the working folder{folders}");
        diagnostics.error(None, message, "correct the path, or add its folder to the include paths");
    }

    pub(super) fn filter(&self, diagnostics: &mut Diagnostics) -> Option<Filter> {
        let mut set = |what: &str, list: &[String]| {
            let whole = list.iter().map(|pattern| format!("^(?:{pattern})$"));
            RegexSet::new(whole)
                .map_err(|error| {
                    diagnostics.error(
                        None,
                        format!("the {what} list has an invalid regular expression: {error}"),
                        "use the syntax of the Rust crate `regex`",
                    );
                })
                .ok()
        };
        let (allow, block) = (set("allow", &self.allow), set("block", &self.block));
        Some(Filter { allow: allow?, block: block? })
    }
}

/// Which names are taken.
pub(super) struct Filter {
    allow: RegexSet,
    block: RegexSet,
}

impl Filter {
    /// Whether the item called `name` is taken for its own sake.
    pub fn takes(&self, name: &str, in_system_header: bool) -> bool {
        let allowed = if self.allow.is_empty() { !in_system_header } else { self.allow.is_match(name) };
        allowed && !self.block.is_match(name)
    }
}

/// Clang's name for a target of rustc's.
fn clang_target(rust: &str) -> String {
    let mut parts: Vec<&str> = rust.split('-').collect();
    if parts[0].starts_with("riscv32") {
        parts[0] = "riscv32";
    } else if parts[0].starts_with("riscv64") {
        parts[0] = "riscv64";
    } else if parts[0] == "aarch64" && parts.get(1) == Some(&"apple") {
        parts[0] = "arm64";
    }
    parts.join("-")
}

/// The path as an `#include` line takes it.
pub(super) fn include_line(path: &Path) -> String {
    format!("#include \"{}\"\n", path.display().to_string().replace('\\', "/"))
}
