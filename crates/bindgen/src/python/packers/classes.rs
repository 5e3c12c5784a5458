//! Packed types as Python declares them.

use super::super::names::docstring;
use super::flat::Flat;
use super::{Packers, indented};
use crate::model::{Case, Enum, Form, Object, Packed, Raw, Slot, Wire};
use crate::packers::laid;
use std::fmt::Write as _;

impl Packers<'_> {
    /// A dataclass.
    pub(super) fn object(&self, packed: &Packed, object: &Object) -> String {
        let name = self.name_of(&packed.name);
        let write = self.write_object(&name, object);
        let read = self.read_object(&name, object);
        // Comparing an object that refers to itself would never end.
        let circular = object.form == Form::Circular;
        self.class(packed, &object.members, circular, &write, &read, None)
    }

    /// A dataclass of raw fields.
    pub(super) fn raw(&self, packed: &Packed, raw: &Raw) -> String {
        let name = self.name_of(&packed.name);
        let wires: Vec<&Wire> = raw.fields.iter().map(|field| &field.wire).collect();
        self.names.set(0);
        let write =
            laid(raw.fields.len(), Some(&raw.placed), |index| self.write_member(&name, &raw.fields[index]));
        let mut read = self.read_laid(&wires, &raw.placed);
        let members = raw.fields.iter().enumerate();
        let members: Vec<String> =
            members.map(|(index, field)| format!("{}=part{index}", self.member(field))).collect();
        read.push(format!("return {name}({})", members.join(", ")));
        let Some(flat) = self.flat(&name, raw) else {
            return self.class(packed, &raw.fields, false, &write, &read, None);
        };
        // What `struct` refuses is written number by number, so that the error has the byte that it is at.
        let mut lines =
            vec!["try:".to_owned(), format!("    w.data += {}", flat.packed("value")), REFUSED.to_owned()];
        lines.extend(write.iter().map(|line| format!("    {line}")));
        let read = [
            format!("part = {}.unpack_from(r.data, r.take({}))", flat.layout, raw.placed.layout.size),
            format!("return {}", flat.made),
        ];
        let text = self.class(packed, &raw.fields, false, &lines, &read, Some(&flat));
        format!("{} = _Struct(\"<{}\")\n\n\n{text}", flat.layout, flat.format)
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
        if !self.all_default(slots) {
            options.push("kw_only=True");
        }
        let mut text = format!("@_dataclass({})\nclass {name}:\n", options.join(", "));
        text.push_str(&documented(packed));
        text.push_str(&self.fields(slots));
        text.push_str(&named(packed));
        text.push_str(&methods(&name, write, read, flat));
        text
    }

    /// An `IntEnum`.
    pub(super) fn enumeration(&self, packed: &Packed, of: &Enum) -> String {
        let mut text = format!("class {}(_IntEnum):\n{}", self.name_of(&packed.name), documented(packed));
        if !packed.docs.is_empty() {
            text.push('\n');
        }
        for variant in &of.variants {
            let _ = writeln!(text, "    {} = {}", self.variant(&variant.name), variant.value);
            text.push_str(&docstring(&variant.docs, "    "));
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
                docstring(&case.docs, "    "),
                self.type_of(&case.wire)
            );
        }
        write.push("else:".into());
        write.push(format!("    raise TypeError(f\"{{value!r}} is not a case of {name}\")"));
        write.push("w.leave()".into());
        read.extend(["else:", "    r.unknown_tag(tag)", "r.leave()", "return value"].map(str::to_owned));
        let mut text = format!("class {name}:\n{}", documented(packed));
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

/// A docstring that includes the deprecation.
fn documented(packed: &Packed) -> String {
    let mut docs = packed.docs.clone();
    if let Some(why) = &packed.deprecated {
        let _ = write!(docs, "\n\nDeprecated. {why}");
    }
    docstring(&docs, "    ")
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
