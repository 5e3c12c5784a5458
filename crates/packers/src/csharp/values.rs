//! Expressions that read from `reader`, statements that write to `writer`, and the methods that they share.

use super::Packers;
use super::types::{array_of, is_array, is_pairs, is_text};
use crate::code::Code;
use crate::functions::Functions;
use crate::plan::{Absence, Encoding, ListKind, Step, Wire};

impl Packers<'_> {
    /// Reads a value of this type. `into` is an expression for what may be read over, null included.
    pub fn read(&self, wire: &Wire, into: Option<&str>) -> String {
        if self.plan.is_raw(wire) {
            return format!("reader.Raw<{}>()", self.raw_arguments(wire));
        }
        let (of, null) = match wire {
            Wire::Optional(of) => (&**of, "OrNull"),
            other => (other, ""),
        };
        let present = null.is_empty();
        match of {
            Wire::Text(_) => format!("reader.Text{null}()"),
            Wire::Uri if present => "reader.Uri(reader.Text())".into(),
            Wire::Builder if present => "new global::System.Text.StringBuilder(reader.Text())".into(),
            Wire::BigInteger if present => "reader.BigInteger()".into(),
            Wire::Version | Wire::BitArray => format!("reader.{of:?}{null}()"),
            Wire::BitPack => format!("reader.Bits{null}()"),
            Wire::Brotli(of) => format!("reader.Brotli{}{null}()", if is_text(of) { "Text" } else { "" }),
            Wire::Named(id) if !self.is_value(of) => {
                let read = format!("{}.__Read(ref reader, {})", self.name(*id), into.unwrap_or("null"));
                if present { format!("({read} ?? throw reader.Null())") } else { read }
            }
            Wire::Named(id) if present => format!("{}.__Read(ref reader)", self.name(*id)),
            Wire::List { of: item, .. } if is_array(of) && self.plan.is_raw(item) => {
                format!("reader.Array{null}<{}>({})", self.raw_arguments(item), into.unwrap_or_default())
            }
            _ => {
                let into = into.filter(|_| is_array(of)).map(|into| format!(", {into}"));
                self.function("Read", wire, &format!("ref reader{}", into.unwrap_or_default()))
            }
        }
    }

    /// The statement that writes `value`, an expression.
    pub fn write(&self, wire: &Wire, value: &str) -> String {
        if self.plan.is_raw(wire) {
            // Where every byte counts, a shape matters to readers only.
            let number = matches!(wire, Wire::Bool | Wire::Rune) || self.enum_of(wire).is_some();
            let arguments = if number { self.ty(wire) } else { self.raw_arguments(wire) };
            return format!("writer.Raw<{arguments}>({value});");
        }
        let (of, null) = match wire {
            Wire::Optional(of) => (&**of, "OrNull"),
            other => (other, ""),
        };
        let present = null.is_empty();
        let there = if present { format!("writer.Present({value})") } else { value.to_owned() };
        match of {
            Wire::Text(Encoding::Chosen) => format!("writer.Text{null}({value});"),
            Wire::Text(encoding) => format!("writer.Text{null}({value}, PackText.{encoding:?});"),
            Wire::Uri if present => format!("writer.Text({there}.OriginalString);"),
            Wire::Uri => format!("writer.TextOrNull({value}?.OriginalString);"),
            Wire::Builder if present => format!("writer.Text({there}.ToString(), PackText.Utf16);"),
            Wire::Builder => format!("writer.TextOrNull({value}?.ToString(), PackText.Utf16);"),
            Wire::List { of: item, .. } if is_array(of) && self.plan.is_raw(item) => {
                format!("writer.Array{null}<{}>({value});", self.raw_arguments(item))
            }
            Wire::Named(id) if !self.is_value(of) => {
                format!("{}.__Write(ref writer, {there});", self.name(*id))
            }
            Wire::Named(id) if present => format!("{}.__Write(ref writer, {value});", self.name(*id)),
            Wire::BigInteger if present => format!("writer.BigInteger({value});"),
            Wire::Version | Wire::BitArray if present => format!("writer.{of:?}({there});"),
            Wire::BitPack if present => format!("writer.Bits({there});"),
            Wire::Brotli(_) if present => format!("writer.Brotli({there});"),
            _ => format!("{};", self.function("Write", wire, &format!("ref writer, {value}"))),
        }
    }

    /// The type arguments of the copying method: the type, and its shape unless that is plain.
    pub fn raw_arguments(&self, wire: &Wire) -> String {
        let ty = self.ty(wire);
        self.shape(wire).map_or(ty.clone(), |shape| format!("{ty}, {shape}"))
    }

    /// A call of a method that is written once.
    fn function(&self, verb: &str, wire: &Wire, given: &str) -> String {
        let name = self.functions.borrow_mut().name(self.plan, wire);
        format!("{}.{verb}{name}({given})", self.functions_class)
    }

    /// Writes the class with all requested methods.
    pub fn write_functions(&self, code: &mut Code) {
        let written = Functions::written(&self.functions, |wire, name| {
            let ty = self.ty(wire);
            let (read, into) = match wire {
                Wire::Optional(of) if is_array(of) => (self.read_optional(of), format!(", {ty} into = null")),
                Wire::Optional(of) => (self.read_optional(of), String::new()),
                list if is_array(list) => (self.read_content(list, false), format!(", {ty}? into = null")),
                other => (self.read_content(other, false), String::new()),
            };
            let write = self.write_content(wire);
            format!(
                "\ninternal static {ty} Read{name}(ref PackReader reader{into})\n{{\n{read}\n}}\n\n\
                 internal static void Write{name}(ref PackWriter writer, {ty} value)\n{{\n{write}\n}}\n"
            )
        });
        code.add(class(&self.functions_class, &written));
    }

    fn read_optional(&self, of: &Wire) -> String {
        match of {
            Wire::Uri | Wire::Builder => {
                let made =
                    if *of == Wire::Uri { "reader.Uri" } else { "new global::System.Text.StringBuilder" };
                format!("string? value = reader.TextOrNull();\nreturn value is null ? null : {made}(value);")
            }
            of if self.plan.absence(of) == Absence::Flag => {
                format!("if (!reader.Flag()) return null;\nreturn {};", self.read(of, None))
            }
            of => self.read_content(of, true),
        }
    }

    /// Statements that read a value, which may be missing or not.
    fn read_content(&self, wire: &Wire, nullable: bool) -> String {
        let null = if nullable { "return null" } else { "throw reader.Null()" };
        let fewest = self.plan.fewest_bytes_of_one(wire);
        let count = || match nullable {
            true => format!("int count = reader.Count({fewest});\nif (count < 0) return null;\n"),
            false => format!("int count = reader.CountOf({fewest});\n"),
        };
        match wire {
            Wire::List { .. } => count() + &self.read_list(wire),
            Wire::Map { key, value, .. } => count() + &self.read_map(wire, key, value),
            Wire::Fixed { of, len } => {
                let items = self.read_growing(of, "value", &len.to_string(), None);
                format!("if (!reader.Exactly({len})) {null};\n{items}return value;")
            }
            Wire::Grid { of, rank } => {
                let raw = self.plan.is_raw(of);
                let lengths: Vec<String> = (0..*rank).map(|index| format!("lengths[{index}]")).collect();
                let made = array_of(&format!("new {}", self.ty(of)), &format!("[{}]", lengths.join(", ")));
                let (items, copied) = match raw {
                    true => {
                        let arguments = self.raw_arguments(of);
                        (String::new(), format!("reader.Block<{arguments}>(PackReader.Items(value));"))
                    }
                    false => (
                        self.read_growing(of, "items", "count", None),
                        "items.AsSpan(0, count).CopyTo(PackReader.Items(value));".to_owned(),
                    ),
                };
                format!(
                    "int[]? lengths = reader.Grid({rank}, {}, out int count);\nif (lengths is null) {null};\n\
                     {items}{} value = {made};\n{copied}\nreturn value;",
                    self.plan.fewest_bytes(of),
                    self.ty(wire)
                )
            }
            Wire::Version | Wire::BitArray | Wire::BitPack | Wire::Brotli(_) => {
                format!("return {};", self.read(&Wire::Optional(Box::new(wire.clone())), None))
            }
            _ => self.read_parts(wire, null),
        }
    }

    fn read_parts(&self, wire: &Wire, null: &str) -> String {
        let Some(parts) = self.plan.parts(wire) else { return format!("return {};", self.read(wire, None)) };
        let mut text = String::new();
        let mut values: Vec<String> = parts.wires.iter().map(|part| self.read(part, None)).collect();
        for (index, step) in parts.steps.iter().enumerate() {
            match step {
                Step::Head(head) => {
                    let null = if index == 0 { null } else { "throw reader.Null()" };
                    text.push_str(&format!("if (!reader.HeadOf({head})) {null};\n"));
                }
                // Another head may follow.
                Step::Part(part) if matches!(wire, Wire::ClassTuple(_)) => {
                    let value = std::mem::replace(&mut values[*part], format!("item{part}"));
                    text.push_str(&format!("{} item{part} = {value};\n", self.ty(&parts.wires[*part])));
                }
                _ => {}
            }
        }
        format!("{text}return {};", self.made(wire, &values))
    }

    /// An array `name` with `count` elements, which grows as they are read. `into` is one to read over.
    fn read_growing(&self, of: &Wire, name: &str, count: &str, into: Option<&str>) -> String {
        let item = self.ty(of);
        let reused = into.filter(|_| !self.is_value(of)).map(|_| format!("{name}[item]"));
        format!(
            "{} {name} = PackReader.Some<{item}>({}, {count});\nfor (int item = 0; item < {count}; item++)\n{{\n\
             PackReader.More(ref {name}, item, {count});\n{name}[item] = {};\n}}\n",
            array_of(&item, "[]"),
            into.unwrap_or("null"),
            self.read(of, reused.as_deref())
        )
    }

    fn read_list(&self, wire: &Wire) -> String {
        let Wire::List { of, kind } = wire else { return String::new() };
        let (ty, item) = (self.ty(wire), self.ty(of));
        let into = is_array(wire).then_some("into");
        let items = match self.plan.is_raw(of) {
            true => format!(
                "{} items = PackReader.Room<{item}>({}, count);\nreader.Block<{}>(items);\n",
                array_of(&item, "[]"),
                into.unwrap_or("null"),
                self.raw_arguments(of)
            ),
            false => self.read_growing(of, "items", "count", into),
        };
        let made = match kind {
            _ if is_array(wire) => "items".to_owned(),
            ListKind::SortedSet if is_text(of) => format!("new {ty}(items, PackOrder.Text)"),
            _ => format!("new {ty}(items)"),
        };
        format!("{items}return {made};")
    }

    fn read_map(&self, wire: &Wire, key: &Wire, value: &Wire) -> String {
        let (ty, pair) = (self.ty(wire), Wire::entry(key, value));
        if is_pairs(wire) {
            return self.read_growing(&pair, "value", "count", None) + "return value;";
        }
        let made = match ty.starts_with("Dictionary") {
            true => format!("new {ty}(Math.Min(count, 256))"),
            false => self.default(wire),
        };
        let (read, added) = match self.plan.is_raw(&pair) {
            true => (
                format!("{} pair = {};", self.ty(&pair), self.read(&pair, None)),
                "pair.Key, pair.Value".into(),
            ),
            false => {
                let key = format!("{} key = {};", self.ty(key), self.read(key, None));
                (key, format!("key, {}", self.read(value, None)))
            }
        };
        format!(
            "{ty} value = {made};\nfor (int item = 0; item < count; item++)\n{{\nint place = reader.Position;\n{read}\n\
             if (!value.TryAdd({added})) throw reader.Twice(place);\n}}\nreturn value;"
        )
    }

    /// Statements that write `value`.
    fn write_content(&self, wire: &Wire) -> String {
        let each = |of: &Wire, items: &str| {
            format!("foreach ({} item in {items}) {}", self.ty(of), self.write(of, "item"))
        };
        match wire {
            Wire::Optional(of) => {
                let (null, flag) = match self.plan.absence(of) {
                    Absence::Length => ("Raw(-1)", ""),
                    Absence::Flag => ("Null()", "writer.Raw((byte)1);\n"),
                    _ => ("Null()", ""),
                };
                let present = match &**of {
                    of if self.is_value(of) => self.write(of, "value.Value"),
                    of => self.write_content(of),
                };
                format!("if (value is null)\n{{\nwriter.{null};\nreturn;\n}}\n{flag}{present}")
            }
            // The top comes first.
            Wire::List { of, kind: ListKind::Stack } => format!(
                "writer.Raw(value.Count);\n{} items = value.ToArray();\nArray.Reverse(items);\n{}",
                array_of(&self.ty(of), "[]"),
                each(of, "items")
            ),
            Wire::List { of, .. } => {
                let count = if is_array(wire) { "Length" } else { "Count" };
                format!("writer.Raw(value.{count});\n{}", each(of, "value"))
            }
            Wire::Map { key, value, .. } => {
                let pair = Wire::entry(key, value);
                let count = if is_pairs(wire) { "Length" } else { "Count" };
                let write = match self.plan.is_raw(&pair) {
                    true => self.write(&pair, "pair"),
                    false => self.write_parts(&pair, "pair"),
                };
                let ty = self.ty(&pair);
                format!("writer.Raw(value.{count});\nforeach ({ty} pair in value)\n{{\n{write}\n}}")
            }
            Wire::Fixed { of, len } => format!(
                "if (value.Length != {len}) throw writer.Fail($\"{{value.Length}} elements where {len} belong,\");\n\
                 writer.Raw(value.Length);\n{}",
                each(of, "value")
            ),
            Wire::Grid { of, .. } => {
                let items = match self.plan.is_raw(of) {
                    true => {
                        format!("writer.Block<{}>(PackReader.Items(value));", self.raw_arguments(of))
                    }
                    // A loop over a grid of nothing goes through its other dimensions.
                    false => format!("if (value.Length > 0) {}", each(of, "value")),
                };
                format!("writer.Dimensions(value);\n{items}")
            }
            _ => self.write_parts(wire, "value"),
        }
    }

    fn write_parts(&self, wire: &Wire, value: &str) -> String {
        let Some(parts) = self.plan.parts(wire) else { return self.write(wire, value) };
        let step = |step: &Step| match step {
            Step::Part(part) => self.write(&parts.wires[*part], &accessor(wire, value, *part)) + "\n",
            Step::Head(head) => format!("writer.Raw((byte){head});\n"),
            // What is plain memory is written in one piece.
            Step::Room(_) => String::new(),
        };
        parts.steps.iter().map(step).collect()
    }
}

/// A class of methods or types; nothing without any.
pub(super) fn class(name: &str, members: &str) -> String {
    if members.is_empty() {
        String::new()
    } else {
        format!("\ninternal static class {name}\n{{\n{members}}}")
    }
}

/// A part of a value.
fn accessor(wire: &Wire, value: &str, part: usize) -> String {
    match (wire, part) {
        (Wire::Group(..), 1) => format!("global::System.Linq.Enumerable.ToArray({value})"),
        (Wire::Pair(..) | Wire::Group(..), 0) => format!("{value}.Key"),
        (Wire::Pair(..) | Wire::Lazy(_), _) => format!("{value}.Value"),
        (Wire::ClassTuple(_), _) => format!("{value}{}.Item{}", ".Rest".repeat(part / 7), part % 7 + 1),
        _ => format!("{value}.Item{}", part + 1),
    }
}
