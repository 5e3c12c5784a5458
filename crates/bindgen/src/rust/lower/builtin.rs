//! Types that Rust, its standard library, `libc` and `upcall-abi` define.

use crate::model::{Float, Int, Ty, stdint};

/// A name whose source is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Unit,
    Bool,
    Char,
    Int(Int),
    Float(Float),
    /// Has the layout of its only argument: `ManuallyDrop<T>`, `Wrapping<T>`.
    Inside,
    /// The same, but it may hold any bytes, so `Option` finds no niche: `MaybeUninit<T>`, `Cell<T>`.
    Veil,
    /// Has no size and no layout of its own: `PhantomData<T>`.
    Marker,
    Option,
    Box,
    NonNull,
    /// `NonZero<T>`.
    NonZero,
    /// A struct of `upcall-abi`.
    Idiom(&'static str),
    /// Has no layout that another language can know; the text says what to use. Its address may be known.
    Refused(&'static str),
    /// The same, and its address is more than a plain address: `str`.
    Unsized(&'static str),
}

/// The primitive of this name.
pub fn primitive(name: &str) -> Option<Builtin> {
    Some(match name {
        "bool" => Builtin::Bool,
        "char" => Builtin::Char,
        "f32" => Builtin::Float(Float::F32),
        "f64" => Builtin::Float(Float::F64),
        "str" => Builtin::Unsized(EXPORT),
        _ => Builtin::Int(integer(name)?),
    })
}

/// The integer of this name.
pub fn integer(name: &str) -> Option<Int> {
    const ALL: [Int; 12] = [
        Int::I8,
        Int::I16,
        Int::I32,
        Int::I64,
        Int::I128,
        Int::Isize,
        Int::U8,
        Int::U16,
        Int::U32,
        Int::U64,
        Int::U128,
        Int::Usize,
    ];
    ALL.into_iter().find(|int| int.rust_name() == name)
}

const EXPORT: &str = "write an ordinary function with `#[upcall::export]`, which carries text, slices, owned buffers and results";

const OWN: &str = "its layout is Rust's own: pass its address, or make a handle with `#[upcall::export]`";

/// The meaning of a path into a crate without source.
pub fn external(path: &[String]) -> Option<Builtin> {
    let standard = matches!(path.first()?.as_str(), "std" | "core" | "alloc");
    certain(path).or(standard.then_some(Builtin::Refused(OWN)))
}

/// The same, for paths that may lead nowhere: `use libc::*` brings in some names and not others.
pub fn certain(path: &[String]) -> Option<Builtin> {
    let (krate, name) = (path.first()?.as_str(), path.last()?.as_str());
    match krate {
        "std" | "core" | "alloc" => standard(name),
        "libc" => c_type(name).or_else(|| primitive(name)),
        "upcall" | "upcall_abi" => idiom(name),
        _ => None,
    }
}

/// A name that every module knows without an import.
pub fn prelude(name: &str) -> Option<Builtin> {
    match name {
        "Option" | "Box" | "String" | "Vec" | "Result" => standard(name),
        _ => primitive(name),
    }
}

fn standard(name: &str) -> Option<Builtin> {
    Some(match name {
        "Option" => Builtin::Option,
        "Box" => Builtin::Box,
        "NonNull" => Builtin::NonNull,
        "NonZero" => Builtin::NonZero,
        "PhantomData" | "PhantomPinned" => Builtin::Marker,
        "ManuallyDrop" | "Wrapping" | "Saturating" | "Pin" => Builtin::Inside,
        "MaybeUninit" | "UnsafeCell" | "Cell" | "SyncUnsafeCell" => Builtin::Veil,
        "String" | "Vec" | "Result" | "CString" | "OsString" | "PathBuf" => Builtin::Refused(EXPORT),
        "CStr" | "OsStr" | "Path" => Builtin::Unsized(EXPORT),
        _ => {
            if let Some(int) = name.strip_prefix("NonZero").and_then(of_camel) {
                return Some(Builtin::Int(int));
            }
            if let Some(kind) = name.strip_prefix("Atomic") {
                let int = of_camel(kind).map(Builtin::Int);
                return Some(if kind == "Bool" {
                    Builtin::Bool
                } else {
                    int.unwrap_or(Builtin::Refused(OWN))
                });
            }
            return c_type(name).or_else(|| primitive(name));
        }
    })
}

/// `U32` of `NonZeroU32`.
fn of_camel(name: &str) -> Option<Int> {
    integer(&name.to_ascii_lowercase())
}

fn c_type(name: &str) -> Option<Builtin> {
    Some(Builtin::Int(match name {
        "c_void" => return Some(Builtin::Unit),
        "c_float" => return Some(Builtin::Float(Float::F32)),
        "c_double" => return Some(Builtin::Float(Float::F64)),
        "c_char" => Int::CChar,
        "c_schar" => Int::I8,
        "c_uchar" => Int::U8,
        "c_short" => Int::I16,
        "c_ushort" => Int::U16,
        "c_int" => Int::I32,
        "c_uint" => Int::U32,
        "c_long" => Int::Long,
        "c_ulong" => Int::ULong,
        "c_longlong" => Int::I64,
        "c_ulonglong" => Int::U64,
        name => stdint(name)?,
    }))
}

fn idiom(name: &str) -> Option<Builtin> {
    const NAMES: [&str; 7] = ["Slice", "SliceMut", "Str", "Rel", "Buffer", "Text", "Failure"];
    NAMES.into_iter().find(|idiom| *idiom == name).map(Builtin::Idiom)
}

/// The type of a builtin without arguments.
pub fn plain(builtin: Builtin) -> Option<Ty> {
    Some(match builtin {
        Builtin::Unit => Ty::Unit,
        Builtin::Bool => Ty::Bool,
        Builtin::Char => Ty::Char,
        Builtin::Int(int) => Ty::Int(int),
        Builtin::Float(float) => Ty::Float(float),
        _ => return None,
    })
}
