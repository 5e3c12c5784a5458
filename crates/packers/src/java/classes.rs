//! Records, the classes of circular objects, enums, and unions: a sealed interface with a record for each case.

use super::types::one;
use super::{Packers, scope};
use crate::code::fill;
use crate::plan::{Case, Enum, Form, Object, Packed, PackedId, Slot, Wire};
use crate::{Comment, Report};

/// Names that packers add to a type. They have no parameters, like an accessor.
const ADDED: [&str; 2] = ["defaults", "pack"];

const NAMED: &str = "\n/** Its name in a pool. */\n";

impl Packers<'_> {
    fn member_names(&self, packed: &Packed, slots: &[Slot], report: &mut dyn Report) -> Vec<String> {
        let mut scope = scope();
        let name = |slot: &Slot| {
            let mut name = (self.spelling.member)(&slot.name);
            if ADDED.contains(&name.as_str()) {
                name.push('_');
            }
            let source = format!("{}::{}", packed.source, slot.name);
            scope.declare(&name, &source, &packed.place, report);
            name
        };
        slots.iter().map(name).collect()
    }

    /// The class of an object.
    pub fn object(&self, id: PackedId, object: &Object, report: &mut dyn Report) -> String {
        let packed = self.plan.packed(id);
        let names = self.member_names(packed, &object.members, report);
        let circular = object.form == Form::Circular;
        let open = match circular {
            true => self.open_class(id, &object.members, &names),
            false => self.open_record(id, &object.members, &names),
        };
        let read = self.read_object(self.name(id), object, &names);
        let write = self.write_object(object, &names);
        let by = if object.form == Form::Plain { "w" } else { "to" };
        let write = format!("if (value == null) {{\n{by}.none();\nreturn;\n}}\n{write}");
        let defaults = if circular { &[] } else { &object.members[..] };
        self.class(id, &open, defaults, &read, by, &write)
    }

    /// The record of a struct that is plain memory.
    pub fn raw_struct(&self, id: PackedId, fields: &[Slot], report: &mut dyn Report) -> String {
        let names = self.member_names(self.plan.packed(id), fields, report);
        let open = self.open_record(id, fields, &names);
        let wire = Wire::Named(id);
        let Some(parts) = self.plan.parts(&wire) else { return open };
        let read = format!("{}{}", self.read_parts(&parts, ""), returned(self.name(id), names.len()));
        let write = self.write_parts(&parts, |part| format!("value.{}()", names[part]));
        self.class(id, &open, fields, &read, "w", &write)
    }

    fn class(&self, id: PackedId, open: &str, slots: &[Slot], read: &str, by: &str, write: &str) -> String {
        let name = self.name(id);
        let mut defaults = String::new();
        if self.plan.has_default(&Wire::Named(id)) {
            let values: Vec<String> = slots.iter().map(|slot| self.cast(&slot.wire)).collect();
            defaults =
                format!("\nstatic {name} defaults() {{\nreturn new {name}({});\n}}", values.join(", "));
        }
        let (entries, name) = (&self.entries(id, "public", "public"), self.name(id));
        let values = [("open", open), ("entries", entries), ("defaults", &defaults), ("name", name)];
        let code = [("read", read), ("by", by), ("write", write)];
        fill(include_str!("templates/object.java.in"), &[&values[..], &code].concat())
    }

    fn docs(&self, packed: &Packed, params: &[(&str, &str)]) -> String {
        let deprecated = packed.deprecated.as_deref();
        (self.spelling.comment)(&Comment { text: &packed.docs, deprecated, params, indent: "" })
    }

    /// The public methods.
    fn entries(&self, id: PackedId, modifier: &str, public: &str) -> String {
        let (name, source) = (self.name(id), self.plan.packed(id).pool_name());
        let named = match source == name {
            true => String::new(),
            false => format!(
                "{NAMED}{public} static final String POOL_NAME = {};\n",
                (self.spelling.literal)(source)
            ),
        };
        let values = [("modifier", modifier), ("public", public), ("name", name), ("named", &named)];
        fill(include_str!("templates/entries.java.in"), &values)
    }

    fn open_record(&self, id: PackedId, slots: &[Slot], names: &[String]) -> String {
        let packed = self.plan.packed(id);
        let params: Vec<(&str, &str)> =
            slots.iter().zip(names).map(|(slot, name)| (name.as_str(), slot.docs.as_str())).collect();
        let docs = self.docs(packed, &params);
        let members = slots.iter().zip(names).map(|(slot, name)| format!("{} {name}", self.ty(&slot.wire)));
        let members = members.collect::<Vec<_>>().join(", ");
        format!("{docs}@SuppressWarnings(\"deprecation\")\npublic record {}({members}) {{", self.name(id))
    }

    /// An object that others refer to exists before its members do.
    fn open_class(&self, id: PackedId, slots: &[Slot], names: &[String]) -> String {
        let (packed, name) = (self.plan.packed(id), self.name(id));
        let docs = self.docs(packed, &[]);
        let mut text = format!("{docs}@SuppressWarnings(\"deprecation\")\npublic final class {name} {{\n");
        for (slot, name) in slots.iter().zip(names) {
            let default = match self.plan.has_default(&slot.wire) {
                true => self.default(&slot.wire),
                false => "null".into(),
            };
            let docs = self.spelling.docs(&slot.docs, "");
            text.push_str(&format!("{docs}public {} {name} = {default};\n", self.ty(&slot.wire)));
        }
        format!("{text}\n/** One whose members are empty. */\npublic {name}() {{\n}}")
    }

    fn read_object(&self, name: &str, object: &Object, names: &[String]) -> String {
        let absent = if object.value { "throw r.none();" } else { "return null;" };
        let circular = object.form == Form::Circular;
        let mut text = match object.form {
            Form::Plain => {
                let count = object.members.len();
                format!("int members = r.head({count});\nif (members < 0) {{\n{absent}\n}}\n")
            }
            _ => {
                let read = if circular { "circular" } else { "slots" };
                format!("PackReader.Slots slots = r.{read}();\nif (slots == null) {{\n{absent}\n}}\n")
            }
        };
        if circular {
            text.push_str(&format!(
                "{name} before = slots.before({name}.class);\nif (before != null) {{\nreturn before;\n}}\n\
                 {name} value = new {name}();\nslots.know(value);\n"
            ));
        }
        for (index, (slot, member)) in object.members.iter().zip(names).enumerate() {
            let there = match object.form {
                Form::Plain => format!("members > {}", slot.index),
                _ => format!("slots.to({})", slot.index),
            };
            let otherwise = match self.plan.has_default(&slot.wire) {
                true => self.default(&slot.wire),
                false => format!("r.missing({})", (self.spelling.literal)(&format!("{name}.{member}"))),
            };
            let to = match circular {
                true => format!("value.{member}"),
                false => format!("{} v{index}", self.ty(&slot.wire)),
            };
            text.push_str(&format!("{to} = {there} ? {} : {otherwise};\n", self.read(&slot.wire)));
        }
        text.push_str(if object.form == Form::Plain { "r.leave();\n" } else { "slots.leave();\n" });
        match circular {
            true => text + "return value;",
            false => format!("{text}{}", returned(name, names.len())),
        }
    }

    fn write_object(&self, object: &Object, names: &[String]) -> String {
        let (mut text, number, called) = match object.form {
            Form::Plain => (format!("w.head({});\n", object.members.len()), "", "()"),
            Form::VersionTolerant => ("PackWriter w = to.members();\n".into(), "-1", "()"),
            Form::Circular => {
                let known = "int number = to.number(value);\nif (number < 0) {\nreturn;\n}\n";
                (format!("{known}PackWriter w = to.members();\n"), "number", "")
            }
        };
        let mut next = 0;
        for (slot, member) in object.members.iter().zip(names) {
            let write = self.write(&slot.wire, &format!("value.{member}{called}"));
            if object.form == Form::Plain {
                text.push_str(&format!("{write}\n"));
                continue;
            }
            // The slots between are empty.
            let empty = "w.slot();\n".repeat((slot.index - next) as usize);
            text.push_str(&format!("{empty}{write}\nw.slot();\n"));
            next = slot.index + 1;
        }
        match object.form {
            Form::Plain => text + "w.leave();",
            _ => format!("{text}to.slots(w, {number});"),
        }
    }

    /// An enum.
    pub fn enumeration(&self, id: PackedId, of: &Enum, report: &mut dyn Report) -> String {
        let packed = self.plan.packed(id);
        let ty = one(&Wire::Int(of.repr)).map_or("long", |one| one.ty);
        let number = |value: i128| match ty {
            "byte" => format!("(byte) {}", value as u8 as i8),
            "short" => format!("(short) {}", value as u16 as i16),
            "int" => (value as u32 as i32).to_string(),
            _ => format!("{}L", value as u64 as i64),
        };
        let mut scope = scope();
        let (mut cases, mut find) = (String::new(), String::new());
        for variant in &of.variants {
            let own = (self.spelling.variant)(&variant.name);
            let source = format!("{}::{}", packed.source, variant.name);
            if scope.declare(&own, &source, &packed.place, report) {
                let docs = self.spelling.docs(&variant.docs, "");
                cases.push_str(&format!("{docs}{own}({}),\n", number(variant.value)));
                find.push_str(&format!("if (value == {own}.value) {{\nreturn {own};\n}}\n"));
            }
        }
        let docs = self.docs(packed, &[]);
        let values =
            [("docs", &*docs), ("name", self.name(id)), ("ty", ty), ("cases", &cases), ("find", &find)];
        fill(include_str!("templates/enum.java.in"), &values)
    }

    /// The interface of a union and its cases.
    pub fn union(&self, id: PackedId, cases: &[Case], report: &mut dyn Report) -> String {
        let (packed, name) = (self.plan.packed(id), self.name(id));
        let mut scope = scope();
        let (mut permits, mut records) = (Vec::new(), String::new());
        let (mut read, mut write) = (String::new(), String::new());
        for case in cases {
            let mut own = (self.spelling.type_name)(&case.name);
            if own == name {
                own.push('_');
            }
            scope.declare(&own, &format!("{}::{}", packed.source, case.name), &packed.place, report);
            // The case itself may hide the class of its object.
            let (class, tag) = (format!("{}.{}", self.package, self.ty(&case.wire)), case.tag);
            let params = &[("value", "what it holds")];
            let docs = (self.spelling.comment)(&Comment { text: &case.docs, params, ..Comment::default() });
            records.push_str(&format!("\n{docs}record {own}({class} value) implements {name} {{\n}}\n"));
            read.push_str(&format!("case {tag} -> new {own}(r.present({class}.read(r)));\n"));
            write.push_str(&format!(
                "if (value instanceof {own} it) {{\nw.tag({tag});\n{class}.write(w, w.present(it.value()));\n}}\n"
            ));
            permits.push(format!("{name}.{own}"));
        }
        let docs = self.docs(packed, &[]);
        let (permits, entries) = (permits.join(", "), self.entries(id, "default", ""));
        let values = [("docs", &*docs), ("name", name), ("permits", &permits), ("cases", &records)];
        let code = [("entries", &*entries), ("read", &read), ("write", &write)];
        fill(include_str!("templates/union.java.in"), &[&values[..], &code].concat())
    }
}

fn returned(name: &str, members: usize) -> String {
    let values: Vec<String> = (0..members).map(|index| format!("v{index}")).collect();
    format!("return new {name}({});", values.join(", "))
}
