//! `#define`s as constants: clang computes each as the value of a variable.

use super::clang::{Cursor, Evaluated, Unit, raw};
use super::functions::constant_of;
use super::reader::{MAIN, Reader};
use super::texts;
use crate::model::{Constant, Place, Ty, Value};
use std::collections::{HashMap, HashSet};

/// Prefix of each variable's name; the macro's name follows.
const PREFIX: &str = "upcall_macro_";

/// The same for a variable that is 1 if the macro is one expression: `1, 2` is a list of two.
const ONE: &str = "upcall_expression_";

/// The same for the size of a text.
const SIZE: &str = "upcall_size_";

/// The same for what a pointer is as a number: `((void (*)(void *))-1)`, as some functions take it.
const ADDRESS: &str = "upcall_address_";

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
pub fn read(reader: &mut Reader<'_, '_>, source: &str, arguments: &[String]) -> Vec<Constant> {
    let macros = candidates(reader);
    if macros.is_empty() {
        return Vec::new();
    }
    let mut text = source.to_owned();
    for Candidate { name, is_text, .. } in &macros {
        if *is_text {
            text += &format!("static const unsigned long {SIZE}{name} = {};\n", texts::size_of(name));
        }
        text += &format!("static const __auto_type {PREFIX}{name} = {name};\n");
        text += &format!("static const __UINTPTR_TYPE__ {ADDRESS}{name} = (__UINTPTR_TYPE__)({name});\n");
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
    let mut sizes = HashMap::new();
    for Candidate { name, .. } in macros.iter().filter(|candidate| candidate.is_text) {
        let size = variables.get(&format!("{SIZE}{name}")).and_then(|variable| variable.evaluate());
        if let Some(Evaluated::Int(size)) = size {
            sizes.insert(name.clone(), usize::try_from(size).unwrap_or(usize::MAX));
        }
    }
    let is_expression = |name: &str| {
        let one = variables.get(&format!("{ONE}{name}")).and_then(|variable| variable.evaluate());
        matches!(one, Some(Evaluated::Int(1)))
    };
    let value = |name: &str| {
        let variable = variables.get(&format!("{PREFIX}{name}"))?;
        if variable.ty().canonical().kind() == raw::CXType_Pointer
            && let Some(Evaluated::Int(address)) = variables.get(&format!("{ADDRESS}{name}"))?.evaluate()
        {
            // Of a function too: what it points to, no parameter asks for.
            return Some((Ty::pointer(Ty::Unit, true), Value::Int(address)));
        }
        constant_of(variable.ty(), variable.evaluate()?)
    };
    let mut constants = Vec::new();
    for Candidate { name, place, is_literal, .. } in macros {
        if !is_expression(&name) {
            continue;
        }
        match value(&name) {
            Some((ty, value)) => {
                constants.push(Constant { name, path: Vec::new(), ty, value, docs: String::new(), place });
            }
            // A call, or another name for a variable, is no constant.
            None if is_literal => {
                let message = format!(
                    "the constant `{name}` is left out: its value has no form that all languages have"
                );
                reader.diagnostics.warning(Some(&place), message, "");
            }
            None => {}
        }
    }
    texts::complete(&mut constants, &sizes, source, arguments, reader.diagnostics);
    constants
}

/// A macro that may be a constant.
struct Candidate {
    name: String,
    place: Place,
    /// Whether its value may be text.
    is_text: bool,
    /// Whether it is made of a literal, without a call.
    is_literal: bool,
}

fn candidates(reader: &Reader<'_, '_>) -> Vec<Candidate> {
    let constants: HashSet<&str> =
        reader.api.constants.iter().map(|constant| constant.name.as_str()).collect();
    let mut list: Vec<Candidate> = Vec::new();
    let mut with_text: HashSet<String> = HashSet::new();
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
            let is_text = tokens[1..].iter().any(|token| token.contains('"') || with_text.contains(token));
            if is_text {
                with_text.insert(name.clone());
            }
            let is_literal = is_literal(&tokens[1..]);
            list.push(Candidate { name, place, is_text, is_literal });
        }
    }
    // The last definition wins.
    let mut seen = HashSet::new();
    let mut last: Vec<_> = list.into_iter().rev().filter(|one| seen.insert(one.name.clone())).collect();
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

/// Whether there is a number, a letter or text in it, and nothing is called.
fn is_literal(tokens: &[String]) -> bool {
    let literal = |token: &String| {
        token.starts_with(|first: char| first.is_ascii_digit()) || token.ends_with(['"', '\''])
    };
    let is_name = |token: &str| token.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let call = |pair: &[String]| {
        pair[1] == "(" && is_name(&pair[0]) && !KEYWORDS_OF_EXPRESSIONS.contains(&pair[0].as_str())
    };
    tokens.iter().any(literal) && !tokens.windows(2).any(call)
}
