//! The C program of the check.

use super::names::Names;
use super::{Options, generate, values};
use crate::File;
use crate::check::{AFTER, BEFORE, Echo, MISMATCH, Probe};
use crate::diagnostics::Diagnostics;
use crate::model::{Api, Body, Field, Layout};

/// The parts of every program.
const SUPPORT: &str = include_str!("support.in");

/// A C program that passes every type through the echo library of `api`, which it is linked with: its source and
/// the header of that library.
#[must_use]
pub fn program(api: &Api, options: &Options) -> Vec<File> {
    of(&Echo::new(api), options)
}

/// The same for an existing echo library.
pub(crate) fn of(echo: &Echo, options: &Options) -> Vec<File> {
    let options = Options { assertions: true, helpers: true, ..options.clone() };
    // Errors in the types are reported when the header itself is written.
    let mut files = generate(&echo.api, &options, &mut Diagnostics::default());
    let names = Names::new(&echo.api, &options.prefix);
    let include = options.file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let mut text = format!("/* Made by upcall bindgen; do not edit. */\n#include \"{include}\"\n");
    text += &SUPPORT.replace("MISMATCH", MISMATCH);
    for (index, probe) in echo.probes.iter().enumerate() {
        text += &one(&echo.api, &names, index, probe);
    }
    text += "\nint main(void) {\n";
    for index in 0..echo.probes.len() {
        text += &format!("    type_{index}();\n");
    }
    text += &format!("    printf(\"checked {} types\\n\");\n    return wrong;\n}}\n", echo.probes.len());
    files.push(File::new(options.file.with_file_name("check.c"), text));
    files
}

/// The fields that `offsetof` takes, and their measured offsets.
fn named<'a>(api: &'a Api, probe: &'a Probe) -> impl Iterator<Item = (&'a str, u64)> {
    let fields: &[Field] = match &api.get(probe.ty).body {
        // A transparent one is a `typedef`.
        Body::Struct(record) | Body::Union(record) if !record.transparent => &record.fields,
        _ => &[],
    };
    let sized = |field: &&Field| api.layout(&field.ty).is_some_and(|layout| layout.size > 0);
    fields.iter().filter(|field| field.bits.is_none()).filter(sized).filter_map(|field| {
        let measured = probe.fields.iter().find(|(name, _)| *name == field.name)?;
        Some((field.name.as_str(), measured.1))
    })
}

/// A number of up to 64 bits; the smallest one has no sign.
fn literal(value: i128) -> String {
    match i64::try_from(value) {
        Ok(i64::MIN) => "INT64_MIN".into(),
        Ok(value) => format!("INT64_C({value})"),
        Err(_) => format!("UINT64_C({value})"),
    }
}

fn one(api: &Api, names: &Names, index: usize, probe: &Probe) -> String {
    let name = &names.ty(probe.ty);
    let quoted = values::quoted(probe.name.as_bytes());
    let bytes = |what: &str, bytes: &[u8]| {
        let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
        format!("    static const unsigned char {what}[] = {{{}}};\n", list.join(", "))
    };
    let Probe { by_value, by_pointer, .. } = probe;
    let mut text = format!("\nstatic void type_{index}(void) {{\n");
    let Layout { size, align } = probe.layout;
    text += &format!("    if (!expect({quoted}, \"size\", {size}, sizeof({name}))) return;\n");
    text += &format!("    expect({quoted}, \"alignment\", {align}, UPCALL_ALIGNOF({name}));\n");
    for (field, offset) in named(api, probe) {
        let shown = values::quoted(format!("offset of {field}").as_bytes());
        let field = names.inner(field);
        text += &format!("    expect({quoted}, {shown}, {offset}, offsetof({name}, {field}));\n");
    }
    // The type may share a name with one of these variables.
    text += &format!("    {name} value, back;\n");
    text += &bytes("sent", &probe.without_bitfields(api));
    text += &bytes("returned", &probe.returned);
    text += &bytes("mask", &probe.returned_mask);
    text += "    memcpy(&value, sent, sizeof value);\n";
    for (field, sent, _) in probe.bitfields(api) {
        let value = literal(sent);
        text += &format!("    {name}_set_{}(&value, {value});\n", names.inner(&field.name));
    }
    if let Some(by_value) = by_value {
        text += &format!(
            "    back = {by_value}({BEFORE}, value, {AFTER:?});
    answer({quoted}, \"by value\", &back, returned, mask, sizeof back);
"
        );
    }
    text += &format!(
        "    memset(&back, 0, sizeof back);
    {by_pointer}(&value, &back);
    answer({quoted}, \"by pointer\", &back, returned, mask, sizeof back);
"
    );
    for (field, sent, returned) in probe.bitfields(api) {
        let getter = format!("{name}_get_{}", names.inner(&field.name));
        for (of, value) in [("value", sent), ("back", returned)] {
            let shown = values::quoted(format!("bitfield {} of {of}", field.name).as_bytes());
            let value = literal(value);
            text += &format!("    expect({quoted}, {shown}, (size_t){value}, (size_t){getter}(&{of}));\n");
        }
    }
    text + "}\n"
}
