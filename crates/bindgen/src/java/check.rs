//! A Java program that passes every type through the echo library of [`crate::check`].

use super::call::Outcome;
use super::classes;
use super::lines::{Lines, literal};
use super::surface::{Java, Kind};
use super::{Options, names::package_name};
use crate::check::{AFTER, BEFORE, Echo, Probe};
use crate::hex::hex;
use crate::model::{Api, Body, Field, Record, Ty};
use crate::{Diagnostics, File};
use std::collections::BTreeMap;

/// Types per class.
const MOST: usize = 300;

/// The class to run, in the package of the options, or in `upcall_echo`.
pub const MAIN: &str = "Check";

/// The bindings of the echo library for the types of `api`, and the program, whose class is [`MAIN`]. It takes
/// the library's file from the property `upcall_echo.library`. What Java cannot pass by value goes through
/// the library `upcall_echo_shim` beside it, made from the crate in `shim/`.
#[must_use]
pub fn program(api: &Api, options: &Options) -> Vec<File> {
    of(&Echo::new(api), options)
}

/// The same for an existing echo library.
pub(crate) fn of(echo: &Echo, options: &Options) -> Vec<File> {
    let package = options.package.clone().unwrap_or_else(|| package_name(&echo.api.library));
    // The echo library has none of the functions that release, and its program no module and no annotations.
    let options = Options {
        package: Some(package),
        class: Some("UpcallEcho".into()),
        released: BTreeMap::new(),
        module: None,
        jspecify: false,
        prefixes: Vec::new(),
        ..options.clone()
    };
    let mut files = classes::generate(&echo.api, &options, &mut Diagnostics::default());
    let Some(java) = classes::prepare(&echo.api, &options, &mut Diagnostics::default()) else {
        return files;
    };
    let parts: Vec<&[Probe]> = echo.probes.chunks(MOST).collect();
    for (index, probes) in parts.iter().enumerate() {
        let name = format!("{MAIN}Part{index}");
        let mut lines = java.file();
        lines.open(format!("final class {name}"));
        lines.open(format!("private {name}()"));
        lines.close();
        lines.blank();
        lines.open("static void all(Arena arena)");
        for (index, _) in probes.iter().enumerate() {
            lines.line(format!("check{index}(arena);"));
        }
        lines.close();
        for (index, probe) in probes.iter().enumerate() {
            lines.blank();
            lines.open(format!("private static void check{index}(Arena arena)"));
            java.write_probe(probe, &mut lines);
            lines.close();
        }
        lines.close();
        files.push(File::new(java.path(&name), lines.finish()));
    }
    let mut calls: String =
        (0..parts.len()).map(|index| format!("            {MAIN}Part{index}.all(arena);\n")).collect();
    if parts.is_empty() {
        // An unused arena causes a warning.
        calls.push_str("            String.valueOf(arena);\n");
    }
    let text = java.chosen(include_str!("runtime/Check.java"));
    let text = text.replace("@PACKAGE@", &java.package).replace("@TYPES@", &echo.probes.len().to_string());
    files.push(File::new(java.path(MAIN), text.replace("@CALLS@", &calls)));
    files.sort_by(|one, two| one.path.cmp(&two.path));
    files
}

impl<'a> Java<'a> {
    fn write_probe(&self, probe: &Probe, lines: &mut Lines) {
        let declared = self.api.get(probe.ty);
        let layout = probe.layout;
        lines.line(format!("String type = {};", literal(&probe.name)));
        lines.line(format!("byte[] sentBytes = Check.bytes(\"{}\");", hex(&probe.sent)));
        lines.line(format!("byte[] sentMask = Check.bytes(\"{}\");", hex(&probe.mask)));
        lines.line(format!("byte[] expected = Check.bytes(\"{}\");", hex(&probe.returned)));
        lines.line(format!("byte[] mask = Check.bytes(\"{}\");", hex(&probe.returned_mask)));
        let given = match probe.bitfields(self.api).next() {
            Some(_) => format!("Check.bytes(\"{}\")", hex(&probe.without_bitfields(self.api))),
            None => "sentBytes".into(),
        };
        lines.line(format!("MemorySegment sent = Check.memory(arena, {given}, {}L);", layout.align));
        lines.line(format!("MemorySegment found = arena.allocate({}L, {}L);", layout.size, layout.align));
        if declared.body.is_record() {
            let class = self.class(probe.ty);
            lines.open(format!(
                "if (!Check.expect(type, \"size\", {}L, {class}.LAYOUT.byteSize()))",
                layout.size
            ));
            lines.line("return;");
            lines.close();
            lines.line(format!(
                "Check.expect(type, \"alignment\", {}L, {class}.LAYOUT.byteAlignment());",
                layout.align
            ));
            // JNI has no layouts: only its accessors can be checked.
            for (field, offset) in probe.fields.iter().filter(|_| !self.jni()) {
                lines.line(format!("Check.offset(type, {class}.LAYOUT, {}, {offset}L);", literal(field)));
            }
            if let Body::Struct(record) = &declared.body {
                self.write_bitfields(probe, lines);
                self.write_copy(probe, record, lines);
            }
        }
        if let Some(name) = &probe.by_value {
            self.write_by_value(name, probe, lines);
        }
        if let Some(function) = self.written_function(&probe.by_pointer) {
            lines.line("found.fill((byte) 0);");
            let object = |memory: &str| match self.api.get(probe.ty).body {
                Body::Struct(_) | Body::Union(_) | Body::Tagged(_) => {
                    format!("new {}({memory})", self.class(probe.ty))
                }
                _ => memory.to_owned(),
            };
            lines.line(format!("UpcallEcho.{function}({}, {});", object("sent"), object("found")));
            lines.line("Check.mismatch(type, \"passed by pointer\");");
            lines.line("Check.compare(type, \"written through a pointer\", expected, mask, found);");
            for (field, sent, returned) in probe.bitfields(self.api) {
                for (of, value) in [("sent", sent), ("found", returned)] {
                    let what = literal(&format!("bitfield {} of {of}", field.name));
                    let value = self.bit_literal(field, value);
                    let read =
                        format!("new {}({of}).{}()", self.class(probe.ty), self.accessor(probe.ty, field));
                    lines.line(format!("Check.expect(type, {what}, {value}, {read});"));
                }
            }
        }
    }

    /// Writes the bitfields into what is sent.
    fn write_bitfields(&self, probe: &Probe, lines: &mut Lines) {
        let class = self.class(probe.ty);
        for (field, sent, _) in probe.bitfields(self.api) {
            let value = self.bit_literal(field, sent);
            lines.line(format!("new {class}(sent).{}({value});", self.accessor(probe.ty, field)));
        }
    }

    /// A bitfield's value as its accessor has it.
    fn bit_literal(&self, field: &Field, value: i128) -> String {
        if field.bits.as_ref().is_some_and(|bits| *self.api.resolve(&bits.of) == Ty::Bool) {
            return (value != 0).to_string();
        }
        let long = self.api.layout(&field.ty).is_some_and(|unit| unit.size == 8);
        if long { format!("{}L", value as i64) } else { (value as i32).to_string() }
    }

    /// Reads every field of what is sent and writes it into another value: all into one, which must then have
    /// everything that counts, and each into an empty one, where it must be in its own place.
    fn write_copy(&self, probe: &Probe, record: &'a Record, lines: &mut Lines) {
        let class = self.class(probe.ty);
        let whole = record.fields.iter().all(|field| field.public);
        lines.line(format!("{class} from = new {class}(sent);"));
        lines.line(format!("{class} copy = {class}.allocate(arena);"));
        for field in record.fields.iter().filter(|field| field.public) {
            let name = self.accessor(probe.ty, field);
            let (indices, element) = self.indices(&field.ty);
            if matches!(self.kind(element), Kind::Nothing | Kind::Opaque) {
                continue;
            }
            let measured = probe.fields.iter().find(|(name, _)| *name == field.name);
            // Bitfields share their bytes.
            let place = measured.filter(|_| field.bits.is_none()).zip(self.api.layout(&field.ty));
            if place.is_some() {
                lines.line(format!("{class} alone_{name} = {class}.allocate(arena);"));
            }
            for (at, (len, _)) in indices.iter().enumerate() {
                lines.open(format!("for (long i{at} = 0L; i{at} < {len}L; i{at}++)"));
            }
            let places: Vec<String> = (0..indices.len()).map(|at| format!("i{at}")).collect();
            let read = format!("from.{name}({})", places.join(", "));
            let given = [places, vec![read]].concat().join(", ");
            lines.line(format!("copy.{name}({given});"));
            if place.is_some() {
                lines.line(format!("alone_{name}.{name}({given});"));
            }
            indices.iter().for_each(|_| lines.close());
            if let Some(((_, offset), layout)) = place {
                lines.line(format!(
                    "Check.place(type, {}, {offset}, {}, sentBytes, sentMask, alone_{name}.segment());",
                    literal(&field.name),
                    layout.size
                ));
            }
        }
        if whole {
            lines
                .line("Check.compare(type, \"copied field by field\", sentBytes, sentMask, copy.segment());");
        }
    }

    fn write_by_value(&self, name: &str, probe: &Probe, lines: &mut Lines) {
        let Some(function) = self.written_function(name) else {
            lines.line(
                "Check.wrong(type, \"passed by value\", \"a function\", \"none, as it cannot cross\");",
            );
            return;
        };
        let around = |value: &str| format!("{BEFORE}, {value}, {AFTER:?}");
        let Some(ty) = self.api.functions.iter().find(|function| function.name == name) else {
            return;
        };
        let ty: &Ty = &ty.signature.ret;
        match self.outcome(ty) {
            Outcome::Record(id) => {
                let class = self.class(id);
                let arguments = around(&format!("new {class}(sent)"));
                lines.line(format!("MemorySegment.copy(UpcallEcho.{function}(arena, {arguments}).segment(), 0L, found, 0L, {}L);", probe.layout.size));
            }
            Outcome::Scalar(_) | Outcome::Wide => {
                let Some((_, read)) = self.get(ty, "sent", "0L") else { return };
                let call = format!("UpcallEcho.{function}({})", around(&read));
                lines.line(self.set(ty, "found", "0L", &call));
            }
            // The address of a lone function looks different on either side.
            _ => return,
        }
        lines.line("Check.mismatch(type, \"passed by value\");");
        lines.line("Check.compare(type, \"returned by value\", expected, mask, found);");
    }

    fn written_function(&self, name: &str) -> Option<String> {
        self.written.contains(name).then(|| self.method_name(name))
    }
}
