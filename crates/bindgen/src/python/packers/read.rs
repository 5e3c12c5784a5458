//! Expressions that read, and functions for values that no expression reads.

use super::write::{method, simple};
use super::{Packers, indented, is_byte, number_code};
use crate::model::{Absence, ListKind, PackedBody, Piece, Placed, Wire, tuple_head};

impl Packers<'_> {
    /// An expression that reads from `r`.
    pub(super) fn read(&self, wire: &Wire) -> String {
        if let Some(method) = simple(wire) {
            return format!("r.{method}()");
        }
        match wire {
            Wire::Known(known) => format!("_r.{known:?}._read(r)"),
            Wire::Version => "r.version()".into(),
            // Left out before.
            Wire::Brotli(of) => self.read(of),
            Wire::Named(id) => {
                let name = self.name(*id);
                match &self.api.packed(*id).body {
                    PackedBody::Enum { of, .. } => {
                        let size = self.api.wire_layout(wire).map_or(1, |layout| layout.size);
                        format!("r.among({name}, r.{}(), {size})", method(of.repr))
                    }
                    _ => format!("{name}._read(r)"),
                }
            }
            Wire::List { of, kind } => {
                let count = format!("r.count({})", self.api.fewest_bytes(of));
                match (number_code(of), kind) {
                    (Some(code), ListKind::List) => format!("r.block(\"{code}\", {count})"),
                    (_, kind) if kind.is_set() && self.is_hashable(of) => {
                        format!("{{{} for _ in range({count})}}", self.read(of))
                    }
                    _ => format!("[{} for _ in range({count})]", self.read(of)),
                }
            }
            Wire::Map { key, value, .. } => {
                let pair = Wire::entry(key, value);
                let items =
                    format!("{} for _ in range(r.count({}))", self.read(&pair), self.api.fewest_bytes(&pair));
                if self.is_hashable(key) { format!("r.dictionary({items})") } else { format!("[{items}]") }
            }
            Wire::Fixed { of, len } if self.api.is_raw(wire) => self.read_items(of, &len.to_string()),
            Wire::Fixed { of, len } => self.read_items(of, &format!("r.exact_count({len})")),
            Wire::Tuple(items) if self.api.placed_tuple(items).is_none() => self.side_by_side(items.iter()),
            Wire::Pair(key, value) if self.api.placed_pair(key, value).is_none() => {
                self.side_by_side([&**key, &**value].into_iter())
            }
            Wire::Optional(of) => {
                let read = self.read(of);
                match self.api.absence(of) {
                    Absence::Nullable(placed) => {
                        let at = placed.offsets[1];
                        format!("({read} if r.there({}, {}) else None)", at - 1, placed.layout.size - at)
                    }
                    Absence::Length => format!("(None if r.no_count() else {read})"),
                    Absence::Head => format!("(None if r.none() else {read})"),
                    Absence::Flag => format!("({read} if r.some() else None)"),
                }
            }
            Wire::Text(_) | Wire::Builder => "r.text()".into(),
            _ => {
                let mut functions = self.functions.borrow_mut();
                let known = functions.iter().position(|known| known == wire);
                let index = known.unwrap_or_else(|| {
                    functions.push(wire.clone());
                    functions.len() - 1
                });
                format!("_read_{index}(r)")
            }
        }
    }

    fn side_by_side<'a>(&self, parts: impl Iterator<Item = &'a Wire>) -> String {
        tuple(&parts.map(|part| self.read(part)).collect::<Vec<_>>())
    }

    fn read_items(&self, of: &Wire, count: &str) -> String {
        match (is_byte(of), number_code(of)) {
            (true, _) => format!("r.raw({count})"),
            (_, Some(code)) => format!("r.block(\"{code}\", {count})"),
            _ => format!("[{} for _ in range({count})]", self.read(of)),
        }
    }

    /// The functions that expressions call; each may need others.
    pub(super) fn reading_functions(&self) -> String {
        let mut text = String::new();
        let mut index = 0;
        loop {
            let Some(wire) = self.functions.borrow().get(index).cloned() else { return text };
            let lines = self.reading(&wire);
            let ty = self.type_of(&wire);
            text.push_str(&format!(
                "\n\ndef _read_{index}(r: _r.Reader) -> {ty}:\n{}",
                indented(&lines, "    ")
            ));
            index += 1;
        }
    }

    fn reading(&self, wire: &Wire) -> Vec<String> {
        match wire {
            Wire::Tuple(items) => {
                let parts: Vec<&Wire> = items.iter().collect();
                self.read_tuple(&parts, self.api.placed_tuple(items))
            }
            Wire::Pair(key, value) => self.read_tuple(&[key, value], self.api.placed_pair(key, value)),
            Wire::ClassTuple(items) => {
                let mut lines = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    lines.extend(tuple_head(index, items.len()).map(|head| format!("r.exact_head({head})")));
                    lines.push(format!("part{index} = {}", self.read(item)));
                }
                lines.push(returned(items.len()));
                lines
            }
            Wire::Grid { of, rank } => vec![
                format!("dimensions, total = r.dimensions({rank}, {})", self.api.fewest_bytes(of)),
                format!("return _r.Grid(dimensions, {})", self.read_items(of, "total")),
            ],
            Wire::Group(key, of) => {
                let values = self.read(&Wire::list(of));
                let key = format!("key = {}", self.read(key));
                vec!["r.exact_head(2)".into(), key, format!("return _r.Group(key, {values})")]
            }
            Wire::Lazy(of) => vec!["r.exact_head(1)".into(), format!("return {}", self.read(of))],
            other => vec![format!("return {}", self.read(other))],
        }
    }

    fn read_tuple(&self, parts: &[&Wire], placed: Option<Placed>) -> Vec<String> {
        let mut lines = placed.map(|placed| self.read_laid(parts, &placed)).unwrap_or_default();
        lines.push(returned(parts.len()));
        lines
    }

    /// Lines that read parts where they lie into `part0` and so on.
    pub(super) fn read_laid(&self, parts: &[&Wire], placed: &Placed) -> Vec<String> {
        let line = |piece| match piece {
            Piece::Part(index) => format!("part{index} = {}", self.read(parts[index])),
            Piece::Room { size, .. } => format!("r.skip({size})"),
        };
        placed.pieces().into_iter().map(line).collect()
    }
}

fn returned(parts: usize) -> String {
    format!("return {}", tuple(&(0..parts).map(|index| format!("part{index}")).collect::<Vec<_>>()))
}

/// A tuple of expressions; a single one gets a comma.
pub(super) fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    }
}
