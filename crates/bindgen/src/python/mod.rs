//! The Python back end: one package with two implementations of the same surface.
//!
//! `_native` is an extension module: Rust over CPython's stable ABI, compiled from the package's
//! `glue` folder with `cargo build --release`. It converts arguments directly and opens the library at run
//! time. `_ctypes` needs no compiler. One set of stubs describes both.
//!
//! Packed types are dataclasses in a package of their own, which needs neither.

mod backend;
mod changes;
pub mod check;
mod classes;
mod ctypes;
mod handles;
mod kind;
mod names;
mod native;
mod package;
mod relative;
mod stubs;
mod tables;
mod trampolines;

use crate::model::{Api, Function};
use crate::output::below;
use crate::plan::{Call, Handles, crossing};
use crate::{Diagnostics, File, glue};
use std::path::Path;
use upcall_packers::Spelling;

/// Options of the Python back end.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// The package's name; if empty, the library's, with `_` for characters that no Python name has.
    pub package: String,
    /// The package's docs.
    pub docs: String,
    /// Functions that release the GIL while they run, because they take long: names, or `*` for all. While a
    /// `Callback` is open, or the library keeps a function, all functions do.
    pub release_gil: Vec<String>,
}

impl Options {
    pub(crate) fn package(&self, api: &Api) -> String {
        if !self.package.is_empty() {
            return self.package.clone();
        }
        api.library.replace(|char: char| !char.is_alphanumeric() && char != '_', "_")
    }

    /// The package of the packers: a separate one beside bindings, because those open the library when they are
    /// imported.
    pub(crate) fn packers(&self, api: &Api) -> String {
        let package = self.package(api);
        if api.only_packs() { package } else { format!("{package}_pack") }
    }
}

/// The modules that are the same for every library.
const SAME: &[(&str, &str)] = &[
    ("base", include_str!("base.py")),
    ("load", include_str!("load.py")),
    ("kinds", include_str!("fallback/kinds.py")),
    ("structs", include_str!("fallback/structs.py")),
    ("lent", include_str!("fallback/lent.py")),
    ("out", include_str!("fallback/out.py")),
    ("callbacks", include_str!("fallback/callbacks.py")),
    ("calls", include_str!("fallback/calls.py")),
];

/// The package as files of a folder of its name.
pub fn generate(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let mut files = packers(api, options, diagnostics);
    if !api.only_packs() {
        files.extend(bindings(api, options, diagnostics));
    }
    files
}

fn packers(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let spelling = Spelling {
        type_name: &names::ident,
        member: &names::ident,
        variant: &names::ident,
        literal: &names::literal,
        comment: &|comment| names::docstring(comment.text, comment.indent),
    };
    let package = &options.packers(api);
    let settings = upcall_packers::python::Settings { spelling, package, docs: &options.docs };
    upcall_packers::python::files(&api.packed, &settings, diagnostics)
}

fn bindings(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let functions = crossing(api, &api.functions, "Python", diagnostics);
    let handles = Handles::new(api, &functions);
    names::check(api, &handles, diagnostics);
    let package = &options.package(api);
    let mut files = vec![
        File::new(format!("{package}/__init__.py"), package::init(api, &functions, &handles, options)),
        File::new(format!("{package}/_types.py"), package::types(api, options)),
        File::new(format!("{package}/__init__.pyi"), stubs::package(api, &functions, &handles)),
        File::new(format!("{package}/py.typed"), ""),
        File::new(format!("{package}/_ctypes.py"), ctypes::module(api, &functions, &handles, package)),
        File::new(format!("{package}/_changes.py"), changes::module(api, &functions)),
    ];
    let same = |&(name, text): &(&str, &str)| {
        File::new(format!("{package}/_{name}.py"), format!("{}{text}", package::HEADER))
    };
    files.extend(SAME.iter().map(same));
    if !relative::all(api).is_empty() {
        files.push(same(&("relative", include_str!("relative.in.py"))));
    }
    files.extend(extension(api, &functions, &handles, options));
    files
}

/// The glue crate.
fn extension(api: &Api, functions: &[&Function], handles: &Handles<'_>, options: &Options) -> Vec<File> {
    let package = &options.package(api);
    let release = |name: &str| options.release_gil.iter().any(|given| given == "*" || given == name);
    let mut native = native::Native::new(api, handles, &release);
    for function in functions {
        native.function(&Call::new(api, handles, function));
    }
    for item in &api.statics {
        native.variable(item);
    }
    let [types, functions_text, callbacks] = native.finish();
    let dependencies = "pyo3-ffi = { version = \"0.30\", default-features = false, features = [\"abi3-py311\", \"extension-module\"] }\n";
    let table = glue::table(api, functions);
    let files = [
        ("Cargo.toml", glue::manifest(&package::glue_name(package), dependencies)),
        ("build.rs", format!("{}{}", glue::HEADER, include_str!("extension.build.in"))),
        ("src/lib.rs", lib(package)),
        ("src/mirror.rs", glue::mirror(api)),
        ("src/table.rs", table),
        ("src/types.rs", types),
        ("src/functions.rs", functions_text),
        ("src/callbacks.rs", callbacks),
    ];
    let files = files.into_iter().map(|(path, text)| File::new(path, text));
    let runtime = glue::runtime(&[upcall_glue::LIBRARY, upcall_glue::CALLBACKS, upcall_glue_python::SOURCES]);
    below(&Path::new(package).join("glue"), files.chain(runtime))
}

fn lib(package: &str) -> String {
    let package = tables::c_string(package);
    format!(
        "{}//! The extension module.

mod callbacks;
mod functions;
mod mirror;
mod runtime;
mod table;
mod types;

use runtime::ffi::Obj;
use runtime::module::{{self, Module}};

static MODULE: Module = Module {{
    package: {package},
    docs: c\"The library's functions, called through CPython's stable ABI.\",
    open: |package| table::open_in(package).map(|_| ()),
    enums: types::ENUMS,
    structs: types::STRUCTS,
    handles: types::HANDLES,
    functions: functions::FUNCTIONS,
}};

#[unsafe(no_mangle)]
pub unsafe extern \"C\" fn PyInit__native() -> Obj {{
    // SAFETY: CPython calls it with the GIL.
    unsafe {{ module::init(&MODULE, open, learn) }}
}}

unsafe extern \"C\" fn open(to: Obj, arguments: Obj) -> Obj {{
    // SAFETY: CPython calls it with the module and a tuple.
    unsafe {{ module::open(&MODULE, to, arguments) }}
}}

unsafe extern \"C\" fn learn(_: Obj, classes: Obj) -> Obj {{
    // SAFETY: the package calls it with its classes.
    unsafe {{ module::learn(&MODULE, classes) }}
}}
",
        glue::HEADER,
    )
}
