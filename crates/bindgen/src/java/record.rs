//! Structs and unions: classes over memory.

use super::handle::write_of;
use super::lines::{Docs, Lines};
use super::names;
use super::scalar::{Carrier, Scalar};
use super::surface::{Java, Kind};
use crate::Diagnostics;
use crate::model::{Bits, Declared, Field, Idiom, Layout, Ty, TypeId};

/// What the class of a struct has besides its fields.
const OWN: &[&str] = &["allocate", "at", "elements", "get", "segment", "tag", "text"];

/// The name of a field's accessors.
pub(super) fn field_name(source: &str) -> String {
    let name = names::member_name(source);
    if OWN.contains(&name.as_str()) { format!("{name}_") } else { name }
}

impl<'a> Java<'a> {
    /// The accessor of one of a record's fields. What would have the name of another keeps the source's.
    pub fn accessor(&self, id: TypeId, field: &Field) -> String {
        let name = field_name(&field.name);
        let others = self.api.get(id).body.fields().filter(|other| other.public && other.name != field.name);
        if others.map(|other| field_name(&other.name)).any(|other| other == name) && field.name != name {
            return field.name.clone();
        }
        name
    }

    /// What every class over memory begins with.
    pub fn write_memory(&self, id: TypeId, layout: Layout, lines: &mut Lines) {
        let declared = self.api.get(id);
        let class = self.class(id);
        let expression = match self.jni() {
            true => format!("new GroupLayout({}L, {}L)", layout.size, layout.align),
            false => {
                let layout = self.group_layout(&declared.body, layout);
                format!("{layout}.withName({})", super::lines::literal(&declared.name))
            }
        };
        lines.docs(&Docs::new("Its bytes, with every padding as measured.", None));
        lines.line("public static final GroupLayout LAYOUT =");
        lines.line(format!("        {expression};"));
        lines.docs(&Docs::new("Bytes from one to the next in an array.", None));
        lines.line(format!("public static final long SIZE = {}L;", layout.size));
        self.write_limits(id, lines);
        lines.blank();
        lines.line("private final MemorySegment segment;");
        lines.blank();
        lines.docs(&Docs::new(
            "The one at the start of a segment, or behind a pointer. Nothing is copied.",
            None,
        ));
        lines.open(format!("public {class}(MemorySegment memory)"));
        lines.line(format!("segment = Native.at(memory, SIZE, \"{class}\");"));
        lines.close();
        lines.blank();
        lines.docs(&Docs::new("A new one, all zeroes.", None));
        lines.open(format!("public static {class} allocate(SegmentAllocator allocator)"));
        lines.line(format!("return new {class}(allocator.allocate(LAYOUT));"));
        lines.close();
        lines.blank();
        lines.docs(&Docs::new("So many new ones side by side, all zeroes; this is the first of them.", None));
        lines.open(format!("public static {class} allocate(SegmentAllocator allocator, long count)"));
        lines.line(format!("return new {class}(allocator.allocate(LAYOUT, count));"));
        lines.close();
        lines.blank();
        lines.docs(&Docs::new("The one that follows so many places behind this one.", None));
        lines.open(format!("public {class} get(long index)"));
        lines.line(format!("return new {class}(segment.asSlice(index * SIZE));"));
        lines.close();
        lines.blank();
        lines.docs(&Docs::new("Its memory.", None));
        lines.line("@Override");
        lines.open("public MemorySegment segment()");
        lines.line("return segment;");
        lines.close();
        write_of("of$", class, "address", lines);
    }

    /// The accessors of a struct's or union's fields.
    pub fn write_fields(
        &self,
        id: TypeId,
        fields: &'a [Field],
        lines: &mut Lines,
        diagnostics: &mut Diagnostics,
    ) {
        let declared = self.api.get(id);
        let mut scope = names::scope();
        for field in fields.iter().filter(|field| field.public) {
            let name = self.accessor(id, field);
            if !scope.declare(&name, &field.name, &declared.place, diagnostics) {
                continue;
            }
            match &field.bits {
                Some(bits) => self.write_bits(id, field, bits, &name, lines),
                None => self.write_field(id, field, &name, lines),
            }
        }
        self.write_idiom(declared, lines);
    }

    fn write_field(&self, id: TypeId, field: &'a Field, name: &str, lines: &mut Lines) {
        let docs = || Docs::new(&field.docs, None);
        let (class, offset) = (self.class(id), field.offset);
        if let Some(slice) = self.bytes_of(&field.ty) {
            lines.blank();
            lines.docs(&docs());
            lines.open(format!("public MemorySegment {name}()"));
            lines.line(format!("return segment.asSlice({offset}L, {slice}L);"));
            lines.close();
        }
        let (indices, element) = self.indices(&field.ty);
        let params: Vec<String> =
            indices.iter().enumerate().map(|(at, _)| format!("long index{at}")).collect();
        let mut place = format!("{offset}L");
        for (at, (len, stride)) in indices.iter().enumerate() {
            place.push_str(&format!(" + Objects.checkIndex(index{at}, {len}L) * {stride}L"));
        }
        let Some((ty, get)) = self.get(element, "segment", &place) else { return };
        lines.blank();
        lines.docs(&docs());
        lines.open(format!("public {ty} {name}({})", params.join(", ")));
        lines.line(format!("return {get};"));
        lines.close();
        let mut taken = params.clone();
        taken.push(format!("{ty} value"));
        lines.blank();
        lines.docs(&docs());
        lines.open(format!("public {class} {name}({})", taken.join(", ")));
        lines.line(self.set(element, "segment", &place, "value"));
        lines.line("return this;");
        lines.close();
        if indices.is_empty() && !matches!(self.kind(element), Kind::Record(_)) {
            self.write_indexed(field, name, &ty, lines);
        }
    }

    /// Accessors that need no object, for loops over arrays.
    fn write_indexed(&self, field: &'a Field, name: &str, ty: &str, lines: &mut Lines) {
        let place = format!("index * SIZE + {}L", field.offset);
        let Some((_, get)) = self.get(&field.ty, "array", &place) else { return };
        let capital = names::capital(name);
        lines.blank();
        lines.open(format!("public static {ty} get{capital}(MemorySegment array, long index)"));
        lines.line(format!("return {get};"));
        lines.close();
        lines.blank();
        lines.open(format!("public static void set{capital}(MemorySegment array, long index, {ty} value)"));
        lines.line(self.set(&field.ty, "array", &place, "value"));
        lines.close();
    }

    /// Bytes of a value shown as memory: arrays, and values without another form.
    fn bytes_of(&self, ty: &'a Ty) -> Option<u64> {
        let size = self.size(ty);
        matches!(self.kind(ty), Kind::Array { .. } | Kind::Opaque).then_some(size).filter(|size| *size > 0)
    }

    /// Lengths and strides of nested arrays, and their innermost element.
    pub fn indices(&self, ty: &'a Ty) -> (Vec<(u64, u64)>, &'a Ty) {
        let mut indices = Vec::new();
        let mut element = ty;
        while let Kind::Array { of, len } = self.kind(element) {
            indices.push((len, self.size(of)));
            element = of;
        }
        (indices, element)
    }

    /// The Java type of a value in memory, and the expression that reads it.
    pub fn get(&self, ty: &'a Ty, segment: &str, place: &str) -> Option<(String, String)> {
        match self.kind(ty) {
            Kind::Scalar(scalar) => {
                let read = format!("{segment}.get({}, {place})", scalar.carrier.access());
                let nullable = scalar.target.is_some() && !scalar.present;
                Some((self.spelled(self.shown(scalar), nullable), self.lift(scalar, &read)))
            }
            Kind::Function { .. } => {
                Some(("MemorySegment".into(), format!("{segment}.get(Native.ADDRESS, {place})")))
            }
            Kind::Wide => Some(("Int128".into(), format!("Native.wide({segment}, {place})"))),
            Kind::Record(id) => {
                let class = self.class(id);
                Some((class.into(), format!("new {class}({segment}.asSlice({place}, {class}.SIZE))")))
            }
            Kind::Nothing | Kind::Array { .. } | Kind::Opaque => None,
        }
    }

    /// The statement that writes it.
    pub fn set(&self, ty: &'a Ty, segment: &str, place: &str, value: &str) -> String {
        match self.kind(ty) {
            Kind::Scalar(scalar) => {
                format!("{segment}.set({}, {place}, {});", scalar.carrier.access(), self.lower(scalar, value))
            }
            Kind::Record(id) => {
                let class = self.class(id);
                format!("MemorySegment.copy({value}.segment(), 0L, {segment}, {place}, {class}.SIZE);")
            }
            Kind::Wide => format!("Native.wide({segment}, {place}, {value});"),
            _ => format!("{segment}.set(Native.ADDRESS, {place}, {value});"),
        }
    }

    fn write_bits(&self, id: TypeId, field: &'a Field, bits: &Bits, name: &str, lines: &mut Lines) {
        let Kind::Scalar(Scalar { carrier, .. }) = self.kind(&field.ty) else { return };
        if bits.width == 0 {
            return;
        }
        let (java, room) = if carrier == Carrier::Long { ("long", 64) } else { ("int", 32) };
        let suffix = if room == 64 { "L" } else { "" };
        let unit = format!("segment.get({}, {}L)", carrier.access(), field.offset);
        let (left, right) = (room - bits.shift - bits.width, room - bits.width);
        let shift = if bits.signed { ">>" } else { ">>>" };
        let truth = *self.api.resolve(&bits.of) == Ty::Bool;
        let shown = if truth { "boolean" } else { java };
        let mask = (u64::MAX >> (64 - bits.width)) as i64;
        let mask = if room == 64 { format!("0x{mask:x}{suffix}") } else { format!("0x{:x}", mask as u32) };
        let note =
            format!("{} bits{}.", bits.width, if bits.signed { ", the highest is the sign" } else { "" });
        lines.blank();
        lines.docs(&Docs::new(&field.docs, None).note(note));
        lines.open(format!("public {shown} {name}()"));
        lines.line(match truth {
            true => format!("return ({unit} << {left} {shift} {right}) != 0;"),
            false => format!("return {unit} << {left} {shift} {right};"),
        });
        lines.close();
        lines.blank();
        let docs = Docs::new(&field.docs, None);
        lines.docs(&if truth { docs } else { docs.note("Bits beyond its width are dropped.") });
        lines.open(format!("public {} {name}({shown} value)", self.class(id)));
        let cast = match carrier {
            Carrier::Byte | Carrier::Short => format!("({}) ", carrier.java()),
            _ => String::new(),
        };
        lines.line(format!("{java} others = {unit} & ~({mask} << {});", bits.shift));
        lines.line(format!(
            "segment.set({}, {}L, {cast}(others | ({} & {mask}) << {}));",
            carrier.access(),
            field.offset,
            if truth { format!("(value ? 1{suffix} : 0{suffix})") } else { "value".into() },
            bits.shift
        ));
        lines.line("return this;");
        lines.close();
    }

    fn write_idiom(&self, declared: &'a Declared, lines: &mut Lines) {
        match &declared.idiom {
            Some(Idiom::Slice { of, .. } | Idiom::Buffer { of }) => {
                lines.blank();
                lines.docs(&Docs::new("The elements where they are.", None));
                lines.open("public MemorySegment elements()");
                lines.line(format!("return Native.slice(segment, {}L);", self.size(of)));
                lines.close();
            }
            Some(Idiom::Rel { of }) => {
                lines.blank();
                lines.docs(&Docs::new("The elements, whose offset counts from the start of `base`.", None));
                lines.open("public MemorySegment elements(MemorySegment base)");
                lines.line(format!(
                    "return base.asSlice(segment.get(Native.LONG, 0L), segment.get(Native.LONG, 8L) * {}L);",
                    self.size(of)
                ));
                lines.close();
            }
            Some(Idiom::Str | Idiom::Text) => {
                lines.blank();
                lines.docs(&Docs::new("A copy of the text.", None));
                lines.open("public String text()");
                lines.line("return Native.text(segment);");
                lines.close();
            }
            Some(Idiom::Failure) | None => {}
        }
    }
}
