//! Packed types as TypeScript declares them.

use super::Packers;
use super::types::is_big;
use super::values::ended;
use crate::code::fill;
use crate::lines;
use crate::plan::{Case, Enum, Object, Packed, Raw, Slot, Wire};
use std::fmt::Write as _;

impl Packers<'_> {
    /// A class whose members are properties.
    pub(super) fn object(&self, packed: &Packed, object: &Object) -> String {
        let name = self.name_of(&packed.name);
        let slots = &object.members;
        let known = ["if (w.refer(value)) return"];
        let write = lines::object(object, "const slots", &known, |slot| self.write_member(&name, slot));
        let reading = lines::Reading {
            declare: "const ",
            booleans: ["false", "true"],
            known: vec![
                format!("const known = r.referred({name})"),
                "if (known !== undefined) return known".to_owned(),
            ],
            empty: format!("const value = Object.create({name}.prototype) as {name}"),
        };
        let value = |slot: &Slot, there: &str| (self.member(slot), self.read_or_default(&name, slot, there));
        let read = lines::read_object(object, reading, value, |values| {
            let members = values.iter().map(|(member, value)| format!("{member}: {value}"));
            vec![match slots.is_empty() {
                true => format!("const value = new {name}()"),
                false => format!("const value = {}", literal(&name, members)),
            }]
        });
        self.class(packed, slots, &write, &read)
    }

    fn write_member(&self, name: &str, slot: &Slot) -> Vec<String> {
        let member = self.member(slot);
        self.place.replace(format!("{name}.{member}"));
        self.write(&slot.wire, &format!("value.{member}"))
    }

    fn read_or_default(&self, name: &str, slot: &Slot, there: &str) -> String {
        let missing = || {
            format!(
                "r.missing({})",
                (self.settings.spelling.literal)(&format!("{name}.{}", self.member(slot)))
            )
        };
        let default = self.default_of(&slot.wire).unwrap_or_else(missing);
        format!("{there} ? {} : {default}", self.read(&slot.wire, "r"))
    }

    /// A class of raw fields.
    pub(super) fn raw(&self, packed: &Packed, id: &Wire, raw: &Raw) -> String {
        let name = self.name_of(&packed.name);
        let parts = self.plan.parts(id);
        let write =
            parts.map(|parts| lines::steps(&parts, |_, part| self.write_member(&name, &raw.fields[part])));
        let fields = raw.fields.iter().zip(&raw.placed.offsets);
        let read = fields.map(|(field, at)| {
            format!("{}: {}", self.member(field), self.read(&field.wire, &format!("at({at})")))
        });
        let made = literal(&name, read);
        let read = format!("return r.laid({}, (at) => {made})", raw.placed.layout.size);
        self.class(packed, &raw.fields, &write.unwrap_or_default(), &[read])
    }

    fn class(&self, packed: &Packed, slots: &[Slot], write: &[String], read: &[String]) -> String {
        let lines = |statements: &[String]| {
            statements.iter().map(|one| format!("    {}\n", ended(one))).collect::<String>()
        };
        let member = |slot: &Slot| {
            format!(
                "{}  {}: {};\n",
                self.settings.spelling.docs(&slot.docs, "  "),
                self.member(slot),
                self.type_of(&slot.wire)
            )
        };
        let members: String = slots.iter().map(member).collect();
        let values = [("members", &*members), ("constructor", &self.constructor(slots))];
        let value = if slots.is_empty() { "_value" } else { "value" };
        let code = [("value", value), ("write", &lines(write)), ("read", &lines(read))];
        self.fill(packed, include_str!("templates/class.ts.in"), &[&values[..], &code].concat())
    }

    fn fill(&self, packed: &Packed, template: &str, values: &[(&str, &str)]) -> String {
        let docs = self.settings.spelling.declared(packed);
        let own = [("docs", &*docs), ("name", &self.name_of(&packed.name))];
        fill(template, &[&own[..], values].concat())
    }

    fn constructor(&self, slots: &[Slot]) -> String {
        if slots.is_empty() {
            return String::new();
        }
        let (mut declared, mut assigned, mut optional) = (String::new(), String::new(), true);
        for slot in slots {
            let (member, default) = (self.member(slot), self.default_of(&slot.wire));
            let mark = if default.is_some() { "?" } else { "" };
            optional &= default.is_some();
            let _ = writeln!(declared, "    {member}{mark}: {};", self.type_of(&slot.wire));
            let default = default.map(|default| format!(" ?? {default}")).unwrap_or_default();
            let _ = writeln!(assigned, "    this.{member} = init.{member}{default};");
        }
        let none = if optional { " = {}" } else { "" };
        format!("\n  constructor(init: {{\n{declared}  }}{none}) {{\n{assigned}  }}\n\n")
    }

    /// An object of numbers, and the type of one of them.
    pub(super) fn enumeration(&self, packed: &Packed, of: &Enum) -> String {
        let big = if is_big(of.repr) { "n" } else { "" };
        let mut variants = String::new();
        for one in &of.variants {
            let docs = self.settings.spelling.docs(&one.docs, "  ");
            let _ = writeln!(
                variants,
                "{docs}  {}: {}{big},",
                (self.settings.spelling.variant)(&one.name),
                one.value
            );
        }
        self.fill(packed, ENUM, &[("variants", &variants)])
    }

    /// Objects that say which case they are, and the functions that write and read them.
    pub(super) fn union(&self, packed: &Packed, cases: &[Case]) -> String {
        let name = self.name_of(&packed.name);
        let (mut kinds, mut write, mut read) = (String::new(), String::new(), String::new());
        for case in cases {
            let (kind, tag, ty) =
                ((self.settings.spelling.literal)(&case.name), case.tag, self.type_of(&case.wire));
            let _ = write!(kinds, "\n  | {{ readonly kind: {kind}; readonly value: {ty} }}");
            self.place.replace(format!("{name}.{}", case.name));
            let body: Vec<String> =
                self.write(&case.wire, "value.value").iter().map(|one| ended(one)).collect();
            let body = body.join(" ");
            let _ =
                writeln!(write, "      case {kind}:\n        w.tag({tag});\n        {body}\n        break;");
            let value = format!("{{ kind: {kind}, value: {} }}", self.read(&case.wire, "r"));
            let _ = writeln!(read, "      case {tag}:\n        value = {value};\n        break;");
        }
        let values = [("kinds", &*kinds), ("write", &write), ("read", &read)];
        self.fill(packed, include_str!("templates/union.ts.in"), &values)
    }
}

const ENUM: &str = "$docs
export const $name = {
$variants
} as const;

export type $name = (typeof $name)[keyof typeof $name];

const $name_VALUES: ReadonlySet<number | bigint> = new Set<number | bigint>(Object.values($name));
";

/// An object made of its members, on a line each.
fn literal(name: &str, members: impl Iterator<Item = String>) -> String {
    let members: String = members.map(|member| format!("      {member},\n")).collect();
    format!("new {name}({{\n{members}    }})")
}
