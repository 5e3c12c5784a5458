//! The C# program of the check.

use super::cx::Cx;
use super::file::generate;
use super::options::Options;
use super::structs;
use super::text::Text;
use crate::check::{AFTER, BEFORE, Echo, MISMATCH, Probe};
use crate::model::{Api, Ty};
use crate::{Diagnostics, File};

/// The parts of every program.
const SUPPORT: &str = include_str!("check.in");

/// A program that compares the layout of every type with the measured one, and passes every type through the
/// echo library of `api`: its source, the bindings of that library, and perhaps the crate of their shim
/// library (`upcall_echo_shim`), through which types go that C# cannot pass by value.
///
/// An alignment is compared with what the CLR gives the written struct: C# cannot ask for a larger one, and
/// whatever contains such a struct is laid out explicitly.
#[must_use]
pub fn program(api: &Api, options: &Options) -> Vec<File> {
    of(&Echo::new(api), options)
}

/// The same for an existing echo library.
pub(crate) fn of(echo: &Echo, options: &Options) -> Vec<File> {
    let options = Options {
        namespace: "UpcallCheck".into(),
        idiomatic_class: String::new(),
        accessibility: "internal".into(),
        // Only named fields have an offset.
        private_fields: true,
        file: options.file.clone(),
        rename: options.rename.clone(),
        function_pointers: options.function_pointers,
        nint: options.nint,
        marshal_bool: options.marshal_bool,
        c_long: options.c_long,
        // A probe's fields are called as in the source.
        dotnet_names: false,
        language: options.language,
        ..Options::default()
    };
    // Errors in the types are reported when the bindings themselves are written.
    let mut diagnostics = Diagnostics::default();
    let mut files = generate(&echo.api, &options, &mut diagnostics);
    let cx = Cx::new(&echo.api, &options, &mut diagnostics);
    let mut text = Text::default();
    text.line("// Made by upcall bindgen; do not edit.\n#nullable enable\nusing System;\n");
    text.open("namespace UpcallCheck");
    text.open("internal static unsafe class Program");
    text.open("private static int Main()");
    for index in 0..echo.probes.len() {
        text.line(format!("Type{index}();"));
    }
    text.line(format!("Console.WriteLine(\"checked {} types\");", echo.probes.len()));
    text.line("return wrong == 0 ? 0 : 1;");
    text.close();
    for (index, probe) in echo.probes.iter().enumerate() {
        one(&cx, index, probe, &mut text);
    }
    text.blank();
    text.line(SUPPORT.replace("MISMATCH", MISMATCH));
    text.close();
    text.close();
    files.push(File::new("Program.cs", text.finish()));
    files
}

fn one(cx: &Cx, index: usize, probe: &Probe, text: &mut Text) {
    let (ty, name) = (Ty::Named(probe.ty), cx.name(probe.ty));
    let quoted = super::text::quoted(&probe.name);
    let list = |bytes: &[u8]| bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    text.blank();
    text.open(format!("private static void Type{index}()"));
    // Values of another size would overwrite what lies after them.
    text.line(format!("if (!Expect({quoted}, \"size\", {}, sizeof({name}))) return;", probe.layout.size));
    if let Some(clr) = cx.clr(&ty).filter(|clr| clr.certain) {
        text.line(format!(
            "Expect({quoted}, \"alignment\", {}, sizeof(Behind<{name}>) - sizeof({name}));",
            clr.align
        ));
    }
    text.line(format!("{name} value = default, back = default;"));
    for (field, offset, fixed) in structs::places(cx, probe.ty) {
        let address = if fixed { "" } else { "&" };
        let plain = field.trim_start_matches('@');
        // A `bool` is a byte with a property; a bitfield's storage has a name of its own.
        let named =
            |name: &str| plain.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest == "_byte");
        let measured = probe.fields.iter().find(|(name, _)| named(name));
        let offset = measured.map_or(offset, |(_, offset)| *offset);
        text.line(format!(
            "Expect({quoted}, \"offset of {plain}\", {offset}, (byte*){address}value.{field} - (byte*)&value);"
        ));
    }
    for (name, bytes) in [
        ("sent", &probe.without_bitfields(cx.api)),
        ("returned", &probe.returned),
        ("mask", &probe.returned_mask),
    ] {
        text.line(format!("ReadOnlySpan<byte> {name} = new byte[] {{ {} }};", list(bytes)));
    }
    text.line("Fill(&value, sent);");
    for (field, sent, _) in probe.bitfields(cx.api) {
        let Some((name, ty)) = structs::bit_property(cx, probe.ty, field) else { continue };
        text.line(format!("value.{name} = {};", bit_literal(&ty, sent)));
    }
    let class = &cx.options.class;
    let before = format!("{BEFORE}");
    let after = format!("{AFTER:?}");
    if let Some(function) = &probe.by_value {
        text.line(match cx.refuses(&ty) {
            true => format!("{class}.{function}({before}, &value, {after}, &back);"),
            false => format!("back = {class}.{function}({before}, value, {after});"),
        });
        text.line(format!("Answer({quoted}, \"by value\", &back, returned, mask);"));
        text.line("back = default;");
    }
    text.line(format!("{class}.{}(&value, &back);", probe.by_pointer));
    text.line(format!("Answer({quoted}, \"by pointer\", &back, returned, mask);"));
    for (field, sent, returned) in probe.bitfields(cx.api) {
        let Some((name, ty)) = structs::bit_property(cx, probe.ty, field) else { continue };
        for (of, value) in [("value", sent), ("back", returned)] {
            let value = bit_literal(&ty, value);
            text.line(format!("Same({quoted}, \"bitfield {} of {of}\", {value}, {of}.{name});", field.name));
        }
    }
    text.close();
}

/// A bitfield's value as its property has it.
fn bit_literal(ty: &str, value: i128) -> String {
    match ty {
        "bool" => (value != 0).to_string(),
        _ => format!("({ty})({value})"),
    }
}
