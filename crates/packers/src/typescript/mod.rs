//! Packers: classes written and read in pack's wire form, without any native library.
//!
//! `pack.ts` has the types, `pack-runtime.ts` the code they share. Both are TypeScript, for the
//! program's own compiler or bundler, and need nothing but ES2020.

mod classes;
mod types;
mod values;

use crate::code::repeated;
use crate::lines;
use crate::plan::{Packed, PackedBody, PackedId, Plan, Slot, Wire};
use crate::{File, Report, Spelling, refusal};
use std::cell::RefCell;

/// Names that the generated code uses from its surroundings and the spelling does not know.
const OURS: &[&str] = &["Map", "Set", "Array", "Partial", "ReadonlySet"];

const HEADER: &str = "// Made by upcall bindgen; do not edit.\n";

/// How the files are written.
pub struct Settings<'a> {
    /// How TypeScript spells things.
    pub spelling: Spelling<'a>,
    /// Whether 64-bit integers are numbers where those hold them exactly.
    pub numbers: bool,
}

/// The types of a plan and how they are shown.
struct Packers<'a> {
    plan: &'a Plan,
    settings: &'a Settings<'a>,
    /// The member that is being written, as errors name it.
    place: RefCell<String>,
}

/// The files; none without packed types.
pub fn files(plan: &Plan, settings: &Settings<'_>, report: &mut dyn Report) -> Vec<File> {
    if plan.is_empty() {
        return Vec::new();
    }
    let plan = &refusal::without(plan, "TypeScript", report, |packed| refusal::brotli(packed, "TypeScript"));
    let packers = Packers { plan, settings, place: RefCell::default() };
    packers.check_names(report);
    let mut text = format!("{HEADER}\nimport * as $ from \"./pack-runtime.js\";\n");
    for (index, packed) in plan.iter().enumerate() {
        text.push('\n');
        text.push_str(&match &packed.body {
            PackedBody::Object(object) => packers.object(packed, object),
            PackedBody::Raw(raw) => packers.raw(packed, &Wire::Named(PackedId(index as u32)), raw),
            PackedBody::Enum { of, .. } => packers.enumeration(packed, of),
            PackedBody::Union(cases) => packers.union(packed, cases),
        });
    }
    let runtime = [
        HEADER,
        "// What packers are made of: `pack.ts` has the types.\n\n",
        include_str!("runtime/error.ts.in"),
        include_str!("runtime/writer.ts.in"),
        include_str!("runtime/reader.ts.in"),
        include_str!("runtime/values.ts.in"),
    ];
    vec![File::new("pack.ts", text), File::new("pack-runtime.ts", repeated(&runtime.concat()))]
}

impl Packers<'_> {
    fn name(&self, id: PackedId) -> String {
        self.name_of(&self.plan.packed(id).name)
    }

    fn name_of(&self, name: &str) -> String {
        if OURS.contains(&name) { format!("{name}_") } else { (self.settings.spelling.type_name)(name) }
    }

    fn member(&self, slot: &Slot) -> String {
        (self.settings.spelling.member)(&slot.name)
    }

    fn check_names(&self, report: &mut dyn Report) {
        let names = |packed: &Packed| {
            let name = self.name_of(&packed.name);
            let values = matches!(packed.body, PackedBody::Enum { .. })
                .then(|| (format!("{name}_VALUES"), format!("the values of {name}")));
            [(name, packed.name.clone())].into_iter().chain(values).collect()
        };
        lines::check_names(self.plan, "TypeScript", report, names, |slot| self.member(slot));
    }
}
