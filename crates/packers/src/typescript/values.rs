//! Expressions that read, and statements that write.

use super::Packers;
use super::types::{is_big, number_array, one};
use crate::lines;
use crate::plan::{Absence, Encoding, ListKind, PackedBody, Step, Wire};

impl Packers<'_> {
    /// An expression that reads from `r`, itself an expression that may be repeated.
    pub(super) fn read(&self, wire: &Wire, r: &str) -> String {
        // In a function of `r`.
        let inner = |wire: &Wire| self.read(wire, "r");
        let fewest = || self.plan.fewest_bytes_of_one(wire);
        if let Some(one) = one(wire) {
            let read = match one.method.starts_with('$') {
                true => format!("{}.read({r})", one.method),
                false => format!("{r}.{}()", one.method),
            };
            let number = self.settings.numbers && matches!(wire, Wire::Int(int) if is_big(*int));
            return if number { format!("$.number({read})") } else { read };
        }
        match wire {
            Wire::Named(id) => {
                let name = self.name(*id);
                match &self.plan.packed(*id).body {
                    PackedBody::Enum { of, .. } => {
                        let size = self.plan.wire_layout(wire).map_or(1, |layout| layout.size);
                        let method = lines::number(of.repr);
                        format!("{r}.among<{name}>({r}.{method}(), {name}_VALUES, {size})")
                    }
                    _ => format!("{name}.read({r})"),
                }
            }
            Wire::List { of, kind: ListKind::List } if number_array(of).is_some() => {
                self.read_items(of, r, &format!("{r}.count({})", fewest()))
            }
            Wire::List { of, kind } => {
                let name = if kind.is_set() { "set" } else { "list" };
                format!("{r}.{name}({}, (r) => {})", fewest(), inner(of))
            }
            Wire::Map { key, value, .. } => {
                format!("{r}.map({}, (r) => {})", fewest(), inner(&Wire::entry(key, value)))
            }
            Wire::Fixed { of, len } if self.plan.is_raw(wire) => self.read_items(of, r, &len.to_string()),
            Wire::Fixed { of, len } => self.read_items(of, r, &format!("{r}.exactCount({len})")),
            Wire::Grid { of, rank } => {
                let items = self.read_items(of, "r", "total");
                format!("{r}.grid({rank}, {}, (r, total) => {items})", self.plan.fewest_bytes(of))
            }
            Wire::Group(key, value) => {
                format!("{r}.group((r) => {}, (r) => {})", inner(key), inner(&Wire::list(value)))
            }
            Wire::Lazy(of) => format!("{r}.headed(1, (r) => {})", inner(of)),
            Wire::Optional(of) => match self.plan.absence(of) {
                Absence::Nullable(placed) => {
                    let (pad, size) = (placed.offsets[1] - 1, placed.layout.size);
                    format!("{r}.nullable({pad}, {size}, (r) => {})", inner(of))
                }
                Absence::Length => format!("({r}.noCount() ? null : {})", self.read(of, r)),
                Absence::Head => format!("({r}.none() ? null : {})", self.read(of, r)),
                Absence::Flag => format!("({r}.some() ? {} : null)", self.read(of, r)),
            },
            // Brotli was left out before.
            _ => self.read_parts(wire, r),
        }
    }

    fn read_items(&self, of: &Wire, r: &str, count: &str) -> String {
        match number_array(of) {
            Some(class) => format!("{r}.block(new {class}({count}))"),
            None => format!("{r}.items({count}, (r) => {})", self.read(of, "r")),
        }
    }

    fn read_parts(&self, wire: &Wire, r: &str) -> String {
        let Some(parts) = self.plan.parts(wire) else { return String::new() };
        let all = |read: &dyn Fn(usize) -> String| {
            let read: Vec<String> = (0..parts.wires.len()).map(read).collect();
            format!("[{}] as {}", read.join(", "), self.type_of(wire))
        };
        if let Some(placed) = &parts.placed {
            let read = all(&|part| self.read(&parts.wires[part], &format!("at({})", placed.offsets[part])));
            return format!("{r}.laid({}, (at) => {read})", placed.layout.size);
        }
        let Some(Step::Head(first)) = parts.steps.first() else {
            return all(&|part| self.read(&parts.wires[part], r));
        };
        // Each further head begins a tuple of its own, of one value.
        let headed = |part: usize| {
            let read = self.read(&parts.wires[part], "r");
            match parts.steps.windows(2).skip(1).find(|pair| matches!(pair[1], Step::Part(of) if of == part))
            {
                Some([Step::Head(head), _]) => format!("r.headed({head}, (r) => {read})"),
                _ => read,
            }
        };
        format!("{r}.headed({first}, (r) => {})", all(&headed))
    }

    /// Statements that write `value`, an expression without effects, to `w`.
    pub(super) fn write(&self, wire: &Wire, value: &str) -> Vec<String> {
        if let Some(one) = one(wire) {
            let encoding = match wire {
                Wire::Text(Encoding::Utf8) => ", \"utf8\"",
                Wire::Text(Encoding::Utf16) | Wire::Builder => ", \"utf16\"",
                _ => "",
            };
            return vec![match one.method.starts_with('$') {
                true => format!("{}.write(w, {value})", one.method),
                false => format!("w.{}({value}{encoding})", one.method),
            }];
        }
        match wire {
            Wire::Named(id) => vec![match &self.plan.packed(*id).body {
                PackedBody::Enum { of, .. } => format!("w.{}({value})", lines::number(of.repr)),
                _ => format!("{}.write(w, {value})", self.name(*id)),
            }],
            Wire::List { of, kind } => vec![match number_array(of).filter(|_| *kind == ListKind::List) {
                Some(class) => format!("w.numbers({value}, \"{class}\", {})", self.place()),
                None if kind.is_set() => format!("w.set({value}, {})", self.writer(of)),
                None => format!("w.list({value}, {})", self.writer(of)),
            }],
            Wire::Map { key, value: of, .. } => {
                let pair = Wire::entry(key, of);
                let parts = self.plan.parts(&pair);
                let each =
                    parts.map(|parts| lines::steps(&parts, |of, part| self.write(of, ["k", "v"][part])));
                vec![format!("w.map({value}, {})", arrow("w, k, v", &each.unwrap_or_default()))]
            }
            Wire::Fixed { of, len } => {
                let counted = (!self.plan.is_raw(wire)).then(|| format!("w.count({len})"));
                let exactly = format!("w.exactly({value}.length, {len})");
                [exactly].into_iter().chain(counted).chain([self.write_items(of, value)]).collect()
            }
            Wire::Grid { of, rank } => {
                let items = format!("{value}.items");
                let counted = format!("w.count({items}.length)");
                vec![format!("w.grid({value}, {rank})"), counted, self.write_items(of, &items)]
            }
            Wire::Optional(of) => {
                let (none, some) =
                    lines::optional(self.plan, of, "noCount", ["true", value], |wire, value| {
                        self.write(wire, value)
                    });
                let some: Vec<String> = some.iter().map(|one| ended(one)).collect();
                vec![format!("if ({value} === null) {none}; else {{ {} }}", some.join(" "))]
            }
            _ => self.plan.parts(wire).map_or_else(Vec::new, |parts| {
                lines::steps(&parts, |of, part| self.write(of, &lines::part(wire, value, part)))
            }),
        }
    }

    /// A function that writes one.
    fn writer(&self, of: &Wire) -> String {
        arrow("w, v", &self.write(of, "v"))
    }

    /// Elements without a count.
    fn write_items(&self, of: &Wire, value: &str) -> String {
        match number_array(of) {
            Some(class) => format!("w.block({value}, \"{class}\", {})", self.place()),
            None => format!("w.each({value}, {})", self.writer(of)),
        }
    }

    /// The member that is being written, as a literal.
    fn place(&self) -> String {
        (self.settings.spelling.literal)(&self.place.borrow())
    }
}

/// A function of one parameter (and the writer or reader) made of statements.
fn arrow(params: &str, statements: &[String]) -> String {
    match statements {
        [one] if !one.starts_with("if ") => format!("({params}) => {one}"),
        many => {
            let text: Vec<String> = many.iter().map(|one| ended(one)).collect();
            format!("({params}) => {{ {} }}", text.join(" "))
        }
    }
}

/// A statement with its semicolon.
pub(super) fn ended(statement: &str) -> String {
    if statement.ends_with('}') { statement.to_owned() } else { format!("{statement};") }
}
