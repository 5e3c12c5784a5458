//! Names for types that have none: a packer's functions for them use these.

use crate::plan::{Encoding, Float, Int, ListKind, Plan, Wire};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// The functions of packers that are written once, in the order they were first requested.
#[derive(Default)]
pub(crate) struct Functions {
    names: HashMap<Wire, String>,
    list: Vec<(Wire, String)>,
    taken: HashSet<String>,
}

impl Functions {
    /// The name of the function for this type.
    pub fn name(&mut self, plan: &Plan, wire: &Wire) -> String {
        if let Some(name) = self.names.get(wire) {
            return name.clone();
        }
        let own = words(plan, wire);
        let mut name = own.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{own}_{number}");
            number += 1;
        }
        self.names.insert(wire.clone(), name.clone());
        self.list.push((wire.clone(), name.clone()));
        name
    }

    /// What `write` makes of each type that was requested, and of its name. It may request others.
    pub fn written(functions: &RefCell<Functions>, write: impl Fn(&Wire, &str) -> String) -> String {
        let mut text = String::new();
        let requested = |index| functions.borrow().list.get(index).cloned();
        for (wire, name) in (0..).map_while(requested) {
            text.push_str(&write(&wire, &name));
        }
        text
    }
}

/// A type in words.
pub(crate) fn words(plan: &Plan, wire: &Wire) -> String {
    let of = |wire: &Wire| words(plan, wire);
    let all = |items: &[Wire]| items.iter().map(of).collect::<String>();
    match wire {
        Wire::Bool => "Boolean".into(),
        Wire::Int(int) => match int {
            Int::CChar => "U8".into(),
            int => format!("{int:?}"),
        },
        Wire::Float(Float::F32) => "F32".into(),
        Wire::Float(Float::F64) => "F64".into(),
        Wire::Known(known) => format!("{known:?}"),
        Wire::Text(Encoding::Chosen) => "Text".into(),
        Wire::Text(encoding) => format!("{encoding:?}Text"),
        Wire::Brotli(wire) => format!("Brotli{}", of(wire)),
        Wire::Named(id) => plan.packed(*id).name.clone(),
        Wire::List { of: wire, kind } => {
            format!(
                "{}{}",
                of(wire),
                if *kind == ListKind::List { "Array".into() } else { format!("{kind:?}") }
            )
        }
        Wire::Map { key, value, sorted } => {
            format!("{}{}{}Map", if *sorted { "Sorted" } else { "" }, of(key), of(value))
        }
        Wire::Fixed { of: wire, len } => format!("{}Times{len}", of(wire)),
        Wire::Grid { of: wire, rank } => format!("{}Grid{rank}", of(wire)),
        Wire::Tuple(items) => format!("Tuple{}", all(items)),
        Wire::ClassTuple(items) => format!("ClassTuple{}", all(items)),
        Wire::Pair(key, value) => format!("Pair{}{}", of(key), of(value)),
        Wire::Group(key, value) => format!("{}{}Group", of(key), of(value)),
        Wire::Lazy(wire) => format!("Lazy{}", of(wire)),
        Wire::Optional(wire) => format!("{}OrNull", of(wire)),
        Wire::Rune | Wire::Char | Wire::Uri | Wire::Builder | Wire::Version => format!("{wire:?}"),
        Wire::BigInteger | Wire::BitArray | Wire::BitPack => format!("{wire:?}"),
    }
}
