//! Packers: dataclasses written and read in pack's wire form, without any native library.
//!
//! `pack.py` has the types, `pack_runtime.py` the code they share; Python 3.10 and later.

mod classes;
mod flat;
mod types;
mod values;

use crate::code::repeated;
use crate::lines;
use crate::plan::{Packed, PackedBody, PackedId, Plan, Slot, Wire};
use crate::{File, Report, Spelling, refusal};
use std::cell::{Cell, RefCell};

/// What every class has, and what the types of members are made of: a member of such a name would hide it.
const OURS: &[&str] = &[
    "pack", "unpack", "self", "bool", "int", "float", "str", "bytes", "complex", "list", "dict", "set",
    "tuple", "staticmethod", "_write", "_read",
];

/// What the module uses of its surroundings.
const BUILTINS: &[&str] = &[
    "bool", "int", "float", "str", "bytes", "complex", "list", "dict", "set", "tuple", "range", "len",
    "sorted", "isinstance", "staticmethod", "object", "TypeError",
];

const HEADER: &str = "# Made by upcall bindgen; do not edit.\n";

/// How the files are written.
pub struct Settings<'a> {
    /// How Python spells things.
    pub spelling: Spelling<'a>,
    /// The package of the packers.
    pub package: &'a str,
    /// The package's docs.
    pub docs: &'a str,
}

/// The types of a plan and how they are shown.
struct Packers<'a> {
    plan: &'a Plan,
    spelling: &'a Spelling<'a>,
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

/// The files; none without packed types.
pub fn files(plan: &Plan, settings: &Settings<'_>, report: &mut dyn Report) -> Vec<File> {
    if plan.is_empty() {
        return Vec::new();
    }
    let package = settings.package;
    let plan = &refusal::without(plan, "Python", report, |packed| refusal::brotli(packed, "Python"));
    let packers = Packers {
        plan,
        spelling: &settings.spelling,
        functions: RefCell::default(),
        names: Cell::new(0),
        place: RefCell::default(),
    };
    packers.check_names(report);
    let mut text = format!("{HEADER}{IMPORTS}");
    for (index, packed) in plan.iter().enumerate() {
        text.push_str("\n\n");
        text.push_str(&match &packed.body {
            PackedBody::Object(object) => packers.object(packed, object),
            PackedBody::Raw(raw) => packers.raw(packed, &Wire::Named(PackedId(index as u32)), raw),
            PackedBody::Enum { of, .. } => packers.enumeration(packed, of),
            PackedBody::Union(cases) => packers.union(packed, cases),
        });
    }
    text.push_str(&packers.reading_functions());
    let runtime = [
        HEADER,
        include_str!("runtime/base.py.in"),
        include_str!("runtime/writer.py.in"),
        include_str!("runtime/reader.py.in"),
        include_str!("runtime/values.py.in"),
    ];
    let docs = if settings.docs.is_empty() { "Packed types." } else { settings.docs };
    let docs = settings.spelling.docs(docs, "");
    vec![
        File::new(format!("{package}/pack.py"), text),
        File::new(format!("{package}/pack_runtime.py"), repeated(&runtime.concat())),
        File::new(format!("{package}/__init__.py"), format!("{HEADER}{docs}")),
        File::new(format!("{package}/py.typed"), ""),
    ]
}

impl Packers<'_> {
    fn name(&self, id: PackedId) -> String {
        self.name_of(&self.plan.packed(id).name)
    }

    fn name_of(&self, name: &str) -> String {
        if BUILTINS.contains(&name) { format!("{name}_") } else { (self.spelling.member)(name) }
    }

    fn member(&self, slot: &Slot) -> String {
        // A class's name would be hidden, too.
        let types = || self.plan.iter().any(|packed| packed.name == slot.name);
        // Two underscores make a name private to its class.
        let name = slot.name.trim_start_matches('_');
        let name = if slot.name.starts_with("__") && !name.is_empty() { name } else { &slot.name };
        if OURS.contains(&name) || types() { format!("{name}_") } else { (self.spelling.member)(name) }
    }

    fn variant(&self, name: &str) -> String {
        match name {
            // Enums have these.
            "name" | "value" | "mro" => format!("{name}_"),
            _ => (self.spelling.member)(name),
        }
    }

    /// The class of a union's case.
    fn case(&self, union: &str, case: &str) -> String {
        format!("{union}_{case}")
    }

    fn check_names(&self, report: &mut dyn Report) {
        let names =
            |packed: &Packed| {
                let name = self.name_of(&packed.name);
                let mut names = vec![(name.clone(), packed.name.clone())];
                if let PackedBody::Union(cases) = &packed.body {
                    names.extend(cases.iter().map(|case| {
                        (self.case(&name, &case.name), format!("{}::{}", packed.name, case.name))
                    }));
                }
                names
            };
        lines::check_names(self.plan, "Python", report, names, |slot| self.member(slot));
    }
}

/// Lines with this indentation.
fn indented(lines: &[String], indent: &str) -> String {
    lines.iter().map(|line| format!("{indent}{line}\n")).collect()
}
