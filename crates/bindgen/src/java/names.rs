//! Names in Java: lower camel case for names in snake case, the source's own otherwise.

use super::Options;
use crate::Diagnostics;
pub(super) use crate::case::capital;
use crate::case::{self, around};
use crate::model::{Api, Body};
use heck::{ToLowerCamelCase, ToShoutySnakeCase, ToUpperCamelCase};
use std::collections::{BTreeMap, HashMap};
use upcall_packers::Scope;

/// Words that no identifier may be.
const KEYWORDS: &[&str] = &[
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
    "default", "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for",
    "goto", "if", "implements", "import", "instanceof", "int", "interface", "long", "native", "new", "null",
    "package", "private", "protected", "public", "return", "short", "static", "strictfp", "super", "switch",
    "synchronized", "this", "throw", "throws", "transient", "true", "try", "void", "volatile", "while", "_",
];

/// Methods that every object has.
const OBJECT: &[&str] =
    &["clone", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"];

/// Names that generated methods use for their own variables.
const LOCALS: &[&str] =
    &["allocator", "cell", "failed", "failure", "mark", "result", "returned", "scratch", "segment", "thrown"];

/// Type names that generated code uses with their usual meaning.
const TYPES: &[&str] = &[
    "AddressLayout",
    "Arena",
    "AssertionError",
    "AutoCloseable",
    "Boolean",
    "Byte",
    "ByteBuffer",
    "Character",
    "Class",
    "Cleaner",
    "Deprecated",
    "Double",
    "Error",
    "Exception",
    "Float",
    "FunctionDescriptor",
    "FunctionalInterface",
    "GroupLayout",
    "IllegalArgumentException",
    "IllegalStateException",
    "IndexOutOfBoundsException",
    "Int128",
    "Integer",
    "Kept",
    "Linker",
    "Long",
    "Math",
    "MemoryLayout",
    "MemorySegment",
    "MethodHandle",
    "MethodHandles",
    "MethodType",
    "Native",
    "NativeAt",
    "NativeBuffer",
    "NativeCalls",
    "NativeChanges",
    "NativeLibrary",
    "NativeLimits",
    "NativeCallback",
    "NativeException",
    "NativeHandle",
    "NativeMemory",
    "NativeKept",
    "NativeStubs",
    "NativeThrown",
    "NullPointerException",
    "Nullable",
    "Object",
    "Objects",
    "Override",
    "Record",
    "Runnable",
    "Reference",
    "ReflectiveOperationException",
    "RuntimeException",
    "SafeVarargs",
    "SegmentAllocator",
    "Short",
    "String",
    "SuppressWarnings",
    "SymbolLookup",
    "System",
    "Thread",
    "ThreadLocal",
    "Throwable",
    "UnsatisfiedLinkError",
    "UnsupportedOperationException",
    "ValueLayout",
    "VarHandle",
    "Void",
    "Whose",
    "WrongThreadException",
    "record",
    "sealed",
    "var",
    "yield",
];

/// The Java name of each type, and of the class with the functions.
pub(super) struct Names {
    pub types: Vec<String>,
    pub main: String,
    /// The exception of each error type.
    pub exceptions: BTreeMap<String, String>,
}

impl Names {
    pub fn new(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Names {
        let mut taken: HashMap<String, (String, &str)> = HashMap::new();
        let mut types = Vec::with_capacity(api.types.len());
        for declared in &api.types {
            let chosen = options.renamed.get(&declared.name).cloned();
            let mut name = chosen.unwrap_or_else(|| type_name(stripped(&declared.name, options)));
            if matches!(declared.body, Body::Alias(_)) {
                types.push(name);
                continue;
            }
            // Some file systems do not tell upper from lower case.
            while let Some((other, source)) = taken.get(&name.to_lowercase()) {
                if *other == name {
                    diagnostics.error(
                        Some(&declared.place),
                        format!("`{}` and `{source}` would both be the Java class `{name}`", declared.name),
                        "choose another Java name for one of them (`renamed`)",
                    );
                    break;
                }
                name.push('_');
            }
            taken.insert(name.to_lowercase(), (name.clone(), &declared.name));
            types.push(name);
        }
        let main = match &options.class {
            Some(class) => {
                if let Some((_, other)) = taken.get(&class.to_lowercase()) {
                    diagnostics.error(
                        None,
                        format!("the class `{class}` cannot hold the functions: `{other}` has its name"),
                        "give another name for the class",
                    );
                }
                class.clone()
            }
            None => {
                let name = type_name(&api.library.to_upper_camel_case());
                if taken.contains_key(&name.to_lowercase()) { format!("{name}Library") } else { name }
            }
        };
        let mut exceptions = BTreeMap::new();
        for error in api.errors() {
            let used = |name: &str| name == main || taken.contains_key(&name.to_lowercase());
            let name = apart(type_name(&format!("{error}Exception")), used);
            taken.insert(name.to_lowercase(), (name.clone(), error));
            exceptions.insert(error.to_owned(), name);
        }
        Names { types, main, exceptions }
    }
}

/// A name of the source without the prefix that the options take off.
pub(super) fn stripped<'n>(name: &'n str, options: &Options) -> &'n str {
    case::stripped(name, &options.prefixes)
}

/// The package of a library.
pub(super) fn package_name(library: &str) -> String {
    let letters = library.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_');
    let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    match name.chars().next() {
        None | Some('0'..='9') => format!("library{name}"),
        _ if KEYWORDS.contains(&name.as_str()) => format!("{name}_"),
        _ => name,
    }
}

/// A class.
pub(super) fn type_name(source: &str) -> String {
    let name = identifier(&around(source, words));
    if TYPES.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// The class for a part of something: for `fold`'s `step` it is `FoldStep`.
pub(super) fn part_name(owner: &str, part: &str) -> String {
    type_name(&[owner, part].map(|name| around(name, words)).concat())
}

fn words(source: &str) -> String {
    if source.chars().any(|letter| letter.is_uppercase()) {
        source.split('_').map(capital).collect()
    } else {
        source.to_upper_camel_case()
    }
}

/// A function or a field: `count_words` is `countWords`, `PxVec3_new_1` stays.
pub(super) fn member_name(source: &str) -> String {
    let name = identifier(&cased(source));
    if OBJECT.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// A parameter.
pub(super) fn param_name(source: &str) -> String {
    // In an expression a variable hides a class.
    let hides = |name: &str| TYPES.contains(&name) || name == type_name(source);
    apart(identifier(&cased(source)), |name| hides(name) || LOCALS.contains(&name))
}

/// A parameter's name that no earlier one has: changing the case may make two equal.
pub(super) fn apart(mut name: String, taken: impl Fn(&str) -> bool) -> String {
    while taken(&name) {
        name.push('_');
    }
    name
}

/// The constant of a variant: `NotFound` is `NOT_FOUND`.
pub(super) fn constant_name(source: &str) -> String {
    identifier(&source.to_shouty_snake_case())
}

/// A constant of the source, which already has the right case.
pub(super) fn kept_name(source: &str) -> String {
    identifier(source)
}

fn cased(source: &str) -> String {
    if source.chars().any(|letter| letter.is_uppercase()) {
        return source.to_owned();
    }
    around(source, |middle| middle.to_lower_camel_case())
}

fn identifier(name: &str) -> String {
    match name.chars().next() {
        None => "_unnamed".into(),
        Some('0'..='9') => format!("_{name}"),
        _ if KEYWORDS.contains(&name) => format!("{name}_"),
        _ => name.to_owned(),
    }
}

/// The names within one class.
pub(super) fn scope() -> Scope {
    Scope::new("Java", "choose another Java name for one of them (`renamed`)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_casing_of_java_or_their_own() {
        assert_eq!(member_name("count_words"), "countWords");
        assert_eq!(member_name("PxVec3_new_1"), "PxVec3_new_1");
        assert_eq!(member_name("wait"), "wait_");
        assert_eq!(member_name("gz_getc_"), "gzGetc_");
        assert_eq!(member_name("_"), "__");
        assert_eq!(member_name("0"), "_0");
        assert_eq!(param_name("class"), "class_");
        assert_eq!(param_name("result"), "result_");
        assert_eq!(type_name("my_point_t"), "MyPointT");
        assert_eq!(type_name("Slice_PxVec3"), "SlicePxVec3");
        assert_eq!(type_name("String"), "String_");
        assert_eq!(constant_name("NotFound"), "NOT_FOUND");
        assert_eq!(package_name("my-lib"), "mylib");
    }

    #[test]
    fn no_type_takes_the_name_of_a_class_of_the_run_time() {
        let runtime = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/java/runtime");
        for folder in [runtime.clone(), runtime.join("jni")] {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let class = path.file_stem().unwrap().to_str().unwrap();
                // The program of a check is in a package without other types.
                if path.is_file() && class != "Check" {
                    assert_eq!(type_name(class), format!("{class}_"));
                }
            }
        }
    }
}
