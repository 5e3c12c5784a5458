//! `_ctypes.py`: the same surface as the extension's, as data for the static part in `fallback`.

use super::kind::{Shown, out, pointee, says, shown};
use super::names::{self, ERRORS, docstring, function_docs, ident, literal};
use super::package::HEADER;
use super::tables::visible;
use crate::model::{Api, Field, Float, Function, Int, Limit, Linkage, Pointer, Spelling, Ty, TypeId};
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
    let declared = api.get(id);
    let (name, layout) = (ident(&declared.name), declared.layout.unwrap_or_default());
    let mut define = |name: &str, docs: &str, fields: &[String], whole: Option<String>| {
        let (docs, package) = (literal(docs.trim()), literal(package));
        let (size, align) = (layout.size, layout.align.max(1));
        let fields = fields.concat();
        let whole = whole.map(|whole| format!("    whole=[{whole}],\n")).unwrap_or_default();
        let limits = api.limits(&Ty::Named(id));
        let limits = match limits.is_empty() {
            true => String::new(),
            false => format!("    limits={},\n", Limits(api).spell(&limits)),
        };
        let _ = write!(
            text,
            "\n{name} = _structs.struct(\n    \"{name}\",\n    {package},\n    {docs},\n    {size},\n    {align},\n    [\n{fields}    ],\n{whole}{limits})\n"
        );
    };
    match shown(api, id) {
        Some(Shown::Fields(record, union)) => {
            let fields: Vec<String> =
                visible(api, id, &record.fields).map(|item| field(api, &item)).collect();
            let whole = || {
                let all = record
                    .fields
                    .iter()
                    .filter(|field| api.layout(&field.ty).is_some_and(|layout| layout.size > 0));
                let item = |field: &Field| {
                    format!(
                        "({}, {}, {})",
                        literal(&ident(&field.name)),
                        spell_plain(api, &field.ty),
                        field.offset
                    )
                };
                all.map(item).collect::<Vec<_>>().join(", ")
            };
            let bits = record.fields.iter().any(|field| field.bits.is_some());
            let whole = (!union && !bits).then(whole);
            define(&name, &declared.docs, &fields, whole);
        }
        Some(Shown::Variants(tagged)) => {
            let size = api.int_size(tagged.tag);
            let (tag, unsigned) = (kinds_int(Number::new(api, tagged.tag)), format!("_kinds.U{}", size * 8));
            let mut fields = vec![format!("        (\"tag\", {tag}, 0, \"Which variant it is.\"),\n")];
            for variant in &tagged.variants {
                let variant_name = format!("{name}_{}", variant.name);
                let mask = if size < 8 { (1i128 << (size * 8)) - 1 } else { i128::from(u64::MAX) };
                let (value, docs) = (variant.value & mask, literal(variant.docs.trim()));
                let own: Vec<String> =
                    visible(api, id, &variant.fields).map(|item| field(api, &item)).collect();
                define(&variant_name, &variant.docs, &own, None);
                let key = literal(&ident(&variant.name));
                fields.push(format!(
                    "        ({key}, _structs.Variant({variant_name}, {unsigned}, {value}), 0, {docs}),\n"
                ));
            }
            define(&name, &declared.docs, &fields, None);
        }
        None => {}
    }
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

fn field(api: &Api, field: &Field) -> String {
    let kind = match &field.bits {
        Some(bits) => {
            let size = api.layout(&field.ty).map_or(4, |layout| layout.size);
            let signed = if bits.signed { "True" } else { "False" };
            format!(
                "_structs.Bits({size}, {}, {}, {signed}, {})",
                bits.shift,
                bits.width,
                spell_plain(api, &bits.of)
            )
        }
        None => spell_plain(api, &field.ty),
    };
    let (name, docs) = (literal(&ident(&field.name)), literal(field.docs.trim()));
    format!("        ({name}, {kind}, {}, {docs}),\n", field.offset)
}

fn function(api: &Api, handles: &Handles<'_>, call: &Call<'_>, text: &mut String) {
    let (function, signature) = (call.function, &call.function.signature);
    let name = ident(&function.name);
    let names = names::params(signature.params.iter().map(|param| param.name.as_str()));
    let (mut params, mut contexts) = (String::new(), Vec::new());
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
        if matches!(arg.take, Take::Context(_)) {
            contexts.push(arg.index.to_string());
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
            format!("_lent.Slice({}, {})", spell_plain(api, of), if mutable { "True" } else { "False" })
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
            let _ = write!(arguments, ", {name}={}", if value { "True" } else { "False" });
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
                let strict = if api.is_closed(id) { "True" } else { "False" };
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
    format!("_callbacks.Function(lambda: ([{}], {ret}){more})", params.join(", "))
}
