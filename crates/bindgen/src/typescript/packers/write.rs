//! Statements that write.

use super::super::names::quoted;
use super::types::method;
use super::{Packers, arrow, ended, number_array};
use crate::model::{Absence, Encoding, Float, Int, ListKind, PackedBody, Placed, Wire, tuple_head};
use crate::packers::laid;

impl Packers<'_> {
    /// Statements that write `value`, an expression without effects, to `w`.
    pub(super) fn write(&self, wire: &Wire, value: &str) -> Vec<String> {
        let one = |text: String| vec![text];
        match wire {
            Wire::Bool => one(format!("w.bool({value})")),
            Wire::Int(int) => one(format!("w.{}({value})", method(*int))),
            Wire::Float(Float::F32) => one(format!("w.f32({value})")),
            Wire::Float(Float::F64) => one(format!("w.f64({value})")),
            Wire::Rune => one(format!("w.rune({value})")),
            Wire::Char => one(format!("w.char({value})")),
            Wire::Known(known) => one(format!("$.{known:?}.write(w, {value})")),
            Wire::Text(Encoding::Chosen) | Wire::Uri => one(format!("w.text({value})")),
            Wire::Text(Encoding::Utf8) => one(format!("w.text({value}, \"utf8\")")),
            Wire::Text(Encoding::Utf16) | Wire::Builder => one(format!("w.text({value}, \"utf16\")")),
            Wire::Version => one(format!("w.version({value})")),
            Wire::BigInteger => one(format!("w.bigInteger({value})")),
            Wire::BitArray => one(format!("w.bitArray({value})")),
            Wire::BitPack => one(format!("w.bits({value})")),
            // Left out before.
            Wire::Brotli(of) => self.write(of, value),
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Enum { of, .. } => one(format!("w.{}({value})", method(of.repr))),
                _ => one(format!("{}.write(w, {value})", self.name(*id))),
            },
            Wire::List { of, kind } => {
                if let (Some(class), ListKind::List) = (number_array(of), kind) {
                    return one(format!("w.numbers({value}, \"{class}\", {})", self.place()));
                }
                let name = if kind.is_set() { "set" } else { "list" };
                one(format!("w.{name}({value}, {})", self.writer(of)))
            }
            Wire::Map { key, value: of, .. } => {
                let placed = self.api.placed_pair(key, of);
                let statements = self.write_parts(&[(key, "k"), (of, "v")], placed.as_ref());
                one(format!("w.map({value}, {})", arrow("w, k, v", &statements)))
            }
            Wire::Fixed { of, len } => {
                let mut statements = one(format!("w.exactly({value}.length, {len})"));
                if !self.api.is_raw(wire) {
                    statements.push(format!("w.count({len})"));
                }
                statements.extend(self.write_items(of, value));
                statements
            }
            Wire::Grid { of, rank } => {
                let items = format!("{value}.items");
                let mut statements = one(format!("w.grid({value}, {rank})"));
                statements.push(format!("w.count({items}.length)"));
                statements.extend(self.write_items(of, &items));
                statements
            }
            Wire::Tuple(items) => {
                let names: Vec<String> = (0..items.len()).map(|index| format!("{value}[{index}]")).collect();
                let parts: Vec<(&Wire, &str)> = items.iter().zip(names.iter().map(String::as_str)).collect();
                self.write_parts(&parts, self.api.placed_tuple(items).as_ref())
            }
            Wire::ClassTuple(items) => {
                let mut statements = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    statements.extend(tuple_head(index, items.len()).map(|head| format!("w.u8({head})")));
                    statements.extend(self.write(item, &format!("{value}[{index}]")));
                }
                statements
            }
            Wire::Pair(key, of) => {
                let parts = [(&**key, &*format!("{value}[0]")), (&**of, &*format!("{value}[1]"))];
                self.write_parts(&parts, self.api.placed_pair(key, of).as_ref())
            }
            Wire::Group(key, of) => {
                let mut statements = one("w.u8(2)".into());
                statements.extend(self.write(key, &format!("{value}.key")));
                statements.extend(self.write(&Wire::list(of), &format!("{value}.values")));
                statements
            }
            Wire::Lazy(of) => {
                let mut statements = one("w.u8(1)".into());
                statements.extend(self.write(of, value));
                statements
            }
            Wire::Optional(of) => {
                let there = [(&Wire::Bool, "true"), (of, value)];
                let (none, some) = match self.api.absence(of) {
                    Absence::Nullable(placed) => {
                        (format!("w.zero({})", placed.layout.size), self.write_parts(&there, Some(&placed)))
                    }
                    Absence::Length => ("w.noCount()".to_owned(), self.write(of, value)),
                    Absence::Head => ("w.none()".to_owned(), self.write(of, value)),
                    Absence::Flag => ("w.none()".to_owned(), self.write_parts(&there, None)),
                };
                let some: Vec<String> = some.iter().map(|one| ended(one)).collect();
                one(format!("if ({value} === null) {none}; else {{ {} }}", some.join(" ")))
            }
        }
    }

    /// A function that writes one.
    fn writer(&self, of: &Wire) -> String {
        arrow("w, v", &self.write(of, "v"))
    }

    /// Elements without a count.
    fn write_items(&self, of: &Wire, value: &str) -> Vec<String> {
        if let Some(class) = number_array(of) {
            return vec![format!("w.block({value}, \"{class}\", {})", self.place())];
        }
        vec![format!("w.each({value}, {})", self.writer(of))]
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
        quoted(&self.place.borrow())
    }

    pub(super) fn integer(&self, int: Int, value: i128) -> String {
        if super::types::is_big(int) { format!("{value}n") } else { value.to_string() }
    }
}
