//! Records, the classes of circular objects, and enums.

use super::Packers;
use super::types::primitive_of;
use crate::Diagnostics;
use crate::java::lines::{Docs, Lines, escape, literal};
use crate::java::names::{constant_name, member_name, scope};
use crate::model::{Enum, Form, Object, Packed, PackedId, Raw, Slot, Wire};

/// Names that packers add to a type. They have no parameters, like an accessor.
const ADDED: [&str; 2] = ["defaults", "pack"];

impl Packers<'_> {
    fn member_names(&self, packed: &Packed, slots: &[Slot], diagnostics: &mut Diagnostics) -> Vec<String> {
        let mut scope = scope();
        let mut names = Vec::new();
        for slot in slots {
            let mut name = member_name(&slot.name);
            if ADDED.contains(&name.as_str()) {
                name.push('_');
            }
            let source = format!("{}::{}", packed.source, slot.name);
            scope.declare(&name, &source, &packed.place, diagnostics);
            names.push(name);
        }
        names
    }

    /// Writes the class of an object.
    pub fn object(&self, id: PackedId, object: &Object, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let packed = self.api.packed(id);
        let names = self.member_names(packed, &object.members, diagnostics);
        if object.form == Form::Circular {
            self.open_class(packed, &object.members, &names, self.name(id), lines);
        } else {
            self.open_record(packed, &object.members, &names, self.name(id), lines);
        }
        self.entries(id, false, lines);
        self.defaults(id, &object.members, object.form == Form::Circular, lines);
        self.read_object(id, object, &names, lines);
        self.write_object(id, object, &names, lines);
        lines.close();
    }

    fn open_record(&self, packed: &Packed, slots: &[Slot], names: &[String], name: &str, lines: &mut Lines) {
        let mut docs = Docs::new(&packed.docs, packed.deprecated.as_deref());
        for (slot, name) in slots.iter().zip(names) {
            docs = docs.tag(format!("@param {name} {}", escape(&slot.docs).replace('\n', " ")).trim_end());
        }
        lines.docs(&docs);
        lines.line("@SuppressWarnings(\"deprecation\")");
        let components: Vec<String> =
            slots.iter().zip(names).map(|(slot, name)| format!("{} {name}", self.ty(&slot.wire))).collect();
        lines.open(format!("public record {name}({})", components.join(", ")));
    }

    /// An object that others refer to exists before its members do.
    fn open_class(&self, packed: &Packed, slots: &[Slot], names: &[String], name: &str, lines: &mut Lines) {
        lines.docs(&Docs::new(&packed.docs, packed.deprecated.as_deref()));
        lines.line("@SuppressWarnings(\"deprecation\")");
        lines.open(format!("public final class {name}"));
        for (slot, name) in slots.iter().zip(names) {
            lines.docs(&Docs::new(&slot.docs, None));
            let default = match self.api.has_default(&slot.wire) {
                true => self.default(&slot.wire),
                false => "null".into(),
            };
            lines.line(format!("public {} {name} = {default};", self.ty(&slot.wire)));
        }
        lines.blank();
        lines.docs(&Docs::new("One whose members are empty.", None));
        lines.open(format!("public {name}()"));
        lines.close();
    }

    /// The public methods.
    pub fn entries(&self, id: PackedId, interface: bool, lines: &mut Lines) {
        let name = self.name(id);
        let modifier = if interface { "default" } else { "public" };
        let public = if interface { "" } else { "public " };
        let options = "@param options how it is written";
        lines.blank();
        lines.docs(
            &Docs::new("Its bytes.", None)
                .tag("@return the bytes")
                .tag("@throws PackException if it cannot be written"),
        );
        lines.open(format!("{modifier} byte[] pack()"));
        lines.line("return pack(PackOptions.DEFAULT);");
        lines.close();
        lines.blank();
        lines.docs(
            &Docs::new("Its bytes.", None)
                .tag(options)
                .tag("@return the bytes")
                .tag("@throws PackException if it cannot be written"),
        );
        lines.open(format!("{modifier} byte[] pack(PackOptions options)"));
        lines.line("PackWriter w = new PackWriter(options);");
        lines.open("try");
        lines.line("write(w, this);");
        lines.close_with("} catch (StackOverflowError error) {");
        lines.line("throw w.tooDeep();");
        lines.close();
        lines.line("return w.written();");
        lines.close();
        let read = || {
            Docs::new("Reads a value that takes all of the bytes.", None)
                .tag("@param bytes what is read")
                .tag("@return the value, or null if that is what is there")
                .tag("@throws PackException if it is not a value")
        };
        lines.blank();
        lines.docs(&read());
        lines.open(format!("{public}static {name} unpack(byte[] bytes)"));
        lines.line("return unpack(ByteBuffer.wrap(bytes), PackOptions.DEFAULT);");
        lines.close();
        lines.blank();
        lines.docs(&read());
        lines.open(format!("{public}static {name} unpack(ByteBuffer bytes)"));
        lines.line("return unpack(bytes, PackOptions.DEFAULT);");
        lines.close();
        lines.blank();
        lines.docs(&read().tag("@param options how deep it may be"));
        lines.open(format!("{public}static {name} unpack(ByteBuffer bytes, PackOptions options)"));
        lines.line("PackReader r = new PackReader(bytes, options);");
        lines.open("try");
        lines.line("return r.finished(read(r));");
        lines.close_with("} catch (StackOverflowError error) {");
        lines.line("throw r.tooDeep();");
        lines.close();
        lines.close();
    }

    /// The value that a missing member has.
    fn defaults(&self, id: PackedId, slots: &[Slot], class: bool, lines: &mut Lines) {
        if !self.api.has_default(&Wire::Named(id)) {
            return;
        }
        let name = self.name(id);
        lines.blank();
        lines.open(format!("static {name} defaults()"));
        let values: Vec<String> = match class {
            true => Vec::new(),
            false => slots.iter().map(|slot| self.cast(&slot.wire)).collect(),
        };
        lines.line(format!("return new {name}({});", values.join(", ")));
        lines.close();
    }

    fn read_object(&self, id: PackedId, object: &Object, names: &[String], lines: &mut Lines) {
        let name = self.name(id);
        let absent = |lines: &mut Lines, condition: &str| {
            lines.open(format!("if ({condition})"));
            lines.line(if object.value { "throw r.none();" } else { "return null;" });
            lines.close();
        };
        lines.blank();
        lines.open(format!("static {name} read(PackReader r)"));
        match object.form {
            Form::Plain => {
                lines.line(format!("int members = r.head({});", object.members.len()));
                absent(lines, "members < 0");
            }
            form => {
                let read = if form == Form::Circular { "circular" } else { "slots" };
                lines.line(format!("PackReader.Slots slots = r.{read}();"));
                absent(lines, "slots == null");
            }
        }
        if object.form == Form::Circular {
            lines.line(format!("{name} before = slots.before({name}.class);"));
            lines.open("if (before != null)");
            lines.line("return before;");
            lines.close();
            lines.line(format!("{name} value = new {name}();"));
            lines.line("slots.know(value);");
        }
        for (index, (slot, member)) in object.members.iter().zip(names).enumerate() {
            let there = match object.form {
                Form::Plain => format!("members > {}", slot.index),
                _ => format!("slots.to({})", slot.index),
            };
            let otherwise = match self.api.has_default(&slot.wire) {
                true => self.default(&slot.wire),
                false => format!("r.missing({})", literal(&format!("{name}.{member}"))),
            };
            let to = match object.form {
                Form::Circular => format!("value.{member}"),
                _ => format!("{} v{index}", self.ty(&slot.wire)),
            };
            lines.line(format!("{to} = {there} ? {} : {otherwise};", self.read(&slot.wire)));
        }
        lines.line(if object.form == Form::Plain { "r.leave();" } else { "slots.leave();" });
        if object.form == Form::Circular {
            lines.line("return value;");
        } else {
            let values: Vec<String> = (0..names.len()).map(|index| format!("v{index}")).collect();
            lines.line(format!("return new {name}({});", values.join(", ")));
        }
        lines.close();
    }

    fn write_object(&self, id: PackedId, object: &Object, names: &[String], lines: &mut Lines) {
        let name = self.name(id);
        let by = if object.form == Form::Plain { "w" } else { "to" };
        lines.blank();
        lines.open(format!("static void write(PackWriter {by}, {name} value)"));
        lines.open("if (value == null)");
        lines.line(format!("{by}.none();"));
        lines.line("return;");
        lines.close();
        let value = |member: &str| match object.form {
            Form::Circular => format!("value.{member}"),
            _ => format!("value.{member}()"),
        };
        if object.form == Form::Plain {
            lines.line(format!("w.head({});", object.members.len()));
            for (slot, member) in object.members.iter().zip(names) {
                lines.line(self.write(&slot.wire, &value(member)));
            }
            lines.line("w.leave();");
            lines.close();
            return;
        }
        let mut number = "-1";
        if object.form == Form::Circular {
            lines.line("int number = to.number(value);");
            lines.open("if (number < 0)");
            lines.line("return;");
            lines.close();
            number = "number";
        }
        lines.line("PackWriter w = to.members();");
        let mut next = 0;
        for (slot, member) in object.members.iter().zip(names) {
            // The slots between are empty.
            (next..slot.index).for_each(|_| lines.line("w.slot();"));
            lines.line(self.write(&slot.wire, &value(member)));
            lines.line("w.slot();");
            next = slot.index + 1;
        }
        lines.line(format!("to.slots(w, {number});"));
        lines.close();
    }

    /// Writes the record of a struct that is plain memory.
    pub fn raw_struct(&self, id: PackedId, raw: &Raw, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let packed = self.api.packed(id);
        let name = self.name(id);
        let names = self.member_names(packed, &raw.fields, diagnostics);
        self.open_record(packed, &raw.fields, &names, name, lines);
        self.entries(id, false, lines);
        self.defaults(id, &raw.fields, false, lines);
        let wires: Vec<&Wire> = raw.fields.iter().map(|field| &field.wire).collect();
        lines.blank();
        lines.open(format!("static {name} read(PackReader r)"));
        self.read_all(&wires, Some(&raw.placed), lines);
        let values: Vec<String> = (0..names.len()).map(|index| format!("v{index}")).collect();
        lines.line(format!("return new {name}({});", values.join(", ")));
        lines.close();
        lines.blank();
        lines.open(format!("static void write(PackWriter w, {name} value)"));
        let values: Vec<String> = names.iter().map(|member| format!("value.{member}()")).collect();
        self.write_all(&wires, &values, Some(&raw.placed), lines);
        lines.close();
        lines.close();
    }

    /// Writes an enum.
    pub fn enumeration(&self, id: PackedId, of: &Enum, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let packed = self.api.packed(id);
        let name = self.name(id);
        let ty = primitive_of(of.repr).unwrap_or("long");
        lines.docs(&Docs::new(&packed.docs, packed.deprecated.as_deref()));
        lines.line("@SuppressWarnings(\"deprecation\")");
        lines.open(format!("public enum {name}"));
        let mut scope = scope();
        let mut cases = Vec::new();
        let signed = |value: i128| match ty {
            "byte" => i128::from(value as u8 as i8),
            "short" => i128::from(value as u16 as i16),
            "int" => i128::from(value as u32 as i32),
            _ => i128::from(value as u64 as i64),
        };
        let suffix = if ty == "long" { "L" } else { "" };
        let cast = if matches!(ty, "byte" | "short") { format!("({ty}) ") } else { String::new() };
        for variant in &of.variants {
            let own = constant_name(&variant.name);
            let source = format!("{}::{}", packed.source, variant.name);
            if scope.declare(&own, &source, &packed.place, diagnostics) {
                lines.docs(&Docs::new(&variant.docs, None));
                lines.line(format!("{own}({cast}{}{suffix}),", signed(variant.value)));
                cases.push(own);
            }
        }
        lines.line(";");
        lines.blank();
        lines.line(format!("private final {ty} value;"));
        lines.blank();
        lines.open(format!("{name}({ty} value)"));
        lines.line("this.value = value;");
        lines.close();
        lines.blank();
        lines.docs(&Docs::new("Its number.", None).tag("@return the number"));
        lines.open(format!("public {ty} value()"));
        lines.line("return value;");
        lines.close();
        lines.blank();
        lines.docs(
            &Docs::new("The variant of a number.", None)
                .tag("@param value the number")
                .tag("@return the variant, or null if there is none"),
        );
        lines.open(format!("public static {name} of({ty} value)"));
        for own in &cases {
            lines.open(format!("if (value == {own}.value)"));
            lines.line(format!("return {own};"));
            lines.close();
        }
        lines.line("return null;");
        lines.close();
        lines.close();
    }
}
