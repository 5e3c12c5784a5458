//! `_changes.py`: what ctypes asks the library when it is loaded. The extension's glue asks itself.

use super::names::literal;
use super::package::HEADER;
use crate::model::{Api, Function};

const BODY: &str = include_str!("fallback/changes.py");

pub(super) fn module(api: &Api, functions: &[&Function]) -> String {
    let lines = api.fingerprints_of(functions);
    let lines: String = lines.iter().map(|line| format!("    {}\n", literal(&format!("{line}\n")))).collect();
    let expected = if lines.is_empty() { "\"\"".to_owned() } else { format!("(\n{lines})") };
    format!(
        "{HEADER}\"\"\"Whether the library is still the one that these bindings were made from.\"\"\"\n\nimport ctypes\n\n\
         # What each of its functions takes and gives, in short.\nEXPECTED = {expected}.encode()\n{BODY}"
    )
}
