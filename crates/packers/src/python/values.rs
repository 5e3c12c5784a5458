//! Expressions that read, functions for values that no expression reads, and statements that write.

use super::types::{is_byte, number_code, one, tuple};
use super::{Packers, indented};
use crate::lines;
use crate::plan::{Absence, Encoding, ListKind, PackedBody, Parts, Step, Wire};

impl Packers<'_> {
    /// An expression that reads from `r`.
    pub(super) fn read(&self, wire: &Wire) -> String {
        let fewest = || self.plan.fewest_bytes_of_one(wire);
        if let Some(one) = one(wire) {
            return match one.method {
                "_r.Version" => "r.version()".into(),
                own if own.starts_with("_r") => format!("{own}._read(r)"),
                method => format!("r.{method}()"),
            };
        }
        match wire {
            Wire::Named(id) => {
                let name = self.name(*id);
                match &self.plan.packed(*id).body {
                    PackedBody::Enum { of, .. } => {
                        let size = self.plan.wire_layout(wire).map_or(1, |layout| layout.size);
                        format!("r.among({name}, r.{}(), {size})", lines::number(of.repr))
                    }
                    _ => format!("{name}._read(r)"),
                }
            }
            Wire::List { of, kind } => match number_code(of) {
                Some(code) if *kind == ListKind::List => {
                    format!("r.block(\"{code}\", r.count({}))", fewest())
                }
                _ => {
                    let items = format!("{} for _ in range(r.count({}))", self.read(of), fewest());
                    let set = kind.is_set() && self.is_hashable(of);
                    if set { format!("{{{items}}}") } else { format!("[{items}]") }
                }
            },
            Wire::Map { key, value, .. } => {
                let items =
                    format!("{} for _ in range(r.count({}))", self.read(&Wire::entry(key, value)), fewest());
                if self.is_hashable(key) { format!("r.dictionary({items})") } else { format!("[{items}]") }
            }
            Wire::Fixed { of, len } if self.plan.is_raw(wire) => self.read_items(of, &len.to_string()),
            Wire::Fixed { of, len } => self.read_items(of, &format!("r.exact_count({len})")),
            Wire::Tuple(_) | Wire::Pair(..) if !self.plan.is_raw(wire) => {
                tuple(&wire.parts().into_iter().map(|part| self.read(part)).collect::<Vec<_>>())
            }
            Wire::Optional(of) => {
                let read = self.read(of);
                match self.plan.absence(of) {
                    Absence::Nullable(placed) => {
                        let at = placed.offsets[1];
                        format!("({read} if r.there({}, {}) else None)", at - 1, placed.layout.size - at)
                    }
                    Absence::Length => format!("(None if r.no_count() else {read})"),
                    Absence::Head => format!("(None if r.none() else {read})"),
                    Absence::Flag => format!("({read} if r.some() else None)"),
                }
            }
            // Brotli was left out before.
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
        for index in 0.. {
            let Some(wire) = self.functions.borrow().get(index).cloned() else { break };
            let (lines, ty) = (indented(&self.reading(&wire), "    "), self.type_of(&wire));
            text.push_str(&format!("\n\ndef _read_{index}(r: _r.Reader) -> {ty}:\n{lines}"));
        }
        text
    }

    fn reading(&self, wire: &Wire) -> Vec<String> {
        match wire {
            Wire::Grid { of, rank } => vec![
                format!("dimensions, total = r.dimensions({rank}, {})", self.plan.fewest_bytes(of)),
                format!("return _r.Grid(dimensions, {})", self.read_items(of, "total")),
            ],
            Wire::Group(key, of) => {
                let values = self.read(&Wire::list(of));
                let key = format!("key = {}", self.read(key));
                vec!["r.exact_head(2)".into(), key, format!("return _r.Group(key, {values})")]
            }
            Wire::Lazy(of) => vec!["r.exact_head(1)".into(), format!("return {}", self.read(of))],
            other => self.plan.parts(other).map_or_else(Vec::new, |parts| {
                let names: Vec<String> = (0..parts.wires.len()).map(|part| format!("part{part}")).collect();
                let mut lines = self.read_parts(&parts);
                lines.push(format!("return {}", tuple(&names)));
                lines
            }),
        }
    }

    /// Lines that read parts where they lie into `part0` and so on.
    pub(super) fn read_parts(&self, parts: &Parts<'_>) -> Vec<String> {
        let line = |step: &Step| match step {
            Step::Part(part) => format!("part{part} = {}", self.read(&parts.wires[*part])),
            Step::Room(size) => format!("r.skip({size})"),
            Step::Head(head) => format!("r.exact_head({head})"),
        };
        parts.steps.iter().map(line).collect()
    }

    /// Lines that write `value`, an expression without effects, to `w`.
    pub(super) fn write(&self, wire: &Wire, value: &str) -> Vec<String> {
        if let Some(one) = one(wire) {
            let more = match wire {
                Wire::Text(Encoding::Utf8) => ", \"utf8\"",
                Wire::Text(Encoding::Utf16) | Wire::Builder => ", \"utf16\"",
                Wire::List { .. } => &format!(", {}", self.place()),
                _ => "",
            };
            return vec![match one.method.starts_with("_r") {
                true => format!("{}._write(w, {value})", one.method),
                false => format!("w.{}({value}{more})", one.method),
            }];
        }
        match wire {
            Wire::Named(id) => vec![match &self.plan.packed(*id).body {
                PackedBody::Enum { of, .. } => format!("w.{}({value})", lines::number(of.repr)),
                _ => format!("{}._write(w, {value})", self.name(*id)),
            }],
            Wire::List { of, kind } => match number_code(of).filter(|_| *kind == ListKind::List) {
                Some(code) => vec![format!("w.numbers({value}, \"{code}\", {})", self.place())],
                None => {
                    // A Python set has no order.
                    let sorted = *kind == ListKind::SortedSet && self.is_hashable(of) && self.is_ordered(of);
                    let items = if sorted { &format!("sorted({value})") } else { value };
                    self.counted(value, self.write_each(of, items))
                }
            },
            Wire::Map { key, value: of, .. } => {
                let names = [self.fresh("k"), self.fresh("v")];
                let items = if self.is_hashable(key) { ".items()" } else { "" };
                let pair = Wire::entry(key, of);
                let parts = self.plan.parts(&pair);
                let each = parts.map(|parts| lines::steps(&parts, |of, part| self.write(of, &names[part])));
                let head = format!("for {} in {value}{items}:", names.join(", "));
                self.counted(value, block(head, each.unwrap_or_default()))
            }
            Wire::Fixed { of, len } => {
                if let Some(code) = number_code(of) {
                    return vec![format!("w.block({value}, \"{code}\", {}, {len})", self.place())];
                }
                let counted = (!self.plan.is_raw(wire)).then(|| format!("w.count({len})"));
                let exactly = format!("w.exactly(len({value}), {len})");
                [exactly].into_iter().chain(counted).chain(self.write_each(of, value)).collect()
            }
            Wire::Grid { of, rank } => {
                let items = match number_code(of) {
                    Some(code) => vec![format!("w.block({value}.items, \"{code}\", {})", self.place())],
                    None => self.write_each(of, &format!("{value}.items")),
                };
                [vec![format!("w.grid({value}, {rank})")], items].concat()
            }
            Wire::Group(key, of) => {
                let (key, values) = (self.write(key, &format!("{value}.key")), format!("{value}.values"));
                [vec!["w.u8(2)".into()], key, self.counted(&values, self.write_each(of, &values))].concat()
            }
            Wire::Optional(of) => {
                // The type checker can tell that a name, or a name's member, is not None.
                let plain = !value.contains('[');
                let name = if plain { value.to_owned() } else { self.fresh("o") };
                let named = (!plain).then(|| format!("{name} = {value}"));
                let (none, some) =
                    lines::optional(self.plan, of, "no_count", ["True", &name], |wire, value| {
                        self.write(wire, value)
                    });
                let none = block(format!("if {name} is None:"), vec![none]);
                named.into_iter().chain(none).chain(block("else:".into(), some)).collect()
            }
            _ => self.plan.parts(wire).map_or_else(Vec::new, |parts| {
                lines::steps(&parts, |of, part| self.write(of, &lines::part(wire, value, part)))
            }),
        }
    }

    fn counted(&self, value: &str, each: Vec<String>) -> Vec<String> {
        [vec![format!("w.count(len({value}))")], each].concat()
    }

    fn write_each(&self, of: &Wire, value: &str) -> Vec<String> {
        let name = self.fresh("v");
        block(format!("for {name} in {value}:"), self.write(of, &name))
    }

    /// A name that no other variable in the function has: otherwise it would get that one's type.
    fn fresh(&self, letter: &str) -> String {
        let number = self.names.get();
        self.names.set(number + 1);
        format!("{letter}{number}")
    }

    /// The member that is being written, as a literal.
    fn place(&self) -> String {
        (self.spelling.literal)(&self.place.borrow())
    }
}

/// Lines below a head.
pub(super) fn block(head: String, lines: Vec<String>) -> Vec<String> {
    [head].into_iter().chain(lines.into_iter().map(|line| format!("    {line}"))).collect()
}
