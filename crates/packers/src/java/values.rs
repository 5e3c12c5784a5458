//! Expressions that read from `r`, statements that write to `w`, and the methods that they share.

use super::Packers;
use super::types::{array, one};
use crate::code::Code;
use crate::functions::Functions;
use crate::plan::{Absence, Encoding, Int, PackedBody, PackedId, Parts, Step, Wire};

impl Packers<'_> {
    /// The expression that reads a value of this type.
    pub fn read(&self, wire: &Wire) -> String {
        let (of, nullable) = self.inside(wire);
        let checked = |read: String| match !nullable && self.plan.can_be_null(of) {
            true => format!("r.present({read})"),
            false => read,
        };
        if let Some(one) = one(of).filter(|_| !nullable || self.plan.can_be_null(of)) {
            let signed = match of {
                Wire::Int(int @ (Int::I128 | Int::U128)) => (*int == Int::I128).to_string(),
                _ => String::new(),
            };
            return checked(format!("r.{}({signed})", one.method));
        }
        match of {
            Wire::Named(id) if !nullable || self.is_class(*id) => {
                let name = self.name(*id);
                match &self.plan.packed(*id).body {
                    PackedBody::Enum { of, .. } => {
                        format!("r.among({name}.of({}))", self.read(&Wire::Int(of.repr)))
                    }
                    _ => checked(format!("{name}.read(r)")),
                }
            }
            Wire::Fixed { of, len } if !nullable && let Some((method, _)) = array(of) => {
                format!("r.{method}({len})")
            }
            Wire::List { of, kind }
                if !nullable
                    && !kind.is_set()
                    && let Some((method, _)) = array(of) =>
            {
                format!("r.{method}(r.countOf({}))", self.plan.fewest_bytes(of))
            }
            _ => self.function("read", wire, "r"),
        }
    }

    /// The statement that writes `value`, an expression.
    pub fn write(&self, wire: &Wire, value: &str) -> String {
        let (of, nullable) = self.inside(wire);
        let raw_optional = matches!(of, Wire::Optional(_));
        let present = if nullable || raw_optional { value.to_owned() } else { format!("w.present({value})") };
        let text = matches!(of, Wire::Text(_) | Wire::Uri | Wire::Builder);
        if let Some(one) = one(of).filter(|_| !nullable || text) {
            let value = if self.plan.can_be_null(of) { &present } else { value };
            let more = match of {
                Wire::Int(int @ (Int::I128 | Int::U128)) => format!(", {}", *int == Int::I128),
                Wire::Text(Encoding::Utf8) => ", PackOptions.Text.UTF8".into(),
                Wire::Text(Encoding::Utf16) | Wire::Builder => ", PackOptions.Text.UTF16".into(),
                _ => String::new(),
            };
            return format!("w.{}({value}{more});", one.method);
        }
        match of {
            Wire::Named(id) if !nullable || self.is_class(*id) => match &self.plan.packed(*id).body {
                PackedBody::Enum { of, .. } => self.write(&Wire::Int(of.repr), &format!("{present}.value()")),
                _ => format!("{}.write(w, {present});", self.name(*id)),
            },
            _ => format!("{};", self.function("write", wire, &format!("w, {present}"))),
        }
    }

    /// What an option holds that is not plain memory; any other type itself.
    fn inside<'w>(&self, wire: &'w Wire) -> (&'w Wire, bool) {
        match wire {
            Wire::Optional(of) if !self.plan.is_raw(wire) => (of, true),
            other => (other, false),
        }
    }

    /// Whether its head says that it is null.
    fn is_class(&self, id: PackedId) -> bool {
        self.plan.can_be_null(&Wire::Named(id))
    }

    /// A call of a method that is written once.
    fn function(&self, verb: &str, wire: &Wire, given: &str) -> String {
        let name = self.functions.borrow_mut().name(self.plan, wire);
        format!("Packers.{verb}{name}({given})")
    }

    /// Writes the class with all requested methods.
    pub fn write_functions(&self, code: &mut Code) {
        code.add(
            "/** What several packers need. */\n@SuppressWarnings(\"deprecation\")\nfinal class Packers {",
        );
        code.add("private Packers() {\n}");
        code.add(Functions::written(&self.functions, |wire, name| {
            let ty = self.ty(wire);
            let read = match wire {
                Wire::Optional(of) => self.read_optional(wire, of),
                other => self.read_content(other, false),
            };
            let write = self.write_content(wire);
            format!(
                "\nstatic {ty} read{name}(PackReader r) {{\n{read}\n}}\n\n\
                 static void write{name}(PackWriter w, {ty} value) {{\n{write}\n}}\n"
            )
        }));
        code.add("}");
    }

    /// Statements that read into variables `v0` and so on, wherever the values lie.
    pub fn read_parts(&self, parts: &Parts<'_>, null: &str) -> String {
        let mut text = match &parts.placed {
            Some(placed) => format!("r.raw({});\n", placed.layout.size),
            None => String::new(),
        };
        for (index, step) in parts.steps.iter().enumerate() {
            text.push_str(&match step {
                Step::Part(part) => {
                    format!(
                        "{} v{part} = {};\n",
                        self.ty(&parts.wires[*part]),
                        self.read(&parts.wires[*part])
                    )
                }
                Step::Room(size) => format!("r.skip({size});\n"),
                Step::Head(head) => {
                    let null = if index == 0 { null } else { "throw r.none();" };
                    format!("if (!r.headOf({head})) {{\n{null}\n}}\n")
                }
            });
        }
        text
    }

    /// Statements that write, wherever the values lie.
    pub fn write_parts(&self, parts: &Parts<'_>, value: impl Fn(usize) -> String) -> String {
        let step = |step: &Step| match step {
            Step::Part(part) => self.write(&parts.wires[*part], &value(*part)) + "\n",
            Step::Room(size) => format!("w.pad({size});\n"),
            Step::Head(head) => format!("w.i8((byte) {head});\n"),
        };
        parts.steps.iter().map(step).collect()
    }

    fn read_optional(&self, wire: &Wire, of: &Wire) -> String {
        let ty = self.ty(wire);
        match self.plan.absence(of) {
            _ if one(of).is_some() && self.plan.can_be_null(of) => format!("return {};", self.read(wire)),
            Absence::Nullable(placed) => format!(
                "int start = r.raw({size});\nboolean there = r.bool();\nr.to(start + {});\n\
                 {ty} value = there ? {} : null;\nr.to(start + {size});\nreturn value;",
                placed.offsets[1],
                self.read(of),
                size = placed.layout.size
            ),
            Absence::Flag => format!("if (!r.headOf(1)) {{\nreturn null;\n}}\nreturn {};", self.read(of)),
            Absence::Length | Absence::Head => self.read_content(of, true),
        }
    }

    /// Statements that read a value, which may be missing or not.
    fn read_content(&self, wire: &Wire, nullable: bool) -> String {
        let null = if nullable { "return null;" } else { "throw r.none();" };
        let count = |fewest: u64| match nullable {
            true => format!("int count = r.count({fewest});\nif (count < 0) {{\n{null}\n}}\n"),
            false => format!("int count = r.countOf({fewest});\n"),
        };
        match wire {
            Wire::Fixed { of, .. } if array(of).is_some() && !nullable => {
                format!("return {};", self.read(wire))
            }
            Wire::Fixed { of, len } => {
                let (counted, count) = match nullable {
                    true => (format!("{}r.exactly(count, {len});\n", count(1)), "count"),
                    false if self.plan.is_raw(wire) => (String::new(), &*len.to_string()),
                    false => (format!("r.exactly(r.countOf(1), {len});\n"), &*len.to_string()),
                };
                let items = self.read_items(of, &self.ty(wire), &format!("PackReader.list({len})"), count);
                format!("{counted}{items}return value;")
            }
            Wire::List { of, kind } => {
                let counted = count(self.plan.fewest_bytes(of));
                if let Some((method, _)) = array(of).filter(|_| !kind.is_set()) {
                    return format!("{counted}return r.{method}(count);");
                }
                let made = if kind.is_set() { "new LinkedHashSet<>()" } else { "PackReader.list(count)" };
                format!("{counted}{}return value;", self.read_items(of, &self.ty(wire), made, "count"))
            }
            Wire::Map { key, value, .. } => format!(
                "{}{} value = new LinkedHashMap<>();\nfor (int item = 0; item < count; item++) {{\nint place = r.at;\n\
                 {}value.put(v0, v1);\nif (value.size() == item) {{\nthrow r.twice(place);\n}}\n}}\nreturn value;",
                count(self.plan.fewest_bytes_of_one(wire)),
                self.ty(wire),
                self.plan
                    .parts(&Wire::entry(key, value))
                    .map_or_else(String::new, |parts| self.read_parts(&parts, ""))
            ),
            Wire::Grid { of, rank } => {
                let (items, value) = match array(of) {
                    Some((method, _)) => (String::new(), format!("r.{method}(count)")),
                    None => {
                        let list = self.ty(&Wire::list(of));
                        (self.read_items(of, &list, "PackReader.list(count)", "count"), "value".into())
                    }
                };
                format!(
                    "int[] lengths = r.dimensions({rank}, {});\nif (lengths == null) {{\n{null}\n}}\n\
                     int count = PackReader.product(lengths);\n{items}return new Pack.Grid<>(lengths, {value});",
                    self.plan.fewest_bytes(of)
                )
            }
            Wire::Lazy(of) => format!(
                "if (!r.headOf(1)) {{\n{null}\n}}\n{} value = {};\nreturn () -> value;",
                self.ty(of),
                self.read(of)
            ),
            _ => match self.plan.parts(wire) {
                Some(parts) => {
                    let read = self.read_parts(&parts, null);
                    let values: Vec<String> = (0..parts.wires.len()).map(|part| format!("v{part}")).collect();
                    format!("{read}return {};", self.made(wire, &values))
                }
                None => format!("return {};", self.read(wire)),
            },
        }
    }

    fn read_items(&self, of: &Wire, ty: &str, made: &str, count: &str) -> String {
        let read = self.read(of);
        format!(
            "{ty} value = {made};\nfor (int item = 0; item < {count}; item++) {{\nvalue.add({read});\n}}\n"
        )
    }

    /// Statements that write `value`.
    fn write_content(&self, wire: &Wire) -> String {
        let count = |of: &Wire| if array(of).is_some() { "length" } else { "size()" };
        match wire {
            Wire::Optional(of) => {
                let absence = self.plan.absence(of);
                let (absent, present) = match &absence {
                    Absence::Nullable(placed) => (format!("w.pad({});", placed.layout.size), String::new()),
                    Absence::Length => ("w.i32(-1);".into(), self.write_content(of)),
                    Absence::Head => ("w.none();".into(), self.write_content(of)),
                    Absence::Flag => {
                        ("w.none();".into(), format!("w.i8((byte) 1);\n{}", self.write(of, "value")))
                    }
                };
                let present = match self.plan.parts(wire) {
                    Some(parts) => self.write_parts(&parts, |part| ["true", "value"][part].into()),
                    None => present,
                };
                format!("if (value == null) {{\n{absent}\nreturn;\n}}\n{present}")
            }
            Wire::Fixed { of, len } => {
                let counted = if self.plan.is_raw(wire) { String::new() } else { format!("w.i32({len});\n") };
                format!("w.exactly(value.{}, {len});\n{counted}{}", count(of), self.write_items(of, "value"))
            }
            Wire::List { of, kind } if kind.is_set() => {
                format!("w.i32(value.size());\n{}", self.write_one_by_one(of, "value"))
            }
            Wire::List { of, .. } => {
                format!("w.i32(value.{});\n{}", count(of), self.write_items(of, "value"))
            }
            Wire::Grid { of, rank } => format!(
                "w.dimensions({rank}, value.lengths(), value.items().{});\n{}",
                count(of),
                self.write_items(of, "value.items()")
            ),
            Wire::Map { key, value, .. } => {
                let pair = Wire::entry(key, value);
                let parts = self.plan.parts(&pair);
                let write = parts.map(|parts| self.write_parts(&parts, |part| accessor(&pair, "item", part)));
                format!(
                    "w.i32(value.size());\nfor ({} item : value.entrySet()) {{\n{}}}",
                    self.ty(&pair),
                    write.unwrap_or_default()
                )
            }
            _ => match self.plan.parts(wire) {
                Some(parts) => self.write_parts(&parts, |part| accessor(wire, "value", part)),
                None => self.write(wire, "value"),
            },
        }
    }

    fn write_items(&self, of: &Wire, items: &str) -> String {
        match array(of) {
            Some((method, _)) => format!("w.{method}({items});"),
            None => self.write_one_by_one(of, items),
        }
    }

    fn write_one_by_one(&self, of: &Wire, items: &str) -> String {
        format!("for ({} item : {items}) {{\n{}\n}}", self.ty(of), self.write(of, "item"))
    }
}

/// A part of a value.
fn accessor(wire: &Wire, value: &str, part: usize) -> String {
    match wire {
        Wire::Pair(..) | Wire::Group(..) => format!("{value}.{}()", ["getKey", "getValue"][part]),
        Wire::Lazy(_) => format!("{value}.get()"),
        _ => format!("{value}.item{}()", part + 1),
    }
}
