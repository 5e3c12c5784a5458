//! Classes, managed and plain structs, enums, and unions: an interface, and the classes that are its cases.

use super::types::{integer, is_array};
use super::{Packers, scope};
use crate::Report;
use crate::code::fill;
use crate::plan::{Case, Encoding, Enum, Form, Object, PackedBody, PackedId, Raw, Slot, Wire};

impl Packers<'_> {
    /// A class or a struct with its properties and its packing code.
    pub fn object(&self, id: PackedId, object: &Object, report: &mut dyn Report) -> String {
        let name = self.name(id);
        let names = self.member_names(id, &object.members, report);
        let (unions, base) = self.unions_of(id);
        let kind = match (object.value, base) {
            (true, _) => "partial struct",
            (false, true) => "partial class",
            (false, false) => "sealed partial class",
        };
        let unions = if unions.is_empty() { String::new() } else { format!(" : {}", unions.join(", ")) };
        let (mut members, mut defaults) = (String::new(), String::new());
        for (slot, own) in object.members.iter().zip(&names) {
            let default = self.default(&slot.wire);
            let initial = match default.as_str() {
                "default" => String::new(),
                // Before C# 10, fields of a struct cannot have initial values.
                _ if object.value => String::new(),
                value => format!(" = {value};"),
            };
            // An array's elements can only be reached through a field: a property gives a copy.
            let in_place = matches!(slot.wire, Wire::Fixed { .. }) && self.plan.is_raw(&slot.wire);
            let accessors = if in_place { ";" } else { " { get; set; }" };
            let (docs, attributes) = (self.docs(&slot.docs), self.member_attributes(object.form, slot));
            let declared = format!("{} {} {own}{accessors}{initial}", access(slot), self.ty(&slot.wire));
            members.push_str(&format!("{docs}{attributes}{declared}\n"));
            defaults.push_str(&format!("value.{own} = {default};\n"));
        }
        let defaults = match self.has_default_maker(id) {
            true => format!(
                "\ninternal static {name} __Default()\n{{\n{name} value = default;\n{defaults}return value;\n}}"
            ),
            false => String::new(),
        };
        let into = if object.value { String::new() } else { format!(", {name}? value") };
        let head = self.head(id) + &self.form_attribute(id);
        let (read, write) = (self.read_object(id, object, &names), self.write_object(object, &names));
        let declared = [("head", &*head), ("kind", kind), ("unions", &unions), ("members", &members)];
        let code = [("into", &*into), ("read", &read), ("write", &write), ("defaults", &defaults)];
        let by = if object.form == Form::Plain { "writer" } else { "to" };
        self.fill(id, include_str!("templates/object.cs.in"), &[&declared[..], &code, &[("by", by)]].concat())
    }

    /// A template with what all types have.
    fn fill(&self, id: PackedId, template: &str, values: &[(&str, &str)]) -> String {
        let entries = self.entries(id);
        let null = if self.is_value(&Wire::Named(id)) { "" } else { "?" };
        let own = [("name", self.name(id)), ("null", null), ("entries", &entries)];
        fill(template, &[values, &own, &[("access", self.settings.accessibility)]].concat())
    }

    /// Docs and deprecation.
    fn head(&self, id: PackedId) -> String {
        self.settings.spelling.declared(self.plan.packed(id))
    }

    fn docs(&self, text: &str) -> String {
        self.settings.spelling.docs(text, "")
    }

    fn read_object(&self, id: PackedId, object: &Object, names: &[String]) -> String {
        let name = self.name(id);
        let null = if object.value { "throw reader.Null()" } else { "return null" };
        let mut text = match object.form {
            Form::Plain => {
                format!("int members = reader.Head({});\nif (members < 0) {null};\n", object.members.len())
            }
            Form::VersionTolerant => format!("if (!reader.Slots(out PackSlots slots)) {null};\n"),
            Form::Circular => {
                let slots = "out PackSlots slots, out uint id";
                format!("if (!reader.Slots({slots}, out {name}? before)) return before;\n")
            }
        };
        text.push_str(&match (object.value, object.form) {
            (true, _) => format!("{name} value = default;\n"),
            // Others may refer to the existing object.
            (_, Form::Circular) => format!("value = new {name}();\nreader.Know(id, value);\n"),
            _ => format!("value ??= new {name}();\n"),
        });
        for (slot, member) in object.members.iter().zip(names) {
            let there = match object.form {
                Form::Plain => format!("members > {}", slot.index),
                _ => format!("reader.Slot(ref slots, {})", slot.index),
            };
            let otherwise = match self.plan.has_default(&slot.wire) {
                true => self.default(&slot.wire),
                false => format!(
                    "throw reader.Missing({})",
                    (self.settings.spelling.literal)(&format!("{name}.{member}"))
                ),
            };
            let over = !object.value && object.form != Form::Circular && self.can_be_read_over(&slot.wire);
            let read = self.read(&slot.wire, over.then(|| format!("value.{member}")).as_deref());
            text.push_str(&format!("value.{member} = {there} ? {read} : {otherwise};\n"));
        }
        text + if object.form == Form::Plain { "reader.Leave();" } else { "reader.Leave(ref slots);" }
    }

    /// Whether an existing value can be read over: other objects, and arrays.
    fn can_be_read_over(&self, wire: &Wire) -> bool {
        let of = match wire {
            Wire::Optional(of) => of,
            other => other,
        };
        is_array(of) || matches!(of, Wire::Named(_)) && !self.is_value(of)
    }

    fn write_object(&self, object: &Object, names: &[String]) -> String {
        let by = if object.form == Form::Plain { "writer" } else { "to" };
        let null = match object.value {
            true => String::new(),
            false => format!("if (value is null)\n{{\n{by}.Null();\nreturn;\n}}\n"),
        };
        let members = object.members.iter().zip(names);
        let write = |slot: &Slot, member: &str| self.write(&slot.wire, &format!("value.{member}"));
        if object.form == Form::Plain {
            let members = members.map(|(slot, member)| write(slot, member) + "\n").collect::<String>();
            return format!("{null}writer.Head({});\n{members}writer.Leave();", names.len());
        }
        let (known, given) = match object.form {
            Form::Circular => ("if (to.Known(value, out uint id)) return;\n", ", id"),
            _ => ("", ""),
        };
        let (mut slots, mut next) = (String::new(), 0);
        for (slot, member) in members {
            // The slots between are empty.
            let empty = "writer.Slot();\n".repeat((slot.index - next) as usize);
            slots.push_str(&format!("{empty}{}\nwriter.Slot();\n", write(slot, member)));
            next = slot.index + 1;
        }
        format!("{null}{known}PackWriter writer = to.Members();\n{slots}to.Slots(writer{given});")
    }

    /// The public methods.
    fn entries(&self, id: PackedId) -> String {
        let (name, wire) = (self.name(id), Wire::Named(id));
        let raw = matches!(self.plan.packed(id).body, PackedBody::Raw(_));
        let (null, none) = if self.is_value(&wire) { ("", "default") } else { ("?", "null") };
        let (read, write) = match (raw, null) {
            (true, _) => (self.read(&wire, None), self.write(&wire, "value")),
            (false, "") => ("__Read(ref reader)".into(), "__Write(ref writer, value);".into()),
            (false, _) => ("__Read(ref reader, value)".into(), "__Write(ref writer, value);".into()),
        };
        let source = self.plan.packed(id).pool_name();
        let named = match source == name {
            true => String::new(),
            false => format!(
                "{NAMED}\ninternal const string __Name = {};\n",
                (self.settings.spelling.literal)(source)
            ),
        };
        let values = [("name", name), ("null", null), ("none", none), ("named", &named)];
        let code = [("read", &*read), ("write", &write)];
        fill(include_str!("templates/entries.cs.in"), &[&values[..], &code].concat())
    }

    /// A struct that is plain memory.
    pub fn raw_struct(&self, id: PackedId, raw: &Raw, report: &mut dyn Report) -> String {
        let names = self.member_names(id, &raw.fields, report);
        let name = self.name(id);
        let access_of_all = self.settings.accessibility;
        let (head, modifier, mut fields) = match self.is_shared(id) {
            true => (String::new(), "unsafe ", String::new()),
            false => {
                let pack = raw.packed.map(|pack| format!(", Pack = {pack}")).unwrap_or_default();
                let layout = format!("[StructLayout(LayoutKind.Sequential{pack})]\n");
                let field = |(field, name): (&Slot, &String)| {
                    format!("{}{} {} {name};\n", self.docs(&field.docs), access(field), self.ty(&field.wire))
                };
                (self.head(id) + &layout, "", raw.fields.iter().zip(&names).map(field).collect())
            }
        };
        fields.push_str(&self.entries(id));
        if self.shape(&Wire::Named(id)).is_none() {
            fields.push_str(RAW);
        }
        format!("{head}{access_of_all} {modifier}partial struct {name}\n{{\n{fields}}}")
    }

    /// An enum, unless the bindings have it.
    pub fn enumeration(&self, id: PackedId, of: &Enum, report: &mut dyn Report) -> String {
        if self.is_shared(id) {
            return String::new();
        }
        let packed = self.plan.packed(id);
        let mut scope = scope();
        let mut variants = String::new();
        for variant in &of.variants {
            let name = (self.settings.spelling.variant)(&variant.name);
            let source = format!("{}::{}", packed.source, variant.name);
            if scope.declare(&name, &source, &packed.place, report) {
                variants.push_str(&format!("{}{name} = {},\n", self.docs(&variant.docs), variant.value));
            }
        }
        let (access, repr) = (self.settings.accessibility, integer(of.repr));
        format!("{}{access} enum {} : {repr}\n{{\n{variants}}}", self.head(id), self.name(id))
    }

    /// The interface of a union, and a class for each case whose object already stands for another one.
    pub fn union(&self, id: PackedId, cases: &[Case]) -> String {
        let name = self.name(id);
        let classes = &self.cases[&id];
        let (mut attributes, mut read, mut derived) = (String::new(), String::new(), String::new());
        // A case derived from another is tested first.
        let mut write = [String::new(), String::new()];
        for (case, class) in cases.iter().zip(classes) {
            let Wire::Named(object) = case.wire else { continue };
            let (of, tag) = (self.name(object), case.tag);
            let own = of == class;
            let value = match own {
                // A case derived from this one would otherwise remain that case.
                true => format!(
                    "{of}.__Read(ref reader, into?.GetType() == typeof({class}) ? ({class})into : null) ?? throw reader.Null()"
                ),
                false => format!(
                    "({class})({of}.__Read(ref reader, into as {class} ?? new {class}()) ?? throw reader.Null())"
                ),
            };
            read.push_str(&format!("case {tag}: value = {value}; break;\n"));
            write[usize::from(own)].push_str(&format!(
                "case {class} it: writer.Tag({tag}); {of}.__Write(ref writer, it); break;\n"
            ));
            attributes.push_str(&format!("[MemoryPack.MemoryPackUnion({tag}, typeof({class}))]\n"));
            if !own {
                let (head, access) =
                    (self.docs(&case.docs) + &self.form_attribute(object), self.settings.accessibility);
                derived.push_str(&format!(
                    "\n{head}{access} sealed partial class {class} : {of}, {name}\n{{\n}}\n"
                ));
            }
        }
        let mut head = self.head(id);
        if self.settings.memorypack {
            head.extend(["[MemoryPack.MemoryPackable]\n", &attributes]);
        }
        let values = [("head", &*head), ("read", &read), ("write", &write.concat()), ("cases", &derived)];
        self.fill(id, include_str!("templates/union.cs.in"), &values)
    }

    /// The unions that an object is a case of, and whether another case is derived from it.
    fn unions_of(&self, object: PackedId) -> (Vec<String>, bool) {
        let mut unions = Vec::new();
        let mut base = false;
        for (packed, name) in self.plan.iter().zip(&self.names) {
            let PackedBody::Union(cases) = &packed.body else { continue };
            let count = cases.iter().filter(|case| case.wire == Wire::Named(object)).count();
            if count > 0 {
                unions.push(name.clone());
            }
            base |= count > 1;
        }
        (unions, base)
    }

    /// The attribute by which Cysharp's MemoryPack reads and writes the same type, on request.
    fn form_attribute(&self, id: PackedId) -> String {
        let form = match &self.plan.packed(id).body {
            _ if !self.settings.memorypack => return String::new(),
            PackedBody::Object(object) => object.form,
            _ => Form::Plain,
        };
        let of = match form {
            Form::Plain => "",
            Form::VersionTolerant => "(MemoryPack.GenerateType.VersionTolerant)",
            Form::Circular => "(MemoryPack.GenerateType.CircularReference)",
        };
        format!("[MemoryPack.MemoryPackable{of}]\n")
    }

    /// The attributes of a member.
    fn member_attributes(&self, form: Form, slot: &Slot) -> String {
        if !self.settings.memorypack {
            return String::new();
        }
        let of = match &slot.wire {
            Wire::Optional(of) => &**of,
            other => other,
        };
        let formatter = match of {
            Wire::Text(Encoding::Utf8) => Some("Utf8String"),
            Wire::Text(Encoding::Utf16) => Some("Utf16String"),
            Wire::BitPack => Some("BitPack"),
            Wire::Brotli(of) if matches!(**of, Wire::Text(_)) => Some("BrotliString"),
            Wire::Brotli(_) => Some("Brotli"),
            _ => None,
        };
        let order = (form != Form::Plain).then(|| format!("Order({})", slot.index));
        let include = slot.include.then(|| "Include".to_owned());
        let lines = [order.map(|it| format!("MemoryPack{it}")), include.map(|it| format!("MemoryPack{it}"))];
        let formatter = formatter.map(|it| format!("{it}Formatter"));
        lines.into_iter().flatten().chain(formatter).map(|it| format!("[MemoryPack.{it}]\n")).collect()
    }
}

const NAMED: &str =
    "\n/// <summary>What pools call the type, in every language: the engine asks for this.</summary>";

const RAW: &str = "\n/// <summary>Its memory is what is packed, whatever is in it: the engine asks for this.</summary>\n\
                   internal const bool __Raw = true;\n";

/// Who may use a member.
fn access(slot: &Slot) -> &'static str {
    if slot.include { "private" } else { "public" }
}
