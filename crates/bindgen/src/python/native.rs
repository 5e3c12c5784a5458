//! The extension's functions and callbacks: Rust that converts each argument and calls through the table.

use super::handles::shown_params;
use super::kind::{out, pointee, says};
use super::names::{ERRORS, function_docs, ident};
use super::tables::{Tables, at, c_string, enum_static, handle_static, struct_static};
use crate::glue::{self, rust_type};
use crate::model::{Api, Float, Pointer, Static, Ty};
use crate::plan::{Call, Handles, Kind, Number, Take, Unwanted, is_text};
use std::fmt::Write as _;

/// The functions' file being written.
pub(super) struct Native<'a> {
    pub api: &'a Api,
    pub tables: Tables<'a>,
    pub callbacks: String,
    functions: String,
    /// How many functions there are.
    written: usize,
    list: String,
    release: &'a dyn Fn(&str) -> bool,
    handles: &'a Handles<'a>,
}

const USES: &str = "
#![allow(clippy::all, improper_ctypes_definitions, non_snake_case, non_upper_case_globals)]
#![allow(dead_code, unused_imports, unused_variables)]

use super::mirror;
use super::runtime::callback;
use super::runtime::call::{self, Given, Running, arguments};
use super::runtime::ffi::*;
use super::runtime::handle;
use super::runtime::kept;
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
        handles: &'a Handles<'a>,
        release: &'a dyn Fn(&str) -> bool,
    ) -> Native<'a> {
        Native {
            api,
            tables: Tables::new(api),
            callbacks: String::new(),
            functions: String::new(),
            written: 0,
            list: String::new(),
            release,
            handles,
        }
    }

    /// The texts of `types.rs`, `functions.rs` and `callbacks.rs`.
    pub(super) fn finish(mut self) -> [String; 3] {
        self.tables.types(self.handles);
        self.trampolines();
        let functions = format!(
            "{}//! The library's functions.\n{USES}use super::callbacks::*;\nuse super::runtime::module::Function;\n\
             use super::table::table;\n{}\npub static FUNCTIONS: &[Function] = &[\n{}];\n",
            glue::HEADER,
            self.functions,
            self.list
        );
        let callbacks = format!(
            "{}//! Trampolines: what native code calls for a Python function.\n{USES}{}{}",
            glue::HEADER,
            glue::TRAMPOLINE_USES,
            self.callbacks
        );
        [self.tables.text, functions, callbacks]
    }

    /// Adds a function.
    pub(super) fn function(&mut self, call: &Call<'a>) {
        let function = call.function;
        let name = ident(&function.name);
        let release = (self.release)(&function.name);
        let shown = shown_params(call);
        let mut body = String::new();
        if let Some(why) = &function.deprecated {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            let message = c_string(&format!("{name}() is deprecated{why}"));
            let _ = writeln!(body, "        call::deprecated({message})?;");
        }
        body += &arguments(shown.len());
        // Where each parameter is among those that the program passes.
        let places: Vec<usize> =
            (0..call.args.len()).map(|index| call.shown().filter(|arg| arg.index < index).count()).collect();
        let mut passed = Vec::new();
        let mut calls_back = false;
        // Handles come last: anything between them and the call may run Python code, which may close them.
        let (mut last, mut held) = (String::new(), Vec::new());
        for arg in &call.args {
            let place = places[arg.index];
            let at = format!("&info.params[{place}]");
            match arg.take {
                Take::Context(of) => passed.push(format!("a{}.context().cast()", places[of])),
                Take::Release(_) => passed.push("Some(kept::release)".into()),
                Take::Handle { id, pointer, gives } => {
                    let (of, nullable) = (handle_static(self.api, id), pointer.nullable);
                    let _ = writeln!(
                        last,
                        "        let a{place} = handle::take(a{place}, &{of}, {nullable}, {gives}, {at})?;"
                    );
                    passed.push(format!("a{place}.cast()"));
                    held.push(format!("a{place} as usize"));
                }
                _ => {
                    let (take, argument) = self.take(&arg.param.ty, &format!("a{place}"), &at, release);
                    let _ = writeln!(body, "        {take}");
                    passed.push(argument);
                    calls_back |= matches!(arg.take, Take::Function(callable, _) if callable.crosses && !callable.signature.kept);
                }
            }
        }
        body.push_str(&last);
        let simple = self.handles.iter().filter_map(|handle| handle.simple_release());
        if !held.is_empty() && simple.into_iter().any(|release| release.name == function.name) {
            let name = glue::ident(&function.name);
            let _ = writeln!(
                body,
                "        if handle::leave(a0, |address| (table().{name})(address as *mut _)) {{\n            return Ok(none());\n        }}"
            );
            held.clear();
        }
        self.call(call, passed, calls_back, &held, &mut body);
        let promise = "CPython's arguments; what the library asks for is the caller's promise.";
        self.add(&name, &shown, &function_docs(self.api, function), promise, &body);
    }

    /// Adds a function of the module.
    fn add(&mut self, name: &str, shown: &[String], docs: &str, promise: &str, body: &str) {
        let index = self.written;
        self.written += 1;
        let params: Vec<String> = shown.iter().map(|param| at(param, name)).collect();
        let docs = c_string(&format!("{name}({})\n--\n\n{docs}", shown.join(", ")));
        let (name, params) = (c_string(name), params.join(", "));
        let _ = writeln!(
            self.list,
            "    Function {{ name: {name}, params: &[{params}], call: call_{index}, docs: {docs} }},"
        );
        let _ = write!(
            self.functions,
            "\nunsafe extern \"C\" fn call_{index}(_: Obj, given: Given, count: isize, names: Obj) -> Obj {{\n    \
             let info = &FUNCTIONS[{index}];\n    // SAFETY: {promise}\n    \
             let run = || unsafe {{\n{body}    }};\n    returned(run())\n}}\n"
        );
    }

    fn call(
        &mut self,
        call: &Call<'a>,
        mut passed: Vec<String>,
        calls_back: bool,
        held: &[String],
        body: &mut String,
    ) {
        let function = call.function;
        if function.fallible {
            body.push_str("        let mut failure = std::ptr::null_mut();\n");
            passed.push("&mut failure".into());
        }
        let release = (self.release)(&function.name);
        let held = held.join(", ");
        let _ = writeln!(body, "        let running = Running::begin({calls_back}, {release}, [{held}]);");
        let name = glue::ident(&function.name);
        let _ = writeln!(body, "        let result = (table().{name})({});", passed.join(", "));
        let _ = writeln!(body, "        running.end(){}?;", unwanted(call));
        if function.fallible {
            let own = match &function.error {
                Some(error) => format!("Some(c\"_{}\")", self.api.error_class(error, ERRORS)),
                None => "None".into(),
            };
            let _ = write!(
                body,
                "        if !failure.is_null() {{\n            let (message, code) = ((*failure).message, (*failure).code);\n            \
                 return Err(call::failed(failure, message, code, table().upcall_failure_release, {own}));\n        }}\n",
            );
        }
        let give = self.give(&function.signature.ret, "result");
        let _ = writeln!(body, "        {give}");
    }

    /// The statement that takes an argument, and how the taken value is passed. Views are filled in place.
    fn take(&mut self, ty: &Ty, name: &str, at: &str, release: bool) -> (String, String) {
        let api = self.api;
        match Kind::of(api, ty) {
            Kind::Slice(_, of, mutable) => {
                let element = self.tables.element(of);
                let take = format!(
                    "let mut v{name} = View::new();\n        take_slice(&mut v{name}, {name}, &{element}, {mutable}, {at})?;"
                );
                (take, format!("v{name}.slice()"))
            }
            Kind::Str(_) => (format!("let {name} = take_str({name}, {at})?;"), format!("{name}.slice()")),
            Kind::Function(of) if of.signature.kept && of.crosses => {
                let signature = self.tables.signature(of.signature);
                (format!("let {name} = kept::take({name}, {at})?;"), format!("{signature}.at(0).function()"))
            }
            Kind::Function(of) if of.crosses => {
                let (signature, nullable) = (self.tables.signature(of.signature), of.nullable);
                (
                    format!(
                        "let {name} = callback::take({name}, &{signature}, {nullable}, {release}, {at})?;"
                    ),
                    format!("{name}.function()"),
                )
            }
            Kind::Pointer(pointer) if pointee(api, pointer).is_none() => {
                let (of, text) = match Kind::plain(api, &pointer.to) {
                    Kind::Nothing => ("None".into(), false),
                    Kind::Bool | Kind::Char | Kind::Int(_) | Kind::Float(_) => {
                        (format!("Some(&{})", self.tables.element(&pointer.to)), is_text(api, pointer))
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
        match Kind::plain(api, ty) {
            Kind::Nothing | Kind::Opaque(_) => format!("take_nothing({name}, {at})?"),
            Kind::Bool => format!("take_bool({name}, {at})?"),
            Kind::Char => format!("take_char({name}, {at})?"),
            Kind::Int(Number { int, named: Some(id), .. }) => {
                let repr = rust_type(api, &Ty::Int(int));
                format!("take_enum::<{repr}>({name}, &{}, {at})?", enum_static(api, id))
            }
            Kind::Int(number) if number.bytes == 16 => {
                let (signed, ty) = (number.signed, rust_type(api, ty));
                format!("take_wide({name}, {signed}, {at})? as {ty}")
            }
            Kind::Int(_) => format!("take_int::<{}>({name}, {at})?", rust_type(api, api.resolve(ty))),
            Kind::Float(Float::F32) => format!("take_f32({name}, {at})?"),
            Kind::Float(Float::F64) => format!("take_f64({name}, {at})?"),
            Kind::Record(id) | Kind::Empty(id) => {
                let limited = if api.limits(ty).is_empty() { "" } else { "_limited" };
                let (rust, of) = (rust_type(api, ty), struct_static(api, id));
                format!("object::take{limited}::<{rust}>({name}, &{of}, {at})?")
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
            Kind::Function(_) => {
                format!(
                    "std::mem::transmute::<*mut u8, {}>(take_address({name}, None, true, {at})?)",
                    rust_type(api, ty)
                )
            }
            Kind::Slice(..) | Kind::Str(_) | Kind::Text(_) | Kind::Buffer(..) => unreachable!("a plain kind"),
        }
    }

    /// How a result is given to Python.
    pub(super) fn give(&mut self, ty: &Ty, name: &str) -> String {
        let api = self.api;
        match Kind::of(api, ty) {
            Kind::Nothing | Kind::Opaque(_) => "Ok(none())".into(),
            Kind::Bool => format!("give_bool({name})"),
            Kind::Char => format!("give_char({name})"),
            Kind::Int(Number { named: Some(id), .. }) => {
                format!("give_enum({name}, &{})", enum_static(api, id))
            }
            Kind::Int(number) if number.bytes == 16 => {
                format!("give_wide({name} as u128, {})", number.signed)
            }
            Kind::Int(_) => format!("give_int({name})"),
            Kind::Float(Float::F32) => format!("give_float({name}.into())"),
            Kind::Float(Float::F64) => format!("give_float({name})"),
            Kind::Record(id) | Kind::Empty(id) => {
                format!("object::give({name}, &{})", struct_static(api, id))
            }
            Kind::Array(..) => {
                let kind = self.tables.kind(ty);
                format!("give_memory({name}, {kind})")
            }
            Kind::Pointer(pointer) if says(api, pointer) => format!("give_said({name})"),
            Kind::Pointer(_) => format!("give_pointer({name})"),
            Kind::Function(_) => format!("give_function({name})"),
            Kind::Slice(_, of, mutable) => {
                let element = self.tables.element(of);
                format!("give_slice({name}, &{element}, {mutable})")
            }
            Kind::Str(_) => format!("give_str({name})"),
            Kind::Text(_) => format!("owned::give_text({name})"),
            Kind::Buffer(_, of) => {
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
        let opaque = matches!(Kind::plain(self.api, &item.ty), Kind::Opaque(_));
        let get = if opaque {
            format!("give_pointer(table().{field})")
        } else {
            format!("get_memory(table().{field}, {kind})")
        };
        let mut accessors = vec![(format!("get_{}", item.name), vec![], get)];
        if item.mutable && !opaque {
            let put = format!("put_memory(table().{field}, {kind}, a0, &info.params[0])");
            accessors.push((format!("set_{}", item.name), vec!["value".to_owned()], put));
        }
        for (name, shown, body) in accessors {
            let body = format!("{}        {body}\n", arguments(shown.len()));
            self.add(&name, &shown, docs, "CPython's arguments, the library's variable.", &body);
        }
    }
}

/// The statement that takes apart what a function is called with.
fn arguments(count: usize) -> String {
    let given: Vec<String> = (0..count).map(|place| format!("a{place}")).collect();
    format!("        let [{}] = arguments(info, given, count, names)?;\n", given.join(", "))
}

/// What happens to a result and a failure when a callback has raised: nobody else would release them.
fn unwanted(call: &Call<'_>) -> String {
    let mut drops = Vec::new();
    if call.function.fallible {
        drops.push("if !failure.is_null() { (table().upcall_failure_release)(failure) }".to_owned());
    }
    match call.unwanted {
        Some(Unwanted::Owned) => drops.push("owned::drop(result)".into()),
        Some(Unwanted::Object(release)) => {
            let release = glue::ident(&release.name);
            drops.push(format!("if !result.is_null() {{ (table().{release})(result) }}"));
        }
        None => {}
    }
    match drops.is_empty() {
        true => String::new(),
        false => format!(".inspect_err(|_| {{ {} }})", drops.join("; ")),
    }
}
