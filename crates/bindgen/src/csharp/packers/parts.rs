//! Parts that are written once: reading and writing of lists, dictionaries, tuples and so on.

use super::Packers;
use super::read::is_array;
use super::types::{array_of, is_text};
use crate::csharp::text::Text;
use crate::model::{Absence, ListKind, Wire, tuple_head};

impl Packers<'_> {
    /// Writes the class with all requested parts.
    pub fn write_parts(&self, text: &mut Text) {
        let mut index = 0;
        while let Some(wire) = { self.parts.borrow().get(index) } {
            if index == 0 {
                text.blank();
                text.open(format!("internal static class {}", self.parts_class()));
            }
            index += 1;
            let name = self.parts.borrow_mut().name(self.api, &wire);
            let ty = self.ty(&wire);
            text.blank();
            let into = match &wire {
                Wire::List { kind, .. } if is_array(*kind) => format!(", {ty}? into = null"),
                Wire::Optional(of) if matches!(&**of, Wire::List { kind, .. } if is_array(*kind)) => {
                    format!(", {ty} into = null")
                }
                _ => String::new(),
            };
            text.open(format!("internal static {ty} Read{name}(ref PackReader reader{into})"));
            self.read_part(&wire, text);
            text.close();
            text.blank();
            text.open(format!("internal static void Write{name}(ref PackWriter writer, {ty} value)"));
            self.write_part(&wire, text);
            text.close();
        }
        if index > 0 {
            text.close();
        }
    }

    fn read_part(&self, wire: &Wire, text: &mut Text) {
        let ty = self.ty(wire);
        match wire {
            Wire::Optional(of) => self.read_optional(of, text),
            Wire::List { .. } | Wire::Map { .. } => {
                text.line(format!("int count = reader.CountOf({});", self.api.fewest_bytes_of_one(wire)));
                self.read_items(wire, text);
            }
            Wire::Fixed { of, len } => {
                text.line(format!("if (!reader.Exactly({len})) throw reader.Null();"));
                self.read_fixed(of, *len, text);
            }
            Wire::Grid { of, rank } => {
                self.read_grid(of, *rank, "throw reader.Null()", text);
            }
            Wire::Tuple(items) => {
                let read: Vec<String> = items.iter().map(|item| self.read(item, None)).collect();
                match &read[..] {
                    [one] => text.line(format!("return new {ty}({one});")),
                    _ => text.line(format!("return ({});", read.join(", "))),
                }
            }
            Wire::ClassTuple(items) => {
                self.read_class_tuple(items, "throw reader.Null()", text);
            }
            Wire::Pair(key, value) => {
                text.line(format!("return new {ty}({}, {});", self.read(key, None), self.read(value, None)));
            }
            Wire::Group(..) | Wire::Lazy(_) => {
                text.line(format!("if (!reader.{}) throw reader.Null();", head(wire)));
                text.line(format!("return {};", self.made(wire)));
            }
            other => text.line(format!("return {};", self.read(other, None))),
        }
    }

    fn read_optional(&self, of: &Wire, text: &mut Text) {
        match of {
            Wire::List { .. } | Wire::Map { .. } => {
                text.line(format!("int count = reader.Count({});", self.api.fewest_bytes_of_one(of)));
                text.line("if (count < 0) return null;");
                self.read_items(of, text);
                return;
            }
            Wire::Fixed { of, len } => {
                text.line(format!("if (!reader.Exactly({len})) return null;"));
                self.read_fixed(of, *len, text);
                return;
            }
            Wire::Grid { of: item, rank } => {
                self.read_grid(item, *rank, "return null", text);
                return;
            }
            Wire::ClassTuple(items) => {
                self.read_class_tuple(items, "return null", text);
                return;
            }
            Wire::Uri | Wire::Builder => {
                text.line("string? value = reader.TextOrNull();");
                let made = match of {
                    Wire::Uri => "reader.Uri(value)",
                    _ => "new global::System.Text.StringBuilder(value)",
                };
                text.line(format!("return value is null ? null : {made};"));
                return;
            }
            Wire::Group(..) | Wire::Lazy(_) => {
                text.line(format!("if (!reader.{}) return null;", head(of)));
                text.line(format!("return {};", self.made(of)));
                return;
            }
            Wire::Version | Wire::BitArray | Wire::BitPack | Wire::Brotli(_) => {
                let read = self.read(&Wire::Optional(Box::new(of.clone())), None);
                text.line(format!("return {read};"));
                return;
            }
            _ => {}
        }
        debug_assert_eq!(self.api.absence(of), Absence::Flag);
        text.line("if (!reader.Flag()) return null;");
        text.line(format!("return {};", self.read(of, None)));
    }

    /// A group or a lazy value, after its head.
    fn made(&self, wire: &Wire) -> String {
        let ty = self.ty(wire);
        match wire {
            Wire::Group(key, value) => {
                let values = Wire::list(value);
                let made = format!("PackGroup<{}, {}>", self.ty(key), self.ty(value));
                format!("new {made}({}, {})", self.read(key, None), self.read(&values, None))
            }
            Wire::Lazy(of) => format!("new {ty}({})", self.read(of, None)),
            other => self.read(other, None),
        }
    }

    fn read_fixed(&self, of: &Wire, len: u64, text: &mut Text) {
        self.read_growing(of, "value", &len.to_string(), None, text);
        text.line("return value;");
    }

    /// An array `name` with `count` elements, which grows as they are read. `into` is one to read over.
    fn read_growing(&self, of: &Wire, name: &str, count: &str, into: Option<&str>, text: &mut Text) {
        let item = self.ty(of);
        let array = array_of(&item, "[]");
        let reused = into.filter(|_| !self.is_value(of)).map(|_| format!("{name}[item]"));
        let into = into.unwrap_or("null");
        text.line(format!("{array} {name} = PackReader.Some<{item}>({into}, {count});"));
        text.open(format!("for (int item = 0; item < {count}; item++)"));
        text.line(format!("PackReader.More(ref {name}, item, {count});"));
        text.line(format!("{name}[item] = {};", self.read(of, reused.as_deref())));
        text.close();
    }

    fn read_grid(&self, of: &Wire, rank: u32, null: &str, text: &mut Text) {
        let fewest = self.api.fewest_bytes(of);
        text.line(format!("int[]? lengths = reader.Grid({rank}, {fewest}, out int count);"));
        text.line(format!("if (lengths is null) {null};"));
        let raw = self.api.is_raw(of);
        if !raw {
            self.read_growing(of, "items", "count", None, text);
        }
        let lengths: Vec<String> = (0..rank).map(|index| format!("lengths[{index}]")).collect();
        let grid = self.ty(&Wire::Grid { of: of.clone().into(), rank });
        let made = array_of(&format!("new {}", self.ty(of)), &format!("[{}]", lengths.join(", ")));
        text.line(format!("{grid} value = {made};"));
        text.line(match raw {
            true => format!("reader.Block<{}>(PackReader.Items(value));", self.raw_arguments(of)),
            false => "items.AsSpan(0, count).CopyTo(PackReader.Items(value));".into(),
        });
        text.line("return value;");
    }

    /// An eighth item begins a tuple of its own, with a head.
    fn read_class_tuple(&self, items: &[Wire], null: &str, text: &mut Text) {
        for (index, item) in items.iter().enumerate() {
            if let Some(head) = tuple_head(index, items.len()) {
                let null = if index == 0 { null } else { "throw reader.Null()" };
                text.line(format!("if (!reader.HeadOf({head})) {null};"));
            }
            text.line(format!("{} item{index} = {};", self.ty(item), self.read(item, None)));
        }
        text.line(format!("return {};", self.new_class_tuple(items, 0)));
    }

    fn new_class_tuple(&self, items: &[Wire], start: usize) -> String {
        let own = (start..items.len().min(start + 7)).map(|index| format!("item{index}"));
        let rest = (start + 7 < items.len()).then(|| self.new_class_tuple(items, start + 7));
        let all = own.chain(rest).collect::<Vec<_>>().join(", ");
        format!("new {}({all})", self.ty(&Wire::ClassTuple(items[start..].to_vec())))
    }

    /// `count` elements.
    fn read_items(&self, wire: &Wire, text: &mut Text) {
        let ty = self.ty(wire);
        match wire {
            Wire::Map { key, value, .. } => {
                let pair = Wire::entry(key, value);
                if matches!(**key, Wire::Optional(_)) {
                    self.read_growing(&pair, "value", "count", None, text);
                    text.line("return value;");
                    return;
                }
                let made = self.default(wire);
                let made = if ty.starts_with("Dictionary") {
                    format!("new {ty}(Math.Min(count, 256))")
                } else {
                    made
                };
                text.line(format!("{ty} value = {made};"));
                text.open("for (int item = 0; item < count; item++)");
                text.line("int place = reader.Position;");
                if self.api.is_raw(&pair) {
                    text.line(format!("{} pair = {};", self.ty(&pair), self.read(&pair, None)));
                    text.line("if (!value.TryAdd(pair.Key, pair.Value)) throw reader.Twice(place);");
                } else {
                    text.line(format!("{} key = {};", self.ty(key), self.read(key, None)));
                    let read = self.read(value, None);
                    text.line(format!("if (!value.TryAdd(key, {read})) throw reader.Twice(place);"));
                }
                text.close();
                text.line("return value;");
            }
            Wire::List { of, kind } => {
                let item = self.ty(of);
                let into = is_array(*kind).then_some("into");
                if self.api.is_raw(of) {
                    let array = array_of(&item, "[]");
                    let into = into.unwrap_or("null");
                    text.line(format!("{array} items = PackReader.Room<{item}>({into}, count);"));
                    text.line(format!("reader.Block<{}>(items);", self.raw_arguments(of)));
                } else {
                    self.read_growing(of, "items", "count", into, text);
                }
                text.line(match kind {
                    _ if is_array(*kind) => "return items;".to_owned(),
                    ListKind::SortedSet if is_text(of) => {
                        format!("return new {ty}(items, PackOrder.Text);")
                    }
                    _ => format!("return new {ty}(items);"),
                });
            }
            _ => {}
        }
    }

    fn write_part(&self, wire: &Wire, text: &mut Text) {
        match wire {
            Wire::Optional(of) => {
                text.open("if (value is null)");
                match self.api.absence(of) {
                    Absence::Length => text.line("writer.Raw(-1);"),
                    _ => text.line("writer.Null();"),
                }
                text.line("return;");
                text.close();
                if self.api.absence(of) == Absence::Flag {
                    text.line("writer.Raw((byte)1);");
                }
                let value = if self.is_value(of) { "value.Value" } else { "value" };
                match &**of {
                    Wire::Version | Wire::BitArray | Wire::BigInteger | Wire::BitPack | Wire::Brotli(_) => {
                        text.line(self.write(of, value));
                    }
                    Wire::Fixed { .. }
                    | Wire::List { .. }
                    | Wire::Map { .. }
                    | Wire::Grid { .. }
                    | Wire::ClassTuple(_) => {
                        self.write_part(of, text);
                    }
                    Wire::Group(..) | Wire::Lazy(_) => self.write_part(of, text),
                    _ => text.line(self.write(of, value)),
                }
            }
            Wire::List { of, kind } => {
                let count = if is_array(*kind) { "Length" } else { "Count" };
                text.line(format!("writer.Raw(value.{count});"));
                let mut items = "value";
                if *kind == ListKind::Stack {
                    // The top comes first.
                    text.line(format!("{} items = value.ToArray();", array_of(&self.ty(of), "[]")));
                    text.line("Array.Reverse(items);");
                    items = "items";
                }
                text.line(format!("foreach ({} item in {items}) {}", self.ty(of), self.write(of, "item")));
            }
            Wire::Map { key, value, .. } => {
                let pair = Wire::entry(key, value);
                let count = if matches!(**key, Wire::Optional(_)) { "Length" } else { "Count" };
                text.line(format!("writer.Raw(value.{count});"));
                text.open(format!("foreach ({} pair in value)", self.ty(&pair)));
                if self.api.is_raw(&pair) {
                    text.line(self.write(&pair, "pair"));
                } else {
                    text.line(self.write(key, "pair.Key"));
                    text.line(self.write(value, "pair.Value"));
                }
                text.close();
            }
            Wire::Fixed { of, len } => {
                text.line(format!(
                    "if (value.Length != {len}) throw writer.Fail($\"{{value.Length}} elements where {len} belong,\");"
                ));
                text.line("writer.Raw(value.Length);");
                text.line(format!("foreach ({} item in value) {}", self.ty(of), self.write(of, "item")));
            }
            Wire::Grid { of, .. } => {
                text.line("writer.Dimensions(value);");
                if self.api.is_raw(of) {
                    text.line(format!("writer.Block<{}>(PackReader.Items(value));", self.raw_arguments(of)));
                } else {
                    // A loop over a grid of nothing goes through its other dimensions.
                    let each = format!("foreach ({} item in value) {}", self.ty(of), self.write(of, "item"));
                    text.line(format!("if (value.Length > 0) {each}"));
                }
            }
            Wire::Tuple(items) => {
                for (index, item) in items.iter().enumerate() {
                    text.line(self.write(item, &format!("value.Item{}", index + 1)));
                }
            }
            Wire::ClassTuple(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(head) = tuple_head(index, items.len()) {
                        text.line(format!("writer.Raw((byte){head});"));
                    }
                    let path = ".Rest".repeat(index / 7);
                    text.line(self.write(item, &format!("value{path}.Item{}", index % 7 + 1)));
                }
            }
            Wire::Pair(key, value) => {
                text.line(self.write(key, "value.Key"));
                text.line(self.write(value, "value.Value"));
            }
            Wire::Group(key, value) => {
                text.line("writer.Raw((byte)2);");
                text.line(self.write(key, "value.Key"));
                let values = Wire::list(value);
                text.line(self.write(&values, "global::System.Linq.Enumerable.ToArray(value)"));
            }
            Wire::Lazy(of) => {
                text.line("writer.Raw((byte)1);");
                text.line(self.write(of, "value.Value"));
            }
            other => text.line(self.write(other, "value")),
        }
    }
}

/// The call that reads the head.
fn head(wire: &Wire) -> &'static str {
    match wire {
        Wire::Group(..) => "HeadOf(2)",
        _ => "HeadOf(1)",
    }
}
