//! `_ctypes.py`: the same surface as the extension's, as data for the static part in `fallback`.

use super::classes::{Class, Member, Shows, classes};
use super::kind::{out, pointee, says};
use super::names::{self, ERRORS, docstring, function_docs, ident, literal, truth};
use super::package::HEADER;
use crate::model::{Api, Field, Float, Function, Int, Limit, Linkage, Pointer, Record, Spelling, Ty, TypeId};
use crate::plan::{Call, Callable, Handles, Kind, Number, Take, is_text};
use std::fmt::Write as _;

const HEAD: &str = "\"\"\"The library through ctypes: what is used where the extension is not built.\"\"\"

from . import _callbacks, _calls, _kinds, _lent, _structs, _types
from ._callbacks import Callback
from ._lent import NativeBuffer
from ._out import Out
from ._structs import Array as NativeArray
from ._types import *

_open = _calls.open_library
_learn = _calls.learn
_Address = _calls.Address
_text_at = _calls.ctypes.string_at
";

/// The module's text.
pub(super) fn module(api: &Api, functions: &[&Function], handles: &Handles<'_>, package: &str) -> String {
    let mut text = format!("{HEADER}{HEAD}");
    for index in 0..api.types.len() {
        structure(api, TypeId(index as u32), package, &mut text);
    }
    // Functions come last, so that their parts are not mistaken for parts of this module.
    for item in functions {
        function(api, handles, &Call::new(api, handles, item), &mut text);
    }
    for item in &api.statics {
        let (name, symbol, kind) = (&item.name, literal(&item.symbol), spell_plain(api, &item.ty));
        let docs = docstring(&item.docs, "    ");
        if matches!(Kind::plain(api, &item.ty), Kind::Opaque(_)) {
            let _ = write!(text, "\n\ndef get_{name}():\n{docs}    return _calls.address_of({symbol})\n");
            continue;
        }
        let _ = write!(text, "\n\ndef get_{name}():\n{docs}    return _calls.variable({symbol}, {kind})\n");
        if item.mutable {
            let _ = write!(
                text,
                "\n\ndef set_{name}(value):\n{docs}    _calls.set_variable({symbol}, {kind}, value, \"set_{name}\")\n"
            );
        }
    }
    text
}

fn structure(api: &Api, id: TypeId, package: &str, text: &mut String) {
    let layout = api.get(id).layout.unwrap_or_default();
    let (package, size, align) = (literal(package), layout.size, layout.align.max(1));
    let limits = match &api.limits(&Ty::Named(id))[..] {
        [] => String::new(),
        limits => format!("    limits={},\n", Limits(api).spell(limits)),
    };
    for Class { name, docs, members, record } in classes(api, id) {
        let fields: String = members.iter().map(|item| member(api, item)).collect();
        let whole = record.filter(|record| record.fields.iter().all(|field| field.bits.is_none()));
        let whole = whole.map(|record| whole_fields(api, record)).unwrap_or_default();
        let docs = literal(docs);
        let _ = write!(
            text,
            "\n{name} = _structs.struct(\n    \"{name}\",\n    {package},\n    {docs},\n    {size},\n    {align},\n    [\n{fields}    ],\n{whole}{limits})\n"
        );
    }
}

/// All fields of a struct without bitfields, which ctypes may pass by value.
fn whole_fields(api: &Api, record: &Record) -> String {
    let all =
        record.fields.iter().filter(|field| api.layout(&field.ty).is_some_and(|layout| layout.size > 0));
    let item = |field: &Field| {
        format!("({}, {}, {})", literal(&ident(&field.name)), spell_plain(api, &field.ty), field.offset)
    };
    format!("    whole=[{}],\n", all.map(item).collect::<Vec<_>>().join(", "))
}

/// Limits as `_kinds.check` takes them.
struct Limits<'a>(&'a Api);

impl Spelling for Limits<'_> {
    fn numbers(&self, limit: &Limit, int: Int, what: &str, numbers: &[(i128, String)]) -> String {
        let numbers: Vec<String> =
            numbers.iter().map(|(number, inner)| format!("{number}: {inner}")).collect();
        let (path, kind, what) = (literal(&limit.path), kinds_int(Number::new(self.0, int)), literal(what));
        format!("({path}, {}, {kind}, {{{}}}, {what})", limit.offset, numbers.join(", "))
    }

    fn each(&self, limit: &Limit, count: u64, stride: u64, limits: &str) -> String {
        format!("({}, {}, {count}, {stride}, {limits})", literal(&limit.path), limit.offset)
    }

    fn list(&self, items: &[String]) -> String {
        format!("[{}]", items.join(", "))
    }
}

fn member(api: &Api, Member { name, docs, offset, shows }: &Member<'_>) -> String {
    let kind = match shows {
        Shows::Bits(size, bits) => {
            let (signed, of) = (truth(bits.signed), spell_plain(api, &bits.of));
            format!("_structs.Bits({size}, {}, {}, {signed}, {of})", bits.shift, bits.width)
        }
        Shows::Variant(class, size, value) => {
            format!("_structs.Variant({class}, _kinds.U{}, {value})", size * 8)
        }
        Shows::Value(ty) => spell_plain(api, ty),
    };
    format!("        ({}, {kind}, {offset}, {}),\n", literal(name), literal(docs))
}

fn function(api: &Api, handles: &Handles<'_>, call: &Call<'_>, text: &mut String) {
    let (function, signature) = (call.function, &call.function.signature);
    let name = ident(&function.name);
    let names = names::params(signature.params.iter().map(|param| param.name.as_str()));
    let (mut params, mut contexts, mut keeps) = (String::new(), Vec::new(), Vec::new());
    for (arg, name) in call.args.iter().zip(&names) {
        let kind = match arg.take {
            Take::Handle { id, pointer, gives } => {
                let nullable = if pointer.nullable { "" } else { ", nullable=False" };
                let give = if gives { ", give=True" } else { "" };
                format!("_calls.HandleKind({}{nullable}{give})", literal(&ident(&api.get(id).name)))
            }
            _ => spell(api, &arg.param.ty),
        };
        let _ = writeln!(params, "        ({}, {kind}),", literal(name));
        if matches!(arg.take, Take::Context(_) | Take::Release(_)) {
            contexts.push(arg.index.to_string());
        }
        if let Take::Release(of) = arg.take
            && let Some(context) = signature.context_of(of)
        {
            keeps.push(format!("({context}, {})", arg.index));
        }
    }
    let simple = |id| handles.get(id).and_then(|handle| handle.simple_release());
    let ret = match handles.behind(&signature.ret) {
        _ if signature.ret == Ty::Unit => "None".into(),
        Some((id, pointer)) if pointer.owned => {
            let release = simple(id).map(|release| format!(", release={}", literal(&release.symbol)));
            let name = literal(&ident(&api.get(id).name));
            format!("_calls.HandleKind({name}{})", release.unwrap_or_default())
        }
        _ => spell(api, &signature.ret),
    };
    let mut more = String::new();
    let released = function.member.as_ref().and_then(|member| simple(member.of));
    if released.is_some_and(|release| release.name == function.name) {
        more.push_str("    releases=True,\n");
    }
    if function.fallible {
        more.push_str("    fallible=True,\n");
        if let Some(error) = &function.error {
            let _ = writeln!(more, "    error=\"_{}\",", api.error_class(error, ERRORS));
        }
    }
    if let Some(why) = &function.deprecated {
        let why = if why.is_empty() { " " } else { why };
        let _ = writeln!(more, "    deprecated={},", literal(why));
    }
    if !contexts.is_empty() {
        let _ = writeln!(more, "    contexts=[{}],", contexts.join(", "));
    }
    if !keeps.is_empty() {
        let _ = writeln!(more, "    keeps=[{}],", keeps.join(", "));
    }
    if function.linkage == Linkage::Inline {
        more.push_str("    inline=True,\n");
    }
    let (symbol, docs) = (literal(&function.symbol), literal(&function_docs(api, function)));
    let _ = write!(
        text,
        "\n{name} = _calls.function(\n    \"{name}\",\n    {symbol},\n    [\n{params}    ],\n    {ret},\n    {docs},\n{more})\n"
    );
}

/// A parameter's or a result's kind.
fn spell(api: &Api, ty: &Ty) -> String {
    match Kind::of(api, ty) {
        Kind::Slice(_, of, mutable) => {
            format!("_lent.Slice({}, {})", spell_plain(api, of), truth(mutable))
        }
        Kind::Str(_) => "_lent.Str()".into(),
        Kind::Text(_) => "_lent.Text()".into(),
        Kind::Buffer(_, of) => format!("_lent.Buffer({})", spell_plain(api, of)),
        Kind::Pointer(pointer) if pointee(api, pointer).is_none() => {
            let to = match Kind::plain(api, &pointer.to) {
                Kind::Nothing => "\"void\"".into(),
                Kind::Bool | Kind::Char | Kind::Int(_) | Kind::Float(_) => spell_plain(api, &pointer.to),
                _ => "None".into(),
            };
            let text = is_text(api, pointer);
            let out = (to == "None" && out(api, pointer)).then_some(&*pointer.to);
            address(api, &to, pointer, text, out)
        }
        Kind::Pointer(pointer) if out(api, pointer) => {
            let to = pointee(api, pointer).map_or_else(String::new, |id| literal(&ident(&api.get(id).name)));
            address(api, &to, pointer, false, Some(&pointer.to))
        }
        _ => spell_plain(api, ty),
    }
}

fn address(api: &Api, to: &str, pointer: &Pointer, text: bool, out: Option<&Ty>) -> String {
    let mut arguments = to.to_owned();
    let says = says(api, pointer);
    for (name, value, usual) in [
        ("mutable", pointer.mutable, true),
        ("nullable", pointer.nullable, true),
        ("text", text, false),
        ("says", says, false),
    ] {
        if value != usual {
            let _ = write!(arguments, ", {name}={}", truth(value));
        }
    }
    if let Some(out) = out {
        let _ = write!(arguments, ", out={}", spell_plain(api, out));
    }
    format!("_kinds.Pointer({arguments})")
}

fn kinds_int(number: Number) -> String {
    let char = if number.int == Int::CChar { "CHAR_" } else { "" };
    format!("_kinds.{char}{}", number.name().to_uppercase())
}

/// A field's or an element's kind.
fn spell_plain(api: &Api, ty: &Ty) -> String {
    match Kind::plain(api, ty) {
        Kind::Bool => "_kinds.BOOL".into(),
        Kind::Char => "_kinds.CHAR".into(),
        Kind::Int(number) => match number.named {
            Some(id) => {
                let strict = truth(api.is_closed(id));
                let name = ident(&api.get(id).name);
                format!("_kinds.Enum(_types.{name}, {}, {strict})", kinds_int(number))
            }
            None => kinds_int(number),
        },
        Kind::Float(Float::F32) => "_kinds.F32".into(),
        Kind::Float(Float::F64) => "_kinds.F64".into(),
        Kind::Record(id) | Kind::Empty(id) => format!("_structs.StructKind({})", ident(&api.get(id).name)),
        Kind::Array(of, len) => format!("_structs.ArrayKind({}, {len})", spell_plain(api, of)),
        Kind::Pointer(pointer) => {
            let to = pointee(api, pointer);
            let to = to.map_or_else(|| "None".into(), |id| literal(&ident(&api.get(id).name)));
            address(api, &to, pointer, false, None)
        }
        Kind::Function(of) if of.crosses => callback(api, of),
        Kind::Function(_) => "_kinds.Pointer(None)".into(),
        _ => "_kinds.NOTHING".into(),
    }
}

fn callback(api: &Api, Callable { signature, nullable, .. }: Callable<'_>) -> String {
    // A callback's arguments may be anything; a struct that holds the callback itself is behind a pointer.
    let params: Vec<String> = signature.params.iter().map(|param| spell(api, &param.ty)).collect();
    let ret = if signature.ret == Ty::Unit { "None".into() } else { spell_plain(api, &signature.ret) };
    let mut more = String::new();
    // ctypes returns numbers only, which lie at offset 0.
    if let [(0, _, number)] = api.stand_in(&signature.ret)[..] {
        let _ = write!(more, ", zero={number}");
    }
    if let Some(context) = signature.context {
        let _ = write!(more, ", context={context}");
    }
    if !nullable {
        more.push_str(", nullable=False");
    }
    let class = if signature.kept { "KeptFunction" } else { "Function" };
    format!("_callbacks.{class}(lambda: ([{}], {ret}){more})", params.join(", "))
}
