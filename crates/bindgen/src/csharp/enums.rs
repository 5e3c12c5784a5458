use super::cx::Cx;
use super::names::{escaped, scope};
use super::text::Text;
use crate::Diagnostics;
use crate::model::{Declared, Int, TypeId, Variant};

/// Writes an enum or a set of flags.
pub(super) fn write(
    cx: &Cx,
    id: TypeId,
    repr: Int,
    variants: &[Variant],
    flags: bool,
    text: &mut Text,
    diagnostics: &mut Diagnostics,
) {
    let declared: &Declared = cx.api.get(id);
    if matches!(repr, Int::I128 | Int::U128) {
        // Nothing that uses it could be written either.
        diagnostics.error(
            Some(&declared.place),
            format!("`{}` is an enum of 128 bits, which C# does not have", declared.source),
            "give it a smaller integer",
        );
        return;
    }
    text.docs(&declared.docs);
    text.obsolete(&declared.deprecated);
    if flags {
        text.line("[Flags]");
    }
    text.open(format!("{} enum {} : {}", cx.options.accessibility, cx.name(id), cx.plain_int(repr)));
    let mut scope = scope();
    for variant in variants {
        let name = cx.member(&variant.name, escaped, &scope);
        let source = format!("{}::{}", declared.source, variant.name);
        if scope.declare(&name, &source, &declared.place, diagnostics) {
            text.docs(&variant.docs);
            text.line(format!("{name} = {},", variant.value));
        }
    }
    text.close();
}
