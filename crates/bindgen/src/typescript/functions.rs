//! `index.js`: the addon's functions as they are, or with their arguments and results converted.

use super::callbacks::{self, Callback};
use super::classes::{self, memory};
use super::kind::{is_bigint, typed_array};
use super::names::{self, global, method, quoted};
use super::{HEADER, Options};
use crate::model::{Api, Constant, Function, Int, Param, Pointer, Role, Ty, TypeId, Value};
use crate::plan::{Arg, Call, Given, Handle, Handles, Kind, Signatures, Take};
use std::fmt::Write as _;

/// What every module exports of the run time.
const EXPORTS: [&str; 10] = [
    "Callback", "NativeArray", "NativeError", "Out", "OwnedBuffer", "View", "addressOf", "bytesAt", "textAt",
    "textsAt",
];

/// The text, and what it exports.
pub(super) struct Script {
    pub text: String,
    pub exports: Vec<String>,
}

/// What a function passes to the addon's.
#[derive(Default)]
struct Passed {
    arguments: Vec<String>,
    /// What must stay reachable.
    kept: Vec<String>,
}

struct Writer<'a> {
    api: &'a Api,
    options: &'a Options,
    handles: &'a Handles<'a>,
    top: names::Top,
    adapters: String,
    /// Those that have one.
    adapted: Signatures,
    /// The number of bytes that callbacks exchange.
    room: u64,
}

pub(super) fn script(api: &Api, options: &Options, functions: &[&Function], handles: &Handles<'_>) -> Script {
    let mut exports: Vec<String> = EXPORTS.map(String::from).to_vec();
    exports.push("statics".into());
    let mut writer = Writer {
        api,
        options,
        handles,
        top: names::Top::new(api, options),
        adapters: String::new(),
        adapted: Signatures::default(),
        room: 64,
    };
    let mut codes = String::new();
    for (place, signature) in callbacks::signatures(api).into_iter().enumerate() {
        let adapt = writer.adapter(Callback::in_field(signature));
        let _ = writeln!(codes, "\nconst code${place} = $.code({place}, {adapt});");
    }
    let classes = classes::text(api, options, &mut exports);
    let mut body = String::new();
    for error in api.errors() {
        let (class, own) = (global(&api.error_class(error, &[])), api.error_class(error, &[]));
        let _ = writeln!(
            body,
            "\nclass {class} extends NativeError {{}}\n{class}.prototype.name = \"{class}\";\nNativeError._{own} = {class};"
        );
        exports.push(class);
    }
    for function in functions {
        let text = writer.function(function);
        body.push_str(&text);
        exports.push(names::function(options, function));
    }
    for handle in handles.iter() {
        let text = writer.handle(handle);
        body.push_str(&text);
        exports.push(global(&api.get(handle.id).name));
    }
    for constant in &api.constants {
        let name = global(&constant.name);
        let _ = writeln!(body, "\nconst {name} = {};", literal(api, options, constant));
        exports.push(name);
    }
    body.push_str("\nconst statics = {};\n");
    for (index, item) in api.statics.iter().enumerate() {
        let Some(memory) = memory(api, options, &item.ty) else { continue };
        let _ = writeln!(
            body,
            "$.variable(statics, {}, addresses$[{index}], {memory}, {});",
            quoted(&item.name),
            item.mutable
        );
    }
    let reexported = format!("const {{ {} }} = $;\n", EXPORTS.join(", "));
    let list: String = exports.iter().map(|name| format!("  {name},\n")).collect();
    let module = quoted(&format!("./{}.node", super::module_name(api)));
    let text = format!(
        "{HEADER}\"use strict\";\n\nconst $ = require(\"./runtime.js\");\nconst native = require({module});\n\
         const addresses$ = $.open(native, {}, {});\n{reexported}{}{codes}{classes}{body}\nmodule.exports = {{\n{list}}};\n",
        quoted(&crate::glue::variable(&api.library)),
        writer.room,
        writer.adapters
    );
    Script { text, exports }
}

impl<'a> Writer<'a> {
    /// Whether arguments and result are as the addon takes and returns them.
    fn direct(&self, call: &Call<'a>) -> bool {
        let simple = |kind| matches!(kind, Kind::Bool | Kind::Float(_) | Kind::Int(_) | Kind::Str(_));
        let typed =
            |kind| matches!(kind, Kind::Slice(_, of, _) if typed_array(Kind::of(self.api, of)).is_some());
        let taken = |arg: &Arg<'a>| matches!(arg.take, Take::Value(kind) if simple(kind) || typed(kind));
        let result =
            matches!(call.result, Kind::Nothing | Kind::Text(_) | Kind::Pointer(_) | Kind::Function(_));
        call.args.iter().all(taken) && (result || simple(call.result))
    }

    fn function(&mut self, function: &'a Function) -> String {
        let call = Call::new(self.api, self.handles, function);
        let name = names::function(self.options, function);
        let own = format!("native[{}]", quoted(&function.name));
        // Members are wrapped by their class.
        let given = call.given.filter(|_| function.member.is_none());
        if self.direct(&call) && given.is_none() {
            return format!("\nconst {name} = {own};\n");
        }
        let all = self.top.params(self.options, &function.signature.params);
        let (mut passed, mut body) = (Passed::default(), String::new());
        for arg in call.shown() {
            let at = quoted(&format!("{}: argument {}", function.name, arg.param.name));
            self.argument(arg, &all[arg.index], &at, &mut passed, &mut body);
        }
        let class = match call.result {
            Kind::Record(id) | Kind::Slice(id, ..) | Kind::Buffer(id, _) => Some(self.class(id)),
            _ => None,
        };
        if let Some(class) = &class {
            let _ = writeln!(body, "  const result = new {class}();");
            passed.arguments.push("$.place(result)".into());
        }
        // The views, and with them their memory, stay reachable until the call has returned.
        passed.arguments.extend(passed.kept);
        let native = format!("{own}({})", passed.arguments.join(", "));
        let end = match call.result {
            Kind::Char => format!("  return $.toChar({native});\n"),
            Kind::Record(_) => format!("  {native};\n  return result;\n"),
            Kind::Slice(_, of, _) => {
                format!("  {native};\n  return $.span(result, {});\n", self.element(of))
            }
            Kind::Buffer(_, of) => {
                format!("  {native};\n  return $.owned(result, {});\n", self.element(of))
            }
            _ => self.returned(given, &native, "  "),
        };
        let given: Vec<&str> = call.shown().map(|arg| all[arg.index].as_str()).collect();
        format!("\nfunction {name}({}) {{\n{body}{end}}}\n", given.join(", "))
    }

    /// How one argument is passed on.
    fn argument(&mut self, of: &Arg<'a>, arg: &str, at: &str, passed: &mut Passed, body: &mut String) {
        let argument = match of.take {
            Take::Context(_) | Take::Release(_) => return,
            Take::Handle { pointer, gives, .. } => {
                let take = if gives { "given" } else { "pointer" };
                self.pointer(take, pointer, arg, at, passed, body)
            }
            Take::Text(pointer) => self.pointer("text", pointer, arg, at, passed, body),
            Take::Function(callback, context) if callback.signature.kept => {
                match self.adapter(Callback::passed(callback, context)).as_str() {
                    "undefined" => arg.into(),
                    adapt => format!("$.adapted({arg}, {adapt}, {at})"),
                }
            }
            Take::Function(callback, context) => {
                let adapt = self.adapter(Callback::passed(callback, context));
                format!("$.callback({arg}, {adapt}, {at})")
            }
            Take::Value(Kind::Char) => format!("$.fromChar({arg}, {at})"),
            Take::Value(Kind::Pointer(pointer)) => self.pointer("pointer", pointer, arg, at, passed, body),
            Take::Value(Kind::Record(id) | Kind::Text(id) | Kind::Buffer(id, _)) => {
                let class = self.class(id);
                let take = if self.limited(&of.param.ty) { "value" } else { "record" };
                let _ = writeln!(body, "  {arg} = $.{take}({class}, {arg}, {at});");
                passed.kept.push(arg.into());
                format!("$.pointer({arg}, {class}, false, {at})")
            }
            Take::Value(Kind::Slice(_, of, mutable)) if typed_array(Kind::of(self.api, of)).is_none() => {
                let _ = writeln!(body, "  {arg} = $.slice({}, {arg}, {mutable}, {at});", self.element(of));
                passed.arguments.push(format!("$.pointer({arg}, undefined, true, {at})"));
                passed.kept.push(arg.into());
                format!("{arg}.length")
            }
            Take::Value(_) => arg.into(),
        };
        passed.arguments.push(argument);
    }

    fn pointer(
        &self,
        take: &str,
        pointer: &Pointer,
        arg: &str,
        at: &str,
        passed: &mut Passed,
        body: &mut String,
    ) -> String {
        let of = self.pointee(&pointer.to);
        if !pointer.mutable && self.limited(&pointer.to) {
            let _ = writeln!(body, "  $.behind({of}, {arg}, {at});");
        }
        passed.kept.push(arg.into());
        format!("$.{take}({arg}, {of}, {}, {at})", pointer.nullable)
    }

    /// The statements that return what a call does.
    fn returned(&self, given: Option<Given>, call: &str, indent: &str) -> String {
        let Some(Given { id, nullable }) = given else { return format!("{indent}return {call};\n") };
        let class = self.class(id);
        if nullable {
            return format!(
                "{indent}const address = {call};\n{indent}return address === 0 ? null : {class}.from(address);\n"
            );
        }
        format!("{indent}return {class}.from({call});\n")
    }

    fn class(&self, id: TypeId) -> String {
        global(&self.api.get(id).name)
    }

    /// How elements are read and written.
    fn element(&self, of: &Ty) -> String {
        memory(self.api, self.options, of).unwrap_or_else(|| "$.u8".into())
    }

    /// Whether not all bytes are a value of a type.
    fn limited(&self, ty: &Ty) -> bool {
        !self.api.limits(ty).is_empty()
    }

    /// The arguments accepted for a pointer.
    fn pointee(&self, ty: &Ty) -> String {
        if let Some(id) = self.handles.is(ty) {
            return self.class(id);
        }
        if *self.api.resolve(ty) == Ty::Unit {
            return "undefined".into();
        }
        let number = Options::default();
        let options = if let Kind::Array(..) = Kind::plain(self.api, ty) { self.options } else { &number };
        memory(self.api, options, ty).unwrap_or_else(|| "$.nowhere".into())
    }

    /// Converts a user's function into one that the glue can call; `undefined` if it needs no conversion.
    fn adapter(&mut self, of: Callback<'_>) -> String {
        let (api, signature) = (self.api, of.signature);
        let (offsets, end) = of.exchanged(api);
        self.room = self.room.max(end);
        let special = |param: &Param| Kind::of(api, &param.ty) == Kind::Char;
        let converted =
            matches!(Kind::plain(api, &signature.ret), Kind::Record(_) | Kind::Char | Kind::Pointer(_));
        if offsets.iter().all(Option::is_none) && !signature.params.iter().any(special) && !converted {
            return "undefined".into();
        }
        let (index, new) = self.adapted.place(signature, of.context);
        let adapt = format!("adapt${index}");
        if !new {
            return adapt;
        }
        let (mut given, mut passed, mut lends) = (Vec::new(), Vec::new(), false);
        for (index, param) in of.shown() {
            let name = format!("a{index}");
            let kind = Kind::of(api, &param.ty);
            match (offsets[index], kind) {
                (
                    Some(offset),
                    Kind::Record(id) | Kind::Slice(id, ..) | Kind::Text(id) | Kind::Buffer(id, _),
                ) => {
                    let received = format!("$.received({}, {offset})", self.class(id));
                    passed.push(match kind {
                        Kind::Slice(_, of, _) => {
                            lends = true;
                            format!("$.span({received}, {}, lent)", self.element(of))
                        }
                        _ => received,
                    });
                }
                (_, Kind::Char) => {
                    given.push(name.clone());
                    passed.push(format!("$.toChar({name})"));
                }
                _ => {
                    given.push(name.clone());
                    passed.push(name);
                }
            }
        }
        let call = format!("call({})", passed.join(", "));
        let result = match Kind::plain(api, &signature.ret) {
            Kind::Record(id) => format!("$.sent({}, {call})", self.class(id)),
            Kind::Char => format!("$.fromChar({call}, \"the result of a callback\")"),
            Kind::Pointer(_) => format!("$.pointer({call}, undefined, true, \"the result of a callback\")"),
            _ => call,
        };
        let result = match lends {
            true => format!(
                "{{\n  const lent = [];\n  try {{\n    return {result};\n  }} finally {{\n    $.end(lent);\n  }}\n}}"
            ),
            false => result,
        };
        let _ = writeln!(self.adapters, "\nconst {adapt} = (call) => ({}) => {result};", given.join(", "));
        adapt
    }

    fn handle(&mut self, handle: &Handle<'a>) -> String {
        let name = global(&self.api.get(handle.id).name);
        let release =
            handle.release.map_or_else(|| "undefined".into(), |of| names::function(self.options, of));
        let mut text = format!("\nclass {name} extends $.Handle {{\n");
        let first = handle.constructors.first();
        match first {
            Some(constructor) => {
                let (params, call) = self.call(constructor, 0);
                let _ = writeln!(
                    text,
                    "  constructor({params}) {{\n    super();\n    this._hold({call}, {release});\n  }}"
                );
            }
            None => {
                let message = quoted(&format!("{name} has no constructor"));
                let _ = writeln!(
                    text,
                    "  constructor() {{\n    super();\n    throw new TypeError({message});\n  }}"
                );
            }
        }
        let _ = writeln!(
            text,
            "  static from(address) {{\n    return $.Handle.prototype._hold.call(Reflect.construct($.Handle, [], {name}), address, {release});\n  }}"
        );
        for constructor in handle.constructors.iter().skip(1) {
            let (params, call) = self.call(constructor, 0);
            let method = self.method(constructor);
            let _ = writeln!(text, "  static {method}({params}) {{\n    return {name}.from({call});\n  }}");
        }
        for other in &handle.others {
            let method = self.method(other);
            let fixed = other.role() == Some(Role::Static);
            let (params, call) = self.call(other, usize::from(!fixed));
            let fixed = if fixed { "static " } else { "" };
            let body = self.returned(self.handles.given(other), &call, "    ");
            let _ = writeln!(text, "  {fixed}{method}({params}) {{\n{body}  }}");
        }
        if handle.release.is_some() {
            let _ = write!(
                text,
                "  release() {{\n    if (!this.released) {release}(this._leave());\n  }}\n  [$.dispose]() {{\n    this.release();\n  }}\n"
            );
        }
        text.push_str("}\n");
        text
    }

    fn method(&self, function: &Function) -> String {
        method(self.options, function.member.as_ref().map_or(&function.name, |member| &member.name))
    }

    /// A member's parameters and its call, in which the first `own` parameters are `this`.
    fn call(&self, function: &Function, own: usize) -> (String, String) {
        let all = self.top.params(self.options, &function.signature.params);
        let call = Call::new(self.api, self.handles, function);
        let list: Vec<String> = call.shown().skip(own).map(|arg| all[arg.index].clone()).collect();
        let mut passed = vec!["this".to_owned(); own];
        passed.extend_from_slice(&list);
        (list.join(", "), format!("{}({})", names::function(self.options, function), passed.join(", ")))
    }
}

pub(super) fn literal(api: &Api, options: &Options, constant: &Constant) -> String {
    let long = match api.resolve(&constant.ty) {
        Ty::Int(Int::Isize | Int::Usize) => false,
        Ty::Int(int) => api.int_size(*int) >= 8,
        Ty::Named(_) => matches!(Kind::of(api, &constant.ty), Kind::Int(number) if is_bigint(number)),
        _ => false,
    };
    match &constant.value {
        // What C has for marks is negative, as `address` in `numbers.js` says.
        Value::Int(int) if matches!(api.resolve(&constant.ty), Ty::Pointer(_)) => {
            super::classes::integer(i128::from(*int as i64), false)
        }
        Value::Int(int) if long && !(options.numbers && int.unsigned_abs() < 1 << 53) => format!("{int}n"),
        Value::Int(int) => super::classes::integer(*int, false),
        Value::Big(int) => format!("{int}n"),
        Value::Float(float) if float.is_nan() => "NaN".into(),
        Value::Float(float) if float.is_infinite() => {
            if *float > 0.0 { "Infinity" } else { "-Infinity" }.into()
        }
        Value::Float(float) => format!("{float:?}"),
        Value::Bool(truth) => truth.to_string(),
        Value::Char(char) => quoted(&char.to_string()),
        Value::Str(text) => quoted(text),
        Value::CStr(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => quoted(text),
            Err(_) => {
                format!("Uint8Array.of({})", bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(", "))
            }
        },
    }
}
