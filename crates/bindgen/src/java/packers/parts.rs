//! Parts that are written once: reading and writing of lists, maps, tuples and so on.

use super::Packers;
use super::types::array;
use crate::java::lines::Lines;
use crate::model::{Absence, Piece, Placed, Wire, pieces, tuple_head};

impl Packers<'_> {
    /// Writes the class with all requested parts.
    pub fn write_parts(&self, lines: &mut Lines) {
        lines.line("/** What several packers need. */");
        lines.line("@SuppressWarnings(\"deprecation\")");
        lines.open("final class Packers");
        lines.open("private Packers()");
        lines.close();
        let mut index = 0;
        while let Some(wire) = { self.parts.borrow().get(index) } {
            index += 1;
            let name = self.parts.borrow_mut().name(self.api, &wire);
            let ty = self.ty(&wire);
            lines.blank();
            lines.open(format!("static {ty} read{name}(PackReader r)"));
            self.read_part(&wire, lines);
            lines.close();
            lines.blank();
            lines.open(format!("static void write{name}(PackWriter w, {ty} value)"));
            self.write_part(&wire, lines);
            lines.close();
        }
        lines.close();
    }

    /// Statements that read into variables `v0` and so on, wherever the values lie.
    pub fn read_all(&self, wires: &[&Wire], placed: Option<&Placed>, lines: &mut Lines) {
        if let Some(placed) = placed {
            lines.line(format!("r.raw({});", placed.layout.size));
        }
        for piece in pieces(wires.len(), placed) {
            lines.line(match piece {
                Piece::Part(index) => {
                    format!("{} v{index} = {};", self.ty(wires[index]), self.read(wires[index]))
                }
                Piece::Room { size, .. } => format!("r.skip({size});"),
            });
        }
    }

    /// Statements that write, wherever the values lie.
    pub fn write_all(&self, wires: &[&Wire], values: &[String], placed: Option<&Placed>, lines: &mut Lines) {
        for piece in pieces(wires.len(), placed) {
            lines.line(match piece {
                Piece::Part(index) => self.write(wires[index], &values[index]),
                Piece::Room { size, .. } => format!("w.pad({size});"),
            });
        }
    }

    fn read_part(&self, wire: &Wire, lines: &mut Lines) {
        let ty = self.ty(wire);
        match wire {
            Wire::Optional(of) => self.read_optional(wire, of, lines),
            Wire::Tuple(items) => {
                let wires: Vec<&Wire> = items.iter().collect();
                self.read_all(&wires, self.api.placed_tuple(items).as_ref(), lines);
                lines.line(format!("return new {ty}({});", variables(items.len())));
            }
            Wire::Pair(key, value) => {
                self.read_all(&[key, value], self.api.placed_pair(key, value).as_ref(), lines);
                lines.line("return new AbstractMap.SimpleImmutableEntry<>(v0, v1);");
            }
            Wire::Fixed { of, .. } if array(of).is_some() => {
                lines.line(format!("return {};", self.read(wire)))
            }
            Wire::Fixed { of, len } => {
                if !self.api.is_raw(wire) {
                    lines.line(format!("r.exactly(r.countOf(1), {len});"));
                }
                lines.line(format!("{ty} value = PackReader.list({len});"));
                self.read_into(of, &len.to_string(), lines);
            }
            Wire::List { .. } | Wire::Map { .. } => {
                lines.line(format!("int count = r.countOf({});", self.api.fewest_bytes_of_one(wire)));
                self.read_items(wire, lines);
            }
            _ => self.read_headed(wire, "throw r.none();", lines),
        }
    }

    fn read_optional(&self, wire: &Wire, of: &Wire, lines: &mut Lines) {
        if matches!(of, Wire::Version | Wire::BitArray | Wire::BitPack) {
            lines.line(format!("return {};", self.read(wire)));
            return;
        }
        match self.api.absence(of) {
            Absence::Nullable(placed) => {
                let size = placed.layout.size;
                lines.line(format!("int start = r.raw({size});"));
                lines.line("boolean there = r.bool();");
                lines.line(format!("r.to(start + {});", placed.offsets[1]));
                lines.line(format!("{} value = there ? {} : null;", self.ty(wire), self.read(of)));
                lines.line(format!("r.to(start + {size});"));
                lines.line("return value;");
            }
            Absence::Length => {
                if let Wire::Fixed { of, len } = of {
                    lines.line("int count = r.count(1);");
                    lines.open("if (count < 0)");
                    lines.line("return null;");
                    lines.close();
                    lines.line(format!("r.exactly(count, {len});"));
                    lines.line(format!("{} value = PackReader.list({len});", self.ty(wire)));
                    self.read_into(of, "count", lines);
                    return;
                }
                lines.line(format!("int count = r.count({});", self.api.fewest_bytes_of_one(of)));
                lines.open("if (count < 0)");
                lines.line("return null;");
                lines.close();
                self.read_items(of, lines);
            }
            Absence::Head => self.read_headed(of, "return null;", lines),
            Absence::Flag => {
                lines.open("if (!r.headOf(1))");
                lines.line("return null;");
                lines.close();
                lines.line(format!("return {};", self.read(of)));
            }
        }
    }

    /// Parts that begin with a head of their own.
    fn read_headed(&self, wire: &Wire, null: &str, lines: &mut Lines) {
        let absent = |lines: &mut Lines, condition: &str| {
            lines.open(format!("if ({condition})"));
            lines.line(null);
            lines.close();
        };
        match wire {
            Wire::Grid { of, rank } => {
                lines.line(format!("int[] lengths = r.dimensions({rank}, {});", self.api.fewest_bytes(of)));
                absent(lines, "lengths == null");
                lines.line("int count = PackReader.product(lengths);");
                match array(of) {
                    Some(method) => {
                        lines.line(format!("return new Pack.Grid<>(lengths, r.{method}(count));"))
                    }
                    None => {
                        lines.line(format!("{} value = PackReader.list(count);", self.ty(&Wire::list(of))));
                        self.read_each(of, "count", lines);
                        lines.line("return new Pack.Grid<>(lengths, value);");
                    }
                }
            }
            Wire::ClassTuple(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(head) = tuple_head(index, items.len()) {
                        lines.open(format!("if (!r.headOf({head}))"));
                        lines.line(if index == 0 { null } else { "throw r.none();" });
                        lines.close();
                    }
                    lines.line(format!("{} v{index} = {};", self.ty(item), self.read(item)));
                }
                lines.line(format!("return new {}({});", self.ty(wire), variables(items.len())));
            }
            Wire::Group(key, value) => {
                absent(lines, "!r.headOf(2)");
                self.read_all(&[key, &Wire::list(value)], None, lines);
                lines.line("return new AbstractMap.SimpleImmutableEntry<>(v0, v1);");
            }
            Wire::Lazy(of) => {
                absent(lines, "!r.headOf(1)");
                lines.line(format!("{} value = {};", self.ty(of), self.read(of)));
                lines.line("return () -> value;");
            }
            other => lines.line(format!("return {};", self.read(other))),
        }
    }

    /// `count` elements.
    fn read_items(&self, wire: &Wire, lines: &mut Lines) {
        let ty = self.ty(wire);
        match wire {
            Wire::Map { key, value, .. } => {
                lines.line(format!("{ty} value = new LinkedHashMap<>();"));
                lines.open("for (int item = 0; item < count; item++)");
                lines.line("int place = r.at;");
                self.read_all(&[key, value], self.api.placed_pair(key, value).as_ref(), lines);
                lines.line("value.put(v0, v1);");
                lines.open("if (value.size() == item)");
                lines.line("throw r.twice(place);");
                lines.close();
                lines.close();
                lines.line("return value;");
            }
            Wire::List { of, kind } => {
                if let Some(method) = array(of).filter(|_| !kind.is_set()) {
                    lines.line(format!("return r.{method}(count);"));
                    return;
                }
                let made = if kind.is_set() { "new LinkedHashSet<>()" } else { "PackReader.list(count)" };
                lines.line(format!("{ty} value = {made};"));
                self.read_into(of, "count", lines);
            }
            _ => {}
        }
    }

    fn read_each(&self, of: &Wire, count: &str, lines: &mut Lines) {
        lines.open(format!("for (int item = 0; item < {count}; item++)"));
        lines.line(format!("value.add({});", self.read(of)));
        lines.close();
    }

    fn read_into(&self, of: &Wire, count: &str, lines: &mut Lines) {
        self.read_each(of, count, lines);
        lines.line("return value;");
    }

    fn write_part(&self, wire: &Wire, lines: &mut Lines) {
        match wire {
            Wire::Optional(of) => {
                lines.open("if (value == null)");
                match self.api.absence(of) {
                    Absence::Nullable(placed) => lines.line(format!("w.pad({});", placed.layout.size)),
                    Absence::Length => lines.line("w.i32(-1);"),
                    Absence::Head | Absence::Flag => lines.line("w.none();"),
                }
                lines.line("return;");
                lines.close();
                match self.api.absence(of) {
                    Absence::Nullable(placed) => {
                        let values = ["true".to_owned(), "value".to_owned()];
                        self.write_all(&[&Wire::Bool, of], &values, Some(&placed), lines);
                    }
                    Absence::Flag => {
                        lines.line("w.i8((byte) 1);");
                        lines.line(self.write(of, "value"));
                    }
                    _ => match &**of {
                        Wire::Version | Wire::BitArray | Wire::BitPack => lines.line(self.write(of, "value")),
                        of => self.write_part(of, lines),
                    },
                }
            }
            Wire::Tuple(items) => {
                let values: Vec<String> =
                    (1..=items.len()).map(|item| format!("value.item{item}()")).collect();
                let wires: Vec<&Wire> = items.iter().collect();
                self.write_all(&wires, &values, self.api.placed_tuple(items).as_ref(), lines);
            }
            Wire::ClassTuple(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(head) = tuple_head(index, items.len()) {
                        lines.line(format!("w.i8((byte) {head});"));
                    }
                    lines.line(self.write(item, &format!("value.item{}()", index + 1)));
                }
            }
            Wire::Pair(key, value) => {
                let values = ["value.getKey()".to_owned(), "value.getValue()".to_owned()];
                self.write_all(&[key, value], &values, self.api.placed_pair(key, value).as_ref(), lines);
            }
            Wire::Group(key, value) => {
                lines.line("w.i8((byte) 2);");
                lines.line(self.write(key, "value.getKey()"));
                lines.line(self.write(&Wire::list(value), "value.getValue()"));
            }
            Wire::Lazy(of) => {
                lines.line("w.i8((byte) 1);");
                lines.line(self.write(of, "value.get()"));
            }
            Wire::Fixed { of, len } => {
                let count = if array(of).is_some() { "length" } else { "size()" };
                lines.line(format!("w.exactly(value.{count}, {len});"));
                if !self.api.is_raw(wire) {
                    lines.line(format!("w.i32({len});"));
                }
                self.write_each(of, "value", lines);
            }
            Wire::List { of, kind } => {
                let count = if array(of).is_some() && !kind.is_set() { "length" } else { "size()" };
                lines.line(format!("w.i32(value.{count});"));
                if kind.is_set() {
                    self.write_one_by_one(of, "value", lines);
                } else {
                    self.write_each(of, "value", lines);
                }
            }
            Wire::Grid { of, rank } => {
                let count = if array(of).is_some() { "length" } else { "size()" };
                lines.line(format!("w.dimensions({rank}, value.lengths(), value.items().{count});"));
                self.write_each(of, "value.items()", lines);
            }
            Wire::Map { key, value, .. } => {
                lines.line("w.i32(value.size());");
                lines.open(format!(
                    "for (Map.Entry<{}, {}> item : value.entrySet())",
                    self.boxed(key),
                    self.boxed(value)
                ));
                let values = ["item.getKey()".to_owned(), "item.getValue()".to_owned()];
                self.write_all(&[key, value], &values, self.api.placed_pair(key, value).as_ref(), lines);
                lines.close();
            }
            other => lines.line(self.write(other, "value")),
        }
    }

    fn write_each(&self, of: &Wire, items: &str, lines: &mut Lines) {
        match array(of) {
            Some(method) => lines.line(format!("w.{method}({items});")),
            None => self.write_one_by_one(of, items, lines),
        }
    }

    fn write_one_by_one(&self, of: &Wire, items: &str, lines: &mut Lines) {
        lines.open(format!("for ({} item : {items})", self.ty(of)));
        lines.line(self.write(of, "item"));
        lines.close();
    }
}

fn variables(len: usize) -> String {
    (0..len).map(|index| format!("v{index}")).collect::<Vec<_>>().join(", ")
}
