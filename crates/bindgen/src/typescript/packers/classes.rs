//! Packed types as TypeScript declares them.

use super::super::names::{docs, quoted};
use super::{Packers, ended};
use crate::model::{Case, Enum, Form, Object, Packed, Raw, Slot};
use crate::packers::laid;
use std::fmt::Write as _;

impl Packers<'_> {
    /// A class whose members are properties.
    pub(super) fn object(&self, packed: &Packed, object: &Object) -> String {
        let name = self.name_of(&packed.name);
        let slots = &object.members;
        let mut write = Vec::new();
        let count = object.slots();
        match object.form {
            Form::Plain => {
                write.push(format!("w.head({count})"));
                for slot in slots {
                    write.extend(self.write_member(&name, slot));
                }
                write.push("w.leave()".into());
            }
            form => {
                if form == Form::Circular {
                    write.push("if (w.refer(value)) return".into());
                }
                write.push(format!("const slots = w.slots({count})"));
                for slot in slots {
                    write.extend(self.write_member(&name, slot));
                    write.push(format!("slots.end({})", slot.index));
                }
                write.push(if form == Form::Circular { "slots.done(value)" } else { "slots.done()" }.into());
            }
        }
        let read = match object.form {
            Form::Plain => {
                let name_it = if slots.is_empty() { "" } else { "const count = " };
                let mut read = vec![format!("{name_it}r.head({count})")];
                let there = |slot: &Slot| format!("count > {}", slot.index);
                read.extend(self.made(&name, slots, &there));
                read.extend(["r.leave()".to_owned(), "return value".to_owned()]);
                read
            }
            Form::VersionTolerant => {
                let mut read = vec!["const slots = r.slots(false)".to_owned()];
                read.extend(self.made(&name, slots, &|slot| format!("slots.open({})", slot.index)));
                read.extend(["slots.close()".to_owned(), "return value".to_owned()]);
                read
            }
            Form::Circular => self.read_circular(&name, slots),
        };
        self.class(packed, slots, &write, &read)
    }

    fn write_member(&self, name: &str, slot: &Slot) -> Vec<String> {
        let member = self.member(slot);
        self.place.replace(format!("{name}.{member}"));
        self.write(&slot.wire, &format!("value.{member}"))
    }

    /// `const value = new Name({ member: there ? read : default })`, with one line per member.
    fn made(&self, name: &str, slots: &[Slot], there: &dyn Fn(&Slot) -> String) -> Vec<String> {
        if slots.is_empty() {
            return vec![format!("const value = new {name}()")];
        }
        let members: String = slots
            .iter()
            .map(|slot| {
                let value = self.read_or_default(name, slot, &there(slot));
                format!("      {}: {value},\n", self.member(slot))
            })
            .collect();
        vec![format!("const value = new {name}({{\n{members}    }})")]
    }

    fn read_or_default(&self, name: &str, slot: &Slot, there: &str) -> String {
        let missing = || format!("r.missing({})", quoted(&format!("{name}.{}", self.member(slot))));
        let default = self.default_of(&slot.wire).unwrap_or_else(missing);
        format!("{there} ? {} : {default}", self.read(&slot.wire, "r"))
    }

    /// An object that its members may refer to while they are being read.
    fn read_circular(&self, name: &str, slots: &[Slot]) -> Vec<String> {
        let mut read = vec![
            format!("const known = r.referred({name})"),
            "if (known !== undefined) return known".to_owned(),
            "const slots = r.slots(true)".to_owned(),
            format!("const value = Object.create({name}.prototype) as {name}"),
            "r.remember(slots.id, value)".to_owned(),
        ];
        for slot in slots {
            let value = self.read_or_default(name, slot, &format!("slots.open({})", slot.index));
            read.push(format!("value.{} = {value}", self.member(slot)));
        }
        read.extend(["slots.close()".to_owned(), "return value".to_owned()]);
        read
    }

    /// A class of raw fields.
    pub(super) fn raw(&self, packed: &Packed, raw: &Raw) -> String {
        let name = self.name_of(&packed.name);
        let placed = &raw.placed;
        let write =
            laid(raw.fields.len(), Some(placed), |index| self.write_member(&name, &raw.fields[index]));
        let fields: String = raw
            .fields
            .iter()
            .zip(&placed.offsets)
            .map(|(field, at)| {
                let value = self.read(&field.wire, &format!("at({at})"));
                format!("      {}: {value},\n", self.member(field))
            })
            .collect();
        let read = [format!("return r.laid({}, (at) => new {name}({{\n{fields}    }}))", placed.layout.size)];
        self.class(packed, &raw.fields, &write, &read)
    }

    fn class(&self, packed: &Packed, slots: &[Slot], write: &[String], read: &[String]) -> String {
        let name = self.name_of(&packed.name);
        let mut text = docs(&packed.docs, packed.deprecated.as_deref(), "");
        let _ = writeln!(text, "export class {name} {{");
        for slot in slots {
            text.push_str(&docs(&slot.docs, None, "  "));
            let _ = writeln!(text, "  {}: {};", self.member(slot), self.type_of(&slot.wire));
        }
        if !slots.is_empty() {
            text.push_str(&self.constructor(slots));
        }
        let value = if slots.is_empty() { "_value" } else { "value" };
        let _ = write!(
            text,
            "  static pack(value: {name}, options?: $.Options): Uint8Array {{\n    return $.pack({name}.write, value, options);\n  }}\n\n  \
             static unpack(bytes: Uint8Array, options?: $.Options): {name} {{\n    return $.unpack({name}.read, bytes, options);\n  }}\n\n  \
             static write(w: $.Writer, {value}: {name}): void {{\n{}  }}\n\n  \
             static read(r: $.Reader): {name} {{\n{}  }}\n}}\n",
            lines(write),
            lines(read),
        );
        text
    }

    fn constructor(&self, slots: &[Slot]) -> String {
        let defaults: Vec<Option<String>> = slots.iter().map(|slot| self.default_of(&slot.wire)).collect();
        let optional = defaults.iter().all(Option::is_some);
        let mut text = String::from("\n  constructor(init: {\n");
        for (slot, default) in slots.iter().zip(&defaults) {
            let mark = if default.is_some() { "?" } else { "" };
            let _ = writeln!(text, "    {}{mark}: {};", self.member(slot), self.type_of(&slot.wire));
        }
        text.push_str(if optional { "  } = {}) {\n" } else { "  }) {\n" });
        for (slot, default) in slots.iter().zip(defaults) {
            let member = self.member(slot);
            let default = default.map(|default| format!(" ?? {default}")).unwrap_or_default();
            let _ = writeln!(text, "    this.{member} = init.{member}{default};");
        }
        text.push_str("  }\n\n");
        text
    }

    /// An object of numbers, and the type of one of them.
    pub(super) fn enumeration(&self, packed: &Packed, of: &Enum) -> String {
        let name = self.name_of(&packed.name);
        let mut text = docs(&packed.docs, packed.deprecated.as_deref(), "");
        let _ = writeln!(text, "export const {name} = {{");
        for variant in &of.variants {
            text.push_str(&docs(&variant.docs, None, "  "));
            let _ = writeln!(
                text,
                "  {}: {},",
                self.variant(&variant.name),
                self.integer(of.repr, variant.value)
            );
        }
        let _ = write!(
            text,
            "}} as const;\n\nexport type {name} = (typeof {name})[keyof typeof {name}];\n\n\
             const {name}_VALUES: ReadonlySet<number | bigint> = new Set<number | bigint>(Object.values({name}));\n"
        );
        text
    }

    /// Objects that say which case they are, and the functions that write and read them.
    pub(super) fn union(&self, packed: &Packed, cases: &[Case]) -> String {
        let name = self.name_of(&packed.name);
        let mut text = docs(&packed.docs, packed.deprecated.as_deref(), "");
        let _ = write!(text, "export type {name} =");
        for case in cases {
            let _ = write!(
                text,
                "\n  | {{ readonly kind: {}; readonly value: {} }}",
                quoted(&case.name),
                self.type_of(&case.wire)
            );
        }
        let (mut write, mut read) = (String::new(), String::new());
        for case in cases {
            let kind = quoted(&case.name);
            self.place.replace(format!("{name}.{}", case.name));
            let body: Vec<String> =
                self.write(&case.wire, "value.value").iter().map(|one| ended(one)).collect();
            let _ = writeln!(
                write,
                "      case {kind}:\n        w.tag({});\n        {}\n        break;",
                case.tag,
                body.join(" ")
            );
            let value = self.read(&case.wire, "r");
            let _ = writeln!(
                read,
                "      case {}:\n        value = {{ kind: {kind}, value: {value} }};\n        break;",
                case.tag
            );
        }
        let _ = write!(
            text,
            ";\n\nexport const {name} = {{\n  \
             pack(value: {name}, options?: $.Options): Uint8Array {{\n    return $.pack({name}.write, value, options);\n  }},\n\n  \
             unpack(bytes: Uint8Array, options?: $.Options): {name} {{\n    return $.unpack({name}.read, bytes, options);\n  }},\n\n  \
             write(w: $.Writer, value: {name}): void {{\n    switch (value.kind) {{\n{write}    }}\n    w.leave();\n  }},\n\n  \
             read(r: $.Reader): {name} {{\n    let value: {name};\n    const tag = r.tag();\n    switch (tag) {{\n{read}      \
             default:\n        return r.unknownTag(tag);\n    }}\n    r.leave();\n    return value;\n  }},\n}};\n"
        );
        text
    }
}

/// Statements at the depth of a method's body.
fn lines(statements: &[String]) -> String {
    statements.iter().map(|one| format!("    {}\n", ended(one))).collect()
}
