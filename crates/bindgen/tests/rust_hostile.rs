//! Small sources that were misread once.

use std::fs;
use std::time::{Duration, Instant};
use upcall_bindgen::model::{Api, Body, Declared, Ty};
use upcall_bindgen::{Diagnostics, rust};

/// A file without a package, as the model; or what is wrong with it.
fn read(source: &str) -> Result<Api, Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lib.rs");
    fs::write(&file, source).expect("it is written");
    let mut diagnostics = Diagnostics::default();
    let input = rust::Input { files: vec![file], ..rust::Input::default() };
    let apis = rust::read(&input, &mut diagnostics);
    let messages: Vec<String> = diagnostics.list.iter().map(|one| one.message.clone()).collect();
    match apis {
        Some(mut apis) if messages.is_empty() => Ok(apis.remove(0)),
        _ => Err(messages),
    }
}

fn ty<'a>(api: &'a Api, name: &str) -> &'a Declared {
    api.types.iter().find(|declared| declared.name == name).unwrap_or_else(|| panic!("no type `{name}`"))
}

/// The declared type of a function's first parameter.
fn first<'a>(api: &'a Api, function: &str) -> &'a Declared {
    let function = api.functions.iter().find(|one| one.name == function).expect("the function");
    match api.resolve(&function.signature.params[0].ty) {
        Ty::Named(id) => api.get(*id),
        other => panic!("{other:?}"),
    }
}

#[test]
fn globs_in_circles_are_followed_once_each() {
    let start = Instant::now();
    let mut source = String::from("use std::ffi::*;\nuse std::num::*;\nuse std::mem::*;\n");
    for module in 0..20 {
        source += &format!(
            "pub mod m{module} {{ pub use super::*; pub use std::ptr::*; }}\npub use m{module}::*;\n"
        );
    }
    source += "#[repr(C)] pub struct Far { pub a: u16, pub b: c_int }\n\
        mod user { use super::m7::*; #[unsafe(no_mangle)] pub extern \"C\" fn far(far: Far) -> NonZeroU8 { loop {} } }";
    let api = read(&source).expect("it is read");
    assert_eq!(first(&api, "far").name, "Far");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn a_glob_brings_what_is_public_and_what_is_there() {
    let source = r#"
        mod hidden { struct Point { x: u8 } mod inner {} type Cell = u8; }
        mod shown {
            #[repr(C)] pub struct Point { pub x: u64 }
            #[repr(C)] pub struct Cell { pub c: u32 }
            pub(crate) mod inner { #[repr(C)] pub struct In { pub i: u16 } }
        }
        use std::cell::*;
        use std::fmt::*;
        use hidden::*;
        use shown::*;
        mod below { use super::*; #[unsafe(no_mangle)] pub extern "C" fn below(point: Point) {} }
        #[unsafe(no_mangle)] pub extern "C" fn point(point: Point) {}
        #[unsafe(no_mangle)] pub extern "C" fn cell(cell: shown::Cell) {}
        #[unsafe(no_mangle)] pub extern "C" fn within(within: inner::In) {}
    "#;
    let api = read(source).expect("it is read");
    for (function, path) in [
        ("point", "crate::shown::Point"),
        ("below", "crate::shown::Point"),
        ("cell", "crate::shown::Cell"),
        ("within", "crate::shown::inner::In"),
    ] {
        assert_eq!(first(&api, function).source, path, "{function}");
    }
}

#[test]
fn markers_in_variants_are_no_fields() {
    let source = r#"
        use std::marker::PhantomData;
        #[repr(u8)]
        pub enum Event { A(PhantomData<u64>, u32), B(()), C { p: PhantomData<u8>, q: u16 }, D() }
        #[unsafe(no_mangle)] pub extern "C" fn event(event: Event) {}
    "#;
    let api = read(source).expect("it is read");
    let Body::Tagged(event) = &ty(&api, "Event").body else { panic!("data") };
    let fields: Vec<Vec<(&str, u64)>> = event
        .variants
        .iter()
        .map(|variant| variant.fields.iter().map(|field| (field.name.as_str(), field.offset)).collect())
        .collect();
    assert_eq!(fields, [vec![("1", 4)], vec![], vec![("q", 2)], vec![]]);
}
