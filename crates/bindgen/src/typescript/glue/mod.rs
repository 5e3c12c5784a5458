//! The glue crate: Rust that converts each argument and calls the library through its table.

mod callbacks;

use super::Options;
use super::callbacks::{Callback, signatures};
use super::kind::{closed, scalar_name, typed_array};
use crate::File;
use crate::glue::{self, rust_type};
use crate::model::{Api, Float, Function, Ty};
use crate::output::below;
use crate::plan::{Call, Handles, Kind, Signatures, Take, Unwanted};
use std::fmt::Write as _;

/// The functions and trampolines being written.
struct Glue<'a> {
    api: &'a Api,
    /// Those that have a trampoline.
    signatures: Signatures,
    callbacks: String,
    functions: String,
    list: String,
    /// How many functions there are.
    written: usize,
}

const ALLOW: &str = "#![allow(clippy::all, dead_code, improper_ctypes_definitions, non_snake_case)]\n\
                     #![allow(non_upper_case_globals, unused_imports, unused_variables)]\n\n";

/// The crate's files, in the folder `glue`.
pub(super) fn files(
    api: &Api,
    functions: &[&Function],
    handles: &Handles<'_>,
    options: &Options,
) -> Vec<File> {
    let mut made = Glue {
        api,
        signatures: Signatures::default(),
        callbacks: String::new(),
        functions: String::new(),
        list: String::new(),
        written: 0,
    };
    for function in functions {
        made.function(&Call::new(api, handles, function));
    }
    let fields: Vec<String> = signatures(api)
        .into_iter()
        .map(|signature| format!("&{}", made.signature(Callback::in_field(signature))))
        .collect();
    let functions_text = format!(
        "{}//! The library's functions.\n\n{ALLOW}use super::callbacks::*;\nuse super::mirror;\nuse super::runtime::callback::{{self, returned}};\nuse super::runtime::{{held, kept}};\n\
         use super::runtime::module::{{Function, failed}};\nuse super::runtime::value::*;\nuse super::table::table;\n{}\n\
         pub static FUNCTIONS: &[Function] = &[\n{}];\n",
        glue::HEADER,
        made.functions,
        made.list
    );
    let callbacks = format!(
        "{}//! Trampolines: what native code calls for a JavaScript function.\n\n{ALLOW}use super::mirror;\n\
         use super::runtime::{{callback, kept}};\n{}use super::runtime::value::*;\n\n\
         static RESULT: Info = Info {{ name: \"a callback\", params: &[] }};\n{}\n\
         /// Of functions in fields.\npub static FIELDS: &[&Signature] = &[{}];\n",
        glue::HEADER,
        glue::TRAMPOLINE_USES,
        made.callbacks,
        fields.join(", ")
    );
    let name = super::glue_name(api);
    let dependencies = "napi-sys = { version = \"3.4\", features = [\"napi8\"] }\n";
    let files = [
        ("Cargo.toml", glue::manifest(&name, dependencies)),
        ("src/lib.rs", lib(api)),
        ("src/mirror.rs", glue::mirror(api)),
        ("src/table.rs", glue::table(api, functions)),
        ("src/functions.rs", functions_text),
        ("src/callbacks.rs", callbacks),
    ];
    let files = files.into_iter().map(|(path, text)| File::new(path, text));
    let settings = settings(api, options);
    let own = [("settings", settings.as_str())];
    let sources = [upcall_glue::LIBRARY, upcall_glue::CALLBACKS, upcall_glue_node::SOURCES, &own];
    below("glue".as_ref(), files.chain(glue::runtime(&sources)))
}

/// What `upcall_glue_node::settings` is for this package.
fn settings(api: &Api, options: &Options) -> String {
    let (numbers, marked) = (options.numbers, api.from_c);
    format!("pub const NUMBERS: bool = {numbers};\npub const MARKED_SIZES: bool = {marked};\n")
}

fn lib(api: &Api) -> String {
    let variables: String =
        api.statics.iter().map(|item| format!("table.{} as *const _, ", glue::ident(&item.name))).collect();
    format!(
        "{}//! The Node-API module.

mod callbacks;
mod functions;
mod mirror;
mod runtime;
mod table;

use runtime::module::{{self, Function}};
use runtime::value::*;

#[unsafe(no_mangle)]
pub unsafe extern \"C\" fn napi_register_module_v1(env: napi_env, exports: napi_value) -> napi_value {{
    // SAFETY: called by Node.
    unsafe {{
        let exports = module::register(env, exports, functions::FUNCTIONS);
        let own = [Function {{ name: c\"$open\", call: open }}, Function {{ name: c\"$function\", call: function }}];
        module::register(env, exports, &own)
    }}
}}

unsafe extern \"C\" fn function(env: napi_env, info: napi_callback_info) -> napi_value {{
    // SAFETY: called by runtime.js.
    unsafe {{ module::function(env, info, callbacks::FIELDS) }}
}}

unsafe extern \"C\" fn open(env: napi_env, info: napi_callback_info) -> napi_value {{
    // SAFETY: called by index.js.
    unsafe {{ module::open(env, info, |path| table::open(path).map(|_table| variables(_table))) }}
}}

fn variables(_table: &table::Table) -> Vec<*const std::ffi::c_void> {{
    vec![{}]
}}
",
        glue::HEADER,
        variables.trim_end_matches(", ").replace("table.", "_table.")
    )
}

impl<'a> Glue<'a> {
    fn function(&mut self, call: &Call<'a>) {
        let (api, function) = (self.api, call.function);
        let index = self.written;
        self.written += 1;
        let signature = &function.signature;
        let shown: Vec<String> = call.shown().map(|arg| format!("{:?}", arg.param.name)).collect();
        let (mut given, mut body, mut arguments) = (Vec::new(), String::new(), Vec::new());
        let mut place = 0;
        for arg in &call.args {
            let (number, param) = (arg.index, arg.param);
            let (name, at) = (format!("a{number}"), format!("At(&INFO, {place})"));
            match arg.take {
                Take::Context(of) => {
                    arguments.push(format!("b{of}.context().cast()"));
                    continue;
                }
                Take::Release(_) => {
                    arguments.push("Some(kept::release)".into());
                    continue;
                }
                _ => {}
            }
            place += 1;
            given.push(name.clone());
            let mut room = || {
                let _ = writeln!(body, "        let mut room_{number} = Room::new();");
            };
            let taken = match arg.take {
                Take::Value(Kind::Nothing | Kind::Empty(_) | Kind::Opaque(_)) => {
                    let ty = rust_type(api, &param.ty);
                    arguments.push(format!("std::mem::zeroed::<{ty}>()"));
                    continue;
                }
                Take::Value(Kind::Slice(_, of, _)) => {
                    let ty = rust_type(api, &param.ty);
                    let element = rust_type(api, of);
                    let slice = format!("{ty} {{ data: {name}.0.cast(), len: {name}.1 }}");
                    arguments.push(slice);
                    match typed_array(Kind::of(api, of)) {
                        Some((array, code)) => {
                            format!("take_typed::<{element}>(env, {name}, {code}, \"a {array}\", {at})?")
                        }
                        None => {
                            given.push(format!("{name}_len"));
                            format!(
                                "(take_address::<{element}>(env, {name}, {at})?, take_usize(env, {name}_len, {at})?)"
                            )
                        }
                    }
                }
                Take::Value(Kind::Str(_)) => {
                    room();
                    let ty = rust_type(api, &param.ty);
                    arguments.push(format!("{ty} {{ data: {name}.0, len: {name}.1 }}"));
                    format!("take_str(env, {name}, {at}, &mut room_{number})?")
                }
                Take::Text(_) => {
                    room();
                    arguments.push(name.clone());
                    format!("take_c_text(env, {name}, {at}, &mut room_{number})?")
                }
                Take::Function(callback, context) if callback.signature.kept => {
                    let of = self.signature(Callback::passed(callback, context));
                    arguments.push(format!("{of}.at(0).function()"));
                    let _ = writeln!(body, "        let b{number} = kept::take(env, {name}, {at})?;");
                    continue;
                }
                Take::Function(callback, context) => {
                    let of = self.signature(Callback::passed(callback, context));
                    arguments.push(format!("b{number}.function()"));
                    let _ = writeln!(
                        body,
                        "        let b{number} = callback::take(env, {name}, &{of}, {}, {at})?;",
                        callback.nullable
                    );
                    continue;
                }
                _ => {
                    arguments.push(name.clone());
                    take(api, &param.ty, &name, &at) + "?"
                }
            };
            let _ = writeln!(body, "        let {name} = {taken};");
        }
        let result = give(api, &signature.ret, "result");
        if result.contains(" to, ") {
            given.push("to".into());
        }
        if function.fallible {
            body.push_str("        let mut failure = std::ptr::null_mut();\n");
            arguments.push("&mut failure".into());
        }
        for arg in &call.args {
            if let Take::Handle { gives: true, .. } = arg.take {
                let _ = writeln!(body, "        held::forget(a{});", arg.index);
            }
        }
        let name = glue::ident(&function.name);
        let _ = writeln!(body, "        let result = (table().{name})({});", arguments.join(", "));
        let unwanted = unwanted(call);
        let _ = write!(
            body,
            "        if let Err(thrown) = returned(env) {{\n{unwanted}            return Err(thrown);\n        }}\n"
        );
        if function.fallible {
            let own = match &function.error {
                Some(error) => format!("Some(c\"_{}\")", api.error_class(error, &[])),
                None => "None".into(),
            };
            let _ = write!(
                body,
                "        if !failure.is_null() {{\n            let message = (*failure).message;\n            \
                 return Err(failed(env, (message.data, message.len), (*failure).code, {own}, || (table().upcall_failure_release)(failure)));\n        }}\n",
            );
        }
        body.push_str(&held(call));
        let _ = writeln!(self.list, "    Function {{ name: c{:?}, call: call_{index} }},", function.name);
        let _ = write!(
            self.functions,
            "\nunsafe extern \"C\" fn call_{index}(env: napi_env, info: napi_callback_info) -> napi_value {{\n    \
             static INFO: Info = Info {{ name: {:?}, params: &[{}] }};\n    \
             // SAFETY: Node's arguments; what the library asks for is the caller's promise.\n    \
             unsafe {{ run(env, info, |[{}]| {{\n{body}        {result}\n    }}) }}\n}}\n",
            function.name,
            shown.join(", "),
            given.join(", ")
        );
    }
}

/// What happens to a result and a failure when a callback has thrown: nobody else would release them.
fn unwanted(call: &Call<'_>) -> String {
    let mut drops = String::new();
    if call.function.fallible {
        drops.push_str(
            "            if !failure.is_null() {\n                (table().upcall_failure_release)(failure);\n            }\n",
        );
    }
    match call.unwanted {
        Some(Unwanted::Owned) => drops.push_str(
            "            if let Some(release) = result.release {\n                release(result.data, result.len, result.capacity);\n            }\n",
        ),
        Some(Unwanted::Object(release)) => {
            let release = glue::ident(&release.name);
            let _ = write!(
                drops,
                "            if !result.is_null() {{\n                (table().{release})(result);\n            }}\n"
            );
        }
        None => {}
    }
    drops
}

/// Writes down what JavaScript must release from now on.
fn held(call: &Call<'_>) -> String {
    match call.unwanted {
        // Text becomes JavaScript's own at once.
        Some(Unwanted::Owned) if matches!(call.result, Kind::Buffer(..)) => {
            let (data, len) = ("result.data", "result.len, result.capacity");
            format!("        held::elements({data}, {len}, std::mem::transmute(result.release));\n")
        }
        Some(Unwanted::Object(release)) => {
            let release = glue::ident(&release.name);
            format!("        held::object(result, |object| (table().{release})(object.cast()));\n")
        }
        _ => String::new(),
    }
}

/// How a scalar or a record is taken: an `Outcome`.
fn take(api: &Api, ty: &Ty, name: &str, at: &str) -> String {
    let taken = take_any(api, ty, name, at);
    let Some((declared, of)) = closed(api, ty) else { return taken };
    let values: Vec<String> = of.variants.iter().map(|variant| variant.value.to_string()).collect();
    let (values, name) = (values.join(" | "), &declared.name);
    format!("{taken}.and_then(|value| known(env, value, matches!(value, {values}), {at}, {name:?}))")
}

fn take_any(api: &Api, ty: &Ty, name: &str, at: &str) -> String {
    let function = match Kind::plain(api, ty) {
        Kind::Bool => "take_bool",
        Kind::Char => "take_int::<u32>",
        Kind::Float(Float::F32) => "take_f32",
        Kind::Float(Float::F64) => "take_f64",
        Kind::Int(number) if number.bytes >= 8 || number.is_word() => {
            return format!("take_{}(env, {name}, {at})", scalar_name(number));
        }
        Kind::Int(number) => return format!("take_int::<{}>(env, {name}, {at})", number.name()),
        Kind::Pointer(_) => "take_address",
        _ => return format!("take_record::<{}>(env, {name}, {at})", rust_type(api, ty)),
    };
    format!("{function}(env, {name}, {at})")
}

/// How a result is returned: an `Outcome`. A result that is not a JavaScript value is written to the argument `to`.
fn give(api: &Api, ty: &Ty, name: &str) -> String {
    let function = match Kind::of(api, ty) {
        Kind::Nothing | Kind::Empty(_) | Kind::Opaque(_) => return "nothing(env)".into(),
        Kind::Bool => "give_bool",
        Kind::Char => "give_u32",
        Kind::Float(Float::F32) => return format!("give_f64(env, {name}.into())"),
        Kind::Float(Float::F64) => "give_f64",
        Kind::Int(number) if number.bytes >= 8 || number.is_word() => {
            return format!("give_{}(env, {name})", scalar_name(number));
        }
        Kind::Int(number) => {
            let sign = if number.signed { 'i' } else { 'u' };
            return format!("give_{sign}32(env, {name}.into())");
        }
        Kind::Pointer(_) => "give_address",
        Kind::Function(_) => "give_function",
        Kind::Str(_) => return format!("give_str(env, {name}.data, {name}.len)"),
        Kind::Text(_) if name == "result" => {
            return format!("give_text(env, {name}.data, {name}.len, {name}.capacity, {name}.release)");
        }
        _ => return format!("give_record(env, to, {name})"),
    };
    format!("{function}(env, {name})")
}
