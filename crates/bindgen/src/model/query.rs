//! Queries that back ends make of an [`Api`].

use super::{
    Api, Body, Declared, Field, Float, Idiom, Int, Layout, Pointer, Signature, Tagged, TaggedShape, Ty,
    TypeId,
};

impl Api {
    /// The declared type.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &Declared {
        &self.types[id.0 as usize]
    }

    /// The declared types with their ids.
    pub fn declared(&self) -> impl Iterator<Item = (TypeId, &Declared)> {
        (0..).map(TypeId).zip(&self.types)
    }

    /// The type that fallible functions report; the front ends make sure it exists if there are such functions.
    #[must_use]
    pub fn failure(&self) -> Option<TypeId> {
        self.declared().find(|(_, declared)| declared.idiom == Some(Idiom::Failure)).map(|(id, _)| id)
    }

    /// The function that a type is the address of, and whether null is valid.
    #[must_use]
    pub fn callback<'a>(&'a self, ty: &'a Ty) -> Option<(&'a Signature, bool)> {
        match self.resolve(ty) {
            Ty::Function { signature, nullable } => Some((signature, *nullable)),
            Ty::Named(id) => match &self.get(*id).body {
                Body::Callback { signature, nullable } => Some((signature, *nullable)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The declared type that a type is the address of.
    #[must_use]
    pub fn behind<'a>(&'a self, ty: &'a Ty) -> Option<(TypeId, &'a Pointer)> {
        let Ty::Pointer(pointer) = self.resolve(ty) else { return None };
        let Ty::Named(id) = self.resolve(&pointer.to) else { return None };
        Some((*id, pointer))
    }

    /// The innermost element of nested arrays; any other type itself.
    #[must_use]
    pub fn element<'a>(&'a self, ty: &'a Ty) -> &'a Ty {
        match self.resolve(ty) {
            Ty::Array { of, .. } => self.element(of),
            other => other,
        }
    }

    /// Whether a value of this type is what is `wanted`, or holds it at any depth.
    pub fn holds(&self, ty: &Ty, wanted: &impl Fn(&Ty) -> bool) -> bool {
        match self.element(ty) {
            Ty::Named(id) if self.get(*id).body.fields().any(|field| self.holds(&field.ty, wanted)) => true,
            other => wanted(other),
        }
    }

    /// The field with the most bytes; the last, if several have as many.
    #[must_use]
    pub fn largest<'a>(&self, fields: &'a [Field]) -> Option<&'a Field> {
        fields.iter().max_by_key(|field| self.layout(&field.ty).map_or(0, |layout| layout.size))
    }

    /// `ty` with its outer aliases resolved.
    #[must_use]
    pub fn resolve<'a>(&'a self, ty: &'a Ty) -> &'a Ty {
        match ty {
            Ty::Named(id) => match &self.get(*id).body {
                Body::Alias(ty) => self.resolve(ty),
                _ => ty,
            },
            _ => ty,
        }
    }

    /// Bytes of an integer type on this target.
    #[must_use]
    pub fn int_size(&self, int: Int) -> u64 {
        match int {
            Int::I8 | Int::U8 | Int::CChar => 1,
            Int::I16 | Int::U16 => 2,
            Int::I32 | Int::U32 => 4,
            Int::I64 | Int::U64 => 8,
            Int::I128 | Int::U128 => 16,
            Int::Isize | Int::Usize => self.target.pointer,
            Int::Long | Int::ULong => self.target.long,
        }
    }

    /// Whether an integer type is signed; for C's `char` the target decides.
    #[must_use]
    pub fn is_signed(&self, int: Int) -> bool {
        match int {
            Int::I8 | Int::I16 | Int::I32 | Int::I64 | Int::I128 | Int::Isize | Int::Long => true,
            Int::U8 | Int::U16 | Int::U32 | Int::U64 | Int::U128 | Int::Usize | Int::ULong => false,
            // As `core::ffi::c_char` is.
            Int::CChar => {
                const UNSIGNED: [&str; 10] = [
                    "aarch64", "arm", "csky", "hexagon", "msp430", "powerpc", "riscv", "s390x", "thumb",
                    "xtensa",
                ];
                let triple = &self.target.triple;
                let by_system = ["apple", "windows"].iter().any(|system| triple.contains(system));
                by_system || !UNSIGNED.iter().any(|arch| triple.starts_with(arch))
            }
        }
    }

    /// The integer behind a type: for an enum or flags, the one that holds it.
    #[must_use]
    pub fn integer(&self, ty: &Ty) -> Option<Int> {
        match self.resolve(ty) {
            Ty::Int(int) => Some(*int),
            Ty::Named(id) => match &self.get(*id).body {
                Body::Enum(body) => Some(body.repr),
                Body::Flags(body) => Some(body.repr),
                _ => None,
            },
            _ => None,
        }
    }

    /// Size and alignment. `None` if it has none: [`Ty::Unit`], an opaque type without a size.
    #[must_use]
    pub fn layout(&self, ty: &Ty) -> Option<Layout> {
        let same = |size| Some(Layout { size, align: size });
        match ty {
            Ty::Unit => None,
            Ty::Bool => same(1),
            Ty::Char | Ty::Float(Float::F32) => same(4),
            Ty::Float(Float::F64) => same(8),
            Ty::Int(int) => same(self.int_size(*int)),
            Ty::Pointer(_) | Ty::Function { .. } => same(self.target.pointer),
            Ty::Array { of, len } => {
                let of = self.layout(of)?;
                Some(Layout { size: of.size * len, align: of.align })
            }
            Ty::Named(id) => {
                let declared = self.get(*id);
                match &declared.body {
                    Body::Alias(ty) => self.layout(ty),
                    Body::Callback { .. } => same(self.target.pointer),
                    _ => declared.layout,
                }
            }
        }
    }

    /// The largest alignment of a tagged enum's data.
    pub fn data_align(&self, tagged: &Tagged) -> u64 {
        tagged
            .fields()
            .filter_map(|field| self.layout(&field.ty))
            .map(|layout| layout.align)
            .fold(1, u64::max)
    }

    /// Where the structs of a tagged enum's variants begin.
    #[must_use]
    pub fn data_offset(&self, tagged: &Tagged) -> u64 {
        match tagged.shape {
            TaggedShape::UnionOfTagged => 0,
            TaggedShape::TagThenUnion => self.int_size(tagged.tag).next_multiple_of(self.data_align(tagged)),
        }
    }

    /// Whether a type is an enum without values besides its names; see [`super::Enum::closed`].
    #[must_use]
    pub fn is_closed(&self, id: TypeId) -> bool {
        matches!(&self.get(id).body, Body::Enum(body) if body.closed)
    }

    /// Whether a value of this type may be passed by value at all: it has a size, and that is not zero.
    #[must_use]
    pub fn has_value(&self, ty: &Ty) -> bool {
        self.layout(ty).is_some_and(|layout| layout.size > 0)
            && !matches!(self.resolve(ty), Ty::Named(id) if self.get(*id).body == Body::Opaque)
    }
}
