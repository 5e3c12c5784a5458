//! How the model's types and names are spelled in Rust.

use crate::model::{Api, Declared, Field, Float, Function, Int, Signature, Ty};

/// A name in letters that every linker accepts: any other letter becomes its number.
pub(crate) fn ascii(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() || letter == '_' {
            plain.push(letter);
        } else {
            plain += &format!("u{:x}", u32::from(letter));
        }
    }
    plain
}

/// A name as a Rust identifier: raw if it is a keyword, with an underscore where that is not possible.
#[must_use]
pub fn ident(name: &str) -> String {
    const KEYWORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
        "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
        "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static",
        "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where",
        "while", "yield",
    ];
    match name {
        "self" | "Self" | "super" | "crate" | "_" => format!("{name}_"),
        _ if KEYWORDS.contains(&name) => format!("r#{name}"),
        _ if name.starts_with(|first: char| first.is_ascii_digit()) => format!("_{name}"),
        _ => name.to_owned(),
    }
}

/// The mirror's name for a declared type. A name that already means something in Rust gets an underscore.
#[must_use]
pub fn type_name(declared: &Declared) -> String {
    const KNOWN: &[&str] = &[
        "bool", "char", "str", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
        "usize", "f32", "f64", "Option", "Copy", "Clone", "mirror", "core", "std",
    ];
    match declared.name.as_str() {
        name if KNOWN.contains(&name) => format!("{name}_"),
        name => ident(name),
    }
}

/// The mirror's name for a field: `_0` and so on in a tuple.
#[must_use]
pub fn field_name(field: &Field) -> String {
    ident(&field.name)
}

/// A type in generated Rust. A type that foreign code could fill with an invalid value is an integer. Declared
/// types are spelled `mirror::Name`, so that they cannot be mistaken for others: the module that uses them says
/// `use crate::mirror`.
#[must_use]
pub fn rust_type(api: &Api, ty: &Ty) -> String {
    match ty {
        Ty::Unit => "()".into(),
        Ty::Bool => "u8".into(),
        Ty::Char => "u32".into(),
        Ty::Int(int) => int_name(*int),
        Ty::Float(Float::F32) => "f32".into(),
        Ty::Float(Float::F64) => "f64".into(),
        Ty::Pointer(pointer) => {
            let to = match &*pointer.to {
                Ty::Unit => "core::ffi::c_void".into(),
                to => rust_type(api, to),
            };
            format!("*{} {to}", if pointer.mutable { "mut" } else { "const" })
        }
        Ty::Array { of, len } => format!("[{}; {len}]", rust_type(api, of)),
        Ty::Function { signature, .. } => format!("Option<{}>", callback_type(api, signature)),
        Ty::Named(id) => qualified(api.get(*id)),
    }
}

fn qualified(declared: &Declared) -> String {
    format!("mirror::{}", type_name(declared))
}

/// The integer's name in Rust, valid anywhere.
pub(super) fn int_name(int: Int) -> String {
    let name = int.rust_name();
    if name.starts_with("c_") { format!("core::ffi::{name}") } else { name.into() }
}

/// `unsafe extern "C" fn(...) -> ...`, never null.
#[must_use]
pub fn callback_type(api: &Api, signature: &Signature) -> String {
    spell(api, signature, None)
}

/// The type of a function's address, with the parameter for the failure.
#[must_use]
pub fn function_type(api: &Api, function: &Function) -> String {
    let failure = function.fallible.then(|| format!("*mut *mut {}", failure_type(api)));
    spell(api, &function.signature, failure)
}

/// The mirror's `Failure`; `c_void` where the model has none.
#[must_use]
pub fn failure_type(api: &Api) -> String {
    api.failure().map_or_else(|| "core::ffi::c_void".into(), |id| qualified(api.get(id)))
}

fn spell(api: &Api, signature: &Signature, failure: Option<String>) -> String {
    let mut params: Vec<String> = signature.params.iter().map(|param| rust_type(api, &param.ty)).collect();
    params.extend(failure);
    if signature.variadic {
        params.push("...".into());
    }
    let ret = match &signature.ret {
        Ty::Unit => String::new(),
        ret => format!(" -> {}", rust_type(api, ret)),
    };
    format!("unsafe extern \"C\" fn({}){ret}", params.join(", "))
}
