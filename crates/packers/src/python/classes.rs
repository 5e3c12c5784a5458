//! Packed types as Python declares them.

use super::flat::Flat;
use super::values::block;
use super::{Packers, indented};
use crate::lines;
use crate::plan::{Case, Enum, Form, Object, Packed, Raw, Slot, Wire};
use std::fmt::Write as _;

impl Packers<'_> {
    /// A dataclass.
    pub(super) fn object(&self, packed: &Packed, object: &Object) -> String {
        let name = self.name_of(&packed.name);
        self.names.set(0);
        let known = ["if w.refer(value):", "    return"];
        let write = lines::object(object, "slots", &known, |slot| self.write_member(&name, slot));
        let read = self.read_object(&name, object);
        // Comparing an object that refers to itself would never end.
        let circular = object.form == Form::Circular;
        self.class(packed, &object.members, circular, &write, &read, None)
    }

    /// A dataclass of raw fields.
    pub(super) fn raw(&self, packed: &Packed, id: &Wire, raw: &Raw) -> String {
        let name = self.name_of(&packed.name);
        let Some(parts) = self.plan.parts(id) else { return String::new() };
        self.names.set(0);
        let write = lines::steps(&parts, |_, part| self.write_member(&name, &raw.fields[part]));
        let mut read = self.read_parts(&parts);
        let members = raw.fields.iter().enumerate();
        let members: Vec<String> =
            members.map(|(index, field)| format!("{}=part{index}", self.member(field))).collect();
        read.push(format!("return {name}({})", members.join(", ")));
        let Some(flat) = self.flat(&name, raw) else {
            return self.class(packed, &raw.fields, false, &write, &read, None);
        };
        // What `struct` refuses is written number by number, so that the error has the byte that it is at.
        let written = vec![format!("w.data += {}", flat.packed("value"))];
        let lines = [block("try:".into(), written), block(REFUSED.into(), write)].concat();
        let read = [
            format!("part = {}.unpack_from(r.data, r.take({}))", flat.layout, raw.placed.layout.size),
            format!("return {}", flat.made),
        ];
        let text = self.class(packed, &raw.fields, false, &lines, &read, Some(&flat));
        format!("{} = _Struct(\"<{}\")\n\n\n{text}", flat.layout, flat.format)
    }

    /// Members with their defaults and docs.
    fn fields(&self, slots: &[Slot]) -> String {
        let mut text = String::new();
        for slot in slots {
            let default = match self.default_of(&slot.wire) {
                None => String::new(),
                Some((default, true)) => format!(" = {default}"),
                Some((default, false)) => {
                    let factory = match &*default {
                        "[]" => "list",
                        "{}" => "dict",
                        "set()" => "set",
                        _ => &format!("lambda: {default}"),
                    };
                    format!(" = _field(default_factory={factory})")
                }
            };
            let _ = writeln!(text, "    {}: {}{default}", self.member(slot), self.type_of(&slot.wire));
            text.push_str(&self.spelling.docs(&slot.docs, "    "));
        }
        text
    }

    fn write_member(&self, name: &str, slot: &Slot) -> Vec<String> {
        let member = self.member(slot);
        self.place.replace(format!("{name}.{member}"));
        self.write(&slot.wire, &format!("value.{member}"))
    }

    fn read_object(&self, name: &str, object: &Object) -> Vec<String> {
        let known = block("if known is not None:".into(), vec!["return known".into()]);
        let reading = lines::Reading {
            declare: "",
            booleans: ["False", "True"],
            known: [vec![format!("known = r.referred({name})")], known].concat(),
            empty: format!("value = {name}.__new__({name})"),
        };
        let value = |slot: &Slot, there: &str| (self.member(slot), self.read_or_default(name, slot, there));
        lines::read_object(object, reading, value, |values| {
            let members = values.iter().map(|(member, value)| format!("{member}={value},")).collect();
            [block(format!("value = {name}("), members), vec![")".into()]].concat()
        })
    }

    fn read_or_default(&self, name: &str, slot: &Slot, there: &str) -> String {
        let missing =
            || format!("r.missing({})", (self.spelling.literal)(&format!("{name}.{}", self.member(slot))));
        let default = self.default_of(&slot.wire).map_or_else(missing, |(default, _)| default);
        format!("{} if {there} else {default}", self.read(&slot.wire))
    }

    /// A docstring that includes the deprecation.
    fn documented(&self, packed: &Packed) -> String {
        let why = packed.deprecated.as_ref().map(|why| format!("\n\nDeprecated. {why}"));
        self.spelling.docs(&format!("{}{}", packed.docs, why.unwrap_or_default()), "    ")
    }

    fn class(
        &self,
        packed: &Packed,
        slots: &[Slot],
        circular: bool,
        write: &[String],
        read: &[String],
        flat: Option<&Flat>,
    ) -> String {
        let name = self.name_of(&packed.name);
        let mut options = vec!["slots=True"];
        if circular {
            options.push("eq=False");
        }
        // Otherwise they could not be given by position.
        if !slots.iter().all(|slot| self.plan.has_default(&slot.wire)) {
            options.push("kw_only=True");
        }
        let mut text = format!("@_dataclass({})\nclass {name}:\n", options.join(", "));
        text.push_str(&self.documented(packed));
        text.push_str(&self.fields(slots));
        text.push_str(&named(packed));
        text.push_str(&methods(&name, write, read, flat));
        text
    }

    /// An `IntEnum`.
    pub(super) fn enumeration(&self, packed: &Packed, of: &Enum) -> String {
        let mut text =
            format!("class {}(_IntEnum):\n{}", self.name_of(&packed.name), self.documented(packed));
        if !packed.docs.is_empty() {
            text.push('\n');
        }
        for variant in &of.variants {
            let _ = writeln!(text, "    {} = {}", self.variant(&variant.name), variant.value);
            text.push_str(&self.spelling.docs(&variant.docs, "    "));
        }
        text
    }

    /// A class, and one below it for each case.
    pub(super) fn union(&self, packed: &Packed, cases: &[Case]) -> String {
        let name = self.name_of(&packed.name);
        let (mut write, mut read) = (Vec::new(), vec!["tag = r.tag()".to_owned()]);
        let mut classes = String::new();
        for (index, case) in cases.iter().enumerate() {
            let class = self.case(&name, &case.name);
            let word = if index == 0 { "if" } else { "elif" };
            self.place.replace(class.clone());
            write.push(format!("{word} isinstance(value, {class}):"));
            write.push(format!("    w.tag({})", case.tag));
            let lines = self.write(&case.wire, "value.value");
            write.extend(lines.into_iter().map(|line| format!("    {line}")));
            let it = if index == 0 { format!("value: {name}") } else { "value".to_owned() };
            read.push(format!("{word} tag == {}:", case.tag));
            read.push(format!("    {it} = {class}({})", self.read(&case.wire)));
            let _ = write!(
                classes,
                "\n\n@_dataclass(slots=True)\nclass {class}({name}):\n{}    value: {}\n",
                self.spelling.docs(&case.docs, "    "),
                self.type_of(&case.wire)
            );
        }
        write.push("else:".into());
        write.push(format!("    raise TypeError(f\"{{value!r}} is not a case of {name}\")"));
        write.push("w.leave()".into());
        read.extend(["else:", "    r.unknown_tag(tag)", "r.leave()", "return value"].map(str::to_owned));
        let mut text = format!("class {name}:\n{}", self.documented(packed));
        if !packed.docs.is_empty() {
            text.push('\n');
        }
        text.push_str("    __slots__ = ()\n");
        text.push_str(&named(packed));
        text.push_str(&methods(&name, &write, &read, None));
        text + &classes
    }
}

fn named(packed: &Packed) -> String {
    format!("    __upcall_name__ = \"{}\"\n\n", packed.pool_name())
}

/// What `struct` raises of numbers that do not fit and of bytes that are too many or too few.
const REFUSED: &str = "except (_error, OverflowError):";

/// The methods of a class. Those of a flat one try `struct` first: what is wrong with a value or bytes is found by the
/// others.
fn methods(name: &str, write: &[String], read: &[String], flat: Option<&Flat>) -> String {
    let mut pack = vec![format!("return _r.pack({name}._write, self, options)")];
    let mut unpack = vec![format!("return _r.unpack({name}._read, data, options)")];
    if let Some(flat) = flat {
        let tried = |line: String, otherwise: &str| {
            vec!["try:".to_owned(), format!("    {line}"), REFUSED.to_owned(), format!("    {otherwise}")]
        };
        pack = tried(format!("return {}", flat.packed("self")), &pack[0]);
        unpack = tried(format!("part = {}.unpack(data)", flat.layout), &unpack[0]);
        unpack.push(format!("return {}", flat.made));
    }
    format!(
        "    def pack(self, options: _r.Options = _r.OPTIONS) -> bytes:\n{}\n    \
         @staticmethod\n    def unpack(data: _r.Buffer, options: _r.Options = _r.OPTIONS) -> {name}:\n{}\n    \
         @staticmethod\n    def _write(w: _r.Writer, value: {name}) -> None:\n{}\n    \
         @staticmethod\n    def _read(r: _r.Reader) -> {name}:\n{}",
        indented(&pack, "        "),
        indented(&unpack, "        "),
        indented(write, "        "),
        indented(read, "        "),
    )
}
