//! Elements whose place a struct tells: `Rel<T>`, at an offset from a base, and slices that a struct has.

use super::kind::letter;
use super::names::ident;
use crate::model::{Api, Body, Idiom, Ty};
use crate::plan::Kind;
use std::fmt::Write as _;

/// A `Rel` or a slice, and how its elements are seen.
pub(super) struct Related<'a> {
    pub name: String,
    pub size: u64,
    /// A class, or a letter of the `struct` module.
    pub of: Seen,
    /// The lengths of arrays, from the outermost on, if the elements are arrays.
    pub shape: Vec<u64>,
    pub element: &'a Ty,
    /// Whether it needs a base.
    pub base: bool,
    /// Whether the elements may be written.
    pub mutable: bool,
}

/// How elements are seen.
pub(super) enum Seen {
    Class(String),
    Letter(char),
}

/// Those of an API whose elements a program can look at. A slice that no struct has is never shown as one.
pub(super) fn all(api: &Api) -> Vec<Related<'_>> {
    let related = api.types.iter().filter_map(|declared| {
        let (element, base, mutable) = match &declared.idiom {
            Some(Idiom::Rel { of }) => (of, true, true),
            Some(Idiom::Slice { of, mutable }) if held(api, &declared.name) => (of, false, *mutable),
            _ => return None,
        };
        if !api.has_value(element) {
            return None;
        }
        let (mut kind, mut shape) = (Kind::plain(api, element), Vec::new());
        while let Kind::Array(of, len) = kind {
            shape.push(len);
            kind = Kind::plain(api, of);
        }
        let of = match (kind, letter(api, kind)) {
            (Kind::Record(id), _) if shape.is_empty() => Seen::Class(ident(&api.get(id).name)),
            (_, Some(letter)) => Seen::Letter(letter),
            _ => return None,
        };
        Some(Related {
            name: ident(&declared.name),
            size: api.layout(element)?.size,
            of,
            shape,
            element,
            base,
            mutable,
        })
    });
    related.collect()
}

/// Whether a field has the type of this name.
fn held(api: &Api, name: &str) -> bool {
    let has = |ty: &Ty| matches!(ty, Ty::Named(id) if api.get(*id).name == name);
    api.types.iter().any(|declared| match &declared.body {
        Body::Struct(record) | Body::Union(record) => record.fields.iter().any(|field| has(&field.ty)),
        _ => false,
    })
}

/// What `__init__.py` does with it.
pub(super) fn attached(api: &Api) -> String {
    let mut text = String::new();
    for Related { name, size, of, shape, base, mutable, .. } in all(api) {
        if text.is_empty() {
            text.push_str("\nfrom . import _relative\n\n");
        }
        let of = match of {
            Seen::Class(class) => format!("implementation.{class}"),
            Seen::Letter(letter) => format!("\"{letter}\""),
        };
        let shape: String = shape.iter().map(|len| format!(", {len}")).collect();
        let how = if base { "attach" } else { "attach_slice" };
        let read_only = if mutable { "" } else { ", mutable=False" };
        let _ = writeln!(
            text,
            "_relative.{how}(\"{name}\", implementation.{name}, {size}, {of}{shape}{read_only})"
        );
    }
    text
}
