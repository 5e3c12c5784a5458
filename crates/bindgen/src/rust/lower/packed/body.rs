//! What a packed type's item says.

use super::super::attributes::{Repr, docs};
use super::super::builtin;
use super::super::scope::{ItemAt, plain};
use super::super::{Context, Lower, Lowered};
use super::Types;
use super::attributes::{Container, OnField, is_default};
use super::numbers::UNKNOWN;
use crate::model::{Case, Enum, Form, Object, PackedBody, Placed, Raw, Slot, Variant};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Fields, Item, ItemEnum};

/// The most members: the count is one byte.
const MOST: usize = 249;

impl Lower<'_> {
    pub(super) fn packed_body(&mut self, at: ItemAt, types: &Types) -> Lowered<PackedBody> {
        let item = self.item(at);
        let context = Context::new(at.home, item);
        let attributes = match &item.item {
            Item::Struct(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            _ => return self.wrong(&context, item.item.span(), "this is neither a struct nor an enum"),
        };
        let container = self.said(&context, Container::read(attributes))?;
        match &item.item {
            Item::Struct(item) => {
                let members = self.slots(&context, types, &item.fields, &container)?;
                if container.raw {
                    let repr = Repr::read(&item.attrs);
                    if members.is_empty() {
                        let what = "a raw struct without fields has no bytes here, and one in C#";
                        return self.wrong(&context, item.ident.span(), what);
                    }
                    return Ok(PackedBody::Raw(Raw {
                        packed: repr.packed,
                        fields: members,
                        placed: Placed::default(),
                    }));
                }
                let form = match (container.version_tolerant, container.circular) {
                    (_, true) => Form::Circular,
                    (true, false) => Form::VersionTolerant,
                    (false, false) => Form::Plain,
                };
                let slots = members.last().map_or(0, |last| last.index as usize + 1);
                if slots > MOST {
                    let what = format!("`{}` has {slots} members, and {MOST} is the most", item.ident);
                    return self.wrong(&context, item.ident.span(), &what);
                }
                let whole = members.len() == item.fields.len();
                Ok(PackedBody::Object(Object { form, value: container.value, whole, members }))
            }
            Item::Enum(item) if container.union => self.union_cases(&context, types, item),
            Item::Enum(item) => self.packed_enum(&context, item),
            _ => self.wrong(&context, item.item.span(), "this is neither a struct nor an enum"),
        }
    }

    /// The members, in wire order.
    fn slots(
        &mut self,
        context: &Context,
        types: &Types,
        fields: &Fields,
        container: &Container,
    ) -> Lowered<Vec<Slot>> {
        let mut slots: Vec<Slot> = Vec::new();
        let mut failed = None;
        let mut next = 0;
        for (index, field) in fields.iter().enumerate() {
            let on = self.said(context, OnField::read(&field.attrs))?;
            if on.ignore {
                continue;
            }
            let place = on.order.unwrap_or(next);
            next = place.saturating_add(1);
            if slots.iter().any(|other| other.index == place) {
                return self.wrong(context, field.span(), &format!("two members have the order {place}"));
            }
            match self.wire_of_field(context, types, &field.ty, &on) {
                Ok(wire) => slots.push(Slot {
                    name: field.ident.as_ref().map_or_else(|| index.to_string(), plain),
                    index: place,
                    wire,
                    include: on.include,
                    docs: docs(&field.attrs),
                }),
                // All errors are reported.
                Err(refused) => failed = Some(refused),
            }
        }
        if let Some(refused) = failed {
            return Err(refused);
        }
        slots.sort_by_key(|slot| slot.index);
        if !container.version_tolerant && !container.circular {
            (0..).zip(&mut slots).for_each(|(place, slot)| slot.index = place);
        }
        Ok(slots)
    }

    fn union_cases(&mut self, context: &Context, types: &Types, item: &ItemEnum) -> Lowered<PackedBody> {
        let mut cases: Vec<Case> = Vec::new();
        for (index, variant) in item.variants.iter().enumerate() {
            let on = self.said(context, OnField::read(&variant.attrs))?;
            let mut fields = variant.fields.iter();
            let (Fields::Unnamed(_), Some(field), None) = (&variant.fields, fields.next(), fields.next())
            else {
                let what = "a union's variant holds one value: `Name(Type)`";
                return self.wrong(context, variant.span(), what);
            };
            let Some(tag) = on.tag.or(u16::try_from(index).ok()) else {
                return self.wrong(context, variant.span(), "a tag is at most 65535");
            };
            if cases.iter().any(|other| other.tag == tag) {
                return self.wrong(context, variant.span(), &format!("two variants have the tag {tag}"));
            }
            let wire = self.wire_of_field(context, types, &field.ty, &OnField::default())?;
            cases.push(Case { name: plain(&variant.ident), tag, wire, docs: docs(&variant.attrs) });
        }
        Ok(PackedBody::Union(cases))
    }

    fn packed_enum(&mut self, context: &Context, item: &ItemEnum) -> Lowered<PackedBody> {
        if item.variants.iter().any(|variant| !matches!(variant.fields, Fields::Unit)) {
            let what = format!("`{}` has variants with data, and is not an `#[pack(union)]`", item.ident);
            return self.wrong(context, item.ident.span(), &what);
        }
        let Some(repr) = Repr::read(&item.attrs).integer.as_deref().and_then(builtin::integer) else {
            let what = format!("the enum `{}` lacks its integer, as `#[repr(i32)]`", item.ident);
            return self.wrong(context, item.ident.span(), &what);
        };
        let mut variants: Vec<Variant> = Vec::new();
        let (mut next, mut default) = (Some(0), None);
        for variant in &item.variants {
            if is_default(&variant.attrs) {
                default = Some(variants.len());
            }
            let value = match &variant.discriminant {
                Some((_, expression)) => self.number(context, expression, repr).or(Some(UNKNOWN)),
                None => next,
            };
            let Some(value) = value else {
                return self.wrong(context, variant.span(), "there is no number behind the last one");
            };
            next = value.checked_add(1);
            variants.push(Variant { name: plain(&variant.ident), value, docs: docs(&variant.attrs) });
        }
        if variants.is_empty() {
            return self.wrong(context, item.ident.span(), "an enum without variants has no values");
        }
        Ok(PackedBody::Enum { of: Enum { repr, variants, closed: true }, default })
    }

    fn said<T>(&mut self, context: &Context, read: syn::Result<T>) -> Lowered<T> {
        read.or_else(|error| self.wrong(context, error.span(), &error.to_string()))
    }

    fn wrong<T>(&mut self, context: &Context, span: Span, what: &str) -> Lowered<T> {
        Err(self.refuse(&context.place(span), what, ""))
    }
}
