use crate::case::capitals;
use upcall_packers::Scope;

/// The words that need an `@` before them.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const",
    "continue", "decimal", "default", "delegate", "do", "double", "else", "enum", "event", "explicit",
    "extern", "false", "finally", "fixed", "float", "for", "foreach", "goto", "if", "implicit", "in", "int",
    "interface", "internal", "is", "lock", "long", "namespace", "new", "null", "object", "operator", "out",
    "override", "params", "private", "protected", "public", "readonly", "ref", "return", "sbyte", "sealed",
    "short", "sizeof", "stackalloc", "static", "string", "struct", "switch", "this", "throw", "true", "try",
    "typeof", "uint", "ulong", "unchecked", "unsafe", "ushort", "using", "virtual", "void", "volatile",
    "while", // No type may be called so since C# 9, 10 and 11.
    "record", "required", "scoped", "file", "nint", "nuint",
];

/// A name that C# takes.
pub(super) fn escaped(name: &str) -> String {
    let name = match name.as_bytes().first() {
        Some(first) if first.is_ascii_digit() => format!("_{name}"),
        None => "_".into(),
        _ => name.to_owned(),
    };
    if KEYWORDS.contains(&name.as_str()) { format!("@{name}") } else { name }
}

/// The name of a member of `class`, which it cannot share.
pub(super) fn beside(name: String, class: &str) -> String {
    if name == class { format!("{name}_") } else { name }
}

/// A type's name. These words lose their meaning in C# where a type is named like one.
pub(super) fn type_name(name: &str) -> String {
    match name {
        "dynamic" | "nint" | "notnull" | "nuint" | "unmanaged" | "var" => format!("{name}_"),
        _ => escaped(name),
    }
}

/// A field's name: `Item1` for the field `0`.
pub(super) fn field(name: &str) -> String {
    match name.parse::<u32>() {
        Ok(index) => format!("Item{}", index + 1),
        Err(_) => escaped(name),
    }
}

/// `counter_add` is `CounterAdd`, `PxVec3_new_1` is `PxVec3New1`.
pub(super) fn pascal(name: &str) -> String {
    let mut pascal = capitals(name);
    if pascal.is_empty() || pascal.starts_with(|first: char| first.is_ascii_digit()) {
        pascal.insert(0, '_');
    }
    pascal
}

/// A member as .NET names it: `value_len` is `ValueLen`, `NO_ITEM` is `NoItem`.
pub(super) fn member(name: &str) -> String {
    if name.parse::<u32>().is_ok() {
        return field(name);
    }
    let shouted = !name.contains(char::is_lowercase);
    pascal(&if shouted { name.to_lowercase() } else { name.to_owned() })
}

/// `by_value` is `byValue`.
pub(super) fn camel(name: &str) -> String {
    let mut letters = name.trim_start_matches('_').chars();
    let lowered: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
    let camel = pascal(&format!("X{lowered}{}", letters.as_str()));
    escaped(if camel.len() > 1 { &camel[1..] } else { name })
}

/// An empty scope.
pub(super) fn scope() -> Scope {
    Scope::new("C#", "rename one of them; types also with the option `rename`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cased_and_escaped() {
        assert_eq!(pascal("counter_add"), "CounterAdd");
        assert_eq!(pascal("PxVec3_new_1"), "PxVec3New1");
        assert_eq!(pascal("a_1_2"), "A1_2");
        assert_eq!(camel("by_value"), "byValue");
        assert_eq!(camel("_in"), "@in");
        assert_eq!(field("0"), "Item1");
        assert_eq!(escaped("event"), "@event");
        assert_eq!(member("value_len"), "ValueLen");
        assert_eq!(member("NO_ITEM"), "NoItem");
    }
}
