//! The layer on top of the plain functions: spans, strings, exceptions, delegates, handles.
//!
//! A delegate passed as an argument lives as long as the call; a `...Callback` object lives until it is disposed,
//! for callbacks that native code keeps without saying so. One that it says it keeps lives until it is released. Text and slices are passed in place; a text comes back as `string`, and an owned
//! buffer as an object.

mod arguments;
mod callbacks;
mod handles;
mod lengths;
mod lift;
mod limits;
mod method;

use super::cx::Cx;
use super::functions;
use super::names;
use super::text::Text;
use crate::Diagnostics;
use crate::model::{Declared, Function, Idiom, Linkage};
use lift::Lift;
use method::{Method, method_name};

const SUPPORT: &str = include_str!("support.in");
const STRING: &str = include_str!("string.in");
const TEXT: &str = include_str!("text.in");
const BUFFER: &str = include_str!("buffer.in");
const CALLBACK: &str = include_str!("callback.in");
const KEPT: &str = include_str!("kept.in");

/// A method's name: not that of its class, nor of a class that methods call.
fn beside_classes(cx: &Cx, name: String, class: &str) -> String {
    [class, &cx.options.class, "NativeCalls", "NativeString"].into_iter().fold(name, names::beside)
}

/// The symbol that releases a failure.
const RELEASE: &str = "upcall_failure_release";

/// Writes how arguments are checked that not all bytes are a value of, into the class of the plain functions.
pub(super) fn limits(cx: &Cx, functions: &[&Function], text: &mut Text) {
    if cx.options.idiomatic() {
        limits::write(cx, functions, text);
    }
}

/// Writes the code that turns a failure into an exception, into the class of the plain functions.
pub(super) fn failures(cx: &Cx, plain: &[&Function], text: &mut Text) {
    if !cx.options.idiomatic() || !plain.iter().any(|function| function.fallible) {
        return;
    }
    let failure = functions::failure(cx);
    let mut release = RELEASE.to_owned();
    if !plain.iter().any(|function| function.symbol == RELEASE) {
        release = format!("__{RELEASE}");
        text.blank();
        text.line(functions::import(cx, Linkage::Library, RELEASE));
        text.line(format!("private static extern void {release}({failure}* failure);"));
    }
    text.blank();
    let made = "global::System.Func<string, int, NativeException>";
    text.open(format!("internal static NativeException? __Failed({failure}* failure, {made}? own = null)"));
    text.line("if (failure == null) return null;");
    text.line("string message = failure->message.ToString();");
    text.line("int code = failure->code;");
    text.line(format!("{release}(failure);"));
    text.line("return own == null || code < 0 ? new NativeException(message, code) : own(message, code);");
    text.close();
}

/// Writes an exception for each error type.
fn exceptions(cx: &Cx, shown: &[(&Function, &Function)], text: &mut Text) {
    for error in cx.api.errors() {
        let Some(class) = cx.exception(error) else { continue };
        if !shown.iter().any(|(function, _)| function.error.as_deref() == Some(error)) {
            continue;
        }
        text.blank();
        text.docs(&format!("What a function of the library throws for its error {error}."));
        text.open(format!("{} class {class} : NativeException", cx.options.accessibility));
        text.docs("A failure with the library's message and number.");
        text.line(format!("public {class}(string message, int code) : base(message, code) {{ }}"));
        text.close();
    }
}

/// Writes the idiomatic class, the handles, the callbacks and what they share.
pub(super) fn write(
    cx: &Cx,
    functions: &[(&Function, &Function)],
    text: &mut Text,
    diagnostics: &mut Diagnostics,
) {
    let shown: Vec<(&Function, &Function)> =
        functions.iter().copied().filter(|(function, _)| cx.is_idiomatic(function)).collect();
    let all: Vec<&Function> = shown.iter().map(|(function, _)| *function).collect();
    let delegates = callbacks::all(cx, &all);
    let (calls_back, keeps) = callbacks::needed(&delegates);
    let mut scope = cx.type_scope(&mut Diagnostics::default());
    let (free, members): (Vec<_>, Vec<_>) =
        shown.iter().partition(|(function, _)| cx.member_of_handle(function).is_none());
    if !free.is_empty() {
        text.blank();
        text.docs(&format!("The functions of the library {}.", cx.api.library));
        let (access, class) = (&cx.options.accessibility, &cx.options.idiomatic_class);
        text.open(format!("{access} static unsafe partial class {class}"));
        let mut methods = names::scope();
        for (function, plain) in free {
            let name = beside_classes(cx, method_name(cx.own_name(&function.name)), class);
            let name = if methods.has(&name) { names::escaped(&function.name) } else { name };
            if methods.declare(&name, &function.name, &function.place, diagnostics) {
                let modifiers = "public static".to_owned();
                Method { function, plain, name, modifiers, raw_handle: false, calls_back }.write(cx, text);
            }
        }
        text.close();
    }
    for (id, _) in cx.api.declared() {
        if cx.is_handle(id) {
            handles::write(cx, id, functions, calls_back, text, diagnostics);
        }
    }
    callbacks::write(cx, &delegates, &mut scope, text, diagnostics);
    exceptions(cx, &shown, text);
    let fallible = shown.iter().any(|(function, _)| function.fallible);
    if !cx.options.support {
        return;
    }
    if fallible || !members.is_empty() {
        text.blank();
        text.line(SUPPORT.replace("ACCESS", &cx.options.accessibility));
    }
    let strings = |function: &&Function| {
        let mut params = 0..function.signature.params.len();
        params.any(|index| matches!(cx.lift_param(function, index), Lift::CStr { .. }))
    };
    let buffer = |declared: &Declared| matches!(declared.idiom, Some(Idiom::Buffer { .. }));
    for (used, part) in
        [(all.iter().any(strings), STRING), (cx.has_text(), TEXT), (cx.api.types.iter().any(buffer), BUFFER)]
    {
        if used {
            text.blank();
            text.line(part.replace("ACCESS", &cx.options.accessibility));
        }
    }
    for (used, part) in [(calls_back, CALLBACK), (keeps, KEPT)] {
        if used {
            text.blank();
            text.line(part.replace("ACCESS", &cx.options.accessibility));
        }
    }
}
