//! The check program.

use super::classes::is_visible;
use super::kind::letter;
use super::names::{ident, literal, truth};
use super::package::HEADER;
use super::{Options, generate};
use crate::check::{AFTER, BEFORE, Echo, Probe};
use crate::hex::hex;
use crate::model::{Api, Body, Ty};
use crate::plan::{Kind, Number};
use crate::{Diagnostics, File};
use std::fmt::Write as _;

/// `check.py`, which compares the layout of every type with the measured one and passes every type through
/// the echo library of `api`, in both implementations; and the package of that library's bindings. Its
/// extension must have been built (`upcall_echo/glue`), and the library must lie in the package's folder or be
/// named by `UPCALL_ECHO_LIBRARY`.
///
/// Types that ctypes refuses to pass by value are listed on standard error and passed by pointer.
#[must_use]
pub fn program(api: &Api, options: &Options) -> Vec<File> {
    of(&Echo::new(api), options)
}

/// The same for an existing echo library.
pub(crate) fn of(echo: &Echo, options: &Options) -> Vec<File> {
    let options = Options { package: "upcall_echo".into(), ..options.clone() };
    let mut files = generate(&echo.api, &options, &mut Diagnostics::default());
    let mut text =
        format!("{HEADER}\"\"\"Compares every type of the library with what was measured.\"\"\"\n\n");
    let _ = write!(text, "BEFORE = {BEFORE}\nAFTER = {AFTER:?}\nSTRUCTS = [\n");
    let mut numbers = String::new();
    for probe in &echo.probes {
        match Kind::plain(&echo.api, &Ty::Named(probe.ty)) {
            Kind::Record(_) | Kind::Empty(_) => structure(&echo.api, probe, &mut text),
            kind @ Kind::Int(Number { bytes: size, signed, .. }) => {
                let letter = letter(&echo.api, kind).unwrap_or('B');
                let (signed, name) = (truth(signed), literal(echoed(probe)));
                let python = literal(&ident(&probe.name));
                let _ = writeln!(
                    numbers,
                    "    ({name}, {python}, {size}, {signed}, \"{letter}\", {}),",
                    images(probe)
                );
            }
            _ => {}
        }
    }
    let _ = write!(text, "]\nNUMBERS = [\n{numbers}]\n\n");
    text.push_str(include_str!("check.in.py"));
    files.push(File::new("check.py", text));
    files
}

fn structure(api: &Api, probe: &Probe, text: &mut String) {
    let (mut offsets, mut whole) = (Vec::new(), false);
    if let Body::Struct(record) | Body::Union(record) = &api.get(probe.ty).body {
        let fields: Vec<_> = record.fields.iter().filter(|field| is_visible(api, field)).collect();
        let values =
            record.fields.iter().filter(|field| api.layout(&field.ty).is_some_and(|layout| layout.size > 0));
        whole = matches!(api.get(probe.ty).body, Body::Struct(_)) && values.count() == fields.len();
        for field in fields {
            if let Some((name, offset)) = probe.fields.iter().find(|(name, _)| *name == field.name) {
                offsets.push(format!("{}: {offset}", literal(&ident(name))));
            }
        }
    }
    let (name, python, offsets) = (literal(echoed(probe)), literal(&ident(&probe.name)), offsets.join(", "));
    let bits: Vec<String> = probe
        .bitfields(api)
        .map(|(field, sent, returned)| {
            let is_bool = field.bits.as_ref().is_some_and(|bits| Kind::plain(api, &bits.of) == Kind::Bool);
            let of = |value: i128| if is_bool { truth(value != 0).to_owned() } else { value.to_string() };
            format!("{}: ({}, {})", literal(&ident(&field.name)), of(sent), of(returned))
        })
        .collect();
    let (bits, plain) = (bits.join(", "), hex(&probe.without_bitfields(api)));
    let (whole, by_value) = (truth(whole), truth(probe.by_value.is_some()));
    let (size, align) = (probe.layout.size, probe.layout.align);
    let _ = writeln!(
        text,
        "    ({name}, {python}, {size}, {align}, {{{offsets}}}, {whole}, {by_value}, {{{bits}}}, \"{plain}\", {}),",
        images(probe)
    );
}

/// A type's name in the echo library's functions.
fn echoed(probe: &Probe) -> &str {
    probe.by_pointer.strip_prefix("upcall_echo_pointer_").unwrap_or(&probe.name)
}

fn images(probe: &Probe) -> String {
    let images = [&probe.sent, &probe.mask, &probe.returned, &probe.returned_mask];
    images.map(|bytes| format!("\"{}\"", hex(bytes))).join(", ")
}
