//! Classes over memory.

use super::Options;
use super::callbacks;
use super::kind::{closed, is_bigint, is_record, scalar};
use super::loose::Loose;
use super::names::{self, global, member, quoted, variant};
use crate::model::{Api, Body, Declared, Field, Idiom, Int, Limit, Spelling, Ty, TypeId};
use crate::plan::{Kind, Number};
use std::fmt::Write as _;

/// The expression that reads and writes a type in memory.
pub(super) fn memory(api: &Api, options: &Options, ty: &Ty) -> Option<String> {
    memory_at(api, options, ty, false)
}

/// The same where arrays may be loose.
fn memory_at(api: &Api, options: &Options, ty: &Ty, loose: bool) -> Option<String> {
    if let Some((declared, _)) = closed(api, ty) {
        return Some(format!("{}$", global(&declared.name)));
    }
    Some(match Kind::plain(api, ty) {
        Kind::Int(number) if options.numbers && is_bigint(number) && number.bytes == 8 => {
            format!("$.{}n", number.name())
        }
        Kind::Record(id) => global(&api.get(id).name),
        Kind::Array(of, len) => {
            let of = memory_at(api, options, of, loose)?;
            format!("$.array({of}, {len}{})", if loose { ", true" } else { "" })
        }
        kind => format!("$.{}", scalar(kind)?),
    })
}

/// The same in a field, where a function may be a `Callback`.
fn memory_in_field(api: &Api, options: &Options, ty: &Ty, loose: bool) -> Option<String> {
    if let Ty::Array { of, len } = api.resolve(ty) {
        let of = memory_in_field(api, options, of, loose)?;
        return Some(format!("$.array({of}, {len}{})", if loose { ", true" } else { "" }));
    }
    match callbacks::place(api, ty) {
        Some(place) => Some(format!("code${place}")),
        None => memory_at(api, options, ty, loose),
    }
}

/// The classes, in the order of the types.
pub(super) fn text(api: &Api, options: &Options, exports: &mut Vec<String>) -> String {
    let mut text = String::new();
    for (id, declared) in api.declared() {
        let ty = Ty::Named(id);
        if let (Body::Enum(body), Some(_)) = (&declared.body, closed(api, &ty)) {
            let values: Vec<i128> = body.variants.iter().map(|variant| variant.value).collect();
            named(api, options, (&declared.name, &declared.name), body.repr, &values, &mut text);
        }
    }
    let loose = Loose::new(api);
    for (id, declared) in api.declared() {
        let name = global(&declared.name);
        match &declared.body {
            Body::Enum(body) => {
                constants(&name, body.variants.iter(), bigint(api, body.repr), &mut text);
                exports.push(name);
            }
            Body::Flags(body) => {
                constants(&name, body.bits.iter(), bigint(api, body.repr), &mut text);
                exports.push(name);
            }
            _ if is_record(declared) => {
                Class { api, options, loose: &loose, id }.write(declared, &name, &mut text);
                exports.push(name);
            }
            _ => {}
        }
    }
    text
}

/// Whether values of an enum are bigints.
pub(super) fn bigint(api: &Api, repr: Int) -> bool {
    is_bigint(Number::new(api, repr))
}

/// How an integer limited to certain values lies in memory: an object with that name and a `$`.
fn named(
    api: &Api,
    options: &Options,
    (name, of): (&str, &str),
    repr: Int,
    values: &[i128],
    text: &mut String,
) {
    let suffix = if bigint(api, repr) { "n" } else { "" };
    let values: Vec<String> = values.iter().map(|value| format!("{value}{suffix}")).collect();
    let (name, of, values) = (global(name), quoted(of), values.join(", "));
    let integer = memory(api, options, &Ty::Int(repr)).unwrap_or_default();
    let _ = writeln!(text, "\nconst {name}$ = $.named({integer}, {of}, [{values}]);");
}

/// An integer as a literal: a bigint too where no number holds it exactly.
pub(super) fn integer(value: i128, bigint: bool) -> String {
    let exact = value.unsigned_abs() < 1 << 53;
    if bigint || !exact { format!("{value}n") } else { value.to_string() }
}

fn constants<'a>(
    name: &str,
    variants: impl Iterator<Item = &'a crate::model::Variant>,
    bigint: bool,
    text: &mut String,
) {
    let _ = writeln!(text, "\nconst {name} = Object.freeze({{");
    for variant in variants {
        let _ = writeln!(text, "  {}: {},", names::key(&variant.name), integer(variant.value, bigint));
    }
    text.push_str("});\n");
}

/// Limits as `runtime/limits.js` takes them.
struct Limits<'a>(&'a Api);

impl Spelling for Limits<'_> {
    fn numbers(&self, limit: &Limit, int: Int, what: &str, numbers: &[(i128, String)]) -> String {
        let suffix = if bigint(self.0, int) { "n" } else { "" };
        let numbers: Vec<String> =
            numbers.iter().map(|(number, inner)| format!("[{number}{suffix}, {inner}]")).collect();
        let integer = memory(self.0, &Options::default(), &Ty::Int(int)).unwrap_or_default();
        let (path, numbers, what) = (quoted(&limit.path), numbers.join(", "), quoted(what));
        format!("[{path}, {}, {integer}, $.numbers([{numbers}]), {what}]", limit.offset)
    }

    fn each(&self, limit: &Limit, count: u64, stride: u64, limits: &str) -> String {
        format!("[{}, {}, {count}, {stride}, {limits}]", quoted(&limit.path), limit.offset)
    }

    fn list(&self, items: &[String]) -> String {
        format!("[{}]", items.join(", "))
    }
}

/// The parts of one class's text.
struct Class<'a> {
    api: &'a Api,
    options: &'a Options,
    loose: &'a Loose,
    id: TypeId,
}

impl Class<'_> {
    fn write(&self, declared: &Declared, name: &str, text: &mut String) {
        let (api, options) = (self.api, self.options);
        let Some(layout) = declared.layout else { return };
        let mut head = format!(
            "\nclass {name} extends $.View {{\n  static size = {};\n  static align = {};\n",
            layout.size, layout.align
        );
        let limits = api.limits(&Ty::Named(self.id));
        if !limits.is_empty() {
            let _ = writeln!(head, "  static limits = {};", Limits(api).spell(&limits));
        }
        let mut before = String::new();
        let mut body = String::new();
        match &declared.body {
            Body::Struct(record) | Body::Union(record) => {
                let offsets: Vec<String> = record
                    .fields
                    .iter()
                    .map(|field| format!("{}: {}", member(options, &field.name), field.offset))
                    .collect();
                let _ = writeln!(head, "  static offsets = Object.freeze({{ {} }});", offsets.join(", "));
                self.accessors(name, &record.fields, &mut before, &mut body);
                let _ = match &declared.idiom {
                    Some(Idiom::Rel { of }) if let Some(of) = memory(api, options, of) => {
                        write!(body, "  elements(base) {{\n    return $.relative(this, {of}, base);\n  }}\n")
                    }
                    Some(Idiom::Slice { of, .. }) if let Some(of) = memory(api, options, of) => {
                        write!(body, "  elements() {{\n    return $.span(this, {of});\n  }}\n")
                    }
                    _ => Ok(()),
                };
            }
            Body::Tagged(tagged) => {
                let tags: Vec<String> =
                    tagged.variants.iter().map(|of| format!("{}: {}", variant(&of.name), of.value)).collect();
                let _ = writeln!(head, "  static tags = Object.freeze({{ {} }});", tags.join(", "));
                let suffix = if bigint(api, tagged.tag) { "n" } else { "" };
                let tag = format!("{name}$tag$");
                let values: Vec<i128> = tagged.variants.iter().map(|of| of.value).collect();
                let label = (format!("{name}$tag"), declared.name.as_str());
                named(api, &Options::default(), (&label.0, label.1), tagged.tag, &values, &mut before);
                let _ = write!(
                    body,
                    "  get tag() {{ return {tag}.get(this._r, this._o); }}\n  \
                 set tag(value) {{ {tag}.set(this._r, this._o, value, \"{name}.tag\"); }}\n"
                );
                for of in &tagged.variants {
                    let (shown, value) = (variant(&of.name), of.value);
                    if of.fields.is_empty() {
                        let _ = write!(
                            body,
                            "  get {shown}() {{ return this.tag === {value}{suffix}; }}\n  \
                         set {shown}(value) {{ if (value) this.tag = {value}{suffix}; }}\n"
                        );
                        continue;
                    }
                    let inner = format!("{name}${shown}");
                    let mut fields = String::new();
                    self.accessors(&inner, &of.fields, &mut before, &mut fields);
                    let _ = write!(
                        before,
                        "\nclass {inner} extends $.View {{\n  static size = {};\n  static align = {};\n{fields}}}\n",
                        layout.size, layout.align
                    );
                    let _ = write!(
                        body,
                        "  get {shown}() {{ return this.tag === {value}{suffix} ? {inner}.get(this._r, this._o) : undefined; }}\n  \
                     set {shown}(value) {{\n    {inner}.set(this._r, this._o, value, \"{name}.{shown}\");\n    this.tag = {value}{suffix};\n  }}\n"
                    );
                }
            }
            _ => {}
        }
        let _ = writeln!(text, "{before}{head}{body}}}");
    }

    /// The accessors of the public fields.
    fn accessors(&self, class: &str, fields: &[Field], before: &mut String, body: &mut String) {
        let (api, options) = (self.api, self.options);
        for field in fields.iter().filter(|field| field.public) {
            let shown = member(options, &field.name);
            let made = match (&field.bits, Kind::plain(api, &field.ty)) {
                (Some(bits), Kind::Int(number)) if bits.width > 0 => {
                    let shown = if Kind::plain(api, &bits.of) == Kind::Bool { "$.truth" } else { "" };
                    Some(format!(
                        "{shown}($.bits({}, {}, {}, {}, {}))",
                        number.bytes,
                        bits.shift,
                        bits.width,
                        bits.signed,
                        number.bytes >= 8
                    ))
                }
                (Some(_), _) => None,
                _ => memory_in_field(api, options, &field.ty, self.loose.field(api, self.id, field)),
            };
            let Some(mut memory) = made else { continue };
            if memory.contains('(') {
                let named = format!("{class}_{shown}$");
                let _ = writeln!(before, "\nconst {named} = {memory};");
                memory = named;
            }
            let offset = field.offset;
            let _ = write!(
                body,
                "  get {shown}() {{ return {memory}.get(this._r, this._o + {offset}); }}\n  \
             set {shown}(value) {{ {memory}.set(this._r, this._o + {offset}, value, \"{class}.{shown}\"); }}\n"
            );
        }
    }
}
