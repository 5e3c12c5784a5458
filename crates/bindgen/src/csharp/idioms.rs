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

const TO_STRING: &str =
    "public override readonly string ToString() => global::System.Text.Encoding.UTF8.GetString(AsSpan());";

/// Writes the members that make a struct an idiom.
pub(super) fn members(cx: &Cx, id: TypeId, text: &mut Text) {
    let spanned = |of: &Ty| (span_element(cx, of), span_length(cx, of));
    let view = |span: &str, what: &str, length: &str| {
        format!(
            "/// <summary>The {what}, where they are.</summary>
public readonly {span} AsSpan() => new(data, {length});"
        )
    };
    let members = match &cx.api.get(id).idiom {
        Some(Idiom::Slice { of, mutable }) => {
            let (element, length) = spanned(of);
            let span = if *mutable { "Span" } else { "ReadOnlySpan" };
            view(&format!("{span}<{element}>"), "elements", &length)
        }
        Some(Idiom::Str) => {
            let bytes = view("ReadOnlySpan<byte>", "UTF-8 bytes", "checked((int)len)");
            format!(
                "{bytes}

/// <summary>The text.</summary>
{TO_STRING}"
            )
        }
        Some(Idiom::Rel { of }) => {
            let (element, length) = spanned(of);
            format!(
                "/// <summary>The elements, which lie at an offset from an address.</summary>
public readonly Span<{element}> AsSpan(void* start) => new((byte*)start + offset, {length});"
            )
        }
        Some(Idiom::Buffer { of }) => {
            let (element, length) = spanned(of);
            let elements = view(&format!("Span<{element}>"), "elements", &length);
            format!(
                "{elements}

/// <summary>The elements as an object that owns them. Of several copies of this struct only one may be taken.</summary>
public NativeBuffer<{element}> Take()
{{
    NativeBuffer<{element}> taken = new(data, len, capacity, (void*)release, {length});
    this = default;
    return taken;
}}"
            )
        }
        Some(Idiom::Text) => {
            let bytes = view("Span<byte>", "elements", "checked((int)len)");
            format!(
                "{bytes}

/// <summary>The text, as a copy.</summary>
{TO_STRING}

/// <summary>The text, as a copy; the memory goes back to the library. Of several copies of this struct only one may be taken.</summary>
public string Take()
{{
    try {{ return ToString(); }}
    finally
    {{
        if (release != null) release(data, len, capacity);
        this = default;
    }}
}}"
            )
        }
        Some(Idiom::Failure) | None => return,
    };
    text.blank();
    text.line(members);
}
