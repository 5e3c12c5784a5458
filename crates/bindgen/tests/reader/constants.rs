//! Constants, and what is said of those that are left out.

use crate::{folder, read};
use upcall_bindgen::model::Value;

#[test]
#[cfg(feature = "c")]
fn text_of_a_header_keeps_what_is_behind_a_zero() {
    use upcall_bindgen::{Diagnostics, c};
    let header = "#define PLAIN \"abc\"\n#define ZERO \"a\\0b\"\n#define PARTS ZERO \"\\0\\xff!\" PLAIN\n#define EMPTY \"\"\n\
        #define CAST ((const char *)\"a\\0b\")\n#define ONLY \"\\0\"\nstatic const char *const far = \"gh\";\n\
        #define FREED ((void (*)(void *))-1)\n#define NOBODY ((void *)0)\n";
    let folder = folder(&[("api.h", header)]);
    let input = c::Input { headers: vec![folder.path().join("api.h")], ..Default::default() };
    let mut diagnostics = Diagnostics::default();
    let api = c::read(&input, &mut diagnostics).unwrap();
    // It is a `char *`, of which clang computes nothing.
    let said: Vec<&str> = diagnostics.list.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(said, ["the constant `CAST` is left out: its value has no form that all languages have"]);
    let value = |name: &str| {
        let found = api.constants.iter().find(|constant| constant.name == name);
        match found.map(|constant| &constant.value) {
            Some(Value::CStr(bytes)) => {
                String::from_utf8_lossy(&bytes.escape_ascii().collect::<Vec<_>>()).into_owned()
            }
            other => format!("{other:?}"),
        }
    };
    for (name, expected) in [
        ("PLAIN", "abc"),
        ("ZERO", "a\\x00b"),
        ("PARTS", "a\\x00b\\x00\\xff!abc"),
        ("EMPTY", ""),
        ("ONLY", "\\x00"),
        ("far", "gh"),
        // What a pointer is as a number.
        ("FREED", "Some(Int(18446744073709551615))"),
        ("NOBODY", "Some(Int(0))"),
    ] {
        assert_eq!(value(name), expected, "{name}");
    }
}

#[test]
fn a_constant_that_is_left_out_is_named_at_its_place() {
    let text = "pub const TAKEN: u32 = 1;
pub const LIST: [u8; 2] = [1, 2];
pub const SLICE: &[u8] = &[1];
pub const TUPLE: (u8, u8) = (1, 2);
pub const OPTION: Option<u8> = None;
pub const PAIR: Pair = Pair { a: 1 };
pub const SHAPE: Shape = Shape::Round(1);
pub const UNKNOWN: Elsewhere = Elsewhere;
pub const FUNCTION: fn() = nothing;
const PRIVATE: [u8; 1] = [1];
pub const _HIDDEN: [u8; 1] = [1];
#[repr(C)] pub struct Pair { pub a: u8 }
#[repr(C)] pub enum Shape { Round(u8), Flat }
pub struct Elsewhere;
fn nothing() {}
impl Pair { pub const ZERO: Pair = Pair { a: 0 }; pub const SIZE: u8 = 1; }
#[unsafe(no_mangle)] pub extern \"C\" fn f(pair: Pair, shape: Shape) {}
";
    let folder = folder(&[("lib.rs", text)]);
    let (api, said) = read(&folder.path().join("lib.rs"), |_| ());
    let taken: Vec<_> = api.unwrap().constants.into_iter().map(|constant| constant.name).collect();
    assert_eq!(taken, ["TAKEN", "Pair_SIZE"]);
    let path = folder.path().join("lib.rs");
    let named = |line: usize, column: usize, name: &str, ty: &str| {
        format!(
            "{}:{line}:{column}: the constant `{name}` is left out: a value of the type `{ty}` has no form that all languages have (export a function that returns it, or constants of its parts)",
            path.display()
        )
    };
    let expected = [
        named(2, 11, "LIST", "[u8; 2]"),
        named(3, 11, "SLICE", "&[u8]"),
        named(4, 11, "TUPLE", "(u8, u8)"),
        named(5, 11, "OPTION", "Option<u8>"),
        named(6, 11, "PAIR", "Pair"),
        named(7, 11, "SHAPE", "Shape"),
        named(8, 11, "UNKNOWN", "Elsewhere"),
        named(9, 11, "FUNCTION", "fn()"),
        named(16, 23, "Pair_ZERO", "Pair"),
    ];
    assert_eq!(said, expected);
    // Whoever chooses them by name wants no others.
    let (_, said) = read(&path, |input| input.constants = vec!["TAKEN".into(), "LI*".into()]);
    assert_eq!(said, expected[..1]);
}

#[test]
fn a_file_says_its_path_as_in_the_users_own_build() {
    let text = "pub const HERE: &str = file!(); #[path = \"../../../shared.rs\"] pub mod shared;
        #[unsafe(no_mangle)] pub extern \"C\" fn f() {}";
    let folder = folder(&[
        ("Cargo.toml", "[workspace]\nmembers = ['crates/one']\nresolver = '2'\n"),
        ("crates/one/Cargo.toml", "[package]\nname = 'one'\nversion = '0.1.0'\nedition = '2024'\n"),
        ("crates/one/src/lib.rs", text),
        ("shared.rs", "pub const FAR: &str = file!();"),
        ("alone.rs", "pub const HERE: &str = file!(); #[unsafe(no_mangle)] pub extern \"C\" fn f() {}"),
    ]);
    let values = |file: &str| -> Vec<Value> {
        let (api, said) = read(&folder.path().join(file), |_| ());
        assert_eq!(said, [""; 0]);
        api.unwrap().constants.into_iter().map(|constant| constant.value).collect()
    };
    let text = |text: &str| Value::Str(text.to_owned());
    let expected = [text("crates/one/src/lib.rs"), text("crates/one/src/../../../shared.rs")];
    assert_eq!(values("crates/one/src/lib.rs"), expected);
    assert_eq!(values("alone.rs"), [text(folder.path().join("alone.rs").to_str().unwrap())]);
}
