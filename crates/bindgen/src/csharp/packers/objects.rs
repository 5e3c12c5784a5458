//! Classes and managed structs.

use super::Packers;
use crate::Diagnostics;
use crate::csharp::text::{Text, quoted};
use crate::model::{Form, Object, PackedBody, PackedId, Wire};

impl Packers<'_> {
    /// Writes a class or a struct with its properties and its packing code.
    pub fn object(&self, id: PackedId, object: &Object, text: &mut Text, diagnostics: &mut Diagnostics) {
        let packed = self.api.packed(id);
        let names = self.member_names(id, &object.members, diagnostics);
        let (unions, base) = self.unions_of(id);
        text.docs(&packed.docs);
        text.obsolete(&packed.deprecated);
        if self.cx.options.memorypack {
            text.line(self.form_attribute(id));
        }
        let kind = match (object.value, base) {
            (true, _) => "partial struct",
            (false, true) => "partial class",
            (false, false) => "sealed partial class",
        };
        let unions = if unions.is_empty() { String::new() } else { format!(" : {}", unions.join(", ")) };
        text.open(format!("{} {kind} {}{unions}", self.cx.options.accessibility, self.name(id)));
        for (slot, name) in object.members.iter().zip(&names) {
            text.docs(&slot.docs);
            self.member_attributes(object.form, slot, text);
            let access = if slot.include { "private" } else { "public" };
            let default = self.default(&slot.wire);
            let initial = match default.as_str() {
                "default" => String::new(),
                // Before C# 10, fields of a struct cannot have initial values.
                _ if object.value => String::new(),
                value => format!(" = {value};"),
            };
            // An array's elements can only be reached through a field: a property gives a copy.
            let in_place = matches!(slot.wire, Wire::Fixed { .. }) && self.api.is_raw(&slot.wire);
            let accessors = if in_place { ";" } else { " { get; set; }" };
            text.line(format!("{access} {} {name}{accessors}{initial}", self.ty(&slot.wire)));
        }
        self.entries(id, text);
        if self.has_default_maker(id) {
            text.blank();
            text.open(format!("internal static {} __Default()", self.name(id)));
            text.line(format!("{} value = default;", self.name(id)));
            for (slot, name) in object.members.iter().zip(&names) {
                text.line(format!("value.{name} = {};", self.default(&slot.wire)));
            }
            text.line("return value;");
            text.close();
        }
        self.read_object(id, object, &names, text);
        self.write_object(id, object, &names, text);
        text.close();
    }

    fn read_object(&self, id: PackedId, object: &Object, names: &[String], text: &mut Text) {
        let name = self.name(id);
        text.blank();
        match object.value {
            true => text.open(format!("internal static {name} __Read(ref PackReader reader)")),
            false => {
                text.open(format!("internal static {name}? __Read(ref PackReader reader, {name}? value)"))
            }
        }
        let null = if object.value { "throw reader.Null()" } else { "return null" };
        let count = object.members.len();
        match object.form {
            Form::Plain => {
                text.line(format!("int members = reader.Head({count});"));
                text.line(format!("if (members < 0) {null};"));
            }
            Form::VersionTolerant => {
                text.line(format!("if (!reader.Slots(out PackSlots slots)) {null};"));
            }
            Form::Circular => {
                text.line(format!(
                    "if (!reader.Slots(out PackSlots slots, out uint id, out {name}? before)) return before;"
                ));
            }
        }
        match (object.value, object.form) {
            (true, _) => text.line(format!("{name} value = default;")),
            // Others may refer to the existing object.
            (_, Form::Circular) => {
                text.line(format!("value = new {name}();"));
                text.line("reader.Know(id, value);");
            }
            _ => text.line(format!("value ??= new {name}();")),
        }
        for (slot, name) in object.members.iter().zip(names) {
            let there = match object.form {
                Form::Plain => format!("members > {}", slot.index),
                _ => format!("reader.Slot(ref slots, {})", slot.index),
            };
            let otherwise = match self.api.has_default(&slot.wire) {
                true => self.default(&slot.wire),
                false => {
                    let member = format!("{}.{}", self.name(id), name);
                    format!("throw reader.Missing({})", quoted(&member))
                }
            };
            let into = self.can_be_read_over(&slot.wire).then(|| format!("value.{name}"));
            let into = into.filter(|_| !object.value && object.form != Form::Circular);
            text.line(format!(
                "value.{name} = {there} ? {} : {otherwise};",
                self.read(&slot.wire, into.as_deref())
            ));
        }
        match object.form {
            Form::Plain => text.line("reader.Leave();"),
            _ => text.line("reader.Leave(ref slots);"),
        }
        text.line("return value;");
        text.close();
    }

    /// Whether an existing value can be read over: other objects, and arrays.
    fn can_be_read_over(&self, wire: &Wire) -> bool {
        let of = match wire {
            Wire::Optional(of) => of,
            other => other,
        };
        match of {
            Wire::Named(_) => !self.is_value(of),
            Wire::List { kind, .. } => super::read::is_array(*kind),
            _ => false,
        }
    }

    fn write_object(&self, id: PackedId, object: &Object, names: &[String], text: &mut Text) {
        let name = self.name(id);
        let nullable = if object.value { "" } else { "?" };
        text.blank();
        let by = if object.form == Form::Plain { "writer" } else { "to" };
        text.open(format!("internal static void __Write(ref PackWriter {by}, {name}{nullable} value)"));
        if !object.value {
            text.open("if (value is null)");
            text.line(format!("{by}.Null();"));
            text.line("return;");
            text.close();
        }
        if object.form == Form::Plain {
            text.line(format!("writer.Head({});", object.members.len()));
            for (slot, name) in object.members.iter().zip(names) {
                text.line(self.write(&slot.wire, &format!("value.{name}")));
            }
            text.line("writer.Leave();");
            text.close();
            return;
        }
        let mut given = String::new();
        if object.form == Form::Circular {
            text.line("if (to.Known(value, out uint id)) return;");
            given.push_str(", id");
        }
        text.line("PackWriter writer = to.Members();");
        let mut next = 0;
        for (slot, name) in object.members.iter().zip(names) {
            // The slots between are empty.
            (next..slot.index).for_each(|_| text.line("writer.Slot();"));
            text.line(self.write(&slot.wire, &format!("value.{name}")));
            text.line("writer.Slot();");
            next = slot.index + 1;
        }
        text.line(format!("to.Slots(writer{given});"));
        text.close();
    }

    /// Writes the public methods.
    pub fn entries(&self, id: PackedId, text: &mut Text) {
        let name = self.name(id);
        let wire = Wire::Named(id);
        let raw = matches!(self.api.packed(id).body, PackedBody::Raw(_));
        let value = self.is_value(&wire);
        let nullable = if value { "" } else { "?" };
        let (read, write) = match (raw, value) {
            (true, _) => (self.read(&wire, None), self.write(&wire, "value")),
            (false, true) => ("__Read(ref reader)".into(), "__Write(ref writer, value);".into()),
            (false, false) => ("__Read(ref reader, value)".into(), "__Write(ref writer, value);".into()),
        };
        let unpacked = if value { "" } else { "?" };
        text.blank();
        text.docs(
            "Reads a value that takes all of the bytes. Throws a PackException with the offset if it is not one.",
        );
        text.line(format!("public static {name}{unpacked} Unpack(ReadOnlySpan<byte> bytes) => Unpack(bytes, PackOptions.Default);"));
        text.blank();
        text.docs("The same, as the options say.");
        text.open(format!(
            "public static {name}{unpacked} Unpack(ReadOnlySpan<byte> bytes, PackOptions options)"
        ));
        text.line(format!("{name}{nullable} value = {};", if value { "default" } else { "null" }));
        text.line("Overwrite(ref value, bytes, options);");
        text.line("return value;");
        text.close();
        text.blank();
        text.docs("Reads over a value: objects and arrays in it are used again where they fit, each for what stands in its place. After an error some of it is new.\n\nNo object may be in two places of it.");
        text.line(format!("public static void Overwrite(ref {name}{nullable} value, ReadOnlySpan<byte> bytes) => Overwrite(ref value, bytes, PackOptions.Default);"));
        text.blank();
        text.docs("The same, as the options say.");
        text.open(format!("public static void Overwrite(ref {name}{nullable} value, ReadOnlySpan<byte> bytes, PackOptions options)"));
        text.line("PackReader reader = new PackReader(bytes, options);");
        text.line(format!("value = {read};"));
        text.line("reader.Finish();");
        text.close();
        text.blank();
        text.docs("Writes a value.");
        text.line(format!("public static void Pack({name}{nullable} value, IBufferWriter<byte> to) => Pack(value, to, PackOptions.Default);"));
        text.blank();
        text.docs("The same, as the options say.");
        text.open(format!(
            "public static void Pack({name}{nullable} value, IBufferWriter<byte> to, PackOptions options)"
        ));
        text.line("PackWriter writer = new PackWriter(to, options);");
        text.line(write);
        text.line("writer.Finish();");
        text.close();
        text.blank();
        text.docs("A value's bytes.");
        text.line(format!(
            "public static byte[] Pack({name}{nullable} value) => Pack(value, PackOptions.Default);"
        ));
        text.blank();
        text.docs("The same, as the options say.");
        text.open(format!("public static byte[] Pack({name}{nullable} value, PackOptions options)"));
        text.line("PackBuffer buffer = new PackBuffer();");
        text.line("Pack(value, buffer, options);");
        text.line("return buffer.Take();");
        text.close();
        let source = self.api.packed(id).pool_name();
        if source != name {
            text.blank();
            text.docs("What pools call the type, in every language: the engine asks for this.");
            text.line(format!("internal const string __Name = {};", quoted(source)));
        }
    }
}
