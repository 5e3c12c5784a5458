//! The classes of values in memory: of structs, unions and data-carrying enums, and of the data of each variant.

use super::names::ident;
use crate::model::{Api, Bits, Body, Field, Record, Ty, TypeId};
use crate::plan::Kind;
use std::borrow::Cow;

/// A class.
pub(super) struct Class<'a> {
    pub name: String,
    pub docs: &'a str,
    pub members: Vec<Member<'a>>,
    /// The struct, whose fields lie one behind the other.
    pub record: Option<&'a Record>,
}

/// What a program reads and writes by its name.
pub(super) struct Member<'a> {
    pub name: String,
    pub docs: &'a str,
    pub offset: u64,
    pub shows: Shows<'a>,
}

/// What is there.
pub(super) enum Shows<'a> {
    Value(Cow<'a, Ty>),
    /// Bits of a unit of that many bytes.
    Bits(u64, &'a Bits),
    /// A variant's data: its class, the size of the tag before it, and its value.
    Variant(String, u64, i128),
}

/// The classes of a type, those of its variants first; none of a type that is no memory.
pub(super) fn classes(api: &Api, id: TypeId) -> Vec<Class<'_>> {
    let declared = api.get(id);
    let (name, docs) = (ident(&declared.name), declared.docs.trim());
    match &declared.body {
        Body::Struct(record) => {
            vec![Class { name, docs, members: fields(api, id, &record.fields), record: Some(record) }]
        }
        Body::Union(record) => {
            vec![Class { name, docs, members: fields(api, id, &record.fields), record: None }]
        }
        Body::Tagged(tagged) => {
            let size = api.int_size(tagged.tag);
            let mask = if size < 8 { (1 << (size * 8)) - 1 } else { i128::from(u64::MAX) };
            let shows = Shows::Value(Cow::Owned(Ty::Int(tagged.tag)));
            let mut members =
                vec![Member { name: "tag".into(), docs: "Which variant it is.", offset: 0, shows }];
            let mut classes = Vec::new();
            for variant in &tagged.variants {
                let (class, docs) = (format!("{name}_{}", variant.name), variant.docs.trim());
                let shows = Shows::Variant(class.clone(), size, variant.value & mask);
                members.push(Member { name: ident(&variant.name), docs, offset: 0, shows });
                let own = fields(api, id, &variant.fields);
                classes.push(Class { name: class, docs, members: own, record: None });
            }
            classes.push(Class { name, docs, members, record: None });
            classes
        }
        _ => Vec::new(),
    }
}

fn fields<'a>(api: &'a Api, of: TypeId, fields: &'a [Field]) -> Vec<Member<'a>> {
    let member = |field: &'a Field| Member {
        name: ident(&field.name),
        docs: field.docs.trim(),
        offset: field.offset,
        shows: match (&field.bits, Kind::plain(api, &field.ty)) {
            (Some(bits), _) => Shows::Bits(api.layout(&field.ty).map_or(4, |layout| layout.size), bits),
            // A program must not fill in the parts of an idiom: its function is an address.
            (None, Kind::Function(_)) if api.get(of).idiom.is_some() => {
                Shows::Value(Cow::Owned(Ty::context()))
            }
            _ => Shows::Value(Cow::Borrowed(&field.ty)),
        },
    };
    fields.iter().filter(|field| is_visible(api, field)).map(member).collect()
}

/// Whether a field is public and has a value.
pub(super) fn is_visible(api: &Api, field: &Field) -> bool {
    let bits = field.bits.as_ref().is_none_or(|bits| bits.width > 0);
    field.public && bits && api.has_value(&field.ty)
}
