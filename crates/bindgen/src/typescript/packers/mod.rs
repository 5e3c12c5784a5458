//! Packers: classes written and read in pack's wire form, without any native library.
//!
//! `pack.ts` has the types, `pack-runtime.ts` the code they share. Both are TypeScript, for the
//! program's own compiler or bundler, and need nothing but ES2020.

mod classes;
mod names;
mod read;
mod types;
mod write;

use super::{HEADER, Options};
use crate::model::{Api, PackedBody, Wire};
use crate::{Diagnostics, File, packers};
use std::cell::RefCell;

/// The types of an API and how they are shown.
struct Packers<'a> {
    api: &'a Api,
    options: &'a Options,
    /// The member that is being written, as errors name it.
    place: RefCell<String>,
}

/// The files; none for an API without packed types.
pub(super) fn files(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    if api.packed.is_empty() {
        return Vec::new();
    }
    let api =
        &packers::without(api, "TypeScript", diagnostics, |packed| packers::brotli(packed, "TypeScript"));
    let packers = Packers { api, options, place: RefCell::default() };
    packers.check_names(diagnostics);
    let mut text = format!("{HEADER}\nimport * as $ from \"./pack-runtime.js\";\n");
    for packed in &api.packed {
        text.push('\n');
        text.push_str(&match &packed.body {
            PackedBody::Object(object) => packers.object(packed, object),
            PackedBody::Raw(raw) => packers.raw(packed, raw),
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
    vec![File::new("pack.ts", text), File::new("pack-runtime.ts", runtime.concat())]
}

/// A function of one parameter (and the writer or reader) made of statements.
fn arrow(params: &str, statements: &[String]) -> String {
    match statements {
        [one] if !one.starts_with("if ") => format!("({params}) => {one}"),
        many => {
            let text: Vec<String> = many.iter().map(|one| ended(one)).collect();
            format!("({params}) => {{ {} }}", text.join(" "))
        }
    }
}

/// A statement with its semicolon.
fn ended(statement: &str) -> String {
    if statement.ends_with('}') { statement.to_owned() } else { format!("{statement};") }
}

/// The array class for adjacent numbers, if they have one.
fn number_array(of: &Wire) -> Option<&'static str> {
    use crate::model::{Float, Int};
    Some(match of {
        Wire::Int(Int::U8) => "Uint8Array",
        Wire::Int(Int::I8) => "Int8Array",
        Wire::Int(Int::U16) => "Uint16Array",
        Wire::Int(Int::I16) => "Int16Array",
        Wire::Int(Int::U32) => "Uint32Array",
        Wire::Int(Int::I32) => "Int32Array",
        Wire::Int(Int::U64 | Int::Usize) => "BigUint64Array",
        Wire::Int(Int::I64 | Int::Isize) => "BigInt64Array",
        Wire::Float(Float::F32) => "Float32Array",
        Wire::Float(Float::F64) => "Float64Array",
        _ => return None,
    })
}
