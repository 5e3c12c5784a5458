//! `Rel<T>`: what lies at an offset from a base.

use super::kind::{Kind, letter, plain};
use super::names::ident;
use super::package::HEADER;
use crate::model::{Api, Idiom, Ty};
use std::fmt::Write as _;

/// A `Rel`, and how its elements are seen.
pub(super) struct Related<'a> {
    pub name: String,
    pub size: u64,
    /// A class, or a letter of the `struct` module.
    pub of: Seen,
    pub element: &'a Ty,
}

/// How elements are seen.
pub(super) enum Seen {
    Class(String),
    Letter(char),
}

/// The `Rel`s of an API whose elements a program can look at.
pub(super) fn all(api: &Api) -> Vec<Related<'_>> {
    let related = api.types.iter().filter_map(|declared| {
        let Some(Idiom::Rel { of: element }) = &declared.idiom else { return None };
        if !api.has_value(element) {
            return None;
        }
        let kind = plain(api, element);
        let of = match (&kind, letter(api, &kind)) {
            (Kind::Struct(id), _) => Seen::Class(ident(&api.get(*id).name)),
            (_, Some(letter)) => Seen::Letter(letter),
            _ => return None,
        };
        Some(Related { name: ident(&declared.name), size: api.layout(element)?.size, of, element })
    });
    related.collect()
}

/// `_relative.py`.
pub(super) fn module() -> String {
    format!("{HEADER}{}", include_str!("relative.in.py"))
}

/// What `__init__.py` does with it.
pub(super) fn attached(api: &Api) -> String {
    let mut text = String::new();
    for Related { name, size, of, .. } in all(api) {
        if text.is_empty() {
            text.push_str("\nfrom . import _relative\n\n");
        }
        let of = match of {
            Seen::Class(class) => format!("implementation.{class}"),
            Seen::Letter(letter) => format!("\"{letter}\""),
        };
        let _ = writeln!(text, "_relative.attach(\"{name}\", implementation.{name}, {size}, {of})");
    }
    text
}
