//! Small sources that were once misread.

use std::fs;
use std::time::{Duration, Instant};
use upcall_bindgen::model::{Api, Body, Declared, Int, Ty, Value};
use upcall_bindgen::{Diagnostics, rust};

/// A file without a package, as the model; or its errors.
fn read(source: &str) -> Result<Api, Vec<String>> {
    match read_with(source) {
        (Some(api), said) if said.is_empty() => Ok(api),
        (_, said) => Err(said),
    }
}

/// The API, and what is said of it.
fn read_with(source: &str) -> (Option<Api>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lib.rs");
    fs::write(&file, source).expect("it is written");
    let mut diagnostics = Diagnostics::default();
    let input = rust::Input { files: vec![file], ..rust::Input::default() };
    let apis = rust::read(&input, &mut diagnostics);
    let messages: Vec<String> = diagnostics.list.iter().map(|one| one.message.clone()).collect();
    (apis.map(|mut apis| apis.remove(0)), messages)
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

fn symbols(api: &Api) -> Vec<(&str, &str)> {
    api.functions.iter().map(|one| (one.name.as_str(), one.symbol.as_str())).collect()
}

#[test]
fn what_bodies_and_impl_blocks_export_crosses() {
    let source = r#"
        #[repr(C)] #[derive(Clone, Copy)] pub struct Point { pub x: f32 }
        pub trait Shape { extern "C" fn area(&self) -> f64; }
        impl Point {
            #[unsafe(no_mangle)] pub extern "C" fn point_x(&self, by: Self) -> f32 { self.x * by.x }
            #[unsafe(export_name = "point_new")] pub extern "C" fn new(x: f32) -> Self { Point { x } }
        }
        impl Shape for Point { #[unsafe(no_mangle)] extern "C" fn area(&self) -> f64 { 0.0 } }
        const _: () = {
            #[unsafe(no_mangle)] extern "C" fn within() {
                #[unsafe(no_mangle)] extern "C" fn deeper(point: Point) {}
            }
            #[cfg(any())] #[unsafe(no_mangle)] extern "C" fn never() {}
        };
        fn body() { { #[unsafe(no_mangle)] extern "C" fn of_a_function() {} } }
        macro_rules! made { ($name:ident) => {
            const _: () = { #[unsafe(no_mangle)] extern "C" fn $name() {} };
        } }
        made!(of_a_macro);
    "#;
    let api = read(source).expect("it is read");
    let expected = [
        ("point_x", "point_x"),
        ("point_new", "point_new"),
        ("area", "area"),
        ("within", "within"),
        ("deeper", "deeper"),
        ("of_a_function", "of_a_function"),
        ("of_a_macro", "of_a_macro"),
    ];
    assert_eq!(symbols(&api), expected);
    let names = api.functions[0].signature.params.iter().map(|param| param.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["point", "by"]);
    let Ty::Pointer(to) = &api.functions[0].signature.params[0].ty else { panic!("an address") };
    assert_eq!(api.resolve(&to.to), &api.functions[1].signature.ret);
}

#[test]
fn declarations_may_say_that_they_are_safe() {
    let source = r#"
        macro_rules! made { ($name:ident) => { unsafe extern "C" { pub safe fn $name(); } } }
        made!(third);
        extern crate self as own;
        #[repr(C)] pub struct Point { pub x: f32 }
        unsafe extern "C" {
            /// Docs.
            #[link_name = "one"] pub safe fn first(point: own::Point);
            pub(crate) unsafe fn second();
            pub safe static COUNT: u32;
            unsafe static mut LAST: u32;
        }
    "#;
    let api = read(source).expect("it is read");
    assert_eq!(symbols(&api), [("third", "third"), ("first", "one"), ("second", "second")]);
    assert_eq!(api.functions[1].docs, "Docs.");
    let statics = api.statics.iter().map(|one| (one.name.as_str(), one.mutable));
    assert_eq!(statics.collect::<Vec<_>>(), [("COUNT", false), ("LAST", true)]);
}

#[test]
fn a_symbol_of_the_linkers_own_is_loaded_without_its_mark() {
    let source = r#"
        unsafe extern "C" { #[link_name = "\u{1}_real"] fn declared(); }
        #[unsafe(export_name = "\u{1}other")] pub extern "C-unwind" fn defined() {}
        #[unsafe(no_mangle)] pub extern "system-unwind" fn same() {}
    "#;
    let api = read(source).expect("it is read");
    let real = if cfg!(target_vendor = "apple") { "real" } else { "_real" };
    assert_eq!(symbols(&api), [("declared", real), ("defined", "other"), ("same", "same")]);
}

#[test]
fn options_of_aliases_are_those_of_what_they_stand_for() {
    let source = r#"
        use std::num::NonZeroU32;
        type Id = NonZeroU32;
        type Own = Id;
        type At<'a> = &'a u8;
        type Owned = Box<u8>;
        type Call = extern "C" fn(u8);
        type Again = Call;
        type Generic<T> = std::num::NonZero<T>;
        #[unsafe(no_mangle)] pub extern "C" fn all(
            a: Option<Own>, b: Option<At<'static>>, c: Option<Owned>, d: Option<Again>, e: Option<Generic<u16>>,
        ) {}
    "#;
    let api = read(source).expect("it is read");
    let types: Vec<&Ty> = api.functions[0].signature.params.iter().map(|param| &param.ty).collect();
    let nullable = |ty: &Ty| match ty {
        Ty::Pointer(pointer) => pointer.nullable,
        Ty::Function { nullable, .. } => *nullable,
        _ => false,
    };
    assert_eq!([types[0], types[4]], [&Ty::Int(Int::U32), &Ty::Int(Int::U16)]);
    assert!(types[1..4].iter().all(|ty| nullable(ty)), "{types:?}");
    for wrong in
        ["type NonZeroish = u32;", "use std::cell::Cell as NonZeroish;", "type NonZeroish = *const u8;"]
    {
        let given = if wrong.contains("Cell") { "NonZeroish<u8>" } else { "NonZeroish" };
        let source = format!("{wrong}\n#[unsafe(no_mangle)] pub extern \"C\" fn f(a: Option<{given}>) {{}}");
        assert!(read(&source).expect_err("no room to spare")[0].contains("no layout"), "{wrong}");
    }
}

#[test]
fn a_struct_may_hold_a_function_that_takes_it() {
    let source = r#"
        #[repr(C)] pub struct Node { pub call: extern "C" fn(Node, Pair) -> Pair, pub level: u8 }
        #[repr(C)] pub struct Pair { pub left: Node, pub right: Option<Call> }
        pub type Call = extern "C" fn(Pair);
        #[unsafe(no_mangle)] pub extern "C" fn run(node: Node) {}
    "#;
    let api = read(source).expect("it is read");
    let size = |name| ty(&api, name).layout.expect("it is measured").size;
    assert_eq!((size("Node"), size("Pair")), (16, 24));
}

#[test]
fn constants_without_a_value_are_no_constants() {
    let source = r#"
        use std::mem::MaybeUninit;
        type Space = MaybeUninit<u32>;
        #[repr(C)] #[derive(Clone, Copy)] pub union Either { pub a: u32, pub b: f32 }
        pub const EMPTY: MaybeUninit<u32> = MaybeUninit::uninit();
        pub const SPACE: Space = Space::uninit();
        pub const EITHER: Either = Either { a: 1 };
        pub const REAL: u32 = 1;
        #[unsafe(no_mangle)] pub extern "C" fn either(either: Either, space: Space) {}
    "#;
    let (api, said) = read_with(source);
    let api = api.expect("it is read");
    let names: Vec<&str> = api.constants.iter().map(|constant| constant.name.as_str()).collect();
    assert_eq!(names, ["REAL"]);
    let left_out = [("EMPTY", "MaybeUninit<u32>"), ("SPACE", "Space"), ("EITHER", "Either")].map(|(name, ty)| {
        format!("the constant `{name}` is left out: a value of the type `{ty}` has no form that all languages have")
    });
    assert_eq!(said, left_out);
}

#[test]
fn constants_that_say_where_they_are_compiled_have_the_values_of_the_users_own_build() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = "[package]\nname = \"my-lib\"\nversion = \"0.3.1\"\nedition = \"2024\"\n[workspace]\n";
    let source = r#"
        macro_rules! made { ($name:ident) => { pub const $name: &str = env!("CARGO_MANIFEST_DIR"); } }
        macro_rules! filed { ($name:ident) => { pub const $name: &str = concat!("of ", file!()); } }
        macro_rules! written { ($name:ident) => { pub const $name: &str = env!("OUT_DIR"); } }
        made!(MADE); filed!(FILED); written!(WRITTEN);
        pub const FILE: &str = concat!(file!(), "!");
        pub const LEN: usize = { const HERE: &str = env!("CARGO_MANIFEST_DIR"); HERE.len() };
        pub const MADE_BY: &str = concat!(env!("OUT_DIR"), "/x"); pub const MADE_AT: usize = MADE_BY.len();
        pub const FAR: usize = Self_::NEAR.len() + 1;
        #[repr(C)] pub struct Self_ { a: u8 } #[unsafe(no_mangle)] pub extern "C" fn g(own: Self_) {}
        impl Self_ { pub const NEAR: &'static str = file!(); }
        pub const NOTE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/note.txt"));
        pub const LINE: u32 = line!();
        pub const PLACE: &str = module_path!();
        pub const VERSION: &str = env!("CARGO_PKG_VERSION");
        pub const BOTH: usize = concat!(env!("OUT_DIR"), include_str!("note.txt")).len();
        pub const NOTED: usize = include_str!("note.txt").len();
        pub const WORD: usize = "OUT_DIR".len();
        pub const r#where: &str = env!("OUT_DIR"); pub const THERE: usize = r#where.len();
        #[doc = include_str!("note.txt")]
        #[doc = concat!("made ", 1)]
        #[unsafe(no_mangle)] pub extern "C" fn f() {}
    "#;
    std::fs::create_dir(folder.path().join("src")).expect("a folder");
    for (name, text) in [
        ("Cargo.toml", package),
        ("src/lib.rs", source),
        ("build.rs", "fn main() {}"),
        ("src/note.txt", "* noted\n\n* twice\nand more\n"),
    ] {
        fs::write(folder.path().join(name), text).expect("it is written");
    }
    let mut diagnostics = Diagnostics::default();
    let input = rust::Input { files: vec![folder.path().join("src/lib.rs")], ..rust::Input::default() };
    let apis = rust::read(&input, &mut diagnostics).expect("it is read");
    let said: Vec<(usize, &str)> = diagnostics
        .list
        .iter()
        .map(|said| (said.place.as_ref().map_or(0, |place| place.line), said.message.as_str()))
        .collect();
    let left_out =
        [(8, "MADE_BY"), (8, "MADE_AT"), (16, "BOTH"), (19, "where"), (19, "THERE"), (5, "WRITTEN")].map(
            |(line, name)| (line, format!("the constant `{name}` is left out: it says where a build writes")),
        );
    assert_eq!(said, left_out.each_ref().map(|(line, message)| (*line, message.as_str())));
    let values: Vec<(&str, &Value)> =
        apis[0].constants.iter().map(|constant| (constant.name.as_str(), &constant.value)).collect();
    let text = |text: &str| Value::Str(text.into());
    let home = folder.path().to_str().expect("a plain path");
    let expected = [
        ("MADE", text(home)),
        ("FILED", text("of src/lib.rs")),
        ("FILE", text("src/lib.rs!")),
        ("LEN", Value::Int(home.len() as i128)),
        ("FAR", Value::Int(11)),
        ("Self__NEAR", text("src/lib.rs")),
        ("NOTE", text("* noted\n\n* twice\nand more\n")),
        ("LINE", Value::Int(13)),
        ("PLACE", text("my_lib")),
        ("VERSION", text("0.3.1")),
        ("NOTED", Value::Int(26)),
        ("WORD", Value::Int(7)),
    ];
    assert_eq!(values, expected.each_ref().map(|(name, value)| (*name, value)));
    assert_eq!(apis[0].functions[1].docs, "* noted\n\n* twice\nand more\n\nmade 1");
}

#[test]
fn thousands_of_operators_in_a_row_are_read() {
    let (bits, sums, calls) = (" | 1".repeat(4500), " + x".repeat(2000), ".max(1)".repeat(2000));
    let source = format!(
        "pub const MANY: u32 = 1{bits};\n\
         #[unsafe(no_mangle)] pub extern \"C\" fn f(x: u32) -> u32 {{ let x = x{sums}; x{calls} }}\n"
    );
    let api = read(&source).expect("it is read");
    assert_eq!((&api.constants[0].value, symbols(&api)), (&Value::Int(1), vec![("f", "f")]));
}
