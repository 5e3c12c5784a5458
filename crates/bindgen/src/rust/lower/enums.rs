//! Enums: of numbers, or with data.

use super::attributes::{self, Repr};
use super::builtin;
use super::scope::plain;
use super::{Context, Lower, Lowered};
use crate::model::{Body, Enum, Flags, Int, Tagged, TaggedShape, TaggedVariant, Variant};
use syn::{Fields, ImplItem, Item, ItemEnum, ItemStruct, Type};

impl Lower<'_> {
    pub(super) fn enumeration(&mut self, context: &Context, item: &ItemEnum) -> Lowered<Body> {
        let repr = Repr::read(&item.attrs);
        if !repr.is_fixed() || item.variants.is_empty() {
            return Ok(Body::Opaque);
        }
        // `repr(C)` alone: the C compiler chooses, and the probe measures it.
        let integer = repr.integer.as_deref().and_then(builtin::integer).unwrap_or(Int::I32);
        if item.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit)) {
            let variants = item.variants.iter().map(|variant| Variant {
                name: plain(&variant.ident),
                value: 0,
                docs: attributes::docs(&variant.attrs),
            });
            return Ok(Body::Enum(Enum { repr: integer, variants: variants.collect(), closed: true }));
        }
        let mut variants = Vec::new();
        for variant in &item.variants {
            // A variant's fields are as public as the enum.
            let mut fields = self.fields(context, &variant.fields)?;
            fields.iter_mut().for_each(|field| field.public = true);
            variants.push(TaggedVariant {
                name: plain(&variant.ident),
                value: 0,
                fields,
                tuple: matches!(variant.fields, Fields::Unnamed(_)),
                docs: attributes::docs(&variant.attrs),
            });
        }
        let shape = if repr.c { TaggedShape::TagThenUnion } else { TaggedShape::UnionOfTagged };
        Ok(Body::Tagged(Tagged { tag: integer, shape, variants }))
    }

    /// A struct of one integer with constants of its own type is an enum that may hold any number; if it
    /// has an `|` operator, it is a set of flags.
    pub(super) fn flags_of_struct(&self, context: &Context, item: &ItemStruct, repr: &Repr) -> Option<Body> {
        let Fields::Unnamed(fields) = &item.fields else { return None };
        let mut fields = fields.unnamed.iter();
        let (Some(field), None) = (fields.next(), fields.next()) else { return None };
        let Type::Path(path) = &field.ty else { return None };
        let integer = builtin::integer(&path.path.get_ident()?.to_string())?;
        if !repr.transparent {
            return None;
        }
        let mut bits = Vec::new();
        let mut combine = false;
        for item_of in &self.scope.module(context.home).items {
            let Item::Impl(block) = &item_of.item else { continue };
            if !names(&block.self_ty, &item.ident) {
                continue;
            }
            if let Some((_, of, _)) = &block.trait_ {
                combine |= of.segments.last().is_some_and(|last| last.ident == "BitOr");
                continue;
            }
            for inner in &block.items {
                if let ImplItem::Const(constant) = inner
                    && (names(&constant.ty, &item.ident) || is_self(&constant.ty))
                {
                    let docs = attributes::docs(&constant.attrs);
                    bits.push(Variant { name: plain(&constant.ident), value: 0, docs });
                }
            }
        }
        (!bits.is_empty()).then_some(Body::Flags(Flags { repr: integer, bits, combine }))
    }
}

fn names(ty: &Type, ident: &syn::Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(ident))
}

fn is_self(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("Self"))
}
