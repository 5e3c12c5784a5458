//! Small functions beside the types: accessors of bitfields, and helpers for slices, text, buffers and
//! failures.

use super::writer::Writer;
use crate::model::{Body, Declared, Field, Idiom, Ty};

/// The getter and the setter of a bitfield. They touch its own bits only.
pub fn bit_accessor(writer: &mut Writer<'_>, name: &str, field: &Field) -> Option<String> {
    let (bits, Ty::Int(unit)) = (field.bits.as_ref()?, &field.ty) else { return None };
    let own = writer.names.inner(&field.name);
    let (getter, setter) = (format!("{name}_get_{own}"), format!("{name}_set_{own}"));
    for accessor in [&getter, &setter] {
        let what = format!("the accessor of `{}` of `{name}`", field.name);
        let place = crate::model::Place::default();
        if !writer.scope.take(accessor, what, &place, writer.diagnostics) {
            return None;
        }
    }
    let (signed, unsigned) = of_size(writer.api.int_size(*unit));
    let (unit_name, offset, shift) = (unsigned, field.offset, bits.shift);
    let value = if bits.signed { signed } else { unsigned };
    let mask = u64::MAX >> (64 - bits.width.clamp(1, 64));
    let sign = format!("UINT64_C({:#x})", 1u64 << (bits.width.clamp(1, 64) - 1));
    let result =
        if bits.signed { format!("({value})((bits ^ {sign}) - {sign})") } else { format!("({value})bits") };
    let kind = match writer
        .api
        .types
        .iter()
        .find(|declared| matches!(declared.body, Body::Union(_)) && declared.name == name)
    {
        Some(_) => "union",
        None => "struct",
    };
    let docs = if field.docs.is_empty() {
        String::new()
    } else {
        format!("/** {} */\n", field.docs.replace("*/", "* /").replace('\n', " "))
    };
    Some(format!(
        "{docs}static inline {value} {getter}(const {kind} {name} *self) {{
    {unit_name} unit;
    uint64_t bits;
    memcpy(&unit, (const char *)self + {offset}, sizeof unit);
    bits = ((uint64_t)unit >> {shift}) & UINT64_C({mask:#x});
    return {result};
}}
static inline void {setter}({kind} {name} *self, {value} value) {{
    {unit_name} unit;
    const uint64_t mask = UINT64_C({mask:#x}) << {shift};
    memcpy(&unit, (const char *)self + {offset}, sizeof unit);
    unit = ({unit_name})(((uint64_t)unit & ~mask) | (((uint64_t)value << {shift}) & mask));
    memcpy((char *)self + {offset}, &unit, sizeof unit);
}}
"
    ))
}

/// The signed and the unsigned integer of that many bytes.
fn of_size(size: u64) -> (&'static str, &'static str) {
    match size {
        1 => ("int8_t", "uint8_t"),
        2 => ("int16_t", "uint16_t"),
        4 => ("int32_t", "uint32_t"),
        _ => ("int64_t", "uint64_t"),
    }
}

impl Writer<'_> {
    /// The functions of an idiom.
    pub fn idiom(&mut self, name: &str, declared: &Declared) {
        let Some(idiom) = &declared.idiom else { return };
        if !self.options.helpers {
            return;
        }
        let address = |of: &Ty, mutable: bool, name: &str| {
            self.speller().declare(&Ty::pointer(of.clone(), mutable), name)
        };
        // A field that shares its name with a type is escaped.
        let [at, len, offset, capacity, release, message] =
            ["data", "len", "offset", "capacity", "release", "message"].map(|field| self.names.inner(field));
        let text = match idiom {
            Idiom::Slice { of, mutable } => {
                let data = address(of, *mutable, "data");
                function(
                    "from",
                    &format!(
                        "static inline {name} {name}_from({data}, size_t len) {{\n    {name} slice;\n    slice.{at} = data;\n    slice.{len} = len;\n    return slice;\n}}\n"
                    ),
                    "`len` elements at `data`, which must live until the call returns.",
                )
            }
            Idiom::Str => function(
                "from",
                &format!(
                    "static inline {name} {name}_from(const char *text) {{\n    {name} str;\n    str.{at} = (const uint8_t *)text;\n    str.{len} = strlen(text);\n    return str;\n}}\n"
                ),
                "UTF-8 text that ends in a zero and must live until the call returns.",
            ),
            Idiom::Rel { of } => {
                let declaration = address(of, false, &format!("{name}_at({name} rel, const void *base)"));
                let cast = address(of, false, "");
                function(
                    "at",
                    &format!(
                        "static inline {declaration} {{\n    return ({cast})(const void *)((const char *)base + rel.{offset});\n}}\n"
                    ),
                    "The first of `rel.len` elements; `base` is what the offset counts from.",
                )
            }
            Idiom::Buffer { .. } | Idiom::Text => function(
                "release",
                &format!(
                    "static inline void {name}_release({name} *buffer) {{\n    if (buffer->{release}) {{\n        buffer->{release}(buffer->{at}, buffer->{len}, buffer->{capacity});\n    }}\n    memset(buffer, 0, sizeof *buffer);\n}}\n"
                ),
                "Gives the elements back to the library; a second call does nothing.",
            ),
            Idiom::Failure => function(
                "message",
                &format!(
                    "static inline const char *{name}_message(const {name} *failure, size_t *len) {{\n    *len = failure->{message}.{len};\n    return (const char *)failure->{message}.{at};\n}}\n"
                ),
                "What went wrong: `*len` bytes of UTF-8 without a final zero, until the failure is released.",
            ),
        };
        let (suffix, text) = text;
        let what = format!("a function of `{}`", declared.name);
        if self.scope.take(&format!("{name}_{suffix}"), what, &declared.place, self.diagnostics) {
            self.text += &text;
        }
    }
}

fn function(suffix: &'static str, text: &str, docs: &str) -> (&'static str, String) {
    (suffix, format!("/** {docs} */\n{text}"))
}
