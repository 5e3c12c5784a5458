//! The check program.

mod literal;
mod read;

use super::kind::typed_array;
use super::loose::Loose;
use super::names::{function, global, member, quoted, variant};
use super::{HEADER, Options, generate};
use crate::check::{AFTER, BEFORE, Echo, MISMATCH, Probe};
use crate::hex::hex;
use crate::model::{Api, Body, Ty};
use crate::plan::Kind;
use crate::{Diagnostics, File};
use read::Place;
use std::fmt::Write as _;
use std::path::Path;

/// `check.ts`, which compares the layout of every type with the measured one, reads every scalar through the
/// generated accessors, and passes every type through the echo library of `api`; and the package of that
/// library's bindings, in the folder `upcall_echo`. Its addon must have been built (`upcall_echo/glue`) and
/// copied there as `upcall_echo.node`; the library must lie there too, or be named by `UPCALL_ECHO_LIBRARY`.
#[must_use]
pub fn program(api: &Api, options: &Options) -> Vec<File> {
    of(&Echo::new(api), options)
}

/// The same for an existing echo library.
pub(crate) fn of(echo: &Echo, options: &Options) -> Vec<File> {
    let options = Options { package: "upcall_echo".into(), ..options.clone() };
    let mut files = generate(&echo.api, &options, &mut Diagnostics::default());
    for file in &mut files {
        file.path = Path::new("upcall_echo").join(&file.path);
    }
    let program = Program { api: &echo.api, options: &options, loose: Loose::new(&echo.api) };
    let support = include_str!("support.ts").replace("MISMATCH", &program.function(MISMATCH));
    let mut text = format!("{HEADER}import * as echo from \"./upcall_echo\";\n{support}");
    for probe in &echo.probes {
        let _ = writeln!(text, "\nchecked({}, (type) => {{", quoted(&probe.name));
        match &echo.api.get(probe.ty).body {
            Body::Enum(_) | Body::Flags(_) => program.number(probe, &mut text),
            _ => program.record(probe, &mut text),
        }
        text.push_str("});\n");
    }
    let count = echo.probes.len();
    let _ =
        write!(text, "\nconsole.log(\"checked {count} types\");\nprocess.exitCode = wrong === 0 ? 0 : 1;\n");
    files.push(File::new("check.ts", text));
    files
}

struct Program<'a> {
    api: &'a Api,
    options: &'a Options,
    loose: Loose,
}

impl<'a> Program<'a> {
    /// The name of a function of the library.
    fn function(&self, name: &str) -> String {
        let found = self.api.functions.iter().find(|function| function.name == name);
        found.map_or_else(|| name.to_owned(), |found| function(self.options, found))
    }

    /// An enum or a set of flags.
    fn number(&self, probe: &Probe, text: &mut String) {
        let ty = Ty::Named(probe.ty);
        let [sent, returned] = [&probe.sent, &probe.returned].map(|bytes| self.literal(&ty, bytes));
        // A number that is not exact is an error, so its call would fail too.
        if let Some(by_value) = probe.by_value.as_ref().filter(|_| returned != "TOO_LARGE") {
            let call = format!("echo.{}({BEFORE}, {sent}, {AFTER:?})", self.function(by_value));
            let _ = writeln!(text, "  expect(type, \"returned by value\", {returned}, {call});");
            text.push_str("  seen(type, \"passed by value\");\n");
        }
        let by_pointer = self.function(&probe.by_pointer);
        // To the compiler, the addresses of the bytes do not have this type.
        let (array, suffix) = match typed_array(Kind::of(self.api, &ty)) {
            Some((array, _)) => (array, ""),
            None => ("Uint8Array", ") as never"),
        };
        let address = if suffix.is_empty() { "" } else { "echo.addressOf(" };
        let _ = write!(
            text,
            "  const [sent, found] = [new {array}({}.buffer), new {array}({})];\n  \
             echo.{by_pointer}({address}sent{suffix}, {address}found{suffix});\n  \
             seen(type, \"passed by pointer\");\n  \
             same(type, \"written through a pointer\", new Uint8Array(found.buffer), {}, {});\n",
            image(&probe.sent),
            if suffix.is_empty() { 1 } else { probe.layout.size },
            image(&probe.returned),
            image(&probe.returned_mask)
        );
    }

    /// A class over memory.
    fn record(&self, probe: &Probe, text: &mut String) {
        let declared = self.api.get(probe.ty);
        let class = format!("echo.{}", global(&declared.name));
        let (size, align) = (probe.layout.size, probe.layout.align);
        let names: Vec<String> = match &declared.body {
            Body::Tagged(tagged) => {
                let of = tagged.variants.iter().map(|of| (variant(&of.name), of.value));
                of.map(|(name, value)| format!("{}: {value}", quoted(&name))).collect()
            }
            _ => {
                let of = probe.fields.iter().map(|(name, offset)| (member(self.options, name), offset));
                of.map(|(name, offset)| format!("{}: {offset}", quoted(&name))).collect()
            }
        };
        let _ = write!(
            text,
            "  layout(type, {class}, {size}, {align}, {{ {} }});\n  const two = {class}.array(2);\n  \
             neighbors(type, two.at(0), two.at(1), {size}, {align});\n  \
             const [value, found] = [new {class}(), new {class}()];\n  \
             const [sent, expected, mask] = [{}, {}, {}];\n  inside(value).set(sent);\n",
            names.join(", "),
            image(&probe.sent),
            image(&probe.returned),
            image(&probe.returned_mask)
        );
        let ty = Ty::Named(probe.ty);
        let place = |path, get| Place { path, get, offset: 0, loose: false };
        self.read(&ty, place("sent", "value"), &probe.sent, text);
        self.copy(probe, &class, text);
        if let Some(by_value) = &probe.by_value {
            let _ = write!(
                text,
                "  const returned = echo.{}({BEFORE}, value, {AFTER:?});\n  seen(type, \"passed by value\");\n  \
                 same(type, \"returned by value\", inside(returned), expected, mask);\n",
                self.function(by_value)
            );
        }
        let _ = write!(
            text,
            "  echo.{}(value, found);\n  seen(type, \"passed by pointer\");\n  \
             same(type, \"written through a pointer\", inside(found), expected, mask);\n",
            self.function(&probe.by_pointer)
        );
        self.read(&ty, place("returned", "found"), &probe.returned, text);
    }
}

/// The expression for bytes.
fn image(bytes: &[u8]) -> String {
    format!("bytes(\"{}\")", hex(bytes))
}
