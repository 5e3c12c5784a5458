//! Reading and copying through the accessors.

use super::super::classes::{bigint, memory};
use super::super::kind::{array_class, scalar};
use super::super::names::{member, quoted, variant};
use super::{Program, image};
use crate::check::{Probe, bit_value};
use crate::model::{Body, Field, Tagged, TaggedVariant, Ty, TypeId};
use crate::plan::Kind;
use std::fmt::Write as _;

/// A value within a value.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    /// For messages.
    pub path: &'p str,
    /// The expression that reads it.
    pub get: &'p str,
    /// Where its bytes are in the image.
    pub offset: u64,
    /// Whether arrays there are loose.
    pub loose: bool,
}

impl Place<'_> {
    fn expect(self, literal: &str, text: &mut String) {
        let Place { path, get, .. } = self;
        let _ = writeln!(text, "  read(type, {}, {literal}, () => {get});", quoted(path));
    }
}

impl<'a> Program<'a> {
    /// Reads all scalars of what lies at a place.
    pub(super) fn read(&self, ty: &'a Ty, at: Place<'_>, image: &[u8], text: &mut String) {
        match Kind::plain(self.api, ty) {
            Kind::Nothing | Kind::Empty(_) | Kind::Opaque(_) => {}
            Kind::Record(id) => match &self.api.get(id).body {
                Body::Struct(record) => self.fields(id, &record.fields, at, image, text),
                Body::Union(record) => {
                    let largest = self.api.largest(&record.fields);
                    largest.into_iter().for_each(|field| self.field(id, field, at, image, text));
                }
                Body::Tagged(tagged) => self.tagged(id, tagged, at, image, text),
                _ => {}
            },
            Kind::Array(of, len) => self.elements(of, len, at, image, text),
            _ => at.expect(&self.literal(ty, &image[at.offset as usize..]), text),
        }
    }

    fn fields(&self, id: TypeId, fields: &'a [Field], at: Place<'_>, image: &[u8], text: &mut String) {
        fields.iter().for_each(|field| self.field(id, field, at, image, text));
    }

    fn field(&self, id: TypeId, field: &'a Field, at: Place<'_>, image: &[u8], text: &mut String) {
        if !self.has_accessors(field) {
            return;
        }
        let path = format!("{}.{}", at.path, field.name);
        let get = format!("{}.{}", at.get, member(self.options, &field.name));
        let bits = bit_value(self.api, field, &image[at.offset as usize..]);
        let at = Place {
            path: &path,
            get: &get,
            offset: at.offset + field.offset,
            loose: self.loose.field(self.api, id, field),
        };
        match bits {
            Some(value)
                if field.bits.as_ref().is_some_and(|bits| *self.api.resolve(&bits.of) == Ty::Bool) =>
            {
                at.expect(&(value != 0).to_string(), text);
            }
            Some(value) => {
                let long = self.api.layout(&field.ty).is_some_and(|unit| unit.size >= 8);
                let suffix = if long { "n" } else { "" };
                at.expect(&format!("{value}{suffix}"), text);
            }
            None => self.read(&field.ty, at, image, text),
        }
    }

    fn tagged(&self, id: TypeId, tagged: &'a Tagged, at: Place<'_>, image: &[u8], text: &mut String) {
        let Some(of) = self.variant(tagged, &image[at.offset as usize..]) else { return };
        let suffix = if bigint(self.api, tagged.tag) { "n" } else { "" };
        let (path, get) = (format!("{}.tag", at.path), format!("{}.tag", at.get));
        Place { path: &path, get: &get, ..at }.expect(&format!("{}{suffix}", of.value), text);
        let (path, get) = (format!("{}.{}", at.path, of.name), format!("{}.{}", at.get, variant(&of.name)));
        if of.fields.is_empty() {
            return Place { path: &path, get: &get, ..at }.expect("true", text);
        }
        self.fields(id, &of.fields, Place { path: &path, get: &format!("{get}!"), ..at }, image, text);
    }

    /// The variant that the bytes have.
    fn variant(&self, tagged: &'a Tagged, bytes: &[u8]) -> Option<&'a TaggedVariant> {
        let tag = self.int(tagged.tag, bytes);
        tagged.variants.iter().find(|of| of.value == tag)
    }

    fn elements(&self, of: &'a Ty, len: u64, at: Place<'_>, image: &[u8], text: &mut String) {
        let stride = self.api.layout(of).map_or(0, |layout| layout.size);
        let scalars = match Kind::plain(self.api, of) {
            Kind::Int(number) => !number.is_word(),
            kind => scalar(kind).is_some(),
        };
        if scalars {
            let place = |index| (at.offset + index * stride) as usize;
            let all: Vec<String> = (0..len).map(|index| self.literal(of, &image[place(index)..])).collect();
            let (path, all, get) = (quoted(at.path), all.join(", "), at.get);
            let class = array_class(self.api, self.options, of, at.loose);
            let _ = writeln!(text, "  list(type, {path}, \"{class}\", [{all}], () => {get});");
            return;
        }
        for index in 0..len {
            let (path, get) = (format!("{}[{index}]", at.path), format!("{}.at({index})", at.get));
            self.read(
                of,
                Place { path: &path, get: &get, offset: at.offset + index * stride, ..at },
                image,
                text,
            );
        }
    }

    fn has_accessors(&self, field: &Field) -> bool {
        field.public
            && memory(self.api, self.options, &field.ty).is_some()
            && field.bits.as_ref().is_none_or(|bits| bits.width > 0)
    }

    /// Sets every field of another value to the values from the first one's accessors.
    pub(super) fn copy(&self, probe: &Probe, class: &str, text: &mut String) {
        let (fields, names): (&[Field], Vec<String>) = match &self.api.get(probe.ty).body {
            Body::Struct(record) => {
                let filled = record.fields.iter().filter(|field| self.api.has_value(&field.ty));
                (&record.fields, filled.map(|field| member(self.options, &field.name)).collect())
            }
            Body::Tagged(tagged) => match self.variant(tagged, &probe.sent) {
                Some(of) => (&of.fields, vec![variant(&of.name)]),
                None => return,
            },
            _ => return,
        };
        // The check's `usize` values are larger than a number holds exactly, so no accessor returns them.
        let copied = |field: &Field| {
            let element = Kind::of(self.api, self.api.element(&field.ty));
            let exact = !matches!(element, Kind::Int(number) if number.is_word());
            self.has_accessors(field) && exact || !self.api.has_value(&field.ty)
        };
        if !fields.iter().all(copied) {
            return;
        }
        let tagged = matches!(self.api.get(probe.ty).body, Body::Tagged(_));
        let _ = writeln!(text, "  const copy = new {class}();");
        for name in names {
            let given = match tagged {
                true if fields.is_empty() => "true".to_owned(),
                true => format!("value.{name}!"),
                false => format!("value.{name}"),
            };
            let _ = writeln!(text, "  copy.{name} = {given};");
        }
        let mask = image(&probe.mask);
        let _ = writeln!(text, "  same(type, \"copied field by field\", inside(copy), sent, {mask});");
    }
}
