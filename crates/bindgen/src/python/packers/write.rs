//! Statements that write.

use super::super::names::literal;
use super::{Packers, is_byte, number_code};
use crate::model::{Absence, Encoding, Float, Int, Known, ListKind, PackedBody, Placed, Wire, tuple_head};
use crate::packers::laid;

/// The method that writes and reads an integer.
pub(super) fn method(int: Int) -> &'static str {
    match int {
        Int::Isize | Int::Long => "i64",
        Int::Usize | Int::ULong => "u64",
        Int::CChar => "i8",
        int => int.rust_name(),
    }
}

/// The method of a writer and a reader for what has one.
pub(super) fn simple(wire: &Wire) -> Option<&'static str> {
    Some(match wire {
        Wire::Bool => "boolean",
        Wire::Int(int) => method(*int),
        Wire::Float(Float::F32) => "f32",
        Wire::Float(Float::F64) => "f64",
        Wire::Rune => "rune",
        Wire::Char => "char",
        Wire::Known(Known::Half) => "half",
        Wire::Known(Known::Guid) => "guid",
        Wire::Known(Known::Decimal) => "decimal",
        Wire::Known(Known::DateOnly) => "day",
        Wire::Known(Known::Complex) => "complex_number",
        Wire::Text(Encoding::Chosen) | Wire::Uri => "text",
        Wire::BigInteger => "big_integer",
        Wire::BitArray => "bit_array",
        Wire::BitPack => "bits",
        Wire::List { of, kind: ListKind::List } if is_byte(of) => "blob",
        _ => return None,
    })
}

impl Packers<'_> {
    /// Lines that write `value`, an expression without effects, to `w`.
    pub(super) fn write(&self, wire: &Wire, value: &str) -> Vec<String> {
        let one = |text: String| vec![text];
        match simple(wire) {
            Some("blob") => return one(format!("w.blob({value}, {})", self.place())),
            Some(method) => return one(format!("w.{method}({value})")),
            None => {}
        }
        match wire {
            Wire::Known(known) => one(format!("_r.{known:?}._write(w, {value})")),
            Wire::Version => one(format!("_r.Version._write(w, {value})")),
            Wire::Text(Encoding::Utf8) => one(format!("w.text({value}, \"utf8\")")),
            Wire::Text(_) | Wire::Builder => one(format!("w.text({value}, \"utf16\")")),
            // Left out before.
            Wire::Brotli(of) => self.write(of, value),
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Enum { of, .. } => one(format!("w.{}({value})", method(of.repr))),
                _ => one(format!("{}._write(w, {value})", self.name(*id))),
            },
            Wire::List { of, kind } => match number_code(of).filter(|_| *kind == ListKind::List) {
                Some(code) => one(format!("w.numbers({value}, \"{code}\", {})", self.place())),
                None => {
                    let mut lines = one(format!("w.count(len({value}))"));
                    // A Python set has no order.
                    let sorted = *kind == ListKind::SortedSet && self.is_hashable(of) && self.is_ordered(of);
                    let items = if sorted { &format!("sorted({value})") } else { value };
                    lines.extend(self.write_each(of, items));
                    lines
                }
            },
            Wire::Map { key, value: of, .. } => {
                let (k, v) = (self.fresh("k"), self.fresh("v"));
                let items = if self.is_hashable(key) { ".items()" } else { "" };
                let mut lines = one(format!("w.count(len({value}))"));
                lines.push(format!("for {k}, {v} in {value}{items}:"));
                let parts = [(&**key, &*k), (&**of, &*v)];
                lines.extend(inner(self.write_parts(&parts, self.api.placed_pair(key, of).as_ref())));
                lines
            }
            Wire::Fixed { of, len } => {
                if let Some(code) = number_code(of) {
                    return one(format!("w.block({value}, \"{code}\", {}, {len})", self.place()));
                }
                let mut lines = one(format!("w.exactly(len({value}), {len})"));
                if !self.api.is_raw(wire) {
                    lines.push(format!("w.count({len})"));
                }
                lines.extend(self.write_each(of, value));
                lines
            }
            Wire::Grid { of, rank } => {
                let mut lines = one(format!("w.grid({value}, {rank})"));
                match number_code(of) {
                    Some(code) => lines.push(format!("w.block({value}.items, \"{code}\", {})", self.place())),
                    None => lines.extend(self.write_each(of, &format!("{value}.items"))),
                }
                lines
            }
            Wire::Tuple(items) => {
                let names: Vec<String> = (0..items.len()).map(|index| format!("{value}[{index}]")).collect();
                let parts: Vec<(&Wire, &str)> = items.iter().zip(names.iter().map(String::as_str)).collect();
                self.write_parts(&parts, self.api.placed_tuple(items).as_ref())
            }
            Wire::ClassTuple(items) => {
                let mut lines = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    lines.extend(tuple_head(index, items.len()).map(|head| format!("w.u8({head})")));
                    lines.extend(self.write(item, &format!("{value}[{index}]")));
                }
                lines
            }
            Wire::Pair(key, of) => {
                let (k, v) = (format!("{value}[0]"), format!("{value}[1]"));
                let parts = [(&**key, &*k), (&**of, &*v)];
                self.write_parts(&parts, self.api.placed_pair(key, of).as_ref())
            }
            Wire::Group(key, of) => {
                let mut lines = one("w.u8(2)".into());
                lines.extend(self.write(key, &format!("{value}.key")));
                lines.push(format!("w.count(len({value}.values))"));
                lines.extend(self.write_each(of, &format!("{value}.values")));
                lines
            }
            Wire::Lazy(of) => {
                let mut lines = one("w.u8(1)".into());
                lines.extend(self.write(of, value));
                lines
            }
            Wire::Optional(of) => self.write_optional(of, value),
            _ => Vec::new(),
        }
    }

    fn write_optional(&self, of: &Wire, value: &str) -> Vec<String> {
        // The type checker can tell that a name, or a name's member, is not None.
        let plain = !value.contains('[');
        let name = if plain { value.to_owned() } else { self.fresh("o") };
        let there = [(&Wire::Bool, "True"), (of, &*name)];
        let (none, some) = match self.api.absence(of) {
            Absence::Nullable(placed) => {
                (format!("w.zero({})", placed.layout.size), self.write_parts(&there, Some(&placed)))
            }
            Absence::Length => ("w.no_count()".to_owned(), self.write(of, &name)),
            Absence::Head => ("w.none()".to_owned(), self.write(of, &name)),
            Absence::Flag => ("w.none()".to_owned(), self.write_parts(&there, None)),
        };
        let mut lines: Vec<String> = (!plain).then(|| format!("{name} = {value}")).into_iter().collect();
        lines.extend([format!("if {name} is None:"), format!("    {none}")]);
        lines.push("else:".into());
        lines.extend(inner(some));
        lines
    }

    fn write_each(&self, of: &Wire, value: &str) -> Vec<String> {
        let name = self.fresh("v");
        let mut lines = vec![format!("for {name} in {value}:")];
        lines.extend(inner(self.write(of, &name)));
        lines
    }

    /// A name that no other variable in the function has: otherwise it would get that one's type.
    fn fresh(&self, letter: &str) -> String {
        let number = self.names.get();
        self.names.set(number + 1);
        format!("{letter}{number}")
    }

    /// Parts where they lie, with zeros between them; one after the other if they are not raw.
    pub(super) fn write_parts(&self, parts: &[(&Wire, &str)], placed: Option<&Placed>) -> Vec<String> {
        laid(parts.len(), placed, |index| {
            let (wire, value) = parts[index];
            self.write(wire, value)
        })
    }

    /// The member that is being written, as a literal.
    fn place(&self) -> String {
        literal(&self.place.borrow())
    }
}

fn inner(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("    {line}"))
}
