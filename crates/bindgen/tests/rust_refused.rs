//! What cannot cross, and what is not Rust: each is reported with its file, its line and its reason.

use std::fs;
use std::path::Path;
use upcall_bindgen::model::Api;
use upcall_bindgen::{Diagnostics, Severity, rust};

/// Reads a file without a package whose text is `source`.
fn read(source: &str, skip: bool) -> (Option<Vec<Api>>, Diagnostics) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("api.rs");
    fs::write(&root, source).expect("it is written");
    read_files(&[&root], skip)
}

fn read_files(files: &[&Path], skip: bool) -> (Option<Vec<Api>>, Diagnostics) {
    let files = files.iter().map(|path| path.to_path_buf()).collect();
    let input = rust::Input { files, ..rust::Input::default() };
    let mut diagnostics = Diagnostics { skip_unsupported: skip, ..Diagnostics::default() };
    let apis = rust::read(&input, &mut diagnostics);
    (apis, diagnostics)
}

/// Whether an error in line `line` says each of `words`, in its message or its help.
#[track_caller]
fn refused(source: &str, line: usize, words: &[&str]) {
    let (apis, diagnostics) = read(source, false);
    assert!(apis.is_none(), "nothing may come of\n{source}");
    let said = diagnostics.list.iter().any(|said| {
        let place = said.place.as_ref();
        let text = format!("{} {}", said.message, said.help.clone().unwrap_or_default());
        said.severity == Severity::Error
            && place
                .is_some_and(|place| place.line == line && place.column > 0 && place.file.ends_with("api.rs"))
            && words.iter().all(|word| text.contains(word))
    });
    assert!(said, "line {line} {words:?}, but:\n{:#?}\nof\n{source}", diagnostics.list);
}

/// A function whose only parameter has this type, in line 3.
#[track_caller]
fn parameter_refused(ty: &str, words: &[&str]) {
    refused(
        &format!("use std::cell::*;\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(value: {ty}) {{}}\n"),
        3,
        words,
    );
}

#[test]
fn types_of_rust_alone_cannot_cross_by_value() {
    for ty in ["String", "Vec<u8>", "Result<u8, u8>", "&str", "std::ffi::CString", "&std::ffi::CStr"] {
        let name = ty.trim_start_matches("&").split('<').next().unwrap().rsplit("::").next().unwrap();
        parameter_refused(ty, &[name, "#[upcall::export]"]);
    }
    parameter_refused("&[u8]", &["[u8]", "upcall::abi::Slice<T>"]);
    parameter_refused("*mut [u8]", &["[u8]", "upcall::abi::Slice<T>"]);
    parameter_refused("&dyn Fn(i32)", &["traits do not cross"]);
    parameter_refused("Box<dyn Send>", &["traits do not cross"]);
    parameter_refused("impl Fn(i32)", &["traits do not cross"]);
    parameter_refused("(i32, i32)", &["#[repr(C)]"]);
    parameter_refused("[u8; 4]", &["by its address"]);
    parameter_refused("std::time::Duration", &["Duration", "layout is Rust's own"]);
    parameter_refused("std::sync::Mutex<u8>", &["Mutex", "layout is Rust's own"]);
    parameter_refused("fn(i32)", &["extern \"C\" fn"]);
    parameter_refused("extern \"fastcall\" fn(i32)", &["extern \"C\" fn"]);
}

#[test]
fn an_option_crosses_only_where_it_takes_no_room() {
    parameter_refused("Option<u32>", &["Option<u32>", "null pointer or a zero"]);
    parameter_refused("Option<*const u8>", &["null pointer or a zero"]);
    parameter_refused("Option<bool>", &["null pointer or a zero"]);
    parameter_refused("Option<Option<&u8>>", &["null pointer or a zero"]);
    parameter_refused("Option<std::mem::MaybeUninit<&u8>>", &["null pointer or a zero"]);
    parameter_refused("Option<Cell<std::num::NonZeroU8>>", &["null pointer or a zero"]);
}

#[test]
fn functions_must_be_c_functions() {
    for (source, words) in [
        ("pub fn f() {}", ["ABI of Rust", "extern \"C\""]),
        ("pub extern \"vectorcall\" fn f() {}", ["ABI of vectorcall", "extern \"C\""]),
        ("pub extern \"C\" fn f<T>(value: *const T) {}", ["type parameters", "for each type"]),
        (
            "pub extern \"C\" fn f<const N: usize>(value: *const [u8; N]) {}",
            ["type parameters", "for each type"],
        ),
        ("pub async extern \"C\" fn f() {}", ["async", "callback"]),
    ] {
        refused(&format!("\n#[unsafe(no_mangle)]\n{source}\n"), 3, &words);
    }
    refused("unsafe extern \"vectorcall\" {\n    pub fn f();\n}\n", 1, &["vectorcall"]);
}

#[test]
fn what_a_body_exports_is_refused_where_its_names_are_the_bodys() {
    let source = "const _: () = {\n    type Own = u8;\n    #[unsafe(no_mangle)]\n    extern \"C\" fn f(own: Own) {}\n};\n";
    refused(source, 4, &["`f` is exported from within a body", "move it out"]);
    refused(
        "impl<T> Vec3<T> {\n    #[unsafe(no_mangle)]\n    extern \"C\" fn f() {}\n}\n",
        3,
        &["type parameters"],
    );
}

#[test]
fn system_is_stdcall_on_windows_for_x86() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("api.rs");
    let source = "#[unsafe(no_mangle)]\npub extern \"system\" fn f(call: extern \"C-unwind\" fn(extern \"system-unwind\" fn())) {}\n\
        pub extern \"C\" fn g(call: extern \"system\" fn()) {}\n";
    fs::write(&root, source.replace("pub extern \"C\"", "#[unsafe(no_mangle)] pub extern \"C\""))
        .expect("it is written");
    let read = |target: &str| {
        let input =
            rust::Input { files: vec![root.clone()], target: Some(target.into()), ..rust::Input::default() };
        let mut diagnostics = Diagnostics::default();
        rust::read(&input, &mut diagnostics);
        diagnostics.list.iter().map(|said| said.message.clone()).collect::<Vec<String>>()
    };
    let said = read("i686-pc-windows-msvc");
    assert!(
        said.len() == 2 && said[0].contains("ABI of system") && said[1].contains("function pointer"),
        "{said:?}"
    );
    // No other error than that its standard library may be missing.
    let said = read("x86_64-pc-windows-msvc");
    assert!(said.iter().all(|said| said.contains("x86_64-pc-windows-msvc")), "{said:?}");
}

#[test]
fn structs_must_have_a_layout_and_an_end() {
    refused(
        "pub struct Own { a: u8, b: u32 }\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(own: Own) {}\n",
        3,
        &["`Own` has a layout that only Rust knows", "#[repr(C)]"],
    );
    refused(
        "#[repr(C)]\npub struct A { b: B }\n#[repr(C)]\npub struct B {\n    a: [A; 2],\n}\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(a: A) {}\n",
        5,
        &["`A` holds itself by value", "behind a pointer"],
    );
    refused(
        "#[repr(transparent)]\npub struct Call(\n    extern \"C\" fn(Call),\n);\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(call: Call) {}\n",
        3,
        &["`Call` holds itself by value", "not transparent"],
    );
    refused(
        "#[repr(C)]\npub struct Holder {\n    pub name: String,\n}\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(a: Holder) {}\n",
        3,
        &["`String` has no layout"],
    );
    refused(
        "#[repr(C)]\npub struct Tail {\n    len: u8,\n    rest: [u8],\n}\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(a: &Tail) {}\n",
        7,
        &["`Tail` has no size"],
    );
    refused(
        "#[repr(C)]\npub struct Nothing;\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(a: Nothing) {}\n",
        4,
        &["without a size"],
    );
    refused(
        "pub trait Shape {}\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(a: *const Shape) {}\n",
        3,
        &["`Shape` is not a type that can cross", "traits do not cross"],
    );
}

#[test]
fn a_generic_type_that_grows_without_end_is_refused() {
    refused(
        "#[repr(C)]\npub struct A<T> {\n    pub next: *const A<*const T>,\n}\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(a: *const A<u8>) {}\n",
        3,
        &["`A` holds itself with ever more arguments"],
    );
}

#[test]
fn names_that_lead_nowhere_are_named() {
    refused(
        "#[unsafe(no_mangle)]\npub extern \"C\" fn f(a: Missing) {}\n",
        2,
        &["`Missing` is not in the files that were read", "add the file"],
    );
    refused(
        "use other::Thing;\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(a: *mut Thing) {}\n",
        3,
        &["`other::Thing` is a type of a crate that was not read", "add the root file of `other`"],
    );
    refused("pub mod gone;\n", 1, &["gone", "gone.rs"]);
    refused(
        "mod a {\n    use super::b::*;\n    #[unsafe(no_mangle)]\n    extern \"C\" fn f(x: X) {}\n}\nmod b {\n    pub use super::a::*;\n}\n",
        4,
        &["`X` is not in the files"],
    );
}

#[test]
fn exported_functions_are_checked_as_the_attribute_checks_them() {
    refused("\n#[upcall::export]\npub async fn f() {}\n", 3, &["nobody polls it"]);
    refused("\n#[upcall::export]\npub fn f<T>(value: T) {}\n", 3, &["types that are known"]);
}

#[test]
fn what_is_no_rust_is_said_with_its_place() {
    refused("pub extern \"C\" fn f(\n    a: i32,,\n) {}\n", 2, &["Rust"]);
    refused("\nfn f() { let x = \"never closed; }\n", 2, &["Rust"]);
    let (apis, diagnostics) = read_files(&[Path::new("/nowhere/lib.rs")], false);
    assert!(apis.is_none());
    assert!(diagnostics.list[0].message.contains("/nowhere/lib.rs"), "{:?}", diagnostics.list);
}

#[test]
fn with_skip_unsupported_the_rest_crosses_and_each_one_left_out_is_listed() {
    let source = "
        #[repr(C)] pub struct Good { pub a: u8 }
        #[unsafe(no_mangle)] pub extern \"C\" fn good(good: Good) -> u8 { good.a }
        #[unsafe(no_mangle)] pub extern \"C\" fn text(text: String) {}
        #[unsafe(no_mangle)] pub extern \"C\" fn pair(pair: (u8, u8)) {}
        #[unsafe(no_mangle)] pub extern \"C\" fn behind(handle: &mut Vec<u8>, map: *const std::collections::HashMap<u8, u8>) {}
    ";
    let (apis, diagnostics) = read(source, true);
    let apis = apis.expect("the rest");
    let names: Vec<_> = apis[0].functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["good", "behind"], "{:?}", diagnostics.list);
    let lines: Vec<_> =
        diagnostics.list.iter().map(|said| said.place.as_ref().map(|place| place.line)).collect();
    assert_eq!(lines, [Some(4), Some(5)]);
    assert!(diagnostics.list.iter().all(|said| said.severity == Severity::Warning));
}
