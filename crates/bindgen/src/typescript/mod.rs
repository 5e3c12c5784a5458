//! The TypeScript back end: a Node package over an addon of its own.
//!
//! | in the model | in JavaScript |
//! | --- | --- |
//! | functions | functions; arguments that are numbers go straight to the addon |
//! | structs, unions, enums with data | classes over a `DataView` and an offset, whose address is known |
//! | enums, flags | plain objects of numbers, and union types |
//! | integers of 64 bits and more | bigint; on request numbers where those are exact |
//! | `usize`, `isize`, addresses | numbers: 2^53 is enough, anything larger is an error |
//! | callbacks | functions for the duration of the call; a `Callback` if native code keeps it |
//! | handles, owned buffers | classes with `release()` and `Symbol.dispose` |
//! | packed types | classes in `pack.ts`, with `pack` and `unpack` |
//!
//! `index.js` (with `index.mjs` for modules and `index.d.ts`) needs the addon from the folder `glue`, built with
//! `cargo build --release` and copied beside it as `NAME.node`.
//!
//! [`layouts`] is another output, which needs neither.

mod backend;
mod callbacks;
pub mod check;
mod classes;
mod declarations;
mod functions;
mod glue;
mod kind;
pub mod layouts;
mod loose;
mod names;
mod runtime;

use crate::model::Api;
use crate::plan::{Handles, crossing};
use crate::{Diagnostics, File};
use upcall_packers::Spelling;

/// Options of the TypeScript back end.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// The package's name; if empty, the library's.
    pub package: String,
    /// Whether functions, parameters, fields and methods are in camel case instead of the source's own form.
    pub camel_case: bool,
    /// Whether 64-bit integers are numbers if those hold them exactly, and bigints otherwise. If not, they are always
    /// bigints.
    pub numbers: bool,
}

const HEADER: &str = "// Made by upcall bindgen; do not edit.\n";

/// The package's files.
pub fn generate(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let mut files = packers(api, options, diagnostics);
    if !api.only_packs() {
        files.extend(bindings(api, options, diagnostics));
    }
    files
}

fn packers(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let spelling = Spelling {
        type_name: &names::global,
        member: &|name| names::member(options, name),
        variant: &names::variant,
        literal: &names::quoted,
        comment: &|comment| names::docs(comment.text, comment.deprecated, comment.indent),
    };
    let settings = upcall_packers::typescript::Settings { spelling, numbers: options.numbers };
    upcall_packers::typescript::files(&api.packed, &settings, diagnostics)
}

fn bindings(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    if api.target.pointer != 8 {
        diagnostics.error(None, "TypeScript bindings are for 64-bit targets", "choose another target");
        return Vec::new();
    }
    let functions = crossing(api, &api.functions, "JavaScript", diagnostics);
    let handles = Handles::new(api, &functions);
    let with_class: Vec<u32> = handles.iter().map(|handle| handle.id.0).collect();
    names::check(api, options, &with_class, diagnostics);
    let script = functions::script(api, options, &functions, &handles);
    let package = if options.package.is_empty() { &api.library } else { &options.package };
    let manifest = format!(
        "{{\n  \"name\": {},\n  \"version\": \"0.0.0\",\n  \"private\": true,\n  \"main\": \"index.js\",\n  \
         \"types\": \"index.d.ts\",\n  \"exports\": {{\n    \".\": {{\n      \"types\": \"./index.d.ts\",\n      \
         \"import\": \"./index.mjs\",\n      \"require\": \"./index.js\"\n    }}\n  }},\n  \
         \"engines\": {{ \"node\": \">=18\" }}\n}}\n",
        names::quoted(package)
    );
    let module = format!(
        "{HEADER}import library from \"./index.js\";\n\nexport const {{\n{}}} = library;\n",
        script.exports.iter().map(|name| format!("  {name},\n")).collect::<String>()
    );
    let mut files = vec![
        File::new("index.js", script.text),
        File::new("index.mjs", module),
        File::new("index.d.ts", declarations::text(api, options, &functions, &handles)),
        File::new("runtime.js", runtime::script(api.target.big_endian)),
        File::new("package.json", manifest),
    ];
    files.extend(glue::files(api, &functions, &handles, options));
    files
}

/// The name of the addon's file, without `.node`.
fn module_name(api: &Api) -> &str {
    &api.library
}

/// The name of the glue's crate and library.
pub(crate) fn glue_name(api: &Api) -> String {
    format!("{}_node", module_name(api).replace(|char: char| !char.is_ascii_alphanumeric(), "_"))
}
