use super::cx::Cx;
use super::names::{beside, escaped};
use super::text::{Text, quoted};
use crate::glob::fits;
use crate::model::{Function, Linkage, Ty};
use std::collections::HashSet;

/// What the class of the plain functions has besides them.
#[derive(Default)]
pub(super) struct Written {
    /// Each delegate once.
    delegates: HashSet<String>,
}

/// The name of a plain function.
pub(super) fn name(cx: &Cx, function: &Function) -> String {
    beside(escaped(&format!("{}{}", cx.options.method_prefix, function.name)), &cx.options.class)
}

/// Writes one plain function.
pub(super) fn write(cx: &Cx, function: &Function, written: &mut Written, text: &mut Text) {
    let options = cx.options;
    let (access, name) = (&options.accessibility, name(cx, function));
    let mut params = Vec::new();
    for param in cx.passed(&function.signature) {
        let ty = match delegate(cx, &param.ty, &function.name, &param.name, written, text) {
            Some(delegate) => delegate,
            None if *cx.api.resolve(&param.ty) == Ty::Bool && options.marshal_bool => {
                "[MarshalAs(UnmanagedType.U1)] bool".into()
            }
            None => cx.ty(&param.ty),
        };
        params.push(format!("{ty} {}", escaped(&param.name)));
    }
    if function.fallible {
        params.push(format!("{}** {}", failure(cx), failure_name(function)));
    }
    let ret = match delegate(cx, &function.signature.ret, &function.name, "return", written, text) {
        Some(delegate) => delegate,
        None if cx.returns_nothing(&function.signature) => "void".into(),
        None => cx.ty(&function.signature.ret),
    };
    text.blank();
    text.docs(&function.docs);
    text.obsolete(&function.deprecated);
    text.line(import(cx, function.linkage, &entry_point(cx, function)));
    if fits(&options.suppress_gc_transition, &function.name) {
        text.line("[SuppressGCTransition]");
    }
    if ret == "bool" {
        text.line("[return: MarshalAs(UnmanagedType.U1)]");
    }
    text.line(format!("{access} static extern {ret} {name}({});", params.join(", ")));
}

/// The last parameter of a fallible function needs a name that no other has.
fn failure_name(function: &Function) -> &'static str {
    let taken = function.signature.params.iter().any(|param| param.name == "failure");
    if taken { "__failure" } else { "failure" }
}

/// The type that failures point to.
pub(super) fn failure(cx: &Cx) -> String {
    cx.api.failure().map_or("void", |id| cx.name(id)).to_owned()
}

/// The attribute that names the library and the symbol.
pub(super) fn import(cx: &Cx, linkage: Linkage, symbol: &str) -> String {
    let library = match linkage {
        Linkage::Library => "__DllName",
        Linkage::Inline if cx.options.library_name => "__InlineName",
        Linkage::Inline => "__DllName + \"_inline\"",
        Linkage::Shim if cx.options.library_name => "__ShimName",
        Linkage::Shim => "__DllName + \"_shim\"",
    };
    format!(
        "[DllImport({library}, EntryPoint = {}, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]",
        quoted(symbol)
    )
}

fn entry_point(cx: &Cx, function: &Function) -> String {
    let options = cx.options;
    match (function.linkage, options.entry_point_prefix.as_str()) {
        (Linkage::Shim | Linkage::Inline, _) => function.symbol.clone(),
        (Linkage::Library, "") => format!("{}{}", options.method_prefix, function.symbol),
        (Linkage::Library, prefix) => format!("{prefix}{}", function.symbol),
    }
}

/// Declares the delegate that stands for a function pointer, where function pointers are not wanted.
fn delegate(
    cx: &Cx,
    ty: &Ty,
    function: &str,
    param: &str,
    written: &mut Written,
    text: &mut Text,
) -> Option<String> {
    let (signature, _) = cx.api.callback(ty)?;
    if cx.options.function_pointers || !cx.callable(signature) {
        return None;
    }
    let name = format!("{function}_{param}_delegate");
    if written.delegates.insert(name.clone()) {
        let params: Vec<String> = cx
            .passed(signature)
            .iter()
            .map(|param| format!("{} {}", cx.blittable(&param.ty), escaped(&param.name)))
            .collect();
        let ret = cx.blittable_ret(signature);
        text.blank();
        text.line("[UnmanagedFunctionPointer(CallingConvention.Cdecl)]");
        text.line(format!("{} delegate {ret} {name}({});", cx.options.accessibility, params.join(", ")));
    }
    Some(name)
}
