//! Expressions that read.

use super::types::{is_big, method};
use super::{Packers, number_array};
use crate::model::{Absence, Float, ListKind, PackedBody, Placed, Wire, tuple_head};

impl Packers<'_> {
    /// An expression that reads from `r`, itself an expression that may be repeated.
    pub(super) fn read(&self, wire: &Wire, r: &str) -> String {
        match wire {
            Wire::Bool => format!("{r}.bool()"),
            Wire::Int(int) => {
                let read = format!("{r}.{}()", method(*int));
                if self.options.numbers && is_big(*int) { format!("$.number({read})") } else { read }
            }
            Wire::Float(Float::F32) => format!("{r}.f32()"),
            Wire::Float(Float::F64) => format!("{r}.f64()"),
            Wire::Rune => format!("{r}.rune()"),
            Wire::Char => format!("{r}.char()"),
            Wire::Known(known) => format!("$.{known:?}.read({r})"),
            Wire::Text(_) | Wire::Uri | Wire::Builder => format!("{r}.text()"),
            Wire::Version => format!("{r}.version()"),
            Wire::BigInteger => format!("{r}.bigInteger()"),
            Wire::BitArray => format!("{r}.bitArray()"),
            Wire::BitPack => format!("{r}.bits()"),
            // Left out before.
            Wire::Brotli(of) => self.read(of, r),
            Wire::Named(id) => {
                let name = self.name(*id);
                match &self.api.packed(*id).body {
                    PackedBody::Enum { of, .. } => {
                        let size = self.api.wire_layout(wire).map_or(1, |layout| layout.size);
                        let method = method(of.repr);
                        format!("{r}.among<{name}>({r}.{method}(), {name}_VALUES, {size})")
                    }
                    _ => format!("{name}.read({r})"),
                }
            }
            Wire::List { of, kind: ListKind::List } if number_array(of).is_some() => {
                let fewest = self.api.fewest_bytes(of);
                self.read_items(of, r, &format!("{r}.count({fewest})"))
            }
            Wire::List { of, kind } => {
                let name = if kind.is_set() { "set" } else { "list" };
                format!("{r}.{name}({}, (r) => {})", self.api.fewest_bytes(of), self.body(of))
            }
            Wire::Map { key, value, .. } => {
                let pair = Wire::entry(key, value);
                format!("{r}.map({}, (r) => {})", self.api.fewest_bytes(&pair), self.body(&pair))
            }
            Wire::Fixed { of, len } if self.api.is_raw(wire) => self.read_items(of, r, &len.to_string()),
            Wire::Fixed { of, len } => self.read_items(of, r, &format!("{r}.exactCount({len})")),
            Wire::Grid { of, rank } => {
                let items = self.read_items(of, "r", "total");
                format!("{r}.grid({rank}, {}, (r, total) => {items})", self.api.fewest_bytes(of))
            }
            Wire::Tuple(items) => {
                let parts: Vec<&Wire> = items.iter().collect();
                self.read_parts(wire, &parts, self.api.placed_tuple(items), r)
            }
            Wire::Pair(key, value) => {
                self.read_parts(wire, &[key, value], self.api.placed_pair(key, value), r)
            }
            Wire::ClassTuple(items) => {
                let read = |(index, item)| {
                    let read = self.read(item, "r");
                    match tuple_head(index, items.len()).filter(|_| index > 0) {
                        Some(head) => format!("r.headed({head}, (r) => {read})"),
                        None => read,
                    }
                };
                let parts: Vec<String> = items.iter().enumerate().map(read).collect();
                let head = tuple_head(0, items.len()).unwrap_or_default();
                format!("{r}.headed({head}, (r) => [{}] as {})", parts.join(", "), self.type_of(wire))
            }
            Wire::Group(key, value) => {
                format!("{r}.group((r) => {}, (r) => {})", self.body(key), self.body(&Wire::list(value)))
            }
            Wire::Lazy(of) => format!("{r}.headed(1, (r) => {})", self.body(of)),
            Wire::Optional(of) => match self.api.absence(of) {
                Absence::Nullable(placed) => {
                    let (pad, size) = (placed.offsets[1] - 1, placed.layout.size);
                    format!("{r}.nullable({pad}, {size}, (r) => {})", self.body(of))
                }
                Absence::Length => format!("({r}.noCount() ? null : {})", self.read(of, r)),
                Absence::Head => format!("({r}.none() ? null : {})", self.read(of, r)),
                Absence::Flag => format!("({r}.some() ? {} : null)", self.read(of, r)),
            },
        }
    }

    /// The return type of a function of `r`.
    fn body(&self, wire: &Wire) -> String {
        self.read(wire, "r")
    }

    fn read_items(&self, of: &Wire, r: &str, count: &str) -> String {
        match number_array(of) {
            Some(class) => format!("{r}.block(new {class}({count}))"),
            None => format!("{r}.items({count}, (r) => {})", self.body(of)),
        }
    }

    fn read_parts(&self, whole: &Wire, parts: &[&Wire], placed: Option<Placed>, r: &str) -> String {
        let ty = self.type_of(whole);
        let Some(placed) = placed else {
            let parts: Vec<String> = parts.iter().map(|part| self.read(part, r)).collect();
            return format!("[{}] as {ty}", parts.join(", "));
        };
        let parts = parts.iter().zip(&placed.offsets);
        let parts: Vec<String> = parts.map(|(part, at)| self.read(part, &format!("at({at})"))).collect();
        format!("{r}.laid({}, (at) => [{}] as {ty})", placed.layout.size, parts.join(", "))
    }
}
