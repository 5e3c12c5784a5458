//! Packers: records and classes written and read in pack's wire form, in a package `pack` below that of
//! the bindings. They need Java 17 and nothing else, not even a native library.

mod classes;
mod types;
mod values;

use crate::code::{Code, repeated};
use crate::functions::Functions;
use crate::plan::{PackedBody, PackedId, Plan};
use crate::{File, Report, Scope, Spelling};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const IMPORTS: [&str; 15] = [
    "java.math.BigDecimal", "java.math.BigInteger", "java.nio.ByteBuffer", "java.time.Duration",
    "java.time.LocalDate", "java.time.LocalTime", "java.time.OffsetDateTime", "java.time.ZoneOffset",
    "java.util.AbstractMap", "java.util.LinkedHashMap", "java.util.LinkedHashSet", "java.util.List",
    "java.util.Map", "java.util.Set", "java.util.UUID",
];

const RUNTIME: [(&str, &str); 6] = [
    ("Pack", include_str!("runtime/Pack.java.in")),
    ("PackBytes", include_str!("runtime/PackBytes.java.in")),
    ("PackException", include_str!("runtime/PackException.java.in")),
    ("PackOptions", include_str!("runtime/PackOptions.java.in")),
    ("PackReader", include_str!("runtime/PackReader.java.in")),
    ("PackWriter", include_str!("runtime/PackWriter.java.in")),
];

/// How the files are written.
pub struct Settings<'a> {
    /// How Java spells things.
    pub spelling: Spelling<'a>,
    /// The package of the bindings; that of the packers, `pack`, lies below it.
    pub package: &'a str,
    /// Names of types that were chosen, by their own.
    pub renamed: &'a BTreeMap<String, String>,
}

/// The packed types of an API and how they are shown.
struct Packers<'a> {
    plan: &'a Plan,
    spelling: &'a Spelling<'a>,
    package: String,
    /// The name of each.
    names: Vec<String>,
    /// Methods that are written once and used by several.
    functions: RefCell<Functions>,
    /// The lengths of tuples.
    tuples: RefCell<BTreeSet<usize>>,
}

/// The files; none without packed types.
pub fn files(plan: &Plan, settings: &Settings<'_>, report: &mut dyn Report) -> Vec<File> {
    if plan.is_empty() {
        return Vec::new();
    }
    let plan = &types::supported(plan, report);
    let packers = Packers {
        plan,
        spelling: &settings.spelling,
        package: format!("{}.pack", settings.package),
        names: types::names(plan, settings, report),
        functions: Default::default(),
        tuples: Default::default(),
    };
    let mut files = Vec::new();
    for (index, packed) in plan.iter().enumerate() {
        let id = PackedId(index as u32);
        let mut code = packers.file_head();
        code.add(match &packed.body {
            PackedBody::Object(object) => packers.object(id, object, report),
            PackedBody::Raw(raw) => packers.raw_struct(id, &raw.fields, report),
            PackedBody::Enum { of, .. } => packers.enumeration(id, of, report),
            PackedBody::Union(cases) => packers.union(id, cases, report),
        });
        files.push(packers.file(packers.name(id), code.finish()));
    }
    let mut code = packers.file_head();
    packers.write_functions(&mut code);
    files.push(packers.file("Packers", code.finish()));
    for (name, text) in RUNTIME {
        let text = repeated(text).replace("TUPLES", &packers.tuple_records());
        files.push(packers.file(name, format!("{}{text}", packers.head())));
    }
    files
}

impl Packers<'_> {
    /// A type's name.
    fn name(&self, id: PackedId) -> &str {
        &self.names[id.0 as usize]
    }

    fn head(&self) -> String {
        format!("// Made by upcall bindgen; do not edit.\npackage {};\n\n", self.package)
    }

    fn file_head(&self) -> Code {
        let mut code = Code::new("    ");
        let imports = IMPORTS.map(|import| format!("import {import};\n")).concat();
        code.add(format!("{}\n{imports}\n\n", self.head()));
        code
    }

    fn file(&self, class: &str, text: String) -> File {
        File::new(PathBuf::from(self.package.replace('.', "/")).join(format!("{class}.java")), text)
    }

    /// The records of all tuples in use.
    fn tuple_records(&self) -> String {
        let record = |len: &usize| {
            let each = |text: fn(usize) -> String| (1..=*len).map(text).collect::<Vec<_>>();
            format!(
                "\n    /**\n     * Items side by side.\n     *\n{}{}     */\n    public record Tuple{len}<{}>({}) {{\n    }}\n",
                each(|item| format!("     * @param <T{item}> an item's type\n")).concat(),
                each(|item| format!("     * @param item{item} an item\n")).concat(),
                each(|item| format!("T{item}")).join(", "),
                each(|item| format!("T{item} item{item}")).join(", ")
            )
        };
        self.tuples.borrow().iter().map(record).collect()
    }
}

fn scope() -> Scope {
    Scope::new("Java", "choose another Java name for one of them (`renamed`)")
}
