//! The structs of `upcall-abi` as C# shows them: spans without a copy, owned memory with `Dispose`.

use super::cx::Cx;
use super::text::Text;
use crate::model::{Declared, Idiom, Ty, TypeId};

/// What follows the struct's name.
pub(super) fn interface(declared: &Declared) -> &'static str {
    match declared.idiom {
        Some(Idiom::Buffer { .. } | Idiom::Text) => " : IDisposable",
        _ => "",
    }
}

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
            text.line("public override readonly string ToString() => System.Text.Encoding.UTF8.GetString(AsSpan());");
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
            owned(cx, id, &span_element(cx, of), &span_length(cx, of), text);
        }
        Some(Idiom::Text) => {
            owned(cx, id, "byte", "checked((int)len)", text);
            text.blank();
            text.docs("The text, as a copy.");
            text.line("public override readonly string ToString() => System.Text.Encoding.UTF8.GetString(AsSpan());");
        }
        Some(Idiom::Failure) | None => {}
    }
}

/// `len` marks a released buffer: no other has that many elements.
fn owned(cx: &Cx, id: TypeId, element: &str, length: &str, text: &mut Text) {
    let name = cx.name(id);
    text.blank();
    text.docs("The elements, without a copy. They are gone after Dispose.");
    text.line(format!(
        "public readonly Span<{element}> AsSpan() => len == nuint.MaxValue ? throw new ObjectDisposedException(\"{name}\") : new(data, {length});"
    ));
    text.blank();
    text.docs("A copy of the elements.");
    text.line(format!("public readonly {element}[] ToArray() => AsSpan().ToArray();"));
    text.blank();
    text.docs(
        "Gives the memory back to the library. Of several copies of this struct only one may be disposed.",
    );
    text.open("public void Dispose()");
    text.line("if (release != null && len != nuint.MaxValue) release(data, len, capacity);");
    text.line("this = default;");
    text.line("len = nuint.MaxValue;");
    text.close();
}
