//! The layout of memory that travels as it is: where it is checked, and what lies between its parts.

use super::Packers;
use super::types::integer;
use crate::Diagnostics;
use crate::csharp::names::{member, scope};
use crate::csharp::text::Text;
use crate::model::{Enum, Known, Packed, PackedBody, PackedId, Piece, Placed, Raw, Wire};

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
            Wire::Int(_) | Wire::Float(_) | Wire::Char | Wire::Known(_) => None,
            Wire::Named(id) if self.enum_of(*id).is_some() => self.asked(wire),
            // There is nothing between elements.
            Wire::Fixed { of, .. } => self.shape(of).and_then(|_| self.asked(wire)),
            _ => {
                let (parts, placed) = self.raw_parts(wire)?;
                let filled = placed.sizes.iter().sum::<u64>() == placed.layout.size;
                let shaped = !filled || parts.iter().any(|part| self.shape(part).is_some());
                if shaped { self.asked(wire) } else { None }
            }
        }
    }

    fn asked(&self, wire: &Wire) -> Option<String> {
        let name = self.shapes.borrow_mut().name(self.api, wire);
        Some(format!("{}.{name}Shape", self.shapes_class()))
    }

    /// Its parts and where they lie.
    fn raw_parts(&self, wire: &Wire) -> Option<(Vec<Wire>, Placed)> {
        Some(match wire {
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Raw(raw) => {
                    (raw.fields.iter().map(|field| field.wire.clone()).collect(), raw.placed.clone())
                }
                _ => return None,
            },
            Wire::Tuple(items) => (items.clone(), self.api.placed_tuple(items)?),
            Wire::Pair(key, value) => {
                (vec![(**key).clone(), (**value).clone()], self.api.placed_pair(key, value)?)
            }
            Wire::Optional(of) => (vec![Wire::Bool, (**of).clone()], self.api.placed_optional(of)?),
            _ => return None,
        })
    }

    /// Writes the shapes that were asked for.
    pub fn write_shapes(&self, text: &mut Text) {
        let mut index = 0;
        while let Some(wire) = { self.shapes.borrow().get(index) } {
            if index == 0 {
                text.blank();
                text.open(format!("internal static class {}", self.shapes_class()));
            }
            index += 1;
            self.write_shape(&wire, text);
        }
        if index > 0 {
            text.close();
        }
    }

    fn write_shape(&self, wire: &Wire, text: &mut Text) {
        let size = self.api.wire_layout(wire).map_or(0, |layout| layout.size);
        let name = self.shapes.borrow_mut().name(self.api, wire);
        text.blank();
        text.open(format!("internal struct {name}Shape : IPackShape"));
        text.line(format!("public int Size => {size};"));
        if let Wire::Named(id) = wire
            && let PackedBody::Enum { of, .. } = &self.api.packed(*id).body
        {
            text.line("public bool Checks => true;\npublic bool Pads => false;");
            let values: std::collections::BTreeSet<i128> =
                of.variants.iter().map(|variant| variant.value).collect();
            let values: Vec<String> = values.iter().map(i128::to_string).collect();
            let number = format!("MemoryMarshal.Read<{}>(bytes)", integer(of.repr));
            text.line(format!(
                "public int Check(ReadOnlySpan<byte> bytes) => {number} is {} ? -1 : 0;",
                values.join(" or ")
            ));
            text.line("public void Clear(Span<byte> bytes) { }");
            text.line("public bool Converts => false;\npublic void Convert(Span<byte> bytes) { }");
            text.close();
            return;
        }
        if let Wire::Fixed { of, .. } = wire
            && let Some(shape) = self.shape(of)
        {
            let own = self.api.wire_layout(of).map_or(0, |layout| layout.size);
            let each = format!("for (int start = 0; start < {size}; start += {own})");
            text.line(format!("public bool Checks => default({shape}).Checks;"));
            text.line(format!("public bool Pads => default({shape}).Pads;"));
            text.line(format!("public bool Converts => default({shape}).Converts;"));
            text.open("public int Check(ReadOnlySpan<byte> bytes)");
            text.open(&each);
            text.line(format!("int wrong = default({shape}).Check(bytes.Slice(start, {own}));"));
            text.line("if (wrong >= 0) return start + wrong;");
            text.close();
            text.line("return -1;");
            text.close();
            for verb in ["Clear", "Convert"] {
                text.open(format!("public void {verb}(Span<byte> bytes)"));
                text.line(format!("{each} default({shape}).{verb}(bytes.Slice(start, {own}));"));
                text.close();
            }
            text.close();
            return;
        }
        let Some((parts, placed)) = self.raw_parts(wire) else { return };
        let (mut checks, mut clears) = (Vec::new(), Vec::new());
        let optional = matches!(wire, Wire::Optional(_));
        let mut converts = Vec::new();
        let (mut any_check, mut any_pad, mut any_convert) = (Vec::new(), Vec::new(), Vec::new());
        for piece in placed.pieces() {
            let index = match piece {
                Piece::Part(index) => index,
                Piece::Room { at, size } => {
                    clears.push(format!("bytes.Slice({at}, {size}).Clear();"));
                    continue;
                }
            };
            let Some(shape) = self.shape(&parts[index]) else { continue };
            let offset = placed.offsets[index];
            any_check.push(format!("default({shape}).Checks"));
            any_pad.push(format!("default({shape}).Pads"));
            any_convert.push(format!("default({shape}).Converts"));
            let slice = format!("bytes.Slice({offset}, {})", placed.sizes[index]);
            // A missing value may be anything.
            let there = if optional && index == 1 { "bytes[0] == 1 && " } else { "" };
            checks.push(format!(
                "if ({there}default({shape}).Checks && (wrong = default({shape}).Check({slice})) >= 0) return {offset} + wrong;"
            ));
            clears.push(format!("if (default({shape}).Pads) default({shape}).Clear({slice});"));
            converts
                .push(format!("if ({there}default({shape}).Converts) default({shape}).Convert({slice});"));
        }
        let pads = clears.iter().any(|clear| clear.starts_with("bytes"));
        let or = |all: &[String]| if all.is_empty() { "false".to_owned() } else { all.join(" || ") };
        any_check.dedup();
        any_pad.dedup();
        any_convert.dedup();
        text.line(format!("public bool Checks => {};", or(&any_check)));
        text.line(format!("public bool Pads => {};", if pads { "true".into() } else { or(&any_pad) }));
        text.line(format!("public bool Converts => {};", or(&any_convert)));
        if checks.is_empty() {
            text.line("public int Check(ReadOnlySpan<byte> bytes) => -1;");
        } else {
            text.open("public int Check(ReadOnlySpan<byte> bytes)");
            text.line("int wrong;");
            checks.iter().for_each(|check| text.line(check));
            text.line("return -1;");
            text.close();
        }
        text.open("public void Clear(Span<byte> bytes)");
        if optional {
            text.line("if (bytes[0] == 0) bytes.Clear();");
        }
        clears.iter().for_each(|clear| text.line(clear));
        text.close();
        text.open("public void Convert(Span<byte> bytes)");
        converts.iter().for_each(|convert| text.line(convert));
        text.close();
        text.close();
    }

    /// Writes a struct that is plain memory, with its packing code.
    pub fn raw_struct(&self, id: PackedId, raw: &Raw, text: &mut Text, diagnostics: &mut Diagnostics) {
        let packed = self.api.packed(id);
        let names = self.member_names(id, &raw.fields, diagnostics);
        let shared = self.shared.contains(&id);
        if !shared {
            text.docs(&packed.docs);
            text.obsolete(&packed.deprecated);
            let pack = raw.packed.map(|pack| format!(", Pack = {pack}")).unwrap_or_default();
            text.line(format!("[StructLayout(LayoutKind.Sequential{pack})]"));
        }
        let modifier = if shared { "unsafe " } else { "" };
        text.open(format!("{} {modifier}partial struct {}", self.cx.options.accessibility, self.name(id)));
        if !shared {
            for (field, name) in raw.fields.iter().zip(&names) {
                text.docs(&field.docs);
                let access = if field.include { "private" } else { "public" };
                text.line(format!("{access} {} {name};", self.ty(&field.wire)));
            }
        }
        self.entries(id, text);
        if self.shape(&Wire::Named(id)).is_none() {
            text.blank();
            text.docs("Its memory is what is packed, whatever is in it: the engine asks for this.");
            text.line("internal const bool __Raw = true;");
        }
        text.close();
    }

    /// Writes an enum, unless the bindings have it.
    pub fn enumeration(&self, id: PackedId, of: &Enum, text: &mut Text, diagnostics: &mut Diagnostics) {
        if self.shared.contains(&id) {
            return;
        }
        let packed: &Packed = self.api.packed(id);
        text.docs(&packed.docs);
        text.obsolete(&packed.deprecated);
        text.open(format!("{} enum {} : {}", self.cx.options.accessibility, self.name(id), integer(of.repr)));
        let mut scope = scope();
        for variant in &of.variants {
            let name = member(&variant.name);
            let source = format!("{}::{}", packed.source, variant.name);
            if scope.declare(&name, &source, &packed.place, diagnostics) {
                text.docs(&variant.docs);
                text.line(format!("{name} = {},", variant.value));
            }
        }
        text.close();
    }

    /// Writes the arrays that structs hold.
    pub fn write_arrays(&self, text: &mut Text) {
        let access = &self.cx.options.accessibility;
        for len in self.arrays.borrow().iter() {
            text.blank();
            text.docs(&format!("{len} elements side by side."));
            let inline = self.cx.options.language >= 12;
            text.line(if inline {
                format!("[InlineArray({len})]")
            } else {
                "[StructLayout(LayoutKind.Sequential)]".into()
            });
            text.open(format!("{access} struct PackArray{len}<T>"));
            match inline {
                true => text.line("private T item0;"),
                false => {
                    let items: Vec<String> = (0..*len).map(|index| format!("item{index}")).collect();
                    text.line(format!("private T {};", items.join(", ")));
                }
            }
            text.blank();
            text.docs("The elements, where they are.");
            if self.cx.options.language >= 11 {
                text.line("[global::System.Diagnostics.CodeAnalysis.UnscopedRef]");
            }
            text.line(format!("public Span<T> AsSpan() => MemoryMarshal.CreateSpan(ref Unsafe.As<PackArray{len}<T>, T>(ref this), {len});"));
            if !inline {
                text.blank();
                text.docs("One of them.");
                text.line(
                    "public T this[int index] { get => AsSpan()[index]; set => AsSpan()[index] = value; }",
                );
            }
            text.close();
        }
    }
}
