use crate::{folder, quiet, ty};
use upcall_bindgen::model::Body;

#[test]
fn a_rust_enum_is_closed_whatever_its_file_is_called() {
    let folder = folder(&[
        ("lib.rs", "include!(\"types.inc\"); #[unsafe(no_mangle)] pub extern \"C\" fn f(x: Kind) {}"),
        ("types.inc", "#[repr(u8)] pub enum Kind { One = 1, Two }"),
    ]);
    let api = quiet(&folder.path().join("lib.rs"));
    let Body::Enum(kind) = &ty(&api, "Kind").body else { panic!() };
    assert!(kind.closed);
}

#[test]
#[cfg(feature = "c")]
fn a_c_enum_is_open_whatever_its_file_is_called() {
    let folder = folder(&[("api.rs", "enum kind { ONE = 1, TWO }; void f(enum kind x);")]);
    let input =
        upcall_bindgen::c::Input { headers: vec![folder.path().join("api.rs")], ..Default::default() };
    let mut diagnostics = upcall_bindgen::Diagnostics::default();
    let api = upcall_bindgen::c::read(&input, &mut diagnostics);
    assert!(!diagnostics.failed(), "{:?}", diagnostics.list);
    let api = api.unwrap();
    let Body::Enum(kind) = &ty(&api, "kind").body else { panic!() };
    assert!(!kind.closed);
}
