//! Raw structs of nothing but numbers: one call of `struct` reads or writes all of them.

use super::Packers;
use super::types::{is_byte, number_code};
use crate::plan::{Known, PackedBody, Piece, Raw, Wire};
use std::fmt::Write as _;

/// How `struct` sees the memory of a raw struct.
pub(super) struct Flat {
    /// The name of the `Struct`.
    pub(super) layout: String,
    /// Its format, without the byte order.
    pub(super) format: String,
    /// An expression that makes the value of `part`, the tuple that `struct` gives.
    pub(super) made: String,
    /// The numbers as members of the value: `.a`, `.inner.b`.
    numbers: Vec<String>,
}

impl Flat {
    /// An expression of the bytes of `value`.
    pub(super) fn packed(&self, value: &str) -> String {
        let numbers: Vec<String> = self.numbers.iter().map(|number| format!("{value}{number}")).collect();
        format!("{}.pack({})", self.layout, numbers.join(", "))
    }
}

impl Packers<'_> {
    /// `None` where a part is no number: `struct` checks no bool, enum or time.
    pub(super) fn flat(&self, name: &str, raw: &Raw) -> Option<Flat> {
        let layout = format!("_layout_{name}");
        let mut flat = Flat { layout, format: String::new(), made: String::new(), numbers: Vec::new() };
        let made = self.flatten(name, raw, "", &mut flat)?;
        let nested = made.matches('(').count() > 1;
        flat.made = if nested { made } else { format!("{name}(*part)") };
        Some(flat)
    }

    /// Adds the parts of a struct that is at `value`, and returns the expression that makes it.
    fn flatten(&self, name: &str, raw: &Raw, value: &str, flat: &mut Flat) -> Option<String> {
        let mut parts = Vec::new();
        for piece in raw.placed.pieces() {
            let field = match piece {
                Piece::Room { size, .. } => {
                    let _ = write!(flat.format, "{size}x");
                    continue;
                }
                Piece::Part(index) => &raw.fields[index],
            };
            let member = format!("{value}.{}", self.member(field));
            if let Wire::Named(id) = &field.wire
                && let PackedBody::Raw(inner) = &self.plan.packed(*id).body
            {
                parts.push(self.flatten(&self.name(*id), inner, &member, flat)?);
                continue;
            }
            flat.format.push_str(match &field.wire {
                Wire::Known(Known::Half) => "e",
                wire if is_byte(wire) => "B",
                wire => number_code(wire)?,
            });
            parts.push(format!("part[{}]", flat.numbers.len()));
            flat.numbers.push(member);
        }
        Some(format!("{name}({})", parts.join(", ")))
    }
}
