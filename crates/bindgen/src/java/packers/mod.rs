//! Packers: records and classes written and read in pack's wire form, in a package `pack` below that of
//! the bindings. They need Java 17 and nothing else, not even a native library.

mod classes;
mod parts;
mod read;
mod types;
mod unions;
mod write;

use super::Options;
use super::lines::Lines;
use super::names::package_name;
use crate::model::{Api, PackedBody, PackedId};
use crate::wire_names::Parts;
use crate::{Diagnostics, File};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

const IMPORTS: [&str; 15] = [
    "java.math.BigDecimal", "java.math.BigInteger", "java.nio.ByteBuffer", "java.time.Duration",
    "java.time.LocalDate", "java.time.LocalTime", "java.time.OffsetDateTime", "java.time.ZoneOffset",
    "java.util.AbstractMap", "java.util.LinkedHashMap", "java.util.LinkedHashSet", "java.util.List",
    "java.util.Map", "java.util.Set", "java.util.UUID",
];

/// The packed types of an API and how they are shown.
struct Packers<'a> {
    api: &'a Api,
    package: String,
    /// The name of each.
    names: Vec<String>,
    /// Parts that are written once and used by several.
    parts: RefCell<Parts>,
    /// The lengths of tuples.
    tuples: RefCell<BTreeSet<usize>>,
}

/// The files; none for an API without packed types.
pub(super) fn files(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    if api.packed.is_empty() {
        return Vec::new();
    }
    let api = &types::supported(api, diagnostics);
    let package = options.package.clone().unwrap_or_else(|| package_name(&api.library));
    let packers = Packers {
        api,
        package: format!("{package}.pack"),
        names: types::names(api, options, diagnostics),
        parts: Default::default(),
        tuples: Default::default(),
    };
    let mut files = Vec::new();
    for index in 0..api.packed.len() {
        let id = PackedId(index as u32);
        let mut lines = packers.file_head();
        match &api.packed(id).body {
            PackedBody::Object(object) => packers.object(id, object, &mut lines, diagnostics),
            PackedBody::Raw(raw) => packers.raw_struct(id, raw, &mut lines, diagnostics),
            PackedBody::Enum { of, .. } => packers.enumeration(id, of, &mut lines, diagnostics),
            PackedBody::Union(cases) => packers.union(id, cases, &mut lines, diagnostics),
        }
        files.push(packers.file(packers.name(id), lines.finish()));
    }
    let mut lines = packers.file_head();
    packers.write_parts(&mut lines);
    files.push(packers.file("Packers", lines.finish()));
    let runtime = [
        ("Pack", include_str!("runtime/Pack.java.in")),
        ("PackBytes", include_str!("runtime/PackBytes.java.in")),
        ("PackException", include_str!("runtime/PackException.java.in")),
        ("PackOptions", include_str!("runtime/PackOptions.java.in")),
        ("PackReader", include_str!("runtime/PackReader.java.in")),
        ("PackWriter", include_str!("runtime/PackWriter.java.in")),
    ];
    for (name, text) in runtime {
        let text = text.replace("TUPLES", &packers.tuple_records());
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

    fn file_head(&self) -> Lines {
        let mut lines = Lines::default();
        self.head().lines().for_each(|line| lines.line(line));
        IMPORTS.iter().for_each(|import| lines.line(format!("import {import};")));
        lines.blank();
        lines
    }

    fn file(&self, class: &str, text: String) -> File {
        File::new(PathBuf::from(self.package.replace('.', "/")).join(format!("{class}.java")), text)
    }

    /// The records of all tuples in use.
    fn tuple_records(&self) -> String {
        let mut text = String::new();
        for len in self.tuples.borrow().iter() {
            let (types, items): (Vec<String>, Vec<String>) =
                (1..=*len).map(|item| (format!("T{item}"), format!("T{item} item{item}"))).unzip();
            let mut params: Vec<String> =
                types.iter().map(|ty| format!("     * @param <{ty}> an item's type\n")).collect();
            params.extend((1..=*len).map(|item| format!("     * @param item{item} an item\n")));
            text.push_str(&format!(
                "\n    /**\n     * Items side by side.\n     *\n{}     */\n    public record Tuple{len}<{}>({}) {{\n    }}\n",
                params.concat(),
                types.join(", "),
                items.join(", ")
            ));
        }
        text
    }
}
