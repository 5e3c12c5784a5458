//! The C program of the check.

use super::names::Names;
use super::{Options, generate, values};
use crate::check::{AFTER, BEFORE, Echo, MISMATCH, Probe};
use crate::diagnostics::Diagnostics;
use crate::model::Api;
use crate::output::File;

/// The parts of every program.
const SUPPORT: &str = include_str!("support.in");

/// A C program, to be linked with the echo library of `api`, that passes every type through it: its source and
/// the header of that library. Sizes, alignments and offsets are compared when it is compiled.
pub fn program(api: &Api, options: &Options) -> Vec<File> {
    let echo = Echo::new(api);
    let options = Options { assertions: true, ..options.clone() };
    // What is wrong with the types is reported when the header itself is written.
    let mut files = generate(&echo.api, &options, &mut Diagnostics::default());
    let names = Names::new(&echo.api, &options.prefix);
    let include = options.file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let mut text = format!("/* Made by upcall bindgen; do not edit. */\n#include \"{include}\"\n");
    text += &SUPPORT.replace("MISMATCH", MISMATCH);
    for (index, probe) in echo.probes.iter().enumerate() {
        text += &one(index, probe, &names.ty(probe.ty));
    }
    text += "\nint main(void) {\n";
    for index in 0..echo.probes.len() {
        text += &format!("    type_{index}();\n");
    }
    text += &format!("    printf(\"checked {} types\\n\");\n    return wrong;\n}}\n", echo.probes.len());
    files.push(File::new(options.file.with_file_name("check.c"), text));
    files
}

fn one(index: usize, probe: &Probe, name: &str) -> String {
    let quoted = values::quoted(probe.name.as_bytes());
    let bytes = |what: &str, bytes: &[u8]| {
        let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
        format!("    static const unsigned char {what}[] = {{{}}};\n", list.join(", "))
    };
    let Probe { by_value, by_pointer, .. } = probe;
    let mut text = format!("\nstatic void type_{index}(void) {{\n");
    text += &bytes("sent", &probe.sent);
    text += &bytes("returned", &probe.returned);
    text += &bytes("mask", &probe.returned_mask);
    text += &format!("    {name} value, back;\n    memcpy(&value, sent, sizeof value);\n");
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
}}
"
    );
    text
}
