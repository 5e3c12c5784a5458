//! `MemoryLayout`s with all padding as measured, and which of them `java.lang.foreign` passes by value.

use super::surface::{Java, Kind};
use crate::model::{Body, Field, Layout, Tagged, TaggedShape, Ty};

/// The largest struct parameter, in bytes. On the stack `java.lang.foreign` makes a parameter of every eight
/// bytes, and a Java method has room for 127.
const LARGEST: u64 = 128;

/// Something within a struct layout.
struct Part {
    offset: u64,
    layout: Layout,
    /// The Java expression.
    text: String,
}

impl<'a> Java<'a> {
    /// The expression of a declared type's `LAYOUT`: structs with padding, unions, and bytes where fields
    /// share bytes in other ways (storage units of bitfields).
    pub fn group_layout(&self, body: &'a Body, whole: Layout) -> String {
        let group = match body {
            Body::Struct(record) => self.struct_parts(&record.fields, 0, whole),
            Body::Union(record) => {
                self.union_of(record.fields.iter().map(|field| self.part(field, 0, whole.align)), whole)
            }
            Body::Tagged(tagged) => self.tagged_layout(tagged, whole),
            _ => None,
        };
        let (group, align) =
            group.unwrap_or_else(|| (format!("MemoryLayout.structLayout({})", bytes(whole.size)), 1));
        aligned(group, align, whole.align)
    }

    fn struct_parts(&self, fields: &'a [Field], base: u64, whole: Layout) -> Option<(String, u64)> {
        let mut parts: Vec<Part> = Vec::new();
        for field in fields {
            let part = self.part(field, base, whole.align);
            // Bitfields that share a storage unit are one part.
            let shared = |other: &Part| other.offset == part.offset && other.layout == part.layout;
            if part.layout.size > 0 && !(field.bits.is_some() && parts.iter().any(shared)) {
                parts.push(part);
            }
        }
        sequence(parts, whole)
    }

    /// A field at its place; unaligned if the place or the whole struct is.
    fn part(&self, field: &'a Field, base: u64, most: u64) -> Part {
        let layout = self.api.layout(&field.ty).unwrap_or_default();
        let offset = field.offset.saturating_sub(base);
        let natural = layout.align <= most && offset.is_multiple_of(layout.align.max(1));
        let (text, layout) = if natural {
            (self.element_layout(&field.ty), layout)
        } else {
            (self.unaligned_layout(&field.ty), Layout { align: 1, ..layout })
        };
        let name = if field.bits.is_some() { format!("bits_{}", field.offset) } else { field.name.clone() };
        Part { offset, layout, text: format!("{text}.withName({})", super::lines::literal(&name)) }
    }

    fn union_of(&self, parts: impl Iterator<Item = Part>, whole: Layout) -> Option<(String, u64)> {
        let mut align = 1;
        let mut members = Vec::new();
        for part in parts.filter(|part| part.layout.size > 0) {
            align = align.max(part.layout.align);
            members.push(part);
        }
        let largest = members.iter().map(|part| part.layout.size).max()?;
        // A padding member gives a union the bytes that only its alignment requires.
        let rest = (largest < whole.size).then(|| padding(whole.size));
        Some((join("unionLayout", members.into_iter().map(|part| part.text).chain(rest)), align))
    }

    fn tagged_layout(&self, tagged: &'a Tagged, whole: Layout) -> Option<(String, u64)> {
        let tag = Ty::Int(tagged.tag);
        let tag_layout = self.api.layout(&tag)?;
        let tag_part = |offset| Part {
            offset,
            layout: tag_layout,
            text: self.scalar_layout(&tag) + ".withName(\"tag\")",
        };
        let mut variants = Vec::new();
        let base = self.api.data_offset(tagged);
        for variant in &tagged.variants {
            let mut parts = Vec::new();
            if tagged.shape == TaggedShape::UnionOfTagged {
                parts.push(tag_part(0));
            }
            parts.extend(variant.fields.iter().map(|field| self.part(field, base, whole.align)));
            parts.retain(|part| part.layout.size > 0);
            let align = parts.iter().map(|part| part.layout.align).max().unwrap_or(1);
            let end = parts.iter().map(|part| part.offset + part.layout.size).max().unwrap_or(0);
            if end == 0 {
                continue;
            }
            let layout = Layout { size: end.next_multiple_of(align), align };
            let (text, _) = sequence(parts, layout)?;
            let name = super::lines::literal(&variant.name);
            variants.push(Part { offset: 0, layout, text: format!("{text}.withName({name})") });
        }
        match tagged.shape {
            TaggedShape::UnionOfTagged => self.union_of(variants.into_iter(), whole),
            TaggedShape::TagThenUnion if variants.is_empty() => sequence(vec![tag_part(0)], whole),
            TaggedShape::TagThenUnion => {
                let align = variants.iter().map(|part| part.layout.align).max()?;
                let size = variants.iter().map(|part| part.layout.size).max()?.next_multiple_of(align);
                let layout = Layout { size, align };
                let (text, _) = self.union_of(variants.into_iter(), layout)?;
                let data = Part { offset: base, layout, text: format!("{text}.withName(\"data\")") };
                sequence(vec![tag_part(0), data], whole)
            }
        }
    }

    /// The expression of a value's layout.
    pub fn element_layout(&self, ty: &'a Ty) -> String {
        match self.api.resolve(ty) {
            Ty::Array { of, len } => {
                format!("MemoryLayout.sequenceLayout({len}L, {})", self.element_layout(of))
            }
            Ty::Named(id) => match &self.api.get(*id).body {
                Body::Struct(_) | Body::Union(_) | Body::Tagged(_) => format!("{}.LAYOUT", self.class(*id)),
                _ => self.scalar_layout(ty),
            },
            _ => self.scalar_layout(ty),
        }
    }

    fn scalar_layout(&self, ty: &'a Ty) -> String {
        match self.kind(ty) {
            Kind::Scalar(scalar) => scalar.carrier.layout().into(),
            Kind::Function { .. } => "ValueLayout.ADDRESS".into(),
            Kind::Wide => {
                "MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG).withByteAlignment(16)"
                    .into()
            }
            _ => bytes(self.size(ty)),
        }
    }

    fn unaligned_layout(&self, ty: &'a Ty) -> String {
        match self.api.resolve(ty) {
            Ty::Array { of, len } => {
                format!("MemoryLayout.sequenceLayout({len}L, {})", self.unaligned_layout(of))
            }
            resolved => match self.kind(resolved) {
                Kind::Scalar(scalar) if !matches!(resolved, Ty::Named(id) if !self.is_number(*id)) => {
                    format!("{}.withByteAlignment(1)", scalar.carrier.layout())
                }
                Kind::Function { named: None, .. } => "ValueLayout.ADDRESS.withByteAlignment(1)".into(),
                // A group keeps the alignment of its members.
                _ => bytes(self.size(ty)),
            },
        }
    }

    fn is_number(&self, id: crate::model::TypeId) -> bool {
        matches!(self.api.get(id).body, Body::Enum(_) | Body::Flags(_))
    }

    /// Whether a type goes through the shim as a parameter: one that is not passed by value, or one that is
    /// large.
    pub fn refuses<'s>(&'s self, ty: &'s Ty) -> bool {
        let java: &Java<'s> = self;
        !java.passes(ty) || java.size(ty) > LARGEST
    }

    /// Whether `java.lang.foreign` passes it by value: every part at its natural place, no more padding than in C,
    /// no 128-bit numbers, no alignment beyond that of the parts.
    pub fn passes(&self, ty: &'a Ty) -> bool {
        match self.kind(self.passed(ty)) {
            Kind::Scalar(_) | Kind::Function { .. } => true,
            // JNI has numbers only.
            Kind::Record(_) if self.jni() => false,
            Kind::Record(id) => {
                let declared = self.api.get(id);
                declared.layout.is_some_and(|whole| self.body_passes(&declared.body, whole))
            }
            Kind::Nothing => *ty == Ty::Unit,
            Kind::Wide | Kind::Array { .. } | Kind::Opaque => false,
        }
    }

    fn body_passes(&self, body: &'a Body, whole: Layout) -> bool {
        let tag = |tagged: &Tagged| self.api.layout(&Ty::Int(tagged.tag)).unwrap_or_default();
        match body {
            Body::Struct(record) => self.fields_pass(&record.fields, Layout::default(), 0) == Some(whole),
            Body::Union(record) => {
                let each = record
                    .fields
                    .iter()
                    .map(|field| self.fields_pass(std::slice::from_ref(field), Layout::default(), 0));
                natural_union(each) == Some(whole)
            }
            Body::Tagged(tagged) if tagged.shape == TaggedShape::UnionOfTagged => {
                let head = tag(tagged);
                let each = tagged.variants.iter().map(|variant| self.fields_pass(&variant.fields, head, 0));
                natural_union(each) == Some(whole)
            }
            Body::Tagged(tagged) if tagged.fields().next().is_none() => tag(tagged) == whole,
            Body::Tagged(tagged) => {
                let head = tag(tagged);
                let base = self.api.data_offset(tagged);
                let each = tagged
                    .variants
                    .iter()
                    .map(|variant| self.fields_pass(&variant.fields, Layout::default(), base));
                natural_union(each).is_some_and(|data| {
                    let align = data.align.max(head.align);
                    let size = (head.size.next_multiple_of(data.align) + data.size).next_multiple_of(align);
                    whole == Layout { size, align }
                })
            }
            _ => false,
        }
    }

    /// The layout that C gives these fields after `head`, if they lie that way.
    fn fields_pass(&self, fields: &'a [Field], head: Layout, base: u64) -> Option<Layout> {
        let mut order: Vec<&Field> = fields.iter().collect();
        order.sort_by_key(|field| field.offset);
        let (mut end, mut align) = (head.size, head.align.max(1));
        let mut unit = None;
        for field in order {
            let layout = self.api.layout(&field.ty)?;
            if layout.size == 0 {
                continue;
            }
            if field.bits.is_some() && unit == Some((field.offset, layout)) {
                continue;
            }
            let natural =
                self.part_passes(&field.ty) && field.offset - base == end.next_multiple_of(layout.align);
            if !natural {
                return None;
            }
            end = field.offset - base + layout.size;
            align = align.max(layout.align);
            unit = field.bits.is_some().then_some((field.offset, layout));
        }
        Some(Layout { size: end.next_multiple_of(align), align })
    }

    fn part_passes(&self, ty: &'a Ty) -> bool {
        match self.api.resolve(ty) {
            Ty::Array { of, .. } => self.part_passes(of),
            Ty::Named(id) => match &self.api.get(*id).body {
                body @ (Body::Struct(_) | Body::Union(_) | Body::Tagged(_)) => {
                    self.api.get(*id).layout.is_some_and(|whole| self.body_passes(body, whole))
                }
                _ => !matches!(self.kind(ty), Kind::Wide | Kind::Opaque),
            },
            ty => !matches!(self.kind(ty), Kind::Wide),
        }
    }
}

fn natural_union(members: impl Iterator<Item = Option<Layout>>) -> Option<Layout> {
    let mut union = Layout { size: 0, align: 1 };
    for member in members {
        let member = member?;
        union.align = union.align.max(member.align);
        union.size = union.size.max(member.size);
    }
    union.size = union.size.next_multiple_of(union.align);
    (union.size > 0).then_some(union)
}

/// A struct layout of parts in offset order, with padding. `None` if parts overlap.
fn sequence(mut parts: Vec<Part>, whole: Layout) -> Option<(String, u64)> {
    parts.sort_by_key(|part| part.offset);
    let (mut end, mut align) = (0, 1);
    let mut texts = Vec::with_capacity(parts.len());
    for part in parts {
        if part.offset < end {
            return None;
        }
        if part.offset > end {
            texts.push(padding(part.offset - end));
        }
        end = part.offset + part.layout.size;
        align = align.max(part.layout.align);
        texts.push(part.text);
    }
    if end < whole.size {
        texts.push(padding(whole.size - end));
    }
    (end <= whole.size).then(|| (join("structLayout", texts.into_iter()), align))
}

fn join(kind: &str, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    format!("MemoryLayout.{kind}({})", parts.join(", "))
}

fn padding(size: u64) -> String {
    format!("MemoryLayout.paddingLayout({size}L)")
}

fn bytes(size: u64) -> String {
    format!("MemoryLayout.sequenceLayout({size}L, ValueLayout.JAVA_BYTE)")
}

fn aligned(group: String, align: u64, wanted: u64) -> String {
    if align == wanted { group } else { format!("{group}.withByteAlignment({wanted}L)") }
}
