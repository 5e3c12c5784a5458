//! Names valid in both C and C++, each used once.

use crate::glue::ascii;
use crate::model::{Api, TypeId};
use std::collections::HashSet;
use upcall_packers::Scope;

/// Keywords of C23 and C++20, alternative tokens, and what the included headers define.
const TAKEN: &[&str] = &[
    // Of `<stdio.h>`, `<stdlib.h>` and `<math.h>`, which most programs include too.
    "BUFSIZ", "EOF", "EXIT_FAILURE", "EXIT_SUCCESS", "FILE", "FILENAME_MAX", "FOPEN_MAX", "HUGE_VAL",
    "INFINITY", "NAN", "RAND_MAX", "SEEK_CUR", "SEEK_END", "SEEK_SET", "TMP_MAX", "assert", "remove",
    "rename", "stderr", "stdin", "stdout", "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex",
    "_Generic", "_Imaginary", "_Noreturn", "_Static_assert", "_Thread_local", "alignas", "alignof", "and",
    "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char16_t",
    "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do",
    "double", "dynamic_cast", "else", "enum", "errno", "explicit", "export", "extern", "false", "float",
    "for", "friend", "goto", "if", "inline", "int", "int16_t", "int32_t", "int64_t", "int8_t", "intptr_t",
    "linux", "long", "max_align_t", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "nullptr_t", "NULL", "offsetof", "operator", "or", "or_eq", "private", "protected", "ptrdiff_t",
    "public", "register", "reinterpret_cast", "requires", "restrict", "return", "short", "signed", "size_t",
    "sizeof", "static", "static_assert", "static_cast", "std", "struct", "switch", "template", "this",
    "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "typeof_unqual",
    "uint16_t", "uint32_t", "uint64_t", "uint8_t", "uintptr_t", "union", "unix", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
];

/// `name` as an identifier of C and C++.
pub fn escape(name: &str) -> String {
    if TAKEN.contains(&name) {
        return format!("{name}_");
    }
    let mut escaped = ascii(name);
    if escaped.is_empty() || escaped.starts_with(|first: char| first.is_ascii_digit()) {
        escaped.insert(0, '_');
    }
    escaped
}

/// Whether C accepts `name` as it is.
pub fn is_plain(name: &str) -> bool {
    escape(name) == name
}

/// The names of one header.
pub struct Names {
    types: Vec<String>,
    type_names: HashSet<String>,
}

impl Names {
    pub fn new(api: &Api, prefix: &str) -> Names {
        let types: Vec<String> =
            api.types.iter().map(|declared| escape(&format!("{prefix}{}", declared.name))).collect();
        let type_names = types.iter().cloned().collect();
        Names { types, type_names }
    }

    pub fn ty(&self, id: TypeId) -> String {
        self.types[id.0 as usize].clone()
    }

    /// A field or a parameter. In C++ a field may not share a name with a type used in its struct, and in
    /// both languages a parameter hides a type that a later one needs.
    pub fn inner(&self, name: &str) -> String {
        let escaped = escape(name);
        if self.type_names.contains(&escaped) { format!("{escaped}_") } else { escaped }
    }
}

/// In C, all ordinary identifiers share one scope.
pub fn scope() -> Scope {
    Scope::new("the C header", "rename one of them, or give the types a prefix")
}
