//! Packed types as Python declares them.

use super::super::names::docstring;
use super::{Packers, indented};
use crate::model::{Case, Enum, Form, Object, Packed, Raw, Slot, Wire};
use std::fmt::Write as _;

impl Packers<'_> {
    /// A dataclass.
    pub(super) fn object(&self, packed: &Packed, object: &Object) -> String {
        let name = self.name_of(&packed.name);
        let write = self.write_object(object);
        let read = self.read_object(&name, object);
        // Comparing an object that refers to itself would never end.
        let circular = object.form == Form::Circular;
        self.class(packed, &object.members, circular, &write, &read)
    }

    /// A dataclass of raw fields.
    pub(super) fn raw(&self, packed: &Packed, raw: &Raw) -> String {
        let name = self.name_of(&packed.name);
        let values: Vec<String> =
            raw.fields.iter().map(|field| format!("value.{}", self.member(field))).collect();
        let wires: Vec<&Wire> = raw.fields.iter().map(|field| &field.wire).collect();
        let parts: Vec<_> = wires.iter().copied().zip(values.iter().map(String::as_str)).collect();
        self.names.set(0);
        let write = self.write_parts(&parts, Some(&raw.placed));
        let mut read = self.read_laid(&wires, &raw.placed);
        let members = raw.fields.iter().enumerate();
        let members: Vec<String> =
            members.map(|(index, field)| format!("{}=part{index}", self.member(field))).collect();
        read.push(format!("return {name}({})", members.join(", ")));
        self.class(packed, &raw.fields, false, &write, &read)
    }

    fn class(
        &self,
        packed: &Packed,
        slots: &[Slot],
        circular: bool,
        write: &[String],
        read: &[String],
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
        text.push_str(&methods(&name, write, read));
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
        text.push_str(&methods(&name, &write, &read));
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

fn methods(name: &str, write: &[String], read: &[String]) -> String {
    format!(
        "    def pack(self, options: _r.Options = _r.OPTIONS) -> bytes:\n        \
         return _r.pack({name}._write, self, options)\n\n    \
         @staticmethod\n    def unpack(data: _r.Buffer, options: _r.Options = _r.OPTIONS) -> {name}:\n        \
         return _r.unpack({name}._read, data, options)\n\n    \
         @staticmethod\n    def _write(w: _r.Writer, value: {name}) -> None:\n{}\n    \
         @staticmethod\n    def _read(r: _r.Reader) -> {name}:\n{}",
        indented(write, "        "),
        indented(read, "        "),
    )
}
