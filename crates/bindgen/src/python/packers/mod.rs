//! Packers: dataclasses written and read in pack's wire form, without any native library.
//!
//! `pack.py` has the types, `pack_runtime.py` the code they share; Python 3.10 and later.

mod classes;
mod flat;
mod members;
mod names;
mod read;
mod types;
mod write;

use super::Options;
use super::package::HEADER;
use crate::model::{Api, PackedBody, Wire};
use crate::{Diagnostics, File, packers};
use std::cell::{Cell, RefCell};

/// The types of an API and how they are shown.
struct Packers<'a> {
    api: &'a Api,
    /// Types that are read by a function of their own, by its number.
    functions: RefCell<Vec<Wire>>,
    /// How many names the statements of a class have used so far.
    names: Cell<usize>,
    /// The member that is being written, as errors name it.
    place: RefCell<String>,
}

const IMPORTS: &str =
    "\"\"\"Types that travel in pack's wire form; `pack_runtime` has what they are made of.\"\"\"

from __future__ import annotations

import datetime as _datetime
import decimal as _decimal
import uuid as _uuid
from collections.abc import Sequence as _Sequence
from dataclasses import dataclass as _dataclass
from dataclasses import field as _field
from enum import IntEnum as _IntEnum
from struct import Struct as _Struct
from struct import error as _error

from . import pack_runtime as _r
";

/// The files; none for an API without packed types.
pub(super) fn files(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    if api.packed.is_empty() {
        return Vec::new();
    }
    let package = package(api, options);
    let api = &packers::without(api, "Python", diagnostics, |packed| packers::brotli(packed, "Python"));
    let packers =
        Packers { api, functions: RefCell::default(), names: Cell::new(0), place: RefCell::default() };
    packers.check_names(diagnostics);
    let mut text = format!("{HEADER}{IMPORTS}");
    for packed in &api.packed {
        text.push_str("\n\n");
        text.push_str(&match &packed.body {
            PackedBody::Object(object) => packers.object(packed, object),
            PackedBody::Raw(raw) => packers.raw(packed, raw),
            PackedBody::Enum { of, .. } => packers.enumeration(packed, of),
            PackedBody::Union(cases) => packers.union(packed, cases),
        });
    }
    text.push_str(&packers.reading_functions());
    let runtime = [
        HEADER,
        include_str!("runtime/base.py"),
        include_str!("runtime/writer.py"),
        include_str!("runtime/reader.py"),
        include_str!("runtime/values.py"),
    ]
    .concat();
    let docs = if options.docs.is_empty() { "Packed types." } else { &options.docs };
    let docs = super::names::docstring(docs, "");
    vec![
        File::new(format!("{package}/pack.py"), text),
        File::new(format!("{package}/pack_runtime.py"), runtime),
        File::new(format!("{package}/__init__.py"), format!("{HEADER}{docs}")),
        File::new(format!("{package}/py.typed"), ""),
    ]
}

/// The package of the packers: a separate one beside bindings, because those open the library when they are
/// imported.
pub(crate) fn package(api: &Api, options: &Options) -> String {
    let package = options.package(api);
    if api.only_packs() { package } else { format!("{package}_pack") }
}

/// The `array` type code for adjacent numbers, if they have one; bytes are shown as such.
fn number_code(of: &Wire) -> Option<&'static str> {
    use crate::model::{Float, Int};
    Some(match of {
        Wire::Int(Int::I8) => "b",
        Wire::Int(Int::U16) => "H",
        Wire::Int(Int::I16) => "h",
        Wire::Int(Int::U32) => "I",
        Wire::Int(Int::I32) => "i",
        Wire::Int(Int::U64 | Int::Usize) => "Q",
        Wire::Int(Int::I64 | Int::Isize) => "q",
        Wire::Float(Float::F32) => "f",
        Wire::Float(Float::F64) => "d",
        _ => return None,
    })
}

/// Whether it is a byte; a list of them is `bytes`.
fn is_byte(of: &Wire) -> bool {
    matches!(of, Wire::Int(crate::model::Int::U8))
}

/// Lines with this indentation.
fn indented(lines: &[String], indent: &str) -> String {
    lines.iter().map(|line| format!("{indent}{line}\n")).collect()
}
