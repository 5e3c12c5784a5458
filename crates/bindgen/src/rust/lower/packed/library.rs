//! Types of the standard library and of `upcall-pack`, by their names.

use crate::model::{Encoding, Known, ListKind, Wire};

/// The meaning of a path into a crate whose source is not read.
pub(super) enum Library {
    /// The whole type.
    Whole(Wire),
    /// Its only argument: `Box<T>`, `Ref<T>`.
    Inside,
    /// `Cow<str>`, `Cow<[T]>`.
    Cow,
    /// `Option<T>`.
    Option,
    /// A list of its first argument.
    List(ListKind),
    /// A map; whether it is sorted.
    Map(bool),
    /// A list of tuples of its two arguments.
    PriorityQueue,
    /// `Lookup<K, V>`.
    Lookup,
    /// `Grouping<K, V>`.
    Group,
    /// `Tuple<(A, B)>`.
    ClassTuple,
    /// `KeyValue<K, V>`.
    Pair,
    /// `Lazy<T>`.
    Lazy,
    /// An array of this many dimensions.
    Grid(u32),
}

/// A path, starting after its crate.
pub(super) fn external(path: &[String]) -> Option<Library> {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    match names[..] {
        ["std" | "core" | "alloc", .., name] => standard(name),
        ["upcall_pack", .., name] | ["upcall", "pack", .., name] => own(name),
        _ => None,
    }
}

/// The formatter of pack's own that a path, starting after its crate, names.
pub(super) fn formatter(path: &[String]) -> Option<&str> {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    match names[..] {
        ["upcall_pack", "with", name] | ["upcall", "pack", "with", name] => Some(name),
        _ => None,
    }
}

/// A name that needs no import.
pub(super) fn prelude(name: &str) -> Option<Library> {
    match name {
        "bool" => Some(Library::Whole(Wire::Bool)),
        "char" => Some(Library::Whole(Wire::Rune)),
        "f32" => Some(Library::Whole(Wire::Float(crate::model::Float::F32))),
        "f64" => Some(Library::Whole(Wire::Float(crate::model::Float::F64))),
        "str" => Some(Library::Whole(Wire::Text(Encoding::Chosen))),
        "Option" | "Box" | "String" | "Vec" => standard(name),
        _ => super::super::builtin::integer(name).map(|int| Library::Whole(Wire::Int(int))),
    }
}

fn standard(name: &str) -> Option<Library> {
    Some(match name {
        "String" => Library::Whole(Wire::Text(Encoding::Chosen)),
        "Box" | "Rc" | "Arc" => Library::Inside,
        "Cow" => Library::Cow,
        "Option" => Library::Option,
        "Vec" => Library::List(ListKind::List),
        "VecDeque" => Library::List(ListKind::Queue),
        "LinkedList" => Library::List(ListKind::LinkedList),
        "HashSet" => Library::List(ListKind::Set),
        "BTreeSet" => Library::List(ListKind::SortedSet),
        "HashMap" => Library::Map(false),
        "BTreeMap" => Library::Map(true),
        _ => return prelude(name),
    })
}

fn own(name: &str) -> Option<Library> {
    let known = |known| Library::Whole(Wire::Known(known));
    Some(match name {
        "Half" => known(Known::Half),
        "TimeSpan" => known(Known::TimeSpan),
        "DateTime" => known(Known::DateTime),
        "DateTimeOffset" => known(Known::DateTimeOffset),
        "DateOnly" => known(Known::DateOnly),
        "TimeOnly" => known(Known::TimeOnly),
        "Guid" => known(Known::Guid),
        "Decimal" => known(Known::Decimal),
        "Complex" => known(Known::Complex),
        "Index" => known(Known::Index),
        "Range" => known(Known::Range),
        "Utf16Char" => Library::Whole(Wire::Char),
        "Uri" => Library::Whole(Wire::Uri),
        "StringBuilder" => Library::Whole(Wire::Builder),
        "Version" => Library::Whole(Wire::Version),
        "BigInteger" => Library::Whole(Wire::BigInteger),
        "BitArray" => Library::Whole(Wire::BitArray),
        "Ref" | "Graph" => Library::Inside,
        "Items" => Library::List(ListKind::List),
        "Stack" => Library::List(ListKind::Stack),
        "PriorityQueue" => Library::PriorityQueue,
        "Lookup" => Library::Lookup,
        "Grouping" => Library::Group,
        "Tuple" => Library::ClassTuple,
        "KeyValue" => Library::Pair,
        "Lazy" => Library::Lazy,
        "Array2" => Library::Grid(2),
        "Array3" => Library::Grid(3),
        "Array4" => Library::Grid(4),
        _ => return None,
    })
}
