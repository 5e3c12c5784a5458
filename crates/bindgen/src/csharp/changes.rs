//! The static constructor of the plain functions' class, which asks the library whether it is still the same.

use super::cx::Cx;
use super::functions::import;
use super::text::{Text, quoted};
use crate::model::{Function, Linkage};

/// Writes it, if anything is known of what the library exports.
pub(super) fn write(cx: &Cx, functions: &[&Function], text: &mut Text) {
    let lines = cx.api.fingerprints_of(functions);
    let Some((last, lines)) = lines.split_last() else { return };
    text.blank();
    text.docs("What each function of the library takes and gives, in short.");
    text.line("private const string __Expected =");
    for line in lines {
        text.line(format!("    {} +", quoted(&format!("{line}\n"))));
    }
    text.line(format!("    {};", quoted(&format!("{last}\n"))));
    text.blank();
    text.line(import(cx, Linkage::Library, "upcall_changes"));
    let size = "global::System.UIntPtr";
    text.line(format!(
        "private static extern {size} __upcall_changes(byte* expected, {size} length, byte* message, {size} room);"
    ));
    text.blank();
    text.line(include_str!("changes.in").trim_end().replace("CLASS", &cx.options.class));
}
