//! Structs and unions, with clang's own layout.

use super::bits::{self, Bitfield, Surroundings};
use super::clang::{Cursor, Type, raw};
use super::comments;
use super::reader::{Reader, Refusal};
use super::types::Use;
use crate::model::{Body, Field, Layout, Record, Ty, TypeId};

/// A field before its record is assembled.
enum Member {
    Plain(Field),
    Bits(Bitfield),
}

impl<'unit> Reader<'unit, '_> {
    /// The name of a struct, union or enum and its C spelling. `None` if it has none. A `typedef` of it is the
    /// library's own name for it (`PyObject`, not `_object`).
    pub fn tag_name(&self, tag: Cursor<'unit>) -> Option<(String, String)> {
        let (name, source) = self.own_name(tag)?;
        let called = self.typedefs.get(&tag.canonical()).cloned();
        Some((called.unwrap_or(name), source))
    }

    fn own_name(&self, tag: Cursor<'unit>) -> Option<(String, String)> {
        let source = tag.ty().spelling();
        let source = source.strip_prefix("const ").unwrap_or(&source).to_owned();
        let name = ["struct ", "union ", "enum "].iter().find_map(|kind| source.strip_prefix(kind));
        let name = name.unwrap_or(&source).to_owned();
        (!name.contains(['(', ' ', ':']) && !name.is_empty()).then_some((name, source))
    }

    /// A struct, a union or an enum. `fallback` names an unnamed one; `needed` means that its bytes
    /// cross, not only its address.
    pub fn tag(
        &mut self,
        tag: Cursor<'unit>,
        fallback: Option<(String, String)>,
        needed: bool,
    ) -> Option<TypeId> {
        let definition = tag.definition();
        let id = match self.known.get(&tag.canonical()) {
            Some(id) => *id,
            None => {
                let (name, source) = self.tag_name(tag).or(fallback)?;
                self.declare(definition.unwrap_or(tag), &name, source, Body::Opaque)
            }
        };
        let Some(definition) = definition else {
            let reason = format!("`{}` is declared, but not defined", self.api.get(id).name);
            self.refused.entry(id).or_insert(reason);
            return Some(id);
        };
        let behind_pointer = definition.in_system_header() && !needed;
        let done = self.api.get(id).layout.is_some() || self.refused.contains_key(&id);
        if !behind_pointer && !done && self.reading.insert(id) {
            self.define(id, definition);
            self.reading.remove(&id);
        }
        Some(id)
    }

    fn define(&mut self, id: TypeId, definition: Cursor<'unit>) {
        let layout = definition.ty().layout();
        let body = match definition.kind() {
            raw::CXCursor_EnumDecl => Ok(super::enums::body(definition)),
            kind => match layout {
                Some(layout) if layout.size > 0 => self.record(id, definition, layout).map(|record| {
                    if kind == raw::CXCursor_UnionDecl { Body::Union(record) } else { Body::Struct(record) }
                }),
                _ => Ok(Body::Opaque),
            },
        };
        match body {
            Ok(body) => {
                let declared = &mut self.api.types[id.0 as usize];
                declared.body = body;
                declared.layout = layout;
            }
            Err(reason) => {
                let name = self.api.get(id).name.clone();
                self.diagnostics.unsupported(
                    &definition.place(),
                    format!("`{name}` cannot be passed by value: {reason}"),
                    "it is opaque, known by its address only; use it behind a pointer",
                );
                self.refused.insert(id, format!("`{name}` cannot be passed by value"));
            }
        }
    }

    fn record(&mut self, id: TypeId, definition: Cursor<'unit>, layout: Layout) -> Result<Record, Refusal> {
        let mut members = Vec::new();
        let mut anonymous = 0;
        let children = definition.children();
        for child in &children {
            let member = match child.kind() {
                raw::CXCursor_FieldDecl => self.field(id, definition, *child)?,
                raw::CXCursor_StructDecl | raw::CXCursor_UnionDecl if child.is_anonymous_record() => {
                    anonymous += 1;
                    Some(self.anonymous(id, definition, *child, anonymous)?)
                }
                _ => None,
            };
            members.extend(member);
        }
        let fields = self.place(members, definition, layout);
        let (packed, align) = self.packing(&fields, layout);
        Ok(Record { fields, packed, align, transparent: false, tuple: false })
    }

    fn field(
        &mut self,
        id: TypeId,
        definition: Cursor<'unit>,
        cursor: Cursor<'unit>,
    ) -> Result<Option<Member>, Refusal> {
        let Some(name) = cursor.name() else {
            // `int : 3;` is padding.
            return Ok(None);
        };
        let refuse = |reason: Refusal| format!("its field `{name}` cannot cross: {reason}");
        let start = cursor.field_offset().ok_or_else(|| refuse("clang gives it no offset".to_owned()))?;
        let docs = comments::docs(&cursor.comment());
        let holder = self.holders.get(&definition.canonical());
        let holder = holder.unwrap_or(&self.api.get(id).source);
        let nested = (
            format!("{}_{name}", self.api.get(id).name),
            format!("__typeof__((({holder} *)0)->{name}{})", "[0]".repeat(dimensions(cursor.ty()))),
        );
        self.name_within(cursor.ty(), nested);
        self.at = cursor.place();
        self.about = format!("field `{name}` of `{}`", self.api.get(id).name);
        let function = self.function_pointer(cursor, cursor.ty());
        let ty = function.map_or_else(|| self.ty(cursor.ty(), Use::Value), Ok).map_err(refuse)?;
        let field = Field { name, ty, offset: start / 8, bits: None, docs, public: true };
        let Some(width) = cursor.bit_width() else { return Ok(Some(Member::Plain(field))) };
        let signed = self.is_signed(cursor.ty());
        let declared = cursor.ty().layout().map_or(1, |own| own.size);
        Ok(Some(Member::Bits(Bitfield { field, start, width, declared, signed })))
    }

    /// Reads the unnamed struct, union or enum behind `ty`, and calls it `name`.
    pub fn name_within(&mut self, ty: Type<'unit>, name: (String, String)) {
        if let Some(tag) = innermost(ty).filter(|tag| self.tag_name(*tag).is_none()) {
            self.tag(tag, Some(name), true);
        }
    }

    fn anonymous(
        &mut self,
        id: TypeId,
        definition: Cursor<'unit>,
        cursor: Cursor<'unit>,
        index: usize,
    ) -> Result<Member, Refusal> {
        let name = format!("anon{index}");
        let refuse = |reason: &str| format!("its unnamed member cannot cross: {reason}");
        let outer = self.api.get(id).name.clone();
        let field = first_field(cursor).ok_or_else(|| refuse("it has no field"))?;
        let outer_offset = definition.ty().offset_of(&field);
        let own_offset = cursor.ty().offset_of(&field);
        let start = outer_offset.zip(own_offset).and_then(|(outer, own)| outer.checked_sub(own));
        let start = start.ok_or_else(|| refuse("clang gives it no offset"))?;
        let nested = (format!("{outer}_{name}"), String::new());
        let holder = self.holders.get(&definition.canonical());
        let holder = holder.unwrap_or(&self.api.get(id).source).clone();
        self.holders.insert(cursor.canonical(), holder);
        let inner = self.tag(cursor, Some(nested), true).ok_or_else(|| refuse("it has no name"))?;
        self.usable(inner, Use::Value)?;
        let (ty, docs) = (Ty::Named(inner), comments::docs(&cursor.comment()));
        Ok(Member::Plain(Field { name, ty, offset: start / 8, bits: None, docs, public: true }))
    }

    /// The fields in source order, each bitfield with its storage unit.
    fn place(&mut self, members: Vec<Member>, definition: Cursor<'unit>, layout: Layout) -> Vec<Field> {
        let (mut fields, mut bitfields) = (Vec::new(), Vec::new());
        for (index, member) in members.into_iter().enumerate() {
            match member {
                Member::Plain(field) => fields.push((index, field)),
                Member::Bits(bitfield) => bitfields.push((index, bitfield)),
            }
        }
        let taken: Vec<_> = fields
            .iter()
            .map(|(_, field)| {
                (field.offset, field.offset + self.api.layout(&field.ty).map_or(0, |own| own.size))
            })
            .collect();
        let around = Surroundings {
            size: layout.size,
            align: layout.align,
            taken: if definition.kind() == raw::CXCursor_UnionDecl { &[] } else { &taken },
            big_endian: self.api.target.big_endian,
        };
        let indices: Vec<_> =
            bitfields.iter().map(|(index, bitfield)| (bitfield.field.name.clone(), *index)).collect();
        let bitfields = bitfields.into_iter().map(|(_, bitfield)| bitfield).collect();
        let (placed, refused) = bits::place(bitfields, &around);
        for name in refused {
            self.diagnostics.unsupported(
                &definition.place(),
                format!("bitfield `{name}` has no accessor: no integer within the struct holds all its bits"),
                "give the struct another byte, or the field another place",
            );
        }
        let index = |name: &str| indices.iter().find(|(own, _)| own == name).map_or(0, |(_, index)| *index);
        fields.extend(placed.into_iter().map(|field| (index(&field.name), field)));
        fields.sort_by_key(|(index, _)| *index);
        fields.into_iter().map(|(_, field)| field).collect()
    }

    /// `packed` and `align`, as clang's measurements show them.
    fn packing(&self, fields: &[Field], layout: Layout) -> (Option<u64>, Option<u64>) {
        let plain = || {
            fields
                .iter()
                .filter(|field| field.bits.is_none())
                .filter_map(|field| self.api.layout(&field.ty).map(|own| (field.offset, own.align)))
        };
        let natural = plain().map(|(_, align)| align).max().unwrap_or(1);
        let fits = |limit: u64| plain().all(|(offset, align)| offset % align.min(limit) == 0);
        let packed = match natural {
            _ if natural <= layout.align && fits(natural) => None,
            _ if natural > layout.align && fits(layout.align) => Some(layout.align),
            _ => Some(1),
        };
        let units = fields.iter().filter(|field| field.bits.is_some()).filter_map(|field| {
            self.api.layout(&field.ty).map(|own| own.align).filter(|align| field.offset % align == 0)
        });
        let own = packed.map_or(natural.max(units.max().unwrap_or(1)), |limit| natural.min(limit));
        (packed, (layout.align > own).then_some(layout.align))
    }

    fn is_signed(&self, ty: Type<'unit>) -> bool {
        let canonical = ty.canonical();
        let kind = match canonical.kind() {
            raw::CXType_Enum => canonical.declaration().enum_type().canonical().kind(),
            kind => kind,
        };
        super::enums::is_signed(kind)
    }
}

/// The struct, union or enum that a field's type defines in place, behind arrays.
fn innermost(ty: Type<'_>) -> Option<Cursor<'_>> {
    let ty = ty.canonical();
    match ty.kind() {
        raw::CXType_ConstantArray | raw::CXType_IncompleteArray => innermost(ty.element()),
        raw::CXType_Pointer => innermost(ty.pointee()),
        raw::CXType_Record | raw::CXType_Enum => Some(ty.declaration()),
        _ => None,
    }
}

/// The number of arrays and pointers around it.
pub(super) fn dimensions(ty: Type<'_>) -> usize {
    let ty = ty.canonical();
    match ty.kind() {
        raw::CXType_ConstantArray | raw::CXType_IncompleteArray | raw::CXType_Pointer => {
            let inner = if ty.kind() == raw::CXType_Pointer { ty.pointee() } else { ty.element() };
            1 + dimensions(inner)
        }
        _ => 0,
    }
}

/// The first named field in an unnamed record, at any depth.
fn first_field(record: Cursor<'_>) -> Option<String> {
    record.children().into_iter().find_map(|child| match child.kind() {
        raw::CXCursor_FieldDecl => child.name(),
        _ if child.is_anonymous_record() => first_field(child),
        _ => None,
    })
}
