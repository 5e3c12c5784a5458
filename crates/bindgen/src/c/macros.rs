//! `#define`s as constants: clang computes each as the value of a variable.

use super::clang::{Cursor, Evaluated, Unit, raw};
use super::functions::constant_of;
use super::reader::{MAIN, Reader};
use crate::model::{Constant, Place};
use std::collections::{HashMap, HashSet};

/// Prefix of each variable's name; the macro's name follows.
const PREFIX: &str = "upcall_macro_";

/// The same for a variable that is 1 if the macro is one expression: `1, 2` is a list of two.
const ONE: &str = "upcall_expression_";

/// Words that an expression may contain; a macro with any other keyword is not a constant.
const KEYWORDS_OF_EXPRESSIONS: [&str; 16] = [
    "sizeof", "_Alignof", "_Bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
    "const", "void", "struct", "union", "enum",
];

const OTHER_KEYWORDS: [&str; 39] = [
    "auto", "break", "case", "continue", "default", "do", "else", "extern", "for", "goto", "if", "inline",
    "register", "restrict", "return", "static", "switch", "typedef", "volatile", "while", "_Alignas",
    "_Atomic", "_Complex", "_Generic", "_Imaginary", "_Noreturn", "_Static_assert", "_Thread_local", "asm",
    "__asm__", "__asm", "__attribute__", "__declspec", "__extension__", "__inline", "__inline__",
    "__restrict", "__volatile__", "__thread",
];

/// The constants that the headers define, in order.
pub fn read(reader: &Reader<'_, '_>, source: &str, arguments: &[String]) -> Vec<Constant> {
    let macros = candidates(reader);
    if macros.is_empty() {
        return Vec::new();
    }
    let mut text = source.to_owned();
    for (name, _) in &macros {
        text += &format!("static const __auto_type {PREFIX}{name} = {name};\n");
        text += &format!("static const int {ONE}{name} = __builtin_choose_expr(1, 1, {name});\n");
    }
    // A macro that is not an expression is an error there, and not a constant.
    let Ok(unit) = Unit::parse(MAIN, &text, arguments) else { return Vec::new() };
    let variables: HashMap<String, Cursor<'_>> = unit
        .root()
        .children()
        .into_iter()
        .filter(|item| item.kind() == raw::CXCursor_VarDecl && item.in_main_file())
        .filter_map(|item| Some((item.name()?, item)))
        .collect();
    let constant = |(name, place): (String, Place)| {
        let one = variables.get(&format!("{ONE}{name}"))?;
        one.evaluate().filter(|value| matches!(value, Evaluated::Int(1)))?;
        let variable = variables.get(&format!("{PREFIX}{name}"))?;
        let (ty, value) = constant_of(variable.ty(), variable.evaluate()?)?;
        Some(Constant { name, path: Vec::new(), ty, value, docs: String::new(), place })
    };
    macros.into_iter().filter_map(constant).collect()
}

fn candidates(reader: &Reader<'_, '_>) -> Vec<(String, Place)> {
    let constants: HashSet<&str> =
        reader.api.constants.iter().map(|constant| constant.name.as_str()).collect();
    let mut list: Vec<(String, Place)> = Vec::new();
    for item in reader.unit.root().children() {
        if item.kind() != raw::CXCursor_MacroDefinition
            || item.in_main_file()
            || item.is_macro_without_value()
        {
            continue;
        }
        let (Some(name), place) = (item.name(), item.place()) else { continue };
        let reserved = is_reserved(&name) && reader.input.allow.is_empty();
        let known = constants.contains(name.as_str());
        if place.line == 0 || reserved || known || !reader.filter.takes(&name, item.in_system_header()) {
            continue;
        }
        let tokens = reader.unit.tokens(item);
        // `#define RED RED` only says that an enumerator or a variable of that name exists.
        let names_itself = tokens.len() == 2 && tokens[0] == tokens[1];
        if tokens.len() > 1 && !names_itself && tokens[1..].iter().all(|token| may_be_in_an_expression(token))
        {
            list.push((name, place));
        }
    }
    // The last definition wins.
    let mut seen = HashSet::new();
    let mut last: Vec<_> = list.into_iter().rev().filter(|(name, _)| seen.insert(name.clone())).collect();
    last.reverse();
    last
}

/// Whether the name belongs to compilers and their libraries, which switch features with such macros.
fn is_reserved(name: &str) -> bool {
    name.strip_prefix('_')
        .is_some_and(|rest| rest.starts_with(|next: char| next == '_' || next.is_ascii_uppercase()))
}

fn may_be_in_an_expression(token: &str) -> bool {
    KEYWORDS_OF_EXPRESSIONS.contains(&token)
        || !OTHER_KEYWORDS.contains(&token) && !["{", "}", ";", "#", "##", "...", "="].contains(&token)
}
