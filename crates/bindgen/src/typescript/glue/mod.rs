//! The glue crate: Rust that converts each argument and calls the library through its table.

mod callbacks;

pub(super) use callbacks::exchanged;

use super::Options;
use super::code;
use super::kind::{Kind, closed, typed_array};
use crate::File;
use crate::glue::{self, rust_type};
use crate::model::{Api, Float, Function, Int, Param, Role, Signature, Ty};
use std::fmt::Write as _;

/// The functions and trampolines being written.
struct Glue<'a> {
    api: &'a Api,
    /// Those that have a trampoline, and which parameter the glue fills in.
    signatures: Vec<(&'a Signature, Option<u32>)>,
    callbacks: String,
    functions: String,
    list: String,
    /// Handles, and the function that releases each.
    releases: Vec<(&'a Ty, &'a str)>,
}

const ALLOW: &str = "#![allow(clippy::all, dead_code, improper_ctypes_definitions, non_snake_case)]\n\
                     #![allow(non_upper_case_globals, unused_imports, unused_variables)]\n\n";

/// The crate's files, in the folder `glue`.
pub(super) fn files(api: &Api, functions: &[&Function], options: &Options) -> Vec<File> {
    let mut made = Glue {
        api,
        signatures: Vec::new(),
        callbacks: String::new(),
        functions: String::new(),
        list: String::new(),
        releases: functions.iter().filter_map(|function| released(api, function)).collect(),
    };
    for function in functions {
        made.function(function);
    }
    let fields: Vec<String> = code::signatures(api)
        .into_iter()
        .map(|signature| format!("&{}", made.signature(signature, false)))
        .collect();
    let functions_text = format!(
        "{}//! The library's functions.\n\n{ALLOW}use super::callbacks::*;\nuse super::mirror;\nuse super::runtime::callback::{{self, returned}};\n\
         use super::runtime::module::{{Function, failed}};\nuse super::runtime::value::*;\nuse super::table::table;\n{}\n\
         pub static FUNCTIONS: &[Function] = &[\n{}];\n",
        glue::HEADER,
        made.functions,
        made.list
    );
    let callbacks = format!(
        "{}//! Trampolines: what native code calls for a JavaScript function.\n\n{ALLOW}use super::mirror;\n\
         use super::runtime::callback::{{self, Address, Signature}};\nuse super::runtime::value::*;\n\
         use std::sync::atomic::{{AtomicUsize, Ordering::Relaxed}};\n\n\
         static RESULT: Info = Info {{ name: \"a callback\", params: &[] }};\n{}\n\
         /// Of functions in fields.\npub static FIELDS: &[&Signature] = &[{}];\n",
        glue::HEADER,
        made.callbacks,
        fields.join(", ")
    );
    let name = super::glue_name(api);
    let dependencies = "napi-sys = { version = \"3.4\", features = [\"napi8\"] }\n";
    let files = [
        ("Cargo.toml", glue::manifest(&name, dependencies)),
        ("src/lib.rs", lib(api, options)),
        ("src/mirror.rs", glue::mirror(api)),
        ("src/table.rs", glue::table(api, functions)),
        ("src/functions.rs", functions_text),
        ("src/callbacks.rs", callbacks),
    ];
    let files = files.into_iter().map(|(path, text)| (path.to_owned(), text));
    files
        .chain(super::runtime::modules())
        .map(|(path, text)| File::new(format!("glue/{path}"), text))
        .collect()
}

fn lib(api: &Api, options: &Options) -> String {
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

/// Whether 64-bit integers are returned as numbers if those hold them exactly.
pub const NUMBERS: bool = {};

/// Whether the last values of a `usize` are errors, which are negative numbers.
pub const MARKED_SIZES: bool = {};

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
        options.numbers,
        api.from_c,
        variables.trim_end_matches(", ").replace("table.", "_table.")
    )
}

impl<'a> Glue<'a> {
    fn function(&mut self, function: &'a Function) {
        let api = self.api;
        let index = self.list.lines().count();
        let signature = &function.signature;
        let shown: Vec<String> = shown(signature).map(|(_, param)| format!("{:?}", param.name)).collect();
        let (mut given, mut body, mut arguments) = (Vec::new(), String::new(), Vec::new());
        let mut place = 0;
        for (number, param) in signature.params.iter().enumerate() {
            if let Some(of) = param.context_of {
                arguments.push(format!("b{of}.context().cast()"));
                continue;
            }
            let (name, at) = (format!("a{number}"), format!("At(&INFO, {place})"));
            place += 1;
            given.push(name.clone());
            let mut room = || {
                let _ = writeln!(body, "        let mut room_{number} = Room::new();");
            };
            let taken = match Kind::of(api, &param.ty) {
                Kind::Nothing | Kind::Opaque => {
                    let ty = rust_type(api, &param.ty);
                    arguments.push(format!("std::mem::zeroed::<{ty}>()"));
                    continue;
                }
                Kind::Slice(_, of, _) => {
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
                Kind::Str(_) => {
                    room();
                    let ty = rust_type(api, &param.ty);
                    arguments.push(format!("{ty} {{ data: {name}.0, len: {name}.1 }}"));
                    format!("take_str(env, {name}, {at}, &mut room_{number})?")
                }
                Kind::Pointer(pointer) if is_c_text(api, pointer) => {
                    room();
                    arguments.push(name.clone());
                    format!("take_c_text(env, {name}, {at}, &mut room_{number})?")
                }
                Kind::Function(callback, nullable) => {
                    let context = signature.context_of(number).is_some();
                    let of = self.signature(callback, context);
                    arguments.push(format!("b{number}.function()"));
                    let _ = writeln!(
                        body,
                        "        let b{number} = callback::take(env, {name}, &{of}, {nullable}, {at})?;"
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
        let name = glue::ident(&function.name);
        let _ = writeln!(body, "        let result = (table().{name})({});", arguments.join(", "));
        let unwanted = self.unwanted(function);
        let _ = write!(
            body,
            "        if let Err(thrown) = returned(env) {{\n{unwanted}            return Err(thrown);\n        }}\n"
        );
        if function.fallible {
            body.push_str(
                "        if !failure.is_null() {\n            let message = (*failure).message;\n            \
                 return Err(failed(env, (message.data, message.len), (*failure).code, || (table().upcall_failure_release)(failure)));\n        }\n",
            );
        }
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

/// The handle that a function releases, if that is all it does.
fn released<'a>(api: &'a Api, function: &'a Function) -> Option<(&'a Ty, &'a str)> {
    let [param] = &function.signature.params[..] else { return None };
    let Ty::Pointer(pointer) = api.resolve(&param.ty) else { return None };
    let release = function.role() == Some(Role::Release);
    let simple = release && function.signature.ret == Ty::Unit && !function.fallible;
    simple.then_some((api.resolve(&pointer.to), function.name.as_str()))
}

impl Glue<'_> {
    /// What happens to a result and a failure when a callback has thrown: nobody else would release them.
    fn unwanted(&self, function: &Function) -> String {
        let mut drops = String::new();
        if function.fallible {
            drops.push_str(
                "            if !failure.is_null() {\n                (table().upcall_failure_release)(failure);\n            }\n",
            );
        }
        let ret = &function.signature.ret;
        match Kind::of(self.api, ret) {
            Kind::Text(_) | Kind::Buffer(..) => drops.push_str(
                "            if let Some(release) = result.release {\n                release(result.data, result.len, result.capacity);\n            }\n",
            ),
            Kind::Pointer(pointer) if pointer.owned => {
                let released = self.releases.iter().find(|(to, _)| **to == *self.api.resolve(&pointer.to));
                if let Some((_, release)) = released {
                    let release = glue::ident(release);
                    let _ = write!(
                        drops,
                        "            if !result.is_null() {{\n                (table().{release})(result);\n            }}\n"
                    );
                }
            }
            _ => {}
        }
        drops
    }
}

/// The parameters that JavaScript passes.
pub(super) fn shown(signature: &Signature) -> impl Iterator<Item = (usize, &Param)> {
    signature.params.iter().enumerate().filter(|(_, param)| param.context_of.is_none())
}

/// Whether a pointer may be a string: `const char*`.
pub(super) fn is_c_text(api: &Api, pointer: &crate::model::Pointer) -> bool {
    !pointer.mutable && *api.resolve(&pointer.to) == Ty::Int(Int::CChar)
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
        Kind::Int(8, true) => return format!("take_i64(env, {name}, {at})"),
        Kind::Int(8, false) => return format!("take_u64(env, {name}, {at})"),
        Kind::Int(16, true) => "take_i128",
        Kind::Int(16, false) => "take_u128",
        Kind::Int(size, signed) => {
            let sign = if signed { 'i' } else { 'u' };
            return format!("take_int::<{sign}{}>(env, {name}, {at})", size * 8);
        }
        Kind::Size(true) => "take_isize",
        Kind::Size(false) => "take_usize",
        Kind::Pointer(_) => "take_address",
        _ => return format!("take_record::<{}>(env, {name}, {at})", rust_type(api, ty)),
    };
    format!("{function}(env, {name}, {at})")
}

/// How a result is returned: an `Outcome`. A result that is not a JavaScript value is written to the argument `to`.
fn give(api: &Api, ty: &Ty, name: &str) -> String {
    let function = match Kind::of(api, ty) {
        Kind::Nothing | Kind::Opaque => return "nothing(env)".into(),
        Kind::Bool => "give_bool",
        Kind::Char => "give_u32",
        Kind::Float(Float::F32) => return format!("give_f64(env, {name}.into())"),
        Kind::Float(Float::F64) => "give_f64",
        Kind::Int(8, true) => "give_i64",
        Kind::Int(8, false) => "give_u64",
        Kind::Int(16, true) => "give_i128",
        Kind::Int(16, false) => "give_u128",
        Kind::Int(_, true) => return format!("give_i32(env, {name}.into())"),
        Kind::Int(_, false) => return format!("give_u32(env, {name}.into())"),
        Kind::Size(true) => "give_isize",
        Kind::Size(false) => "give_usize",
        Kind::Pointer(_) => "give_address",
        Kind::Function(..) => "give_function",
        Kind::Str(_) => return format!("give_str(env, {name}.data, {name}.len)"),
        Kind::Text(_) if name == "result" => {
            return format!("give_text(env, {name}.data, {name}.len, {name}.capacity, {name}.release)");
        }
        _ => return format!("give_record(env, to, {name})"),
    };
    format!("{function}(env, {name})")
}
