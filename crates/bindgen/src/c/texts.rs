//! Text with zeros in it, of which libclang gives what is before the first.

use super::clang::{Evaluated, Unit, raw};
use super::reader::MAIN;
use crate::diagnostics::Diagnostics;
use crate::model::{Constant, Value};
use std::collections::HashMap;

/// Prefix of the variables that are a text's bytes; its index, and the byte's, follow.
const BYTE: &str = "upcall_byte_";

/// Longer texts than this are not read byte by byte.
const LONGEST: usize = 1 << 14;

/// The size of a text as C counts it, if it is an array.
pub fn size_of(name: &str) -> String {
    format!("__builtin_types_compatible_p(__typeof__({name}), char[sizeof({name})]) ? sizeof({name}) : 0")
}

/// Completes the constants whose arrays are longer than what was read; `sizes` are theirs, by their names.
pub fn complete(
    constants: &mut Vec<Constant>,
    sizes: &HashMap<String, usize>,
    source: &str,
    arguments: &[String],
    diagnostics: &mut Diagnostics,
) {
    let beyond = |constant: &Constant| match &constant.value {
        Value::CStr(text) => {
            sizes.get(&constant.name).copied().filter(|size| size.saturating_sub(1) > text.len())
        }
        _ => None,
    };
    if !constants.iter().any(|constant| beyond(constant).is_some()) {
        return;
    }
    let mut text = source.to_owned();
    for (index, constant) in constants.iter().enumerate() {
        let name = &constant.name;
        for at in 0..beyond(constant).filter(|size| *size <= LONGEST).unwrap_or(0) {
            text += &format!("static const int {BYTE}{index}_{at} = ({name})[{at}];\n");
        }
    }
    let unit = Unit::parse(MAIN, &text, arguments).ok();
    let items = unit.as_ref().map(|unit| unit.root().children()).unwrap_or_default();
    let variables =
        items.into_iter().filter(|item| item.kind() == raw::CXCursor_VarDecl && item.in_main_file());
    let known: HashMap<String, u8> = variables
        .filter_map(|item| match (item.name()?, item.evaluate()?) {
            // A `char` may be negative.
            (name, Evaluated::Int(byte)) if name.starts_with(BYTE) => Some((name, byte as u8)),
            _ => None,
        })
        .collect();
    let mut index = 0;
    constants.retain_mut(|constant| {
        let Some(size) = beyond(constant) else {
            index += 1;
            return true;
        };
        let bytes: Option<Vec<u8>> =
            (0..size).map(|at| known.get(&format!("{BYTE}{index}_{at}")).copied()).collect();
        index += 1;
        match bytes {
            Some(mut bytes) => {
                // The zero that ends a literal is not part of it; an array of just its letters has none.
                if bytes.last() == Some(&0) {
                    bytes.pop();
                }
                constant.value = Value::CStr(bytes);
                true
            }
            None => {
                let message = format!(
                    "the constant `{}` is left out: what is behind the zeros in it is not known",
                    constant.name
                );
                diagnostics.warning(Some(&constant.place), message, "");
                false
            }
        }
    });
}
