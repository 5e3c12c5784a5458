//! The extension's functions and callbacks: Rust that converts each argument and calls through the table.

use super::handles::{handle_behind, handles, shown_params, simple_release};
use super::kind::{Kind, kind, out, plain, pointee, repr, says, shape};
use super::names::ident;
use super::tables::{Tables, at, c_string, enum_static, handle_static, struct_static};
use crate::glue::{self, rust_type};
use crate::model::{Api, Float, Function, Int, Pointer, Role, Static, Ty};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The functions' file being written.
pub(super) struct Native<'a> {
    pub api: &'a Api,
    pub tables: Tables<'a>,
    pub callbacks: String,
    functions: String,
    infos: String,
    list: String,
    release: &'a dyn Fn(&str) -> bool,
    /// The function that releases each handle.
    releases: HashMap<u32, &'a str>,
}

const USES: &str = "
#![allow(clippy::all, improper_ctypes_definitions, non_snake_case, non_upper_case_globals)]
#![allow(dead_code, unused_imports, unused_variables)]

use super::mirror;
use super::runtime::callback::{self, Signature};
use super::runtime::call::{self, Given, Info, Running, arguments};
use super::runtime::ffi::*;
use super::runtime::handle;
use super::runtime::kind::Kind;
use super::runtime::number::*;
use super::runtime::object;
use super::runtime::out::take_out;
use super::runtime::owned;
use super::runtime::stand_in::stand_in;
use super::runtime::view::{self, *};
use super::types::*;
";

impl<'a> Native<'a> {
    pub(super) fn new(
        api: &'a Api,
        functions: &[&'a Function],
        package: &'a str,
        release: &'a dyn Fn(&str) -> bool,
    ) -> Native<'a> {
        let released = handles(api, functions).into_iter();
        let releases =
            released.filter_map(|of| Some((of.id.0, simple_release(of.release?)?.name.as_str()))).collect();
        Native {
            releases,
            api,
            tables: Tables::new(api, package),
            callbacks: String::new(),
            functions: String::new(),
            infos: String::new(),
            list: String::new(),
            release,
        }
    }

    /// The texts of `types.rs`, `functions.rs` and `callbacks.rs`.
    pub(super) fn finish(mut self) -> [String; 3] {
        self.tables.types();
        self.trampolines();
        let functions = format!(
            "{}//! The library's functions.\n{USES}use super::callbacks::*;\nuse super::runtime::module::Function;\n\
             use super::table::table;\n{}\nstatic INFOS: &[Info] = &[\n{}];\n\npub static FUNCTIONS: &[Function] = &[\n{}];\n",
            glue::HEADER,
            self.functions,
            self.infos,
            self.list
        );
        let callbacks = format!(
            "{}//! Trampolines: what native code calls for a Python function.\n{USES}use super::runtime::callback::Address;\n\
             use std::sync::atomic::{{AtomicUsize, Ordering::Relaxed}};\n{}",
            glue::HEADER,
            self.callbacks
        );
        [self.tables.text, functions, callbacks]
    }

    /// Adds a function.
    pub(super) fn function(&mut self, function: &'a Function) {
        let (name, signature) = (ident(&function.name), &function.signature);
        let release = (self.release)(&function.name);
        let index = self.infos.lines().count();
        let shown = shown_params(function);
        let infos: Vec<String> = shown.iter().map(|param| at(param, &name)).collect();
        let _ = writeln!(
            self.infos,
            "    Info {{ name: {}, params: &[{}] }},",
            c_string(&name),
            infos.join(", ")
        );
        let docs = format!("{name}({})\n--\n\n{}", shown.join(", "), function.docs.trim());
        let _ = writeln!(
            self.list,
            "    Function {{ name: {}, call: call_{index}, docs: {} }},",
            c_string(&name),
            c_string(&docs)
        );
        let mut body = String::new();
        if let Some(why) = &function.deprecated {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            let message = c_string(&format!("{name}() is deprecated{why}"));
            let _ = writeln!(body, "        call::deprecated({message})?;");
        }
        let given: Vec<String> = (0..shown.len()).map(|place| format!("a{place}")).collect();
        let _ = writeln!(body, "        let [{}] = arguments(info, given, count, names)?;", given.join(", "));
        let mut arguments = Vec::new();
        let mut place = 0;
        let mut calls_back = false;
        // Handles come last: anything between them and the call may run Python code, which may close them.
        let (mut last, mut held) = (String::new(), Vec::new());
        let releases = function.role() == Some(Role::Release);
        for param in &signature.params {
            if param.context_of.is_some() {
                arguments.push(String::new());
                continue;
            }
            let at = format!("&info.params[{place}]");
            if let Some((id, pointer)) = handle_behind(self.api, &param.ty) {
                let (of, nullable) = (handle_static(self.api, id), pointer.nullable);
                let give = pointer.owned || releases;
                let _ = writeln!(
                    last,
                    "        let a{place} = handle::take(a{place}, &{of}, {nullable}, {give}, {at})?;"
                );
                arguments.push(format!("a{place}.cast()"));
                held.push(format!("a{place} as usize"));
                place += 1;
                continue;
            }
            let (take, argument) = self.take(&param.ty, &format!("a{place}"), &at, release);
            let _ = writeln!(body, "        {take}");
            arguments.push(argument);
            calls_back |= matches!(plain(self.api, &param.ty), Kind::Function(..));
            place += 1;
        }
        let shown_index = |of: u32| {
            let before = &signature.params[..of as usize];
            before.iter().filter(|param| param.context_of.is_none()).count()
        };
        for (param, argument) in signature.params.iter().zip(&mut arguments) {
            if let Some(of) = param.context_of {
                *argument = format!("a{}.context().cast()", shown_index(of));
            }
        }
        body.push_str(&last);
        if releases && !held.is_empty() && simple_release(function).is_some() {
            let name = glue::ident(&function.name);
            let _ = writeln!(
                body,
                "        if handle::leave(a0, |address| (table().{name})(address as *mut _)) {{\n            return Ok(none());\n        }}"
            );
            held.clear();
        }
        self.call(function, &arguments, calls_back, &held, &mut body);
        let _ = write!(
            self.functions,
            "\nunsafe extern \"C\" fn call_{index}(_: Obj, given: Given, count: isize, names: Obj) -> Obj {{\n    \
             let info = &INFOS[{index}];\n    // SAFETY: CPython's arguments; what the library asks for is the caller's promise.\n    \
             let run = || unsafe {{\n{body}    }};\n    returned(run())\n}}\n"
        );
    }

    fn call(
        &mut self,
        function: &'a Function,
        arguments: &[String],
        calls_back: bool,
        held: &[String],
        body: &mut String,
    ) {
        let mut arguments = arguments.to_vec();
        if function.fallible {
            body.push_str("        let mut failure = std::ptr::null_mut();\n");
            arguments.push("&mut failure".into());
        }
        let release = (self.release)(&function.name);
        let held = held.join(", ");
        let _ = writeln!(body, "        let running = Running::begin({calls_back}, {release}, [{held}]);");
        let name = glue::ident(&function.name);
        let _ = writeln!(body, "        let result = (table().{name})({});", arguments.join(", "));
        let unwanted = self.unwanted(function);
        let _ = writeln!(body, "        running.end(){unwanted}?;");
        if function.fallible {
            body.push_str(
                "        if !failure.is_null() {\n            let (message, code) = ((*failure).message, (*failure).code);\n            \
                 return Err(call::failed(failure, message, code, table().upcall_failure_release));\n        }\n",
            );
        }
        let give = self.give(&function.signature.ret, "result");
        let _ = writeln!(body, "        {give}");
    }

    /// What happens to a result and a failure when a callback has raised: nobody else would release them.
    fn unwanted(&self, function: &Function) -> String {
        let mut drops = Vec::new();
        if function.fallible {
            drops.push("if !failure.is_null() { (table().upcall_failure_release)(failure) }".to_owned());
        }
        let ret = &function.signature.ret;
        match kind(self.api, ret) {
            Kind::Text | Kind::Buffer(_) => drops.push("owned::drop(result)".into()),
            _ => {
                if let Some((id, pointer)) = handle_behind(self.api, ret)
                    && pointer.owned
                    && let Some(release) = self.releases.get(&id.0)
                {
                    let release = glue::ident(release);
                    drops.push(format!("if !result.is_null() {{ (table().{release})(result) }}"));
                }
            }
        }
        match drops.is_empty() {
            true => String::new(),
            false => format!(".inspect_err(|_| {{ {} }})", drops.join("; ")),
        }
    }

    /// The statement that takes an argument, and how the taken value is passed. Views are filled in place.
    fn take(&mut self, ty: &Ty, name: &str, at: &str, release: bool) -> (String, String) {
        let api = self.api;
        match kind(api, ty) {
            Kind::Slice(of, mutable) => {
                let element = self.tables.element(of);
                let take = format!(
                    "let mut v{name} = View::new();\n        take_slice(&mut v{name}, {name}, &{element}, {mutable}, {at})?;"
                );
                (take, format!("v{name}.slice()"))
            }
            Kind::Str => (format!("let {name} = take_str({name}, {at})?;"), format!("{name}.slice()")),
            Kind::Function(signature, nullable) => {
                let signature = self.tables.signature(signature);
                (
                    format!(
                        "let {name} = callback::take({name}, &{signature}, {nullable}, {release}, {at})?;"
                    ),
                    format!("{name}.function()"),
                )
            }
            Kind::Pointer(pointer) if pointee(api, pointer).is_none() => {
                let (of, text) = match plain(api, &pointer.to) {
                    Kind::Nothing if *api.resolve(&pointer.to) == Ty::Unit => ("None".into(), false),
                    Kind::Bool | Kind::Char | Kind::Int(_) | Kind::Float(_) | Kind::Enum(_) => {
                        let text = api.resolve(&pointer.to) == &Ty::Int(Int::CChar) && !pointer.mutable;
                        (format!("Some(&{})", self.tables.element(&pointer.to)), text)
                    }
                    _ if out(api, pointer) => return self.take_out(pointer, name, at),
                    _ => {
                        let nullable = pointer.nullable;
                        return (
                            format!("let {name} = take_address({name}, None, {nullable}, {at})?;"),
                            format!("{name}.cast()"),
                        );
                    }
                };
                let (mutable, nullable) = (pointer.mutable, pointer.nullable);
                let take = format!(
                    "let mut v{name} = View::new();\n        take_elements(&mut v{name}, {name}, {of}, {mutable}, {nullable}, {text}, {at})?;"
                );
                (take, format!("v{name}.pointer()"))
            }
            Kind::Pointer(pointer) if out(api, pointer) => self.take_out(pointer, name, at),
            _ => (format!("let {name} = {};", self.take_plain(ty, name, at)), name.to_owned()),
        }
    }

    /// The same for a pointer through which native code writes a struct or an address.
    fn take_out(&mut self, pointer: &Pointer, name: &str, at: &str) -> (String, String) {
        let element = self.tables.element(&pointer.to);
        let of = pointee(self.api, pointer);
        let of = of.map_or_else(|| "None".into(), |id| format!("Some(&{})", struct_static(self.api, id)));
        let nullable = pointer.nullable;
        (
            format!("let {name} = take_out({name}, {of}, &{element}, {nullable}, {at})?;"),
            format!("{name}.cast()"),
        )
    }

    /// How a value that borrows nothing is taken; also used for a callback's result.
    pub(super) fn take_plain(&mut self, ty: &Ty, name: &str, at: &str) -> String {
        let api = self.api;
        match plain(api, ty) {
            Kind::Nothing => format!("take_nothing({name}, {at})?"),
            Kind::Bool => format!("take_bool({name}, {at})?"),
            Kind::Char => format!("take_char({name}, {at})?"),
            Kind::Int(int) if api.int_size(int) == 16 => {
                let (signed, ty) = (shape(api, int).1, rust_type(api, &Ty::Int(int)));
                format!("take_wide({name}, {signed}, {at})? as {ty}")
            }
            Kind::Int(int) => format!("take_int::<{}>({name}, {at})?", rust_type(api, &Ty::Int(int))),
            Kind::Float(Float::F32) => format!("take_f32({name}, {at})?"),
            Kind::Float(Float::F64) => format!("take_f64({name}, {at})?"),
            Kind::Enum(id) => {
                let repr = rust_type(api, &Ty::Int(repr(api, id)));
                format!("take_enum::<{repr}>({name}, &{}, {at})?", enum_static(api, id))
            }
            Kind::Struct(id) => {
                format!("object::take::<{}>({name}, &{}, {at})?", rust_type(api, ty), struct_static(api, id))
            }
            Kind::Array(..) => {
                let kind = self.tables.kind(ty);
                format!("take_memory::<{}>({name}, {kind}, {at})?", rust_type(api, ty))
            }
            Kind::Pointer(pointer) => {
                let of = pointee(api, pointer);
                if let Some(id) = of.filter(|_| !pointer.mutable && !api.limits(&pointer.to).is_empty()) {
                    let (of, nullable) = (struct_static(api, id), pointer.nullable);
                    return format!("take_read({name}, &{of}, {nullable}, {at})?.cast()");
                }
                let of = of.map_or_else(|| "None".into(), |id| format!("Some(&{})", struct_static(api, id)));
                format!("take_address({name}, {of}, {}, {at})?.cast()", pointer.nullable)
            }
            Kind::Function(..) | Kind::Address => {
                format!(
                    "std::mem::transmute::<*mut u8, {}>(take_address({name}, None, true, {at})?)",
                    rust_type(api, ty)
                )
            }
            Kind::Slice(..) | Kind::Str | Kind::Text | Kind::Buffer(_) => unreachable!("a plain kind"),
        }
    }

    /// How a result is given to Python.
    pub(super) fn give(&mut self, ty: &Ty, name: &str) -> String {
        let api = self.api;
        match kind(api, ty) {
            Kind::Nothing => "Ok(none())".into(),
            Kind::Bool => format!("give_bool({name})"),
            Kind::Char => format!("give_char({name})"),
            Kind::Int(int) if api.int_size(int) == 16 => {
                format!("give_wide({name} as u128, {})", shape(api, int).1)
            }
            Kind::Int(_) => format!("give_int({name})"),
            Kind::Float(Float::F32) => format!("give_float({name}.into())"),
            Kind::Float(Float::F64) => format!("give_float({name})"),
            Kind::Enum(id) => format!("give_enum({name}, &{})", enum_static(api, id)),
            Kind::Struct(id) => format!("object::give({name}, &{})", struct_static(api, id)),
            Kind::Array(..) => {
                let kind = self.tables.kind(ty);
                format!("give_memory({name}, {kind})")
            }
            Kind::Pointer(pointer) if says(api, pointer) => format!("give_said({name})"),
            Kind::Pointer(_) => format!("give_pointer({name})"),
            Kind::Function(..) | Kind::Address => format!("give_function({name})"),
            Kind::Slice(of, mutable) => {
                let element = self.tables.element(of);
                format!("give_slice({name}, &{element}, {mutable})")
            }
            Kind::Str => format!("give_str({name})"),
            Kind::Text => format!("owned::give_text({name})"),
            Kind::Buffer(of) => {
                let element = self.tables.element(of);
                format!("owned::give_buffer({name}, &{element})")
            }
        }
    }

    /// Adds the functions that read and write a static.
    pub(super) fn variable(&mut self, item: &'a Static) {
        let kind = self.tables.kind(&item.ty);
        let field = glue::ident(&item.name);
        let docs = item.docs.trim();
        // An opaque variable has only an address.
        let opaque = matches!(plain(self.api, &item.ty), Kind::Nothing);
        let get = if opaque {
            format!("give_pointer(table().{field})")
        } else {
            format!("get_memory(table().{field}, {kind})")
        };
        let mut accessors = vec![(format!("get_{}", item.name), "", get)];
        if item.mutable && !opaque {
            let put = format!("put_memory(table().{field}, {kind}, a0, &info.params[0])");
            accessors.push((format!("set_{}", item.name), "value", put));
        }
        for (name, param, body) in accessors {
            let index = self.infos.lines().count();
            let params = if param.is_empty() { String::new() } else { at(param, &name) };
            let _ = writeln!(self.infos, "    Info {{ name: {}, params: &[{params}] }},", c_string(&name));
            let docs = c_string(&format!("{name}({param})\n--\n\n{docs}"));
            let _ = writeln!(
                self.list,
                "    Function {{ name: {}, call: call_{index}, docs: {docs} }},",
                c_string(&name)
            );
            let given = if param.is_empty() { "" } else { "a0" };
            let _ = write!(
                self.functions,
                "\nunsafe extern \"C\" fn call_{index}(_: Obj, given: Given, count: isize, names: Obj) -> Obj {{\n    \
                 let info = &INFOS[{index}];\n    // SAFETY: CPython's arguments, the library's variable.\n    \
                 let run = || unsafe {{\n        let [{given}] = arguments(info, given, count, names)?;\n        {body}\n    }};\n    \
                 returned(run())\n}}\n"
            );
        }
    }
}
