//! The library of awkward cases, as the Rust front end reads it: every name, size, offset and value.

mod functions;
mod types;
mod values;

use std::path::Path;
use std::sync::OnceLock;
use upcall_bindgen::model::{Api, Body, Declared, Field, Function, Int, Pointer, Ty};
use upcall_bindgen::{Diagnostics, rust};

/// Read once for all tests.
fn api() -> &'static Api {
    static API: OnceLock<Api> = OnceLock::new();
    API.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/awkward/src/lib.rs");
        let input = rust::Input { files: vec![root], ..rust::Input::default() };
        let mut diagnostics = Diagnostics::default();
        let apis = rust::read(&input, &mut diagnostics);
        assert_eq!(diagnostics.list, [], "nothing in it cannot cross");
        let mut apis = apis.expect("it was read");
        assert_eq!(apis.len(), 1, "one root file, one API");
        apis.remove(0)
    })
}

fn ty(name: &str) -> &'static Declared {
    let mut found = api().types.iter().filter(|declared| declared.name == name);
    let first = found.next().unwrap_or_else(|| panic!("there is no type `{name}`"));
    assert!(found.next().is_none(), "`{name}` is there twice");
    first
}

/// Size and alignment.
fn layout(name: &str) -> (u64, u64) {
    let layout = ty(name).layout.unwrap_or_else(|| panic!("`{name}` was not measured"));
    (layout.size, layout.align)
}

fn fields(name: &str) -> &'static [Field] {
    match &ty(name).body {
        Body::Struct(record) | Body::Union(record) => &record.fields,
        other => panic!("`{name}` has no fields: {other:?}"),
    }
}

fn offsets(name: &str) -> Vec<(&'static str, u64)> {
    fields(name).iter().map(|field| (field.name.as_str(), field.offset)).collect()
}

fn function(name: &str) -> &'static Function {
    let mut found = api().functions.iter().filter(|function| function.name == name);
    let first = found.next().unwrap_or_else(|| panic!("there is no function `{name}`"));
    assert!(found.next().is_none(), "`{name}` is there twice");
    first
}

/// A type as a short text: `i32`, `*mut Point?` (nullable), `own *mut Handle`, `[f32; 3]`, `fn(i32) -> bool`.
fn text(ty: &Ty) -> String {
    match ty {
        Ty::Unit => "()".into(),
        Ty::Bool => "bool".into(),
        Ty::Char => "char".into(),
        Ty::Int(int) => match int {
            Int::Long => "c_long".into(),
            Int::ULong => "c_ulong".into(),
            Int::CChar => "c_char".into(),
            other => format!("{other:?}").to_lowercase(),
        },
        Ty::Float(float) => format!("{float:?}").to_lowercase(),
        Ty::Pointer(Pointer { to, mutable, nullable, owned }) => {
            let own = if *owned { "own " } else { "" };
            let kind = if *mutable { "mut" } else { "const" };
            format!("{own}*{kind} {}{}", text(to), if *nullable { "?" } else { "" })
        }
        Ty::Array { of, len } => format!("[{}; {len}]", text(of)),
        Ty::Function { signature, nullable } => {
            format!("{}{}", signature_text(signature), if *nullable { "?" } else { "" })
        }
        Ty::Named(id) => api().get(*id).name.clone(),
    }
}

fn signature_text(signature: &upcall_bindgen::model::Signature) -> String {
    let params: Vec<String> = signature.params.iter().map(|param| text(&param.ty)).collect();
    format!("fn({}) -> {}", params.join(", "), text(&signature.ret))
}

/// A function's parameters and result as a short text.
fn takes(name: &str) -> String {
    signature_text(&function(name).signature)
}
