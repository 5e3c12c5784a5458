//! `#[upcall::export]` under other names, and which of the exports are taken.

use crate::{MANIFEST, folder, quiet, read};
use std::path::Path;
use upcall_bindgen::model::Api;

fn names(api: &Api) -> Vec<&str> {
    api.functions.iter().map(|function| function.symbol.as_str()).collect()
}

/// A package that depends on the real `upcall`, under this name.
fn package(name: &str, text: &str) -> tempfile::TempDir {
    let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/rust");
    let manifest = format!("{MANIFEST}[dependencies]\n{name} = {{ package = 'upcall', path = {sdk:?} }}\n");
    // Dependencies are compiled once for all tests.
    let config =
        format!("[build]\ntarget-dir = {:?}\n", Path::new(env!("CARGO_TARGET_TMPDIR")).join("reader"));
    folder(&[("Cargo.toml", &manifest), ("src/lib.rs", text), (".cargo/config.toml", &config)])
}

#[test]
fn an_export_is_found_under_any_name() {
    let text = "use upcall::export as api; mod prelude { pub use upcall::{self as up, export as shown}; }
        #[api] pub fn one() -> u32 { 1 }
        #[api(name = \"two\")] pub fn other(text: &str) -> u32 { 2 }
        #[upcall::export(name = \"three\")] pub fn another() -> u32 { 3 }
        pub mod inner { use crate::prelude::{shown, up}; #[shown] pub fn four() {} #[up::export] pub fn five() {} }
        pub struct Held; #[api] impl Held { pub fn new() -> Held { Held } pub fn get(&self) -> u32 { 1 } }
        #[allow(unused)] pub fn not_exported() {}";
    let folder = package("upcall", text);
    let api = quiet(&folder.path().join("src/lib.rs"));
    assert_eq!(names(&api), ["one", "two", "three", "held_new", "held_get", "held_release", "four", "five"]);
}

#[test]
fn an_export_of_a_renamed_dependency_is_found() {
    let text = "#[lifted::export(crate = lifted)] pub fn one(text: &str) -> u32 { 1 }
        use lifted::export as api; #[api(crate = lifted)] pub fn two(slice: &[u8]) -> String { String::new() }
        #[unsafe(no_mangle)] pub extern \"C\" fn three(text: lifted::abi::Str) {}";
    let folder = package("lifted", text);
    let api = quiet(&folder.path().join("src/lib.rs"));
    assert_eq!(names(&api), ["one", "two", "three"]);
    let idioms: Vec<_> = api.types.iter().filter_map(|declared| declared.idiom.as_ref()).collect();
    assert!(format!("{idioms:?}").contains("Failure") && format!("{idioms:?}").contains("Str"), "{idioms:?}");
}

#[test]
fn exports_are_chosen_by_their_names_as_other_functions_are() {
    let text = "use upcall::export;
        #[export] pub fn one() -> u32 { 1 }
        #[export] pub fn two() -> u32 { 2 }
        #[export] pub fn _three() -> u32 { 3 }
        pub struct Held; #[export] impl Held { pub fn new() -> Held { Held } pub fn get(&self) -> u32 { 1 } }
        pub struct Other; #[export] impl Other { pub fn new() -> Other { Other } }
        pub struct Given; #[export] impl Given { pub fn new() -> Given { Given } }
        #[export] pub fn give() -> Given { Given }";
    let folder = package("upcall", text);
    let lib = folder.path().join("src/lib.rs");
    let chosen = |functions: &[&str], except: &[&str]| {
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
        let (api, said) = read(&lib, |input| {
            input.functions = owned(functions);
            input.except = owned(except);
        });
        assert_eq!(said, [""; 0]);
        names(&api.unwrap()).join(" ")
    };
    let all =
        "one two _three held_new held_get held_release other_new other_release given_new given_release give";
    assert_eq!(chosen(&[], &[]), all);
    assert_eq!(chosen(&["one"], &[]), "one");
    assert_eq!(chosen(&["t*"], &[]), "two");
    // What is taken can be released, although nobody has asked for it.
    assert_eq!(chosen(&["held_new", "give"], &[]), "held_new held_release give given_release");
    assert_eq!(chosen(&[], &["o*", "held_*", "given_new", "give"]), "two _three");
}

#[test]
fn error_types_of_one_name_are_told_apart_by_their_modules() {
    let text = "use upcall::export; use std::fmt::{Display, Formatter, Result as Shown};
        pub mod a { pub struct Error; } pub mod b { pub struct Error; pub struct Lost; }
        impl Display for a::Error { fn fmt(&self, _: &mut Formatter) -> Shown { Ok(()) } }
        impl Display for b::Error { fn fmt(&self, _: &mut Formatter) -> Shown { Ok(()) } }
        impl Display for b::Lost { fn fmt(&self, _: &mut Formatter) -> Shown { Ok(()) } }
        #[export] pub fn one() -> Result<u8, a::Error> { Ok(1) }
        #[export] pub fn two() -> Result<u8, b::Error> { Ok(1) }
        #[export] pub fn three() -> Result<u8, b::Lost> { Ok(1) }";
    let folder = package("upcall", text);
    let api = quiet(&folder.path().join("src/lib.rs"));
    let errors: Vec<_> = api.functions.iter().map(|one| one.error.as_deref().unwrap()).collect();
    assert_eq!(errors, ["a_Error", "b_Error", "Lost"]);
    assert_eq!(
        api.errors().iter().map(|error| api.error_class(error, &[])).collect::<Vec<_>>(),
        ["a_Error", "b_Error", "LostError"]
    );
}

#[test]
fn a_function_that_takes_the_place_of_the_systems_is_warned_of() {
    let text = "use upcall::export;
        #[export] pub fn read() -> u8 { 1 }
        #[unsafe(no_mangle)] pub extern \"C\" fn wait() {}
        unsafe extern \"C\" { pub fn write(); }
        #[export] pub fn sum() -> u8 { 1 }";
    let folder = package("upcall", text);
    let (_, said) = read(&folder.path().join("src/lib.rs"), |_| ());
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("`read` is also a function of the C library"), "{said:?}");
    assert!(said[1].contains("`wait` is also"), "{said:?}");
}

#[test]
fn an_error_type_of_the_source_has_a_name_and_others_have_none() {
    let text = "use upcall::export; use std::fmt::{Display, Formatter, Result as Shown};
        pub mod deep { pub struct Torn; pub type Result<T> = std::result::Result<T, Torn>; pub use Torn as Ripped; }
        pub struct Lost; type Broken = Lost; pub struct Of<T>(T);
        impl Display for Lost { fn fmt(&self, _: &mut Formatter) -> Shown { Ok(()) } }
        impl Display for deep::Torn { fn fmt(&self, _: &mut Formatter) -> Shown { Ok(()) } }
        impl<T> Display for Of<T> { fn fmt(&self, _: &mut Formatter) -> Shown { Ok(()) } }
        #[export] pub fn plain() -> Result<u8, Lost> { Err(Lost) }
        #[export] pub fn aliased() -> Result<u8, Broken> { Err(Lost) }
        #[export] pub fn short() -> deep::Result<u8> { Ok(1) }
        #[export] pub fn renamed() -> Result<u8, deep::Ripped> { Ok(1) }
        #[export] pub fn text() -> Result<u8, String> { Ok(1) }
        #[export] pub fn fixed() -> Result<u8, &'static str> { Ok(1) }
        #[export] pub fn boxed() -> Result<u8, Box<dyn std::error::Error>> { Ok(1) }
        #[export] pub fn generic() -> Result<u8, Of<u8>> { Ok(1) }
        #[export] pub fn foreign() -> Result<u8, std::num::ParseIntError> { Ok(1) }
        #[export] pub fn none() -> u8 { 1 }";
    let folder = package("upcall", text);
    let api = quiet(&folder.path().join("src/lib.rs"));
    let errors: Vec<_> = api.functions.iter().map(|one| (one.name.as_str(), one.error.as_deref())).collect();
    let own = [("plain", "Lost"), ("aliased", "Lost"), ("short", "Torn"), ("renamed", "Torn")];
    let own = own.map(|(name, error)| (name, Some(error)));
    let others = ["text", "fixed", "boxed", "generic", "foreign", "none"].map(|name| (name, None));
    assert_eq!(errors, [&own[..], &others].concat());
}

#[test]
fn an_alias_that_the_attribute_cannot_see_through_is_refused_with_what_to_write() {
    let error = "#[derive(Debug)] pub struct Bad; impl std::error::Error for Bad {}
        impl std::fmt::Display for Bad { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str(\"\") } }";
    let text = format!(
        "type Res<T> = Result<T, Bad>; mod own {{ pub type Result<T> = super::Res<T>; pub type Text = String; }}
        #[upcall::export] pub fn half(x: u32) -> Res<u32> {{ Ok(x / 2) }}
        #[upcall::export] pub fn name() -> own::Text {{ own::Text::new() }}
        #[upcall::export] pub fn seen(x: u32) -> own::Result<u32> {{ Ok(x) }}
        #[upcall::export] pub fn taken(x: own::Text) {{}}
        {error}"
    );
    let folder = package("upcall", &text);
    let lib = folder.path().join("src/lib.rs");
    let (_, said) = read(&lib, |_| ());
    let at = |line: usize, column: usize| format!("{}:{line}:{column}: ", lib.display());
    let expected = [
        at(2, 50)
            + "the attribute sees the name `Res<u32>`, and not the `Result` that it stands for \
            (write `Result<T, Bad>` in the function's signature, or call the alias `Result`)",
        at(3, 44)
            + "the attribute sees the name `own::Text`, and not the `String` that it stands for \
            (write `String` in the function's signature)",
        at(5, 43)
            + "the attribute sees the name `own::Text`, and not the `String` that it stands for (take `&str`)",
    ];
    assert_eq!(said, expected);
}
