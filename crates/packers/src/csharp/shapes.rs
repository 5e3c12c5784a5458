//! The layout of memory that travels as it is: where it is checked, and what lies between its parts.

use super::Packers;
use super::types::integer;
use super::values::class;
use crate::code::{Code, fill};
use crate::functions::Functions;
use crate::plan::{Known, Piece, Wire};
use std::collections::BTreeSet;

impl Packers<'_> {
    /// The type that says how this lies in memory; `None` where every byte counts and all values are valid.
    pub fn shape(&self, wire: &Wire) -> Option<String> {
        match wire {
            Wire::Bool => Some("PackBool".into()),
            Wire::Rune => Some("PackRune".into()),
            Wire::Known(
                known @ (Known::DateTime
                | Known::DateTimeOffset
                | Known::DateOnly
                | Known::TimeOnly
                | Known::Decimal),
            ) => Some(format!("Pack{known:?}")),
            Wire::Named(_) if self.enum_of(wire).is_some() => self.asked(wire),
            // There is nothing between elements.
            Wire::Fixed { of, .. } => self.shape(of).and_then(|_| self.asked(wire)),
            _ => {
                let parts = self.plan.parts(wire)?;
                let placed = parts.placed?;
                let filled = placed.sizes.iter().sum::<u64>() == placed.layout.size;
                let shaped = !filled || parts.wires.iter().any(|part| self.shape(part).is_some());
                if shaped { self.asked(wire) } else { None }
            }
        }
    }

    fn asked(&self, wire: &Wire) -> Option<String> {
        let name = self.shapes.borrow_mut().name(self.plan, wire);
        Some(format!("{}.{name}Shape", self.shapes_class))
    }

    /// Writes the shapes that were asked for.
    pub fn write_shapes(&self, code: &mut Code) {
        let written = Functions::written(&self.shapes, |wire, name| self.shape_code(wire, name) + "\n");
        code.add(class(&self.shapes_class, &written));
    }

    fn shape_code(&self, wire: &Wire, name: &str) -> String {
        let size = self.plan.wire_layout(wire).map_or(0, |layout| layout.size);
        if let Some(of) = self.enum_of(wire) {
            let values: BTreeSet<i128> = of.variants.iter().map(|variant| variant.value).collect();
            let values: Vec<String> = values.iter().map(i128::to_string).collect();
            return format!(
                "\ninternal struct {name}Shape : IPackShape\n{{\npublic int Size => {size};\npublic bool Checks => true;\n\
                 public bool Pads => false;\npublic int Check(ReadOnlySpan<byte> bytes) => \
                 MemoryMarshal.Read<{}>(bytes) is {} ? -1 : 0;\npublic void Clear(Span<byte> bytes) {{ }}\n\
                 public bool Converts => false;\npublic void Convert(Span<byte> bytes) {{ }}\n}}",
                integer(of.repr),
                values.join(" or ")
            );
        }
        let [asked, check, clear, convert] = match wire {
            Wire::Fixed { of, .. } => self.elements(of, size),
            _ => self.pieces(wire),
        };
        let code = [("check", &*check), ("clear", &clear), ("convert", &convert), ("asked", &asked)];
        let values = [("name", name), ("size", &*size.to_string())];
        fill(include_str!("templates/shape.cs.in"), &[&values[..], &code].concat())
    }

    /// What an array's elements ask for, and how they are checked, cleared and converted.
    fn elements(&self, of: &Wire, size: u64) -> [String; 4] {
        let shape = self.shape(of).unwrap_or_default();
        let own = self.plan.wire_layout(of).map_or(0, |layout| layout.size);
        let each = format!("for (int start = 0; start < {size}; start += {own})");
        let asked = ["Checks", "Pads", "Converts"].map(|what| (what, format!("default({shape}).{what}")));
        let check = format!(
            "public int Check(ReadOnlySpan<byte> bytes)\n{{\n{each}\n{{\n\
             int wrong = default({shape}).Check(bytes.Slice(start, {own}));\nif (wrong >= 0) return start + wrong;\n}}\n\
             return -1;\n}}"
        );
        let [clear, convert] = ["Clear", "Convert"]
            .map(|verb| format!("{each} default({shape}).{verb}(bytes.Slice(start, {own}));"));
        [asks(&asked), check, clear, convert]
    }

    /// The same for parts that lie anywhere.
    fn pieces(&self, wire: &Wire) -> [String; 4] {
        let Some(parts) = self.plan.parts(wire) else { return Default::default() };
        let Some(placed) = parts.placed else { return Default::default() };
        let optional = matches!(wire, Wire::Optional(_));
        let (mut checks, mut clears, mut converts) = (String::new(), String::new(), String::new());
        let (mut shapes, mut pads) = (Vec::new(), false);
        for piece in placed.pieces() {
            let index = match piece {
                Piece::Part(index) => index,
                Piece::Room { at, size } => {
                    clears.push_str(&format!("bytes.Slice({at}, {size}).Clear();\n"));
                    pads = true;
                    continue;
                }
            };
            let Some(shape) = self.shape(&parts.wires[index]) else { continue };
            let offset = placed.offsets[index];
            let slice = format!("bytes.Slice({offset}, {})", placed.sizes[index]);
            // A missing value may be anything.
            let there = if optional && index == 1 { "bytes[0] == 1 && " } else { "" };
            checks.push_str(&format!(
                "if ({there}default({shape}).Checks && (wrong = default({shape}).Check({slice})) >= 0) return {offset} + wrong;\n"
            ));
            clears.push_str(&format!("if (default({shape}).Pads) default({shape}).Clear({slice});\n"));
            converts.push_str(&format!(
                "if ({there}default({shape}).Converts) default({shape}).Convert({slice});\n"
            ));
            shapes.push(shape);
        }
        shapes.dedup();
        let asked = ["Checks", "Pads", "Converts"].map(|what| {
            let each: Vec<String> = shapes.iter().map(|shape| format!("default({shape}).{what}")).collect();
            (
                what,
                match &each[..] {
                    _ if pads && what == "Pads" => "true".into(),
                    [] => "false".into(),
                    each => each.join(" || "),
                },
            )
        });
        let check = match &*checks {
            "" => "public int Check(ReadOnlySpan<byte> bytes) => -1;".into(),
            checks => {
                format!("public int Check(ReadOnlySpan<byte> bytes)\n{{\nint wrong;\n{checks}return -1;\n}}")
            }
        };
        if optional {
            clears.insert_str(0, "if (bytes[0] == 0) bytes.Clear();\n");
        }
        [asks(&asked), check, clears, converts]
    }

    /// Writes the arrays that structs hold.
    pub fn write_arrays(&self, code: &mut Code) {
        for len in self.arrays.borrow().iter() {
            let inline = self.settings.language >= 12;
            let items: Vec<String> = (0..*len).map(|index| format!("item{index}")).collect();
            let (layout, items, indexer) = match inline {
                true => (format!("[InlineArray({len})]"), "item0".into(), ""),
                false => ("[StructLayout(LayoutKind.Sequential)]".into(), items.join(", "), INDEXER),
            };
            let unscoped = match self.settings.language >= 11 {
                true => "[global::System.Diagnostics.CodeAnalysis.UnscopedRef]",
                false => "",
            };
            let values =
                [("len", &*len.to_string()), ("access", self.settings.accessibility), ("items", &items)];
            let lines = [("layout", &*layout), ("unscoped", unscoped), ("indexer", indexer)];
            code.add(fill(include_str!("templates/array.cs.in"), &[&values[..], &lines].concat()));
        }
    }
}

/// An array's elements, which C# reaches by itself in an inline one.
const INDEXER: &str = "\n/// <summary>One of them.</summary>\n\
                       public T this[int index] { get => AsSpan()[index]; set => AsSpan()[index] = value; }\n";

fn asks(asked: &[(&str, String); 3]) -> String {
    asked.iter().map(|(what, answer)| format!("public bool {what} => {answer};\n")).collect()
}
