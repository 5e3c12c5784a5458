//! The structs of `upcall-abi` as C# shows them: spans without a copy, owned memory that is taken over.

use super::cx::Cx;
use super::text::Text;
use crate::model::{Idiom, Ty, TypeId};

/// What a span of these elements holds. Addresses cannot be type arguments, but their numbers can; arrays are
/// flattened, as C# has no type for them.
pub(super) fn span_element(cx: &Cx, of: &Ty) -> String {
    match cx.api.resolve(of) {
        Ty::Array { of, .. } => span_element(cx, of),
        Ty::Pointer(_) => "nint".into(),
        other if cx.api.callback(other).is_some() => "nint".into(),
        other => cx.blittable(other),
    }
}

/// The number of span elements for `len` of these: `checked((int)len)`.
fn span_length(cx: &Cx, of: &Ty) -> String {
    let (mut times, mut of) = (1, of);
    while let Ty::Array { of: inner, len } = cx.api.resolve(of) {
        (times, of) = (times * len, inner);
    }
    let times = if times == 1 { String::new() } else { format!(" * {times}") };
    format!("checked((int)len{times})")
}

/// Writes the members that make a struct an idiom.
pub(super) fn members(cx: &Cx, id: TypeId, text: &mut Text) {
    let declared = cx.api.get(id);
    match &declared.idiom {
        Some(Idiom::Slice { of, mutable }) => {
            let element = span_element(cx, of);
            let span = if *mutable { "Span" } else { "ReadOnlySpan" };
            text.blank();
            text.docs("The elements, where they are.");
            let length = span_length(cx, of);
            text.line(format!("public readonly {span}<{element}> AsSpan() => new(data, {length});"));
        }
        Some(Idiom::Str) => {
            text.blank();
            text.docs("The UTF-8 bytes, where they are.");
            text.line("public readonly ReadOnlySpan<byte> AsSpan() => new(data, checked((int)len));");
            text.blank();
            text.docs("The text.");
            text.line(to_string());
        }
        Some(Idiom::Rel { of }) => {
            let (element, length) = (span_element(cx, of), span_length(cx, of));
            text.blank();
            text.docs("The elements, which lie at an offset from an address.");
            text.line(format!(
                "public readonly Span<{element}> AsSpan(void* start) => new((byte*)start + offset, {length});"
            ));
        }
        Some(Idiom::Buffer { of }) => {
            let (element, length) = (span_element(cx, of), span_length(cx, of));
            view(&element, &length, text);
            text.blank();
            text.docs("The elements as an object that owns them. Of several copies of this struct only one may be taken.");
            text.open(format!("public NativeBuffer<{element}> Take()"));
            text.line(format!(
                "NativeBuffer<{element}> taken = new(data, len, capacity, (void*)release, {length});"
            ));
            text.line("this = default;");
            text.line("return taken;");
            text.close();
        }
        Some(Idiom::Text) => {
            view("byte", "checked((int)len)", text);
            text.blank();
            text.docs("The text, as a copy.");
            text.line(to_string());
            text.blank();
            text.docs(
                "The text, as a copy; the memory goes back to the library. Of several copies of this struct only one may be taken.",
            );
            text.open("public string Take()");
            text.line("try { return ToString(); }");
            text.open("finally");
            text.line("if (release != null) release(data, len, capacity);");
            text.line("this = default;");
            text.close();
            text.close();
        }
        Some(Idiom::Failure) | None => {}
    }
}

fn to_string() -> &'static str {
    "public override readonly string ToString() => global::System.Text.Encoding.UTF8.GetString(AsSpan());"
}

fn view(element: &str, length: &str, text: &mut Text) {
    text.blank();
    text.docs("The elements, where they are.");
    text.line(format!("public readonly Span<{element}> AsSpan() => new(data, {length});"));
}
